/** What the calls of one application share, for as long as the application answers. */
import { type Verification, type VerificationParts, verifySettled } from '../audit/verify.ts'
import type { Service } from '../service.ts'
import { type AuditFeed, auditFeed } from './audit-feed.ts'

export type Shared = {
  readonly feed: AuditFeed

  /** Verifies the audit trail; undefined: a verification is under way. */
  verify(parts?: Pick<VerificationParts, 'progress' | 'signal'>): Promise<Verification> | undefined
}

/** Rows of the trail that a verification reads at once. Bounds how long it blocks the event loop. */
const portion = 500

export function sharedOf({ storage: { audit }, keys, clock, followEveryMs, ended }: Service): Shared {
  let isVerifying = false
  return {
    feed: auditFeed({ audit, clock, everyMs: followEveryMs, ended }),
    verify(parts) {
      if (isVerifying) return undefined
      isVerifying = true
      return verifySettled({ ...parts, audit, keys: keys.provenAuditKeys, portion }).finally(() => {
        isVerifying = false
      })
    },
  }
}

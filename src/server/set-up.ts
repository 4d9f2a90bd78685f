/** Offers a new installation to its first administrator: a link that works once, in one browser. */
import type { AuditEvent } from '../audit/entry.ts'
import { eventBy } from '../audit/entry.ts'
import { setUpLink } from '../mail/operator-mails.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'

export type SetUpOffer = {
  /** The whole address, with its token in the fragment. */
  readonly address: string
  /** In epoch milliseconds. */
  readonly expiresAtMs: number
}

type Parts = {
  readonly settings: Pick<Settings, 'admin' | 'oauth'>
  readonly storage: Pick<Storage, 'setUp'>
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array
}

/**
 * Returns a new link; undefined: somebody has an account, or there is no console. `replacing`: earlier links end. `asked`: the audit
 * event; default: that of the service.
 */
export async function offerSetUp(
  { settings, storage, clock, random }: Parts,
  { replacing = false, asked }: { readonly replacing?: boolean; readonly asked?: AuditEvent } = {},
): Promise<SetUpOffer | undefined> {
  if (!settings.admin.enabled || !(await storage.setUp.isOpen())) return undefined
  const nowMs = clock()
  const { confirmation, path } = setUpLink(nowMs, random)
  const event = asked ?? eventBy('service', nowMs, 'confirmation_asked', {}, setUpDetails)
  await storage.setUp.offer(confirmation, [event], { replacing })
  return { address: new URL(path, settings.oauth.issuer).href, expiresAtMs: confirmation.expiresAtMs }
}

export const setUpDetails = { purpose: 'setup', mailed: false } as const

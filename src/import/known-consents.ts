/** Consents that came before: whoever withdrew one here does not get it back with the next run. */
import { createHash } from 'node:crypto'
import type { ImportedConsent, ImportOrigin } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Syncing } from './sync.ts'

export type KnownConsentsContext = {
  readonly storage: Pick<Storage, 'imports' | 'users'>
  /** The kind of the source. */
  readonly origin: string
  /** With `--sync` and `--compare`; absent: neither. */
  readonly syncing?: Syncing | undefined
  readonly nowMs: number
}

/** `consent` absent: it came before, and is as it is here. */
export type Remembered = { readonly consent?: ImportedConsent; readonly origin: ImportOrigin }

export function knownConsents({ storage, origin, syncing, nowMs }: KnownConsentsContext) {
  /** One that still waits for its person goes on waiting. */
  async function cameBefore(key: string, { userId }: ImportedConsent): Promise<boolean> {
    if (syncing === undefined || !(await storage.imports.origins('consent', origin, [key])).has(key)) return false
    return (await storage.users.find(userId)) !== undefined
  }

  return async (consent: ImportedConsent): Promise<Remembered> => {
    const { userId, clientId, scopes } = consent
    // It may outlive the person here.
    const key = createHash('sha256')
      .update(JSON.stringify([userId, clientId, scopes]))
      .digest('base64url')
    const isKnown = await cameBefore(key, consent)
    return {
      ...(!isKnown && { consent }),
      origin: { kind: 'consent', origin, key, id: key, marks: {}, seenAtMs: nowMs },
    }
  }
}

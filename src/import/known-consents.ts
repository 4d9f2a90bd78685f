/** Consents that came before: whoever withdrew one here does not get it back with the next run. */
import { createHash } from 'node:crypto'
import type { ImportedConsent, ImportFinding, ImportOrigin } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { permittedOf } from './consents.ts'
import type { Syncing } from './sync.ts'

export type KnownConsentsContext = {
  readonly storage: Pick<Storage, 'imports' | 'users' | 'clients' | 'scopes' | 'authorizations'>
  /** The kind of the source. */
  readonly origin: string
  /** With `--sync` and `--compare`; absent: neither. */
  readonly syncing?: Syncing | undefined
  readonly nowMs: number
}

/** `consent` absent: it came before, and is as it is here. */
export type Remembered = {
  readonly consent?: ImportedConsent
  readonly origin: ImportOrigin
  readonly findings?: readonly ImportFinding[]
}

/** What remembers that a run of this version read the consents of a source, whether or not there were any. */
export function consentsRead(origin: string, nowMs: number): ImportOrigin {
  return { kind: 'consent', origin, key: '', id: '', marks: {}, seenAtMs: nowMs }
}

export function knownConsents({ storage, origin, syncing, nowMs }: KnownConsentsContext) {
  /** One that still waits for its person goes on waiting. */
  async function cameBefore(key: string, { userId }: ImportedConsent): Promise<boolean> {
    if (!(await storage.imports.origins('consent', origin, [key])).has(key)) return false
    return (await storage.users.find(userId)) !== undefined
  }

  /**
   * Of an import before it was remembered which consents came: one that is here is as it is there, and one that is not may have been
   * withdrawn here, and is not given again. Undefined: its person or its application came since.
   */
  async function ofEarlierVersion(
    key: string,
    consent: ImportedConsent,
  ): Promise<readonly ImportFinding[] | undefined> {
    if (syncing === undefined || syncing.remembersConsents) return undefined
    const { userId, clientId, scopes: given, isByOperator } = consent
    const [user, client] = await Promise.all([storage.users.find(userId), storage.clients.find(clientId)])
    const isOlder = (one: { readonly createdAtMs: number } | undefined) =>
      (one?.createdAtMs ?? syncing.sinceMs) < syncing.sinceMs
    if (user === undefined || !isOlder(user) || !isOlder(client)) return undefined
    const scopes = permittedOf(given, client, await storage.scopes.findMany(given))
    const stored = (await storage.authorizations.list(userId)).filter(
      (one) => one.clientId === clientId && (!isByOperator || one.byOperator === true),
    )
    if (stored.some((one) => scopes.every((scope) => one.scopes.includes(scope)))) {
      syncing.consents.adopted.add(key)
      return []
    }
    const member = `consents/${clientId}`
    if (syncing.isCompared) syncing.differences.push({ kind: 'person', source: user.name, member, there: given })
    const then = isByOperator ? 'whoever is to use it is let in by an operator again' : 'the application asks again'
    const reason = `${user.name} has a consent for ${clientId} there (${given.join(' ')}) and not here, where it may have been withdrawn: it does not come, and ${then}. --on-conflict skip brings it.`
    return [{ kind: 'person', source: user.name, member, severity: 'changed', reason }]
  }

  return async (consent: ImportedConsent): Promise<Remembered> => {
    const { userId, clientId, scopes } = consent
    // It may outlive the person here.
    const key = createHash('sha256')
      .update(JSON.stringify([userId, clientId, scopes]))
      .digest('base64url')
    const remembered: ImportOrigin = { kind: 'consent', origin, key, id: key, marks: {}, seenAtMs: nowMs }
    if (syncing !== undefined) {
      if (await cameBefore(key, consent)) return { origin: remembered }
      const findings = await ofEarlierVersion(key, consent)
      if (findings !== undefined) return { origin: remembered, findings }
    }
    return { consent, origin: remembered }
  }
}

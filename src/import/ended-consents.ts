/** Consents of operators that hold here and not in the source: whoever has one gets into an application that is closed to them there. */
import type { Authorization } from '../protocol/grant/grant.ts'
import type { AccessPage } from '../storage/port/access-pages.ts'
import type { ImportFinding } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { commandOf } from './commands.ts'
import type { SourceRecord } from './source.ts'
import type { OperatorConsents, Syncing } from './sync.ts'

/** Remembers what a record says of them. */
export function noteConsents({ clients, given }: OperatorConsents, source: SourceRecord): void {
  if ('client' in source && source.client.members.consent === 'external') clients.add(source.client.id)
  if ('noted' in source && source.consent?.isByOperator === true) {
    given.add(`${source.consent.clientId} ${source.consent.userId}`)
  }
}

/** Says how many consents came before it was remembered which ones did. */
export function adoptedFinding({ consents: { adopted } }: Syncing, origin: string): readonly ImportFinding[] {
  if (adopted.size === 0) return []
  const many = adopted.size === 1 ? '1 consent is' : `${adopted.size} consents are`
  const reason = `${many} here as there, from an import of an earlier version: from now on, what ends here stays ended.`
  return [{ kind: 'realm', source: origin, member: 'consents', severity: 'changed', reason }]
}

/** Returns what is said of consents that the source does not have, one for each person and application. */
export async function endedConsents(
  { accessPages, users }: Pick<Storage, 'accessPages' | 'users'>,
  { isCompared, differences, consents: { clients, given } }: Syncing,
): Promise<readonly ImportFinding[]> {
  const findings: ImportFinding[] = []
  if (clients.size === 0) return findings
  const said = new Set(given)
  let after: string | undefined = ''
  while (after !== undefined) {
    const page: AccessPage<Authorization> = await accessPages.authorizations({ after })
    for (const { clientId, userId, scopes, byOperator } of page.rows) {
      const key = `${clientId} ${userId}`
      if (byOperator !== true || !clients.has(clientId) || said.has(key)) continue
      said.add(key)
      const name = (await users.find(userId))?.name ?? userId
      const member = `consents/${name}`
      if (isCompared) differences.push({ kind: 'client', source: clientId, member, here: scopes })
      const reason = `${name} may use ${clientId} here by the consent of an operator, and not there: if it ended there, revoke it here, too.`
      const command = commandOf('authorizations list --user', name)
      findings.push({ kind: 'client', source: clientId, member, severity: 'changed', reason, ...command })
    }
    after = page.next
  }
  return findings
}

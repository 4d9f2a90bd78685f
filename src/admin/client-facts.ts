/** What the operations on clients have in common. */
import type { AuditEvent } from '../audit/entry.ts'
import { contextOf } from '../connect/registration-answers.ts'
import type { ClaimRule } from '../protocol/claims/claim-rules.ts'
import { ruleChanges } from '../protocol/claims/known-rules.ts'
import { calledAddresses, refusedAddressWarning } from '../protocol/client/called-addresses.ts'
import { addressesBy, type Client } from '../protocol/client/client.ts'
import { algorithmsKeptFor, algorithmsOf } from '../protocol/client/client-algorithms.ts'
import { clientMemberKind, type MemberChange, readOnlyMembers } from '../protocol/client/client-members.ts'
import { type RegistrationContext, scopesToLookUp } from '../protocol/client/client-registration.ts'
import { addedClient, clientRecord } from '../protocol/client/records.ts'
import { registeredRisks } from '../protocol/client/registered-addresses.ts'
import { uncommonKeyWarnings } from '../protocol/client/signing-algorithms.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isAdminScope } from '../protocol/scope/admin-scopes.ts'
import type { Service } from '../service.ts'
import { StorageUnavailable } from '../storage/port/unavailable.ts'
import { mergePatch } from './changing.ts'
import type { Call, Done } from './operation.ts'
import { etagOf } from './version.ts'

export type ClientBody = Readonly<Record<string, unknown>>

/**
 * Returns the changes that a body asks for. `record`: the client as it is. Members that nobody can set and that come back
 * unchanged are left out; others are for the rule to refuse.
 */
export function toChanges(body: ClientBody, record: ClientBody, method: 'PUT' | 'PATCH'): MemberChange[] {
  return Object.entries(body).flatMap(([member, given]) => {
    // Follows from other members, and may come back with them.
    if (member === 'warnings') return []
    const current = record[member]
    const isReadOnly = (readOnlyMembers as readonly string[]).includes(member)
    const isSame = JSON.stringify(given) === JSON.stringify(current)
    if (isSame && (isReadOnly || method === 'PATCH')) return []
    const isMerged = method === 'PATCH' && given !== null && clientMemberKind(member) === 'object'
    return [{ member, operation: 'set', value: isMerged ? mergePatch(current, given) : given }]
  })
}

/** Returns what the rules judge by. Whether the caller may give out administrative scopes is decided separately. */
export async function judgingOf(
  { service }: Call,
  changes: readonly MemberChange[],
  newSecretHash: string,
): Promise<RegistrationContext> {
  const context = await contextOf(service, changes, newSecretHash)
  const administrative = scopesToLookUp(changes).filter(isAdminScope)
  return {
    ...context,
    registeredScopes: [...context.registeredScopes, ...administrative],
    allowsHttp: service.settings.outbound.allowHttp,
  }
}

type Recorder = Pick<Call, 'event'>

/** Returns an audit event for each rule of the client that comes or goes. */
export const ruleEvents = (
  { event }: Recorder,
  clientId: string,
  before: readonly ClaimRule[],
  after: readonly ClaimRule[],
): AuditEvent[] => ruleChanges(before, after).map(([kind, what]) => event(kind, { clientId }, what))

export const eventsOfAdded = (call: Recorder, client: Client): AuditEvent[] => [
  call.event('client_added', { clientId: client.id }, addedClient(client)),
  ...ruleEvents(call, client.id, [], client.metadata.claims),
]

/**
 * Publishes the keys that sign for the client before they sign. What fails here is made at the first use. Ends those that no
 * client asks for any more; housekeeping ends what fails here.
 */
export async function publishKeys(service: Service, { metadata }: Client): Promise<void> {
  const { keys, settings } = service
  const algorithms = algorithmsKeptFor(metadata, settings.oauth.postQuantum)
  await Promise.all(algorithms.map((algorithm) => keys.signer(algorithm))).catch(() => {})
  await endKeys(service)
}

export async function endKeys({ keys, storage, settings, clock }: Service): Promise<void> {
  const { endUncommon } = await import('../keys/unasked.ts')
  try {
    if ((await endUncommon({ storage, settings, clock })).length > 0) await keys.refresh(0)
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
  }
}

/** Returns the secret if the client has the one with this hash now. */
export function secretOf({ authentication }: Client, hash: string, secret: string): string | undefined {
  return authentication.method === 'client_secret' && authentication.secretHash === hash ? secret : undefined
}

/** `secret`: a new one, which this answer alone shows. */
export async function shownClient({ service, nowMs }: Call, client: Client, secret?: string): Promise<Done> {
  const registered = clientRecord(client, nowMs)
  const etag = etagOf(registered, client.version)
  const warnings = [
    ...uncommonKeyWarnings(algorithmsOf(client.metadata, true)),
    ...registeredRisks(client).map(({ message }) => message),
    ...(await refusedAddresses(service, client)),
  ]
  const record = warnings.length === 0 ? registered : { ...registered, warnings }
  if (secret === undefined) return { body: record, etag }
  // RFC 7591 §3.2.1: 0 means that the secret does not expire.
  return { body: { ...record, client_secret: secret, client_secret_expires_at: 0 }, etag, secrets: ['client_secret'] }
}

/** Returns a warning for each address that will not be requested. */
async function refusedAddresses({ outbound }: Service, client: Client): Promise<string[]> {
  const warnings = await Promise.all(
    calledAddresses(client).map(async ({ member, uri }) => {
      const refused = await outbound.check(uri, addressesBy(client.metadata))
      return refused === undefined ? [] : [refusedAddressWarning(member, refused.failed)]
    }),
  )
  return warnings.flat()
}

export function unknownClient(id = ''): Refusal {
  return refuse('admin_record_unknown', 'client', { client: id })
}

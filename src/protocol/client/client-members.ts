/** The members of a client that can be set, by their names in RFC 7591 §2, and the effect of setting each. */
import { type Judged, judge, memberProblem, type Problem, problem } from '../../problem.ts'
import { isRefusal } from '../../refusal.ts'
import { registerMethod, registrableMethods } from '../client-authentication/registration.ts'
import { isTexts } from '../json-value.ts'
import { parseScope } from '../scope/scope.ts'
import type { Client } from './client.ts'
import type { MemberContext, MemberKind, Read } from './member-kinds.ts'
import {
  type About,
  type FollowingMetadata,
  type ListMember,
  metadataTable,
  type RecordMember,
  type RecordValues,
  recordTable,
  type SettableMember,
  type ValueMember,
} from './member-table.ts'
import { isMetadataMember, localizedMember, withLanguage, withMember } from './metadata-members.ts'

/** The kind of each member. */
export const clientMembers = Object.fromEntries([
  ...Object.entries(recordTable).map(([member, { kind }]) => [member, kind]),
  ...Object.entries(metadataTable).flatMap(([member, entry]) => ('rule' in entry ? [[member, entry.rule.kind]] : [])),
]) as Readonly<Record<SettableMember, MemberKind>> & Readonly<Record<string, MemberKind>>

/**
 * `value`: JSON; null sets the default. `add` and `remove` apply to lists and words. Several `set` of one list
 * accumulate.
 */
export type MemberChange = {
  readonly member: string
  readonly operation: 'set' | 'add' | 'remove'
  readonly value: unknown
}

export type ChangeContext = MemberContext & {
  /** What is stored of a new secret, for a client that becomes confidential: its hash, or for `client_secret_jwt` sealed. */
  readonly newSecretHash: string
}

/** What a record has besides members of the tables, and why they cannot be set, as the end of a sentence. */
const facts = {
  client_id: 'never changes',
  client_id_issued_at: 'never changes',
  previous_secret_expires_at: 'follows from a rotation: latchkey client rotate-secret ID --overlap SECONDS',
}

const following = Object.fromEntries(
  Object.entries(metadataTable).flatMap(([member, entry]) => ('why' in entry ? [[member, entry.why]] : [])),
) as Readonly<Record<FollowingMetadata, string>>

const { previous_secret_expires_at, ...first } = facts
const readOnly = { ...first, ...following, previous_secret_expires_at }

export type ReadOnlyMember = keyof typeof readOnly

/** Members of a client's record that follow from others. They may come back as they were read. */
export const readOnlyMembers = Object.keys(readOnly) as readonly ReadOnlyMember[]

const unsettable: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...readOnly, client_secret: 'is generated: latchkey client rotate-secret ID' }),
)

/** Returns why a member cannot be set; undefined: it can. */
export function clientMemberProblem(member: string): Problem | undefined {
  if (localizedMember(member) !== undefined) return undefined
  return memberProblem(member, Object.keys(clientMembers), unsettable, 'a client')
}

/** Whether a member can be set. */
export function isClientMember(member: string): boolean {
  return Object.hasOwn(clientMembers, member) || localizedMember(member) !== undefined
}

/** Returns the kind of a member that can be set. */
export function clientMemberKind(member: string): MemberKind {
  return localizedMember(member)?.rule.kind ?? clientMembers[member] ?? 'text'
}

/** Applies the changes in order. Returns the client and what could not be applied; validation is separate. */
export function applyChanges(
  client: Client,
  changes: readonly MemberChange[],
  context: ChangeContext,
): { readonly client: Client; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const begun = new Set<string>()
  let draft = client
  for (const change of changes) {
    const unknown = clientMemberProblem(change.member)
    const done =
      unknown === undefined
        ? applied(draft, change, begun.has(change.member), client, context)
        : judge<Partial<Client>>({}, [unknown])
    begun.add(change.member)
    if (isRefusal(done)) problems.push(...done.problems)
    else draft = { ...draft, ...done }
  }
  return { client: draft, problems }
}

/** Returns the scopes that the changes add. */
export function scopesGiven(changes: readonly MemberChange[]): string[] {
  const given = changes.filter(({ member, operation }) => member === 'scope' && operation !== 'remove')
  return given.flatMap(({ value }) => itemsOf('scope', value) ?? [])
}

const hasForm = (member: string, ...forms: readonly string[]): boolean =>
  Object.hasOwn(recordTable, member) && forms.includes(recordTable[member as RecordMember].form)

/** Whether the member is a list of what the client may use, in its record. */
export const isListMember = (member: string): member is ListMember => hasForm(member, 'list')
const isValueMember = (member: string): member is ValueMember => hasForm(member, 'value')
export const isRecordValue = (member: string): member is ListMember | ValueMember => hasForm(member, 'list', 'value')

/** Returns who may set a member; undefined: it cannot be set by that name. */
export function setterOf(member: string): About['setBy'] | undefined {
  if (Object.hasOwn(recordTable, member)) return recordTable[member as RecordMember].setBy
  return isMetadataMember(member) ? metadataTable[member].setBy : undefined
}

/** Returns the values that the schema of the admin API names; undefined: it leaves them to the rule. */
export function listedValues(member: SettableMember): readonly string[] | undefined {
  if (member === 'token_endpoint_auth_method') return registrableMethods
  const entry: About = isMetadataMember(member) ? metadataTable[member] : recordTable[member]
  return entry.listed
}

/** Returns the default of a member; undefined: it has none of its own. */
export function defaultOf(member: string): unknown {
  if (isRecordValue(member)) return recordTable[member].default
  return isMetadataMember(member) ? metadataTable[member].default : undefined
}

/** The record where a registration is silent. */
export function recordDefaults(id: string): RecordValues & Pick<Client, 'name'> {
  return {
    ...(Object.fromEntries(recordValues.map((entry) => [entry.property, entry.default])) as RecordValues),
    name: id,
  }
}

/** Returns the client without what a replacement by itself, or by an operator, takes away. */
export function bareRecord(client: Client, by: 'client' | 'operator'): Client {
  const kept = recordValues.filter(({ setBy }) => setBy === 'operator' && by === 'client')
  return {
    ...client,
    ...recordDefaults(client.id),
    ...Object.fromEntries(kept.map(({ property }) => [property, client[property]])),
  }
}

const recordValues = Object.values(recordTable).filter((entry) => 'property' in entry)

/** `isContinued`: an earlier change set the same member. `before`: the client before all changes. */
function applied(
  draft: Client,
  change: MemberChange,
  isContinued: boolean,
  before: Client,
  context: ChangeContext,
): Judged<Partial<Client>> {
  const { member, operation, value } = change
  const fault = (text: string) => judge<Partial<Client>>({}, [problem(member, member, text)])
  if (isListMember(member)) {
    const { property, default: byDefault } = recordTable[member]
    const isReset = value === null && operation === 'set' && byDefault.length > 0
    const items = isReset ? { value: byDefault } : changedItems(draft[property], change, isContinued)
    if ('fault' in items) return fault(items.fault)
    // Every client has `openid`, so it is not stored.
    return { [property]: member === 'scope' ? items.value.filter((item) => item !== 'openid') : items.value }
  }
  if (isMetadataMember(member)) {
    const { metadata } = draft
    const current: unknown = metadata[member]
    const isListed = clientMembers[member] === 'list' && isTexts(current) && value !== null
    if (operation !== 'set' && !isListed) return fault('is no list: set it with =')
    const items = isListed ? changedItems(current, change, isContinued) : { value }
    const changed = 'fault' in items ? items : withMember(metadata, member, items.value, context)
    return 'fault' in changed ? fault(changed.fault) : { metadata: changed.value }
  }
  if (operation !== 'set') return fault('is no list: set it with =')
  if (isValueMember(member)) {
    const { property, rule, default: byDefault } = recordTable[member]
    const read: Read<unknown> = value === null ? { value: byDefault } : rule.read(value, context)
    return 'fault' in read ? fault(read.fault) : { [property]: read.value }
  }
  const localized = localizedMember(member)
  if (localized !== undefined) {
    const changed = withLanguage(draft.metadata, localized, value, context)
    return 'fault' in changed ? fault(changed.fault) : { metadata: changed.value }
  }
  switch (member) {
    case 'client_name':
      // Without a name, the client is named by its id.
      if (value === '' || value === null) return { name: draft.id }
      return typeof value === 'string' ? { name: value } : fault('must be a text')
    case 'response_types':
      if (value === null || (isTexts(value) && value.every((type) => type === 'code'))) return {}
      return fault('must be ["code"]: other response types are not supported')
    default: {
      const registered = registerMethod(value, before, context.newSecretHash)
      if (typeof registered === 'string') return fault(registered)
      const { authentication, token_endpoint_auth_method } = registered
      return { authentication, metadata: { ...draft.metadata, token_endpoint_auth_method } }
    }
  }
}

function changedItems(
  current: readonly string[],
  { member, operation, value }: MemberChange,
  isContinued: boolean,
): Read<readonly string[]> {
  const given = itemsOf(member, value)
  if (given === undefined) {
    return {
      fault: clientMembers[member] === 'words' ? 'must be words separated by spaces' : 'must be an array of strings',
    }
  }
  if (operation === 'remove') {
    const missing = given.find((item) => !current.includes(item))
    if (missing !== undefined) return { fault: `does not hold ${JSON.stringify(missing)}` }
    return { value: current.filter((item) => !given.includes(item)) }
  }
  const base = operation === 'add' || isContinued ? current : []
  return { value: [...new Set([...base, ...given])] }
}

function itemsOf(member: string, value: unknown): readonly string[] | undefined {
  if (value === null) return []
  if (isTexts(value)) return value
  return typeof value === 'string' && clientMembers[member] === 'words' ? parseScope(value) : undefined
}

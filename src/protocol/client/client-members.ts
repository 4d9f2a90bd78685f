/** The members of a client that can be set, by their names in RFC 7591 §2, and the effect of setting each. */
import { type Judged, judge, memberProblem, type Problem, problem } from '../../problem.ts'
import { isRefusal } from '../../refusal.ts'
import { registerMethod } from '../client-authentication/registration.ts'
import { defaultGrantTypes } from '../grant/grant-types.ts'
import { parseScope } from '../scope/scope.ts'
import type { Client } from './client.ts'
import { isTexts, type MemberContext, type MemberKind, type Read } from './member-kinds.ts'
import { isMetadataMember, localizedMember, metadataKinds, withLanguage, withMember } from './metadata-members.ts'

/** The kind of each member. */
export const clientMembers: Readonly<Record<string, MemberKind>> = {
  client_name: 'text',
  redirect_uris: 'list',
  post_logout_redirect_uris: 'list',
  scope: 'words',
  grant_types: 'list',
  response_types: 'list',
  consent: 'enum',
  require_pkce: 'flag',
  token_endpoint_auth_method: 'enum',
  ...metadataKinds,
}

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
  /** Hash of a new secret, for a client that becomes confidential. */
  readonly newSecretHash: string
}

/** Members of a client's record that follow from others. They may come back as they were read. */
export const readOnlyMembers = [
  'client_id',
  'client_id_issued_at',
  'registration',
  'granted_signing_algs',
  'document_fresh_until',
  'public_since',
  'set_by_operator',
  'previous_secret_expires_at',
] as const

const unsettable: ReadonlyMap<string, string> = new Map(
  Object.entries({
    client_id: 'never changes',
    client_id_issued_at: 'never changes',
    registration: 'never changes',
    granted_signing_algs: 'follows from the algorithms that an operator sets',
    document_fresh_until: 'follows from its document',
    public_since: 'follows from token_endpoint_auth_method',
    set_by_operator: 'follows from the changes of operators',
    previous_secret_expires_at: 'follows from a rotation: latchkey client rotate-secret ID --overlap SECONDS',
    client_secret: 'is generated: latchkey client rotate-secret ID',
  }),
)

/** Returns why a member cannot be set; undefined: it can. */
export function clientMemberProblem(member: string): Problem | undefined {
  if (localizedMember(member) !== undefined) return undefined
  return memberProblem(member, clientMembers, unsettable, 'a client')
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

const lists = {
  redirect_uris: 'redirectUris',
  post_logout_redirect_uris: 'postLogoutRedirectUris',
  scope: 'scopes',
  grant_types: 'grantTypes',
} as const satisfies Readonly<Record<string, keyof Client>>

const isList = (member: string): member is keyof typeof lists => Object.hasOwn(lists, member)

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
  if (isList(member)) {
    const isReset = member === 'grant_types' && value === null && operation === 'set'
    const items = isReset ? { value: defaultGrantTypes } : changedItems(draft[lists[member]], change, isContinued)
    if ('fault' in items) return fault(items.fault)
    // Every client has `openid`, so it is not stored.
    return { [lists[member]]: member === 'scope' ? items.value.filter((item) => item !== 'openid') : items.value }
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
    case 'consent':
      if (value === null) return { consent: 'explicit' }
      return value === 'explicit' || value === 'implicit' ? { consent: value } : fault('must be explicit or implicit')
    case 'require_pkce':
      if (value === null) return { requirePkce: true }
      return typeof value === 'boolean' ? { requirePkce: value } : fault('must be true or false')
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

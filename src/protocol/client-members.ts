/** The members of a client that can be set, by their names in RFC 7591 §2, and the effect of setting each. */
import { type Judged, judge, memberProblem, type Problem, problem } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import type { Client } from './client.ts'
import { registerMethod } from './client-authentication/registration.ts'
import { parseScope } from './scope.ts'

/** `list`: an array of texts; `words`: one text of words separated by spaces; `flag`: a boolean. */
export const clientMembers = {
  client_name: 'text',
  redirect_uris: 'list',
  post_logout_redirect_uris: 'list',
  scope: 'words',
  grant_types: 'list',
  consent: 'text',
  require_pkce: 'flag',
  token_endpoint_auth_method: 'text',
} as const

/** `add` and `remove` apply to lists and words. Several `set` of one list accumulate. */
export type MemberChange = {
  readonly member: string
  readonly operation: 'set' | 'add' | 'remove'
  readonly value: string | boolean | readonly string[]
}

const unsettable: ReadonlyMap<string, string> = new Map(
  Object.entries({
    client_id: 'never changes',
    client_id_issued_at: 'never changes',
    client_secret: 'is generated: latchkey client rotate-secret ID',
    response_types: 'is always code',
  }),
)

/** Returns why a member cannot be set; undefined: it can. */
export function clientMemberProblem(member: string): Problem | undefined {
  return memberProblem(member, clientMembers, unsettable, 'a client')
}

/** Applies the changes in order. Returns the client and what could not be applied; validation is separate. */
export function applyChanges(
  client: Client,
  changes: readonly MemberChange[],
  newSecretHash: string,
): { readonly client: Client; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const begun = new Set<string>()
  let draft = client
  for (const change of changes) {
    const unknown = clientMemberProblem(change.member)
    const done =
      unknown === undefined
        ? applied(draft, change, begun.has(change.member), client, newSecretHash)
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
  return given.flatMap(({ value }) => itemsOf(value))
}

/** `isContinued`: an earlier change set the same member. `before`: the client before all changes. */
function applied(
  draft: Client,
  change: MemberChange,
  isContinued: boolean,
  before: Client,
  newSecretHash: string,
): Judged<Partial<Client>> {
  const { member, operation, value } = change
  const fault = (text: string) => judge<Partial<Client>>({}, [problem(member, member, text)])
  switch (member) {
    case 'redirect_uris':
      return changedList('redirectUris', draft.redirectUris, change, isContinued)
    case 'post_logout_redirect_uris':
      return changedList('postLogoutRedirectUris', draft.postLogoutRedirectUris, change, isContinued)
    case 'scope':
      return changedList('scopes', draft.scopes, change, isContinued)
    case 'grant_types':
      return changedList('grantTypes', draft.grantTypes, change, isContinued)
  }
  if (operation !== 'set') return fault('is no list: set it with =')
  switch (member) {
    case 'client_name':
      // Without a name, the client is named by its id.
      return typeof value === 'string' ? { name: value === '' ? draft.id : value } : fault('must be a text')
    case 'consent':
      return value === 'explicit' || value === 'implicit' ? { consent: value } : fault('must be explicit or implicit')
    case 'require_pkce':
      return typeof value === 'boolean' ? { requirePkce: value } : fault('must be true or false')
    default: {
      const registered = registerMethod(value, before, newSecretHash)
      if (typeof registered === 'string') return fault(registered)
      const { authentication, token_endpoint_auth_method } = registered
      return { authentication, metadata: { ...draft.metadata, token_endpoint_auth_method } }
    }
  }
}

function changedList(
  name: 'redirectUris' | 'postLogoutRedirectUris' | 'scopes' | 'grantTypes',
  current: readonly string[],
  { member, operation, value }: MemberChange,
  isContinued: boolean,
): Judged<Partial<Client>> {
  const given = itemsOf(value)
  if (operation === 'remove') {
    const missing = given.find((item) => !current.includes(item))
    if (missing !== undefined) return judge({}, [problem(member, member, `does not hold ${JSON.stringify(missing)}`)])
    return { [name]: current.filter((item) => !given.includes(item)) }
  }
  const base = operation === 'add' || isContinued ? current : []
  const items = [...new Set([...base, ...given])]
  // Every client has `openid`, so it is not stored.
  return { [name]: name === 'scopes' ? items.filter((item) => item !== 'openid') : items }
}

/** A single text contains words. */
function itemsOf(value: MemberChange['value']): readonly string[] {
  return typeof value === 'string' ? parseScope(value) : typeof value === 'boolean' ? [String(value)] : value
}

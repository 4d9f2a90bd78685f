/** Brings clients and scopes of other systems in without the values that none can have here, where they can do without them. */
import type { Problem, Rejection } from '../problem.ts'
import type { ClaimRule } from '../protocol/claims/claim-rules.ts'
import { type Client, clientType } from '../protocol/client/client.ts'
import { isRefusal } from '../refusal.ts'
import { commandOf } from './commands.ts'
import { type Note, type SourceClient, sentence } from './source.ts'

type Members = SourceClient['members']

/** Lists of which each value is judged by itself. Without one of them a client can do less, and nothing is less safe. */
const lists: ReadonlySet<string> = new Set([
  ...['redirect_uris', 'post_logout_redirect_uris', 'scope', 'default_scopes', 'contacts', 'web_origins', 'claims'],
  ...['role_clients', 'service_account_roles', 'resources'],
])

/** Members without which a client does less, or asks more, and nothing is less safe. */
const optional: ReadonlySet<string> = new Set([
  ...['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'access_token_lifetime', 'id_token_lifetime'],
  ...['refresh_token_lifetime', 'initiate_login_uri', 'default_max_age', 'backchannel_logout_uri'],
  ...['frontchannel_logout_uri', 'default_acr_values', 'refresh_token_scope', 'refresh_token_rotation'],
  ...['service_account_subject', 'logout_confirmation', 'unknown_scopes'],
])

/** Returns the client, and what it comes without; or what is wrong with a member that it cannot do without. */
export function fitting(
  { id, members: given, names = {} }: Pick<SourceClient, 'id' | 'members' | 'names'>,
  judge: (members: Members) => Client | Rejection,
): { readonly client: Client; readonly notes: readonly Note[] } | { readonly fault: string; readonly member?: string } {
  const nameOf = (member: string) => names[member] ?? member
  const notes: Note[] = []
  const problemsOf = (members: Members): readonly Problem[] => {
    const judged = judge(members)
    return isRefusal<Client | Rejection>(judged) ? judged.problems : []
  }
  const faultOf = (member: string, value: unknown): string => {
    const one = typeof given[member] === 'string' ? value : [value]
    return brief(sentence(problemsOf({ ...given, [member]: one }).filter((problem) => problem.member === member)))
  }
  let members = given
  for (;;) {
    const judged = judge(members)
    if (!isRefusal<Client | Rejection>(judged)) {
      return { client: judged, notes: [...notes, ...pkceNotes(id, given, judged, nameOf('require_pkce'))] }
    }
    const before = members
    for (const { member, message } of judged.problems) {
      if (member === 'claims' && members === before) {
        const without = withoutConflicts(members, problemsOf)
        for (const { scope, fault } of without.lost) {
          notes.push({ member: nameOf('scope'), severity: 'lost', reason: `${scope} does not come: ${brief(fault)}` })
        }
        if (without.lost.length > 0) {
          members = without.members
          continue
        }
      }
      if (!Object.hasOwn(members, member)) continue
      const { [member]: value, ...others } = members
      const lose = (reason: string, command: { readonly command?: string } = {}) =>
        notes.push({ member: nameOf(member), severity: 'lost', reason, ...command })
      if (member === 'require_pkce' && value === false) members = others
      else if (lists.has(member)) {
        const values = valuesOf(value)
        const faults = values.map((one) => faultOf(member, one))
        const fits = values.filter((_, at) => faults[at] === '')
        // Together, they may be too many.
        if (fits.length === values.length && values.length > 0) continue
        for (const [at, one] of values.entries()) {
          if (faults[at] !== '') lose(`${textOf(one)} does not come: ${faults[at]}`, commandFor(one))
        }
        members =
          fits.length === 0 ? others : { ...others, [member]: typeof value === 'string' ? fits.join(' ') : fits }
      } else if (optional.has(member)) {
        lose(brief(message))
        members = others
      }
    }
    if (members === before) {
      const [first] = judged.problems
      const fault = brief(sentence(judged.problems))
      return { fault, ...(first !== undefined && { member: nameOf(first.member) }) }
    }
  }
}

/** Returns the members without scopes that set a claim which others set otherwise; those that are named first stay. */
function withoutConflicts(members: Members, problemsOf: (members: Members) => readonly Problem[]) {
  const conflicts = (scopes: readonly string[], more: Members = {}): string =>
    sentence(
      problemsOf({ ...members, scope: scopes.join(' '), default_scopes: [], ...more }).filter(
        (problem) => problem.member === 'claims',
      ),
    )
  const all = valuesOf(members.scope).map(String)
  const kept: string[] = []
  const lost: { readonly scope: string; readonly fault: string }[] = []
  if (conflicts(all, { claims: [] }) === '') return { members, lost }
  for (const scope of all) {
    const fault = conflicts([...kept, scope], { claims: [] })
    if (fault === '') kept.push(scope)
    else lost.push({ scope, fault })
  }
  const byDefault = valuesOf(members.default_scopes).filter((scope) => kept.includes(String(scope)))
  return { members: { ...members, scope: kept.join(' '), default_scopes: byDefault }, lost }
}

/** A public client that was not made to use PKCE there. */
function pkceNotes(id: string, given: Members, client: Client, member: string): Note[] {
  const hasCodes = client.grantTypes.includes('authorization_code')
  if (given.require_pkce !== false || clientType(client) !== 'public' || !hasCodes) return []
  if (client.requirePkce) {
    const reason = `${id} has to use PKCE, which it could leave out there (RFC 9700, section 2.1.1).`
    return [{ member, severity: 'changed', reason }]
  }
  const reason = `${id} is public and may leave out PKCE: whoever sees a code can redeem it (RFC 9700, section 2.1.1).`
  return [{ member, severity: 'risk', reason, ...commandOf('client set', id, 'require_pkce=true') }]
}

/** Returns the rules that can be stored, and what is to be said of the others. `problemsOf`: what is wrong with rules. */
export async function fittingClaims(
  rules: readonly ClaimRule[],
  problemsOf: (rules: readonly ClaimRule[]) => Promise<readonly Problem[]>,
): Promise<{ readonly claims: readonly ClaimRule[]; readonly notes: readonly Note[] }> {
  const claims: ClaimRule[] = []
  const notes: Note[] = []
  for (const rule of rules) {
    const fault = sentence(await problemsOf([...claims, rule]))
    if (fault === '') claims.push(rule)
    else {
      const reason = `${textOf(rule)} does not come: ${fault}`
      notes.push({ member: 'protocolMappers', severity: 'lost', reason, ...commandFor(rule) })
    }
  }
  return { claims, notes }
}

/** Says that a scope which is here already lacks a rule. */
export function ruleToAdd(scope: string, rule: ClaimRule): Note {
  const reason = `${textOf(rule)} does not come: the scope ${scope} is here already, without a rule for it.`
  const places = (rule.in ?? []).map((place) => ` --in ${place}`).join('')
  const command = commandOf(`scope claim add${places} --as ${rule.as} --from`, rule.from, scope, rule.claim)
  return { member: 'protocolMappers', severity: 'lost', reason, ...command }
}

const valuesOf = (value: unknown): readonly unknown[] =>
  typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : []

/** The list of all members says nothing about one of them. */
const brief = (message: string): string => message.replace(/\. These can be set: [^.]*\./g, '.')

const isRule = (value: unknown): value is ClaimRule => typeof value === 'object' && value !== null && 'from' in value

const textOf = (value: unknown): string => (isRule(value) ? `The claim ${value.claim}` : String(value))

/** A rule for a field that nobody declared comes with the next import, once somebody has. */
function commandFor(value: unknown): { readonly command?: string } {
  const name = isRule(value) ? /^attribute:([a-z][a-z0-9_]*)$/.exec(value.from)?.[1] : undefined
  return name === undefined ? {} : commandOf('attribute add', name)
}

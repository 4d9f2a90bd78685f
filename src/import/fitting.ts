/** Brings clients of other systems in without the values that no client can have here, where a client can do without them. */
import type { Problem, Rejection } from '../problem.ts'
import type { Client } from '../protocol/client/client.ts'
import type { SettableMember } from '../protocol/client/member-table.ts'
import { isRefusal } from '../refusal.ts'
import { type Note, type SourceClient, sentence } from './source.ts'

type Members = SourceClient['members']

/** Lists of which each value is judged by itself. Without one of them a client can do less, and nothing is less safe. */
const lists: ReadonlySet<string> = new Set<SettableMember>([
  'redirect_uris',
  'post_logout_redirect_uris',
  'scope',
  'contacts',
])

/** Members without which a client is what it is. */
const optional: ReadonlySet<string> = new Set<SettableMember>([
  ...(['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'contacts'] as const),
  ...(['access_token_lifetime', 'refresh_token_lifetime', 'initiate_login_uri', 'default_max_age'] as const),
  ...(['backchannel_logout_uri', 'frontchannel_logout_uri', 'default_acr_values'] as const),
])

/** Returns the client, and what it comes without; or what is wrong with a member that it cannot do without. */
export function fitting(
  { members: given, names = {} }: Pick<SourceClient, 'members' | 'names'>,
  judge: (members: Members) => Client | Rejection,
): { readonly client: Client; readonly notes: readonly Note[] } | { readonly fault: string; readonly member?: string } {
  const notes: Note[] = []
  const lose = (member: string, reason: string) =>
    notes.push({ member: names[member] ?? member, severity: 'lost', reason })
  const problemsOf = (members: Members): readonly Problem[] => {
    const judged = judge(members)
    return isRefusal<Client | Rejection>(judged) ? judged.problems : []
  }
  let members = given
  for (;;) {
    const judged = judge(members)
    if (!isRefusal<Client | Rejection>(judged)) return { client: judged, notes }
    const before = members
    for (const { member, message } of judged.problems) {
      if (!(member in members)) continue
      const { [member]: value, ...others } = members
      const fits = lists.has(member) ? valuesOf(value).filter((one) => isFitting(member, one)) : []
      for (const one of valuesOf(value)) {
        if (lists.has(member) && !fits.includes(one)) lose(member, `${one} does not come: ${faultOf(member, one)}`)
      }
      if (fits.length > 0) members = { ...others, [member]: typeof value === 'string' ? fits.join(' ') : fits }
      else if (lists.has(member) || optional.has(member)) {
        if (!lists.has(member)) lose(member, message)
        members = others
      }
    }
    if (sameNames(before, members) && JSON.stringify(before) === JSON.stringify(members)) {
      const [first] = judged.problems
      const member = first && (names[first.member] ?? first.member)
      return { fault: sentence(judged.problems), ...(member !== undefined && { member }) }
    }
  }

  function faultOf(member: string, value: string): string {
    const one = typeof given[member] === 'string' ? value : [value]
    return sentence(problemsOf({ ...given, [member]: one }).filter((problem) => problem.member === member))
  }

  function isFitting(member: string, value: string): boolean {
    return faultOf(member, value) === ''
  }
}

const valuesOf = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value.map(String) : []

const sameNames = (one: Members, other: Members) => Object.keys(one).length === Object.keys(other).length

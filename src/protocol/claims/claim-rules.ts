/** Rules of operators: what a scope, a client or a resource puts into tokens. */
import { type Judged, judge, type Problem, problem } from '../../problem.ts'
import { personClaims } from './standard-claims.ts'

export const claimPlaces = ['id_token', 'access_token', 'userinfo', 'introspection'] as const
export type ClaimPlace = (typeof claimPlaces)[number]

export const claimForms = ['auto', 'list', 'first', 'joined', 'text', 'json'] as const
export type ClaimForm = (typeof claimForms)[number]

/** A rule as it is stored and shown. */
export type ClaimRule = {
  /** A name; dots make objects, `\.` is a dot in a name, and an address is one name. */
  readonly claim: string
  /** `attribute:NAME`, `roles`, … */
  readonly from: string
  /** Null: where rules of its owner are by default. */
  readonly in: readonly ClaimPlace[] | null
  readonly as: ClaimForm
}

/** Where a value comes from, read from `from`. */
export type ClaimSource =
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'claim'; readonly name: string }
  | { readonly kind: 'roles'; readonly client: string | null }
  | { readonly kind: 'groups' | 'group_names' | 'username' | 'id' | 'created_at' | 'client_id' }
  | { readonly kind: 'constant'; readonly value: unknown }

/** Claims that the protocol sets, which no rule may. */
export const protocolClaims: ReadonlySet<string> = new Set(
  (
    'iss sub aud exp nbf iat jti azp nonce auth_time acr amr at_hash c_hash sid scope client_id cnf act may_act ' +
    // This service's own, by which it finds what a token belongs to, and what it left out.
    'grant_id exchanged_from subject_client_id groups_overage'
  ).split(' '),
)

/** Members by which introspection says what a token is worth (RFC 7662 §2.2), which no rule may set there. */
const introspectionClaims: ReadonlySet<string> = new Set(['active', 'token_type'])

/** Whether a rule for the claim may be told at introspection. */
export const isIntrospected = (claim: string): boolean => !introspectionClaims.has(pathOfClaim(claim)?.[0] ?? '')

const claimLengthAtMost = 200
const constantLengthAtMost = 1000
export const rulesAtMost = 50

/** Returns the names from the outermost object to the claim; undefined: the text is none. */
export function pathOfClaim(claim: string): readonly string[] | undefined {
  if (claim.length > claimLengthAtMost || !/^[\x21-\x7e]+$/.test(claim)) return undefined
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(claim)) return URL.canParse(claim) ? [claim] : undefined
  // A backslash stands before a dot alone.
  if (/\\(?!\.)/.test(claim)) return undefined
  const names = claim.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'))
  return names.includes('') ? undefined : names
}

const plainSources: Readonly<Record<string, ClaimSource>> = {
  roles: { kind: 'roles', client: null },
  groups: { kind: 'groups' },
  'groups:names': { kind: 'group_names' },
  username: { kind: 'username' },
  id: { kind: 'id' },
  created_at: { kind: 'created_at' },
  client_id: { kind: 'client_id' },
}

/** Reads `from`; undefined: it is none. */
export function sourceOf(from: string): ClaimSource | undefined {
  const plain = Object.hasOwn(plainSources, from) ? plainSources[from] : undefined
  if (plain !== undefined) return plain
  const colon = from.indexOf(':')
  const [kind, rest] = [from.slice(0, colon), from.slice(colon + 1)]
  if (colon <= 0 || rest === '') return undefined
  if (kind === 'attribute' || kind === 'claim') return { kind, name: rest }
  if (kind === 'roles') return { kind, client: rest }
  if (kind !== 'constant' || rest.length > constantLengthAtMost) return undefined
  const value = parsed(rest)
  return value === undefined ? undefined : { kind, value }
}

/** Returns the value of a JSON text; undefined: it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Judges a rule by itself. `attributes`: the names of those that are declared. */
export function registerRule(rule: ClaimRule, attributes: Pick<ReadonlySet<string>, 'has'>): Judged<ClaimRule> {
  const places = rule.in === null ? null : claimPlaces.filter((place) => rule.in?.includes(place))
  return judge({ ...rule, in: places }, [
    ...claimProblems(rule.claim),
    ...sourceProblems(rule.from, attributes),
    ...(places?.includes('introspection') && !isIntrospected(rule.claim)
      ? [problem('in', `The claim ${rule.claim}`, 'is set by introspection')]
      : []),
    ...(places?.length === 0 ? [problem('in', 'in', `names at least one of ${claimPlaces.join(', ')}`)] : []),
    ...(claimForms.includes(rule.as) ? [] : [problem('as', 'as', `is one of ${claimForms.join(', ')}`)]),
  ])
}

function claimProblems(claim: string): Problem[] {
  const path = pathOfClaim(claim)
  if (path === undefined) {
    const form = 'a name, names with dots between them, or an address, of printable ASCII without spaces'
    return [problem('claim', 'A claim', `is ${form}, of at most ${claimLengthAtMost} characters`)]
  }
  const [first = ''] = path
  return protocolClaims.has(first) ? [problem('claim', `The claim ${first}`, 'is set by the protocol')] : []
}

function sourceProblems(from: string, attributes: Pick<ReadonlySet<string>, 'has'>): Problem[] {
  const source = sourceOf(from)
  if (source === undefined) {
    const forms = 'attribute:NAME, claim:NAME, roles:CLIENT, constant:JSON'
    const known = [...Object.keys(plainSources), forms].join(', ')
    return [problem('from', 'from', `is one of ${known}; the JSON has at most ${constantLengthAtMost} characters`)]
  }
  if (source.kind === 'attribute' && !attributes.has(source.name)) {
    return [problem('from', `The attribute ${source.name}`, 'is not declared')]
  }
  if (source.kind === 'claim' && !personClaims.includes(source.name)) {
    return [problem('from', `The claim ${source.name}`, `is none of a person. There are: ${personClaims.join(', ')}`)]
  }
  return []
}

/** Rules of one scope, client or resource; `owner` names it: `scope orders`. */
export type OwnedRules = {
  readonly owner: string
  readonly rules: readonly ClaimRule[]
  readonly default: readonly ClaimPlace[]
}

/**
 * Returns the pairs of rules that cannot be in one token, as sentences: two that set one claim and are not the same, and a claim that
 * is an object for one and a value for another. `owned`: everything that tokens of one client may be made by.
 */
export function conflictsOf(owned: readonly OwnedRules[]): readonly string[] {
  const all = owned.flatMap(({ owner, rules, default: places }) =>
    rules.map((rule) => ({ owner, rule, places: rule.in ?? places, path: pathOfClaim(rule.claim) ?? [] })),
  )
  return all.flatMap((one, at) =>
    all.slice(at + 1).flatMap((other) => {
      const shared = one.places.filter((place) => other.places.includes(place))
      if (shared.length === 0 || !isBeginning(one.path, other.path)) return []
      const isSame =
        one.rule.claim === other.rule.claim && one.rule.from === other.rule.from && one.rule.as === other.rule.as
      if (isSame) return []
      // Two of one owner are told apart by what they read.
      const named = ({ rule, owner }: typeof one) =>
        one.owner === other.owner ? `${rule.claim} from ${rule.from}` : `${rule.claim} of the ${owner}`
      return [`${named(one)} and ${named(other)} would both be set in ${shared.join(', ')}.`]
    }),
  )
}

/** Whether one of the paths is the other, or the beginning of it. */
function isBeginning(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length)
  return one.slice(0, length).every((name, at) => name === other[at])
}

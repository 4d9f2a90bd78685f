/** What rules are judged against: declared attributes, and the other rules that tokens of one client may be made by. */
import { type Problem, problem } from '../../problem.ts'
import { isRefusal } from '../../refusal.ts'
import type { TypedScope } from '../token/access-token-type.ts'
import {
  type ClaimPlace,
  type ClaimRule,
  conflictsOf,
  type OwnedRules,
  pathOfClaim,
  registerRule,
} from './claim-rules.ts'
import type { ToldClient } from './client-roles.ts'
import type { Resource } from './resource-rules.ts'
import { type OwnedRule, ownedBy, type RuleFacts } from './ruled-claims.ts'
import { type Shaped, shapeToJudge } from './shapes.ts'

/** Rules of a scope, and where its tokens are for. */
export type ScopeRules = TypedScope & { readonly claims: readonly ClaimRule[] }

/** All that there are. */
export type KnownRules = {
  /** By name. */
  readonly attributes: ReadonlyMap<string, unknown>
  /** By name: the scopes with rules or a type of access tokens. */
  readonly scopes: ReadonlyMap<string, ScopeRules>
  /** By identifier: the resources with rules. */
  readonly resources: ReadonlyMap<string, Pick<Resource, 'claims'>>
}

export const noRules: KnownRules = { attributes: new Map(), scopes: new Map(), resources: new Map() }

/** What rules read about a person. */
export type PersonFacts = Omit<RuleFacts, 'clientId' | 'shape'>

/**
 * The rules of scopes and resources, and what tokens of a client read for them. `person` undefined: the token is about none. `audience`: as
 * of `rolesToldTo`.
 */
export type RuleBasis = {
  readonly known: Pick<KnownRules, 'scopes' | 'resources'>
  readonly person: ((client: ToldClient, audience: readonly string[] | null) => PersonFacts) | undefined
}

/** What of a client decides about claims. */
export type RuledClient = {
  readonly id: string
  readonly scopes: readonly string[]
  readonly metadata: Shaped['metadata'] & {
    readonly claims: readonly ClaimRule[]
    readonly role_clients: readonly string[]
    /** Who registered it; absent: an operator. */
    readonly registration?: 'operator' | 'token' | 'open' | 'document'
  }
}

/** Clients that no operator registered get what their scopes hand over, which the consent page names, and nothing else. */
export const hasScopesAlone = ({ metadata }: Pick<RuledClient, 'metadata'>): boolean =>
  (metadata.registration ?? 'operator') !== 'operator'

const inUserinfo: readonly ClaimPlace[] = ['userinfo']
export const inBoth: readonly ClaimPlace[] = ['id_token', 'userinfo']
export const inAccessTokens: readonly ClaimPlace[] = ['access_token']

const placesFor = ({ metadata }: Pick<RuledClient, 'metadata'>): readonly ClaimPlace[] =>
  metadata.id_token_claims === 'scopes' ? inBoth : inUserinfo

/**
 * Returns the rules of tokens of the client with these scopes and resources: those of the scopes first, then its own, then those of
 * the resources. The last one that sets a claim counts. A client that no operator registered has those of scopes alone.
 */
export function ownedRules(
  client: Pick<RuledClient, 'id' | 'metadata'>,
  scopes: readonly string[],
  resources: readonly string[],
  known: Pick<KnownRules, 'scopes' | 'resources'>,
): readonly OwnedRule[] {
  const { claims } = client.metadata
  if (claims.length === 0 && known.scopes.size === 0 && known.resources.size === 0) return none
  const places = placesFor(client)
  const found: OwnedRule[] = []
  for (const scope of scopes) {
    const ruled = known.scopes.get(scope)
    if (ruled !== undefined) found.push(...ownedBy(ruled, { scope }, places))
  }
  if (hasScopesAlone(client)) return found
  for (const rule of claims) found.push({ rule, owner: { client: client.id }, places })
  for (const resource of resources) {
    const ruled = known.resources.get(resource)
    if (ruled !== undefined) found.push(...ownedBy(ruled, { resource }, inAccessTokens))
  }
  return found
}

const none: readonly never[] = []

/** Returns the pairs of rules that tokens of the client cannot have together, those of its shape included, as sentences. */
export function conflictsFor(client: RuledClient, known: KnownRules): readonly string[] {
  const resources = new Set(client.scopes.flatMap((scope) => known.scopes.get(scope)?.resources ?? none))
  const owned = ownedRules(client, client.scopes, [...resources], known)
  const byOwner = Map.groupBy(owned, ({ owner }) => Object.entries(owner).flat().join(' '))
  const all: OwnedRules[] = Array.from(byOwner, ([owner, rules]) => ({
    owner,
    rules: rules.map(({ rule }) => rule),
    default: rules[0]?.places ?? none,
  }))
  return conflictsOf([...all, ...shapeToJudge(client)])
}

const conflictsShown = 5

/** Returns what rules of one scope, client or resource are refused for. `clients`: whose tokens they would be in. */
export function ruleProblems(
  rules: readonly ClaimRule[],
  clients: readonly RuledClient[],
  known: KnownRules,
): Problem[] {
  const undeclared = rules.flatMap((rule) => {
    const judged = registerRule(rule, known.attributes)
    return isRefusal(judged) ? judged.problems.filter(({ member }) => member === 'from') : []
  })
  const conflicts = new Set(clients.flatMap((client) => conflictsFor(client, known)))
  return [
    ...undeclared,
    ...[...conflicts].slice(0, conflictsShown).map((message) => ({ member: 'claims', message })),
  ].map(({ message }) => ({ member: 'claims', message }))
}

/** Returns what a scope's rules are refused for. `clients`: those that may request it. */
export function scopeRuleProblems(
  scope: ScopeRules & { readonly name: string },
  clients: readonly RuledClient[],
  known: KnownRules,
): Problem[] {
  return ruleProblems(scope.claims, clients, { ...known, scopes: new Map(known.scopes).set(scope.name, scope) })
}

/** Returns what a resource's rules are refused for. `clients`: those with a scope that leads to it. */
export function resourceRuleProblems(
  resource: Resource,
  clients: readonly RuledClient[],
  known: KnownRules,
): Problem[] {
  const resources = new Map(known.resources).set(resource.identifier, resource)
  return ruleProblems(resource.claims, clients, { ...known, resources })
}

export const isSame = (one: ClaimRule, other: ClaimRule): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns the rules with another one. */
export const withRule = (rules: readonly ClaimRule[], rule: ClaimRule): readonly ClaimRule[] =>
  rules.some((one) => isSame(one, rule)) ? rules : [...rules, rule]

/**
 * Returns the rules without those of the claim; with `places` without those of them that are in one of these. `byDefault`: where rules of
 * the owner are that name no place.
 */
export const withoutRule = (
  rules: readonly ClaimRule[],
  claim: string,
  places: readonly ClaimPlace[] | null,
  byDefault: readonly ClaimPlace[],
): readonly ClaimRule[] =>
  rules.filter(
    (rule) => rule.claim !== claim || (places !== null && !(rule.in ?? byDefault).some((one) => places.includes(one))),
  )

/** Returns the names of the attributes that rules read. */
export function attributesOf(rules: readonly ClaimRule[]): readonly string[] {
  return [...new Set(rules.filter(({ from }) => from.startsWith('attribute:')).map(({ from }) => from.slice(10)))]
}

/** By what a rule reads: the claim that says the same of a person. Of an id, every token has one. */
const sameAs: Readonly<Record<string, string>> = {
  ...{ email_verified: 'email', phone_number_verified: 'phone_number' },
  ...{ 'groups:names': 'groups', username: 'preferred_username' },
}

/** Returns the standard claims that rules hand over besides attributes, each once; `role`, `groups` and `created_at` among them. */
export function standardClaimsIn(rules: readonly ClaimRule[]): readonly string[] {
  const read = rules.flatMap(({ from }) => {
    if (from === 'roles' || from.startsWith('roles:')) return ['role']
    if (from.startsWith('claim:')) return from === 'claim:updated_at' ? [] : [from.slice('claim:'.length)]
    return ['groups', 'groups:names', 'username', 'created_at'].includes(from) ? [from] : []
  })
  return [...new Set(read.map((one) => sameAs[one] ?? one))]
}

/** By the rules as they are stored: a process keeps each list that it has read. */
const handed = new WeakMap<readonly ClaimRule[], readonly string[]>()

/** Returns what the rules hand over about a person, sorted: what a consent is given to. */
export function handedOver(rules: readonly ClaimRule[]): readonly string[] {
  const known = handed.get(rules)
  if (known !== undefined) return known
  const found = handedOverNow(rules)
  handed.set(rules, found)
  return found
}

function handedOverNow(rules: readonly ClaimRule[]): readonly string[] {
  const personal = rules.filter(({ from }) => from !== 'client_id' && !from.startsWith('constant:'))
  return [...new Set(personal.map(({ claim, from }) => `${claim} ${from}`))].sort()
}

/** Whether the rule sets the claim, or a member of it. */
export const isSetBy = ({ claim }: ClaimRule, name: string): boolean => pathOfClaim(claim)?.[0] === name

/**
 * Returns the rules for what a request asked for one by one, in the place that it named. `requested`: as a grant keeps it: `orders
 * department`.
 */
export function requestedRules(
  requested: readonly string[],
  place: ClaimPlace,
  { scopes }: Pick<KnownRules, 'scopes'>,
): readonly OwnedRule[] {
  return requested.flatMap((one): readonly OwnedRule[] => {
    const [scope = '', claim] = one.split(' ')
    if (claim === undefined) return none
    const rules = scopes.get(scope)?.claims.filter((rule) => isSetBy(rule, claim)) ?? none
    return rules.map((rule) => ({ rule: { ...rule, in: [place] }, owner: { scope }, places: [place] }))
  })
}

/** Returns the names of what rules of scopes and clients put into id tokens and userinfo: the outermost ones, ascending, each once. */
export function supportedClaims(owners: readonly Pick<ScopeRules, 'claims'>[]): readonly string[] {
  const told = owners.flatMap(({ claims }) =>
    claims.filter((rule) => (rule.in ?? inBoth).some((place) => inBoth.includes(place))),
  )
  return [...new Set(told.flatMap(({ claim }) => pathOfClaim(claim)?.[0] ?? []))].sort()
}

/** The problem of a rule that a command would remove, and that is not there. */
export const noSuchRule = (claim: string): Problem => problem('claims', `A rule for ${claim}`, 'is not there')

/** Returns the rules that were added and removed, for the audit trail. */
export function ruleChanges(
  before: readonly ClaimRule[],
  after: readonly ClaimRule[],
): readonly (readonly ['claim_rule_added' | 'claim_rule_removed', Pick<ClaimRule, 'claim' | 'from'>])[] {
  const missingIn = (rules: readonly ClaimRule[]) => (rule: ClaimRule) => !rules.some((one) => isSame(one, rule))
  const named = ({ claim, from }: ClaimRule) => ({ claim, from })
  return [
    ...before.filter(missingIn(after)).map((rule) => ['claim_rule_removed', named(rule)] as const),
    ...after.filter(missingIn(before)).map((rule) => ['claim_rule_added', named(rule)] as const),
  ]
}

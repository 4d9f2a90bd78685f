/** What rules are judged against: declared attributes, and the other rules that tokens of one client may be made by. */
import { type Problem, problem } from '../../problem.ts'
import { isRefusal } from '../../refusal.ts'
import { isObject } from '../json-value.ts'
import {
  type ClaimForm,
  type ClaimPlace,
  type ClaimRule,
  claimForms,
  claimPlaces,
  conflictsOf,
  type OwnedRules,
  pathOfClaim,
  registerRule,
  rulesAtMost,
} from './claim-rules.ts'
import type { Resource } from './resource-rules.ts'
import { type OwnedRule, ownedBy, type RuleFacts } from './ruled-claims.ts'

/** Rules of a scope, and where its tokens are for. */
export type ScopeRules = { readonly claims: readonly ClaimRule[]; readonly resources: readonly string[] }

/** All that there are. */
export type KnownRules = {
  /** By name. */
  readonly attributes: ReadonlyMap<string, unknown>
  /** By name: the scopes with rules. */
  readonly scopes: ReadonlyMap<string, ScopeRules>
  /** By identifier: the resources with rules. */
  readonly resources: ReadonlyMap<string, Pick<Resource, 'claims'>>
}

export const noRules: KnownRules = { attributes: new Map(), scopes: new Map(), resources: new Map() }

/** What rules read about a person. */
export type PersonFacts = Omit<RuleFacts, 'clientId'>

/** The rules of scopes and resources, and what tokens of a client read for them. `person` undefined: the token is about none. */
export type RuleBasis = {
  readonly known: Pick<KnownRules, 'scopes' | 'resources'>
  readonly person: ((clientId: string, resources: readonly string[]) => PersonFacts) | undefined
}

/** What of a client decides about claims. */
export type RuledClient = {
  readonly id: string
  readonly scopes: readonly string[]
  readonly metadata: { readonly claims: readonly ClaimRule[]; readonly id_token_claims: 'scopes' | 'requested' }
}

const inUserinfo: readonly ClaimPlace[] = ['userinfo']
const inBoth: readonly ClaimPlace[] = ['id_token', 'userinfo']
export const inAccessTokens: readonly ClaimPlace[] = ['access_token']

const placesFor = ({ metadata }: Pick<RuledClient, 'metadata'>): readonly ClaimPlace[] =>
  metadata.id_token_claims === 'scopes' ? inBoth : inUserinfo

/**
 * Returns the rules of tokens of the client with these scopes and resources: those of the scopes first, then its own, then those of
 * the resources. The last one that sets a claim counts.
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
  for (const rule of claims) found.push({ rule, owner: { client: client.id }, places })
  for (const resource of resources) {
    const ruled = known.resources.get(resource)
    if (ruled !== undefined) found.push(...ownedBy(ruled, { resource }, inAccessTokens))
  }
  return found
}

const none: readonly never[] = []

/** Returns the pairs of rules that tokens of the client cannot have together, as sentences. */
export function conflictsFor(client: RuledClient, known: KnownRules): readonly string[] {
  const resources = new Set(client.scopes.flatMap((scope) => known.scopes.get(scope)?.resources ?? none))
  const owned = ownedRules(client, client.scopes, [...resources], known)
  const byOwner = Map.groupBy(owned, ({ owner }) => Object.entries(owner).flat().join(' '))
  const all: OwnedRules[] = Array.from(byOwner, ([owner, rules]) => ({
    owner,
    rules: rules.map(({ rule }) => rule),
    default: rules[0]?.places ?? none,
  }))
  return conflictsOf(all)
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

/** Returns the rules with another one. */
export const withRule = (rules: readonly ClaimRule[], rule: ClaimRule): readonly ClaimRule[] =>
  rules.some((one) => isSame(one, rule)) ? rules : [...rules, rule]

/** Returns the rules without those of the claim; with `places` without those that are in exactly these. */
export const withoutRule = (
  rules: readonly ClaimRule[],
  claim: string,
  places: readonly ClaimPlace[] | null,
): readonly ClaimRule[] =>
  rules.filter((rule) => rule.claim !== claim || (places !== null && !places.every((one) => rule.in?.includes(one))))

/** Reads the rules of a record, each by itself. `places`: where they are by default. */
export function readRules(
  given: unknown,
  places: readonly ClaimPlace[] = inBoth,
): { readonly value: readonly ClaimRule[] } | { readonly fault: string } {
  if (!Array.isArray(given) || !given.every(isObject))
    return { fault: 'must be a list of rules: [{"claim": …, "from": …}]' }
  if (given.length > rulesAtMost) return { fault: `must have at most ${rulesAtMost} rules` }
  const rules: ClaimRule[] = []
  for (const one of given) {
    const read = readRule(one)
    if ('fault' in read) return read
    rules.push(read.value)
  }
  const [conflict] = conflictsOf([{ owner: 'record', rules, default: places }])
  const sameTwice = rules.find((rule, at) => rules.findIndex((other) => isSame(rule, other)) < at)
  if (sameTwice !== undefined) return { fault: `has the rule for ${sameTwice.claim} twice` }
  return conflict === undefined ? { value: rules } : { fault: `has two rules of which one is left: ${conflict}` }
}

const isSame = (one: ClaimRule, other: ClaimRule): boolean => JSON.stringify(one) === JSON.stringify(other)

const ruleMembers: readonly string[] = ['claim', 'from', 'in', 'as']

function readRule(
  given: Readonly<Record<string, unknown>>,
): { readonly value: ClaimRule } | { readonly fault: string } {
  const unknown = Object.keys(given).find((member) => !ruleMembers.includes(member))
  if (unknown !== undefined) return { fault: `has a rule with ${unknown}. A rule has ${ruleMembers.join(', ')}` }
  const { claim, from, as = 'auto', in: places = null } = given
  if (typeof claim !== 'string' || typeof from !== 'string') return { fault: 'has a rule without claim or from' }
  const isPlaces = places === null || (Array.isArray(places) && places.every((place) => claimPlaces.includes(place)))
  if (!isPlaces) return { fault: `has a rule whose in is no list of ${claimPlaces.join(', ')}` }
  if (!claimForms.includes(as as ClaimForm)) return { fault: `has a rule whose as is none of ${claimForms.join(', ')}` }
  const rule = { claim, from, in: places as readonly ClaimPlace[] | null, as: as as ClaimForm }
  // Whether an attribute is declared is a matter of the whole installation.
  const judged = registerRule(rule, anyAttribute)
  if (!isRefusal(judged)) return { value: judged }
  return {
    fault: `has the rule ${claim}, which is refused: ${judged.problems.map(({ message }) => message).join(' ')}`,
  }
}

const anyAttribute: Pick<ReadonlySet<string>, 'has'> = { has: () => true }

/** Returns the names of the attributes that rules read. */
export function attributesOf(rules: readonly ClaimRule[]): readonly string[] {
  return [...new Set(rules.filter(({ from }) => from.startsWith('attribute:')).map(({ from }) => from.slice(10)))]
}

/** Returns what the rules hand over about a person, sorted: what a consent is given to. */
export function handedOver(rules: readonly ClaimRule[]): readonly string[] {
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

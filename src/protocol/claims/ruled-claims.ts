/** What rules put into a token: the same function for tokens that are issued and for their preview. */
import {
  type ClaimForm,
  type ClaimPlace,
  type ClaimRule,
  type ClaimSource,
  parsed,
  pathOfClaim,
  sourceOf,
} from './claim-rules.ts'
import type { ShapeFacts, ShapeRule } from './shapes.ts'

/** What rules read. Lists are in order. */
export type RuleFacts = {
  readonly id: string
  readonly username: string
  /** Epoch milliseconds. */
  readonly createdAtMs: number
  readonly clientId: string
  /** Values by the names of attributes. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Returns claims about the person by their standard names, as userinfo has them. Made only for a rule that reads one. */
  readonly claims: () => Readonly<Record<string, unknown>>
  /** Effective roles that the token may tell: plain ones, and those of clients that it is for. */
  readonly roles: readonly string[]
  /** Paths of the groups that the person is in directly. */
  readonly groups: readonly string[]
  /** For rules of a shape; absent: there are none. */
  readonly shape?: ShapeFacts
}

/** A rule, and what it belongs to. */
export type OwnedRule = {
  readonly rule: ClaimRule | ShapeRule
  readonly owner: { readonly scope: string } | { readonly client: string } | { readonly resource: string }
  /** Where the rules of the owner are by default. */
  readonly places: readonly ClaimPlace[]
}

type Ruled = { readonly claims: readonly ClaimRule[] }

/** By a scope or resource as the catalogue keeps it, and by where its rules are by default. */
const owned = new WeakMap<Ruled, Map<readonly ClaimPlace[], readonly OwnedRule[]>>()

/** Returns the rules of a scope or resource. Makes them once as long as it is kept. */
export function ownedBy(ruled: Ruled, owner: OwnedRule['owner'], places: readonly ClaimPlace[]): readonly OwnedRule[] {
  const byPlaces = owned.get(ruled) ?? new Map<readonly ClaimPlace[], readonly OwnedRule[]>()
  const known = byPlaces.get(places)
  if (known !== undefined) return known
  const made = ruled.claims.map((rule) => ({ rule, owner, places }))
  byPlaces.set(places, made)
  owned.set(ruled, byPlaces)
  return made
}

/** What a rule did in a token. */
export type RuleTrace = {
  readonly claim: string
  readonly from: string
  readonly owner: OwnedRule['owner']
  /** Why it set nothing; absent: it set the claim. */
  readonly why?: 'no value' | 'no JSON' | `the scope ${string} is missing`
}

/** Returns the rules that apply in this place, each once. */
export function rulesFor(place: ClaimPlace, owned: readonly OwnedRule[]): readonly OwnedRule[] {
  return owned.filter(({ rule, places }) => (rule.in ?? places).includes(place))
}

/** Whether the rule is one of a shape, not of operators. */
export const isOfShape = (rule: ClaimRule | ShapeRule): rule is ShapeRule => 'value' in rule

/**
 * Returns the claims with those that the rules set. A rule without a value leaves its claim out; one with the name of a claim that
 * is there takes its place, with a value or without. Rules of a shape come last, and read what the others set. `trace`: receives what
 * each rule did.
 */
export function applyRules(
  claims: Readonly<Record<string, unknown>>,
  rules: readonly OwnedRule[],
  facts: RuleFacts,
  trace?: (entry: RuleTrace) => void,
): Readonly<Record<string, unknown>> {
  if (rules.length === 0) return claims
  const made: Record<string, unknown> = { ...claims }
  // Objects that were made here are added to; one that was there before is replaced.
  const objects = new Set<object>()
  const first = rules.findIndex(({ rule }) => isOfShape(rule))
  const own = first === -1 ? rules : rules.slice(0, first)
  applyTo(made, own, objects, facts, trace)
  if (first !== -1) applyTo(made, rules.slice(first), objects, facts, trace)
  return made
}

function applyTo(
  made: Record<string, unknown>,
  rules: readonly OwnedRule[],
  objects: Set<object>,
  facts: RuleFacts,
  trace: ((entry: RuleTrace) => void) | undefined,
): void {
  const values: unknown[] = []
  for (const { rule, owner } of rules) {
    const { path, source } = readRule(rule)
    const found = isOfShape(rule) ? shapedValues(rule, facts, made) : valuesOf(source, facts)
    const value = formed(found, rule.as)
    values.push(value)
    trace?.({ claim: rule.claim, from: rule.from, owner, ...whyNot(found, value, rule, facts) })
    const [name = ''] = path
    if (value === undefined && path.length === 1 && Object.hasOwn(made, name)) delete made[name]
  }
  for (const [at, { rule }] of rules.entries()) {
    if (values[at] !== undefined) set(made, readRule(rule).path, values[at], objects)
  }
}

const shapedValues = (rule: ShapeRule, { shape }: RuleFacts, made: Readonly<Record<string, unknown>>): Values =>
  shape === undefined ? undefined : given(rule.value(shape, made))

function whyNot(
  found: Values,
  value: unknown,
  rule: ClaimRule | ShapeRule,
  { shape }: RuleFacts,
): Pick<RuleTrace, 'why'> | undefined {
  if (value !== undefined) return undefined
  const scope = isOfShape(rule) ? rule.scope : undefined
  if (scope !== undefined && !shape?.scopes.includes(scope)) return { why: `the scope ${scope} is missing` }
  return { why: found !== undefined && rule.as === 'json' ? 'no JSON' : 'no value' }
}

/** What the texts of a rule say. */
type ReadRule = { readonly path: readonly string[]; readonly source: ClaimSource | undefined }

/** By the rule as it is stored: a process reads each once as long as it keeps it. */
const read = new WeakMap<ClaimRule | ShapeRule, ReadRule>()

function readRule(rule: ClaimRule | ShapeRule): ReadRule {
  const known = read.get(rule)
  if (known !== undefined) return known
  const one = { path: pathOfClaim(rule.claim) ?? [], source: sourceOf(rule.from) }
  read.set(rule, one)
  return one
}

/** Returns the value that a rule set in the claims; undefined: there is none. */
export function valueSetBy(rule: ClaimRule | ShapeRule, claims: Readonly<Record<string, unknown>>): unknown {
  return readRule(rule).path.reduce<unknown>(
    (object, name) => (isRecord(object) ? own(object, name) : undefined),
    claims,
  )
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Names of claims are data, so none is a property of anything. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function set(claims: Record<string, unknown>, path: readonly string[], value: unknown, objects: Set<object>): void {
  const last = path.length - 1
  let object = claims
  for (let at = 0; at < last; at += 1) {
    const name = path[at] as string
    const known = own(object, name)
    const isMade = typeof known === 'object' && known !== null && objects.has(known)
    const inner = isMade ? (known as Record<string, unknown>) : {}
    if (!isMade) {
      objects.add(inner)
      put(object, name, inner)
    }
    object = inner
  }
  if (last >= 0) put(object, path[last] as string, value)
}

/** One value, or a list; undefined: the person has none. */
type Values = { readonly single: unknown } | { readonly list: readonly unknown[] } | undefined

function valuesOf(source: ClaimSource | undefined, facts: RuleFacts): Values {
  switch (source?.kind) {
    case 'attribute':
      return given(own(facts.attributes, source.name))
    case 'claim':
      return given(own(facts.claims(), source.name))
    case 'roles':
      return { list: source.client === null ? facts.roles : withoutPrefix(facts.roles, `${source.client}:`) }
    case 'groups':
      return { list: facts.groups }
    case 'group_names':
      return { list: facts.groups.map((path) => path.slice(path.lastIndexOf('/') + 1)) }
    case 'username':
      return { single: facts.username }
    case 'id':
      return { single: facts.id }
    case 'created_at':
      return { single: new Date(facts.createdAtMs).toISOString() }
    case 'client_id':
      return { single: facts.clientId }
    case 'constant':
      return { single: source.value }
    case undefined:
      return undefined
  }
}

const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

const given = (value: unknown): Values =>
  value === undefined || value === null ? undefined : Array.isArray(value) ? { list: value } : { single: value }

const withoutPrefix = (roles: readonly string[], prefix: string): readonly string[] =>
  roles.filter((role) => role.startsWith(prefix)).map((role) => role.slice(prefix.length))

function formed(values: Values, as: ClaimForm): unknown {
  if (values === undefined) return undefined
  const list = 'list' in values ? values.list : [values.single]
  const [first] = list
  switch (as) {
    case 'auto':
      return 'list' in values ? (list.length === 0 ? undefined : list) : first
    case 'list':
      return list.length === 0 ? undefined : list
    case 'first':
      return first
    case 'joined':
      return list.length === 0 ? undefined : list.map(asText).join(' ')
    case 'text':
      return first === undefined ? undefined : asText(first)
    case 'json':
      return typeof first === 'string' ? parsed(first) : undefined
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

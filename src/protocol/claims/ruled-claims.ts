/** What rules put into a token: the same function for tokens that are issued and for their preview. */
import { type ClaimForm, type ClaimPlace, type ClaimRule, parsed, pathOfClaim, sourceOf } from './claim-rules.ts'

/** What rules read. Lists are in order. */
export type RuleFacts = {
  readonly id: string
  readonly username: string
  /** Epoch milliseconds. */
  readonly createdAtMs: number
  readonly clientId: string
  /** Values by the names of attributes. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Claims about the person by their standard names, as userinfo has them. */
  readonly claims: Readonly<Record<string, unknown>>
  /** Effective roles that the token may tell: plain ones, and those of clients that it is for. */
  readonly roles: readonly string[]
  /** Paths of the groups that the person is in directly. */
  readonly groups: readonly string[]
}

/** A rule, and what it belongs to. */
export type OwnedRule = {
  readonly rule: ClaimRule
  readonly owner: { readonly scope: string } | { readonly client: string } | { readonly resource: string }
  /** Where the rules of the owner are by default. */
  readonly places: readonly ClaimPlace[]
}

/** What a rule did in a token. */
export type RuleTrace = {
  readonly claim: string
  readonly from: string
  readonly owner: OwnedRule['owner']
  /** Why it set nothing; absent: it set the claim. */
  readonly why?: 'no value' | 'no JSON'
}

/** Returns the rules that apply in this place, each once. */
export function rulesFor(place: ClaimPlace, owned: readonly OwnedRule[]): readonly OwnedRule[] {
  return owned.filter(({ rule, places }) => (rule.in ?? places).includes(place))
}

/**
 * Returns the claims with those that the rules set. A rule without a value leaves its claim out; one with the name of a claim that
 * is there takes its place, with a value or without. `trace`: receives what each rule did.
 */
export function applyRules(
  claims: Readonly<Record<string, unknown>>,
  rules: readonly OwnedRule[],
  facts: RuleFacts,
  trace?: (entry: RuleTrace) => void,
): Readonly<Record<string, unknown>> {
  if (rules.length === 0) return claims
  const made: Tree = new Map()
  const kept = new Map(Object.entries(claims))
  for (const { rule, owner } of rules) {
    const values = valuesOf(rule, facts)
    const value = formed(values, rule.as)
    const why =
      values === undefined
        ? 'no value'
        : value === undefined
          ? rule.as === 'json'
            ? 'no JSON'
            : 'no value'
          : undefined
    trace?.({ claim: rule.claim, from: rule.from, owner, ...(why && { why }) })
    const path = pathOfClaim(rule.claim) ?? []
    if (value !== undefined) set(made, path, value)
    else if (path.length === 1) kept.delete(path[0] as string)
  }
  return { ...Object.fromEntries(kept), ...objectOf(made) }
}

/** Objects while they are made. Names of claims are data, so none is a property of anything. */
type Tree = Map<string, Tree | { readonly value: unknown }>

function set(tree: Tree, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path
  if (name === undefined) return
  if (rest.length === 0) {
    tree.set(name, { value })
    return
  }
  const known = tree.get(name)
  const inner: Tree = known instanceof Map ? known : new Map()
  tree.set(name, inner)
  set(inner, rest, value)
}

function objectOf(tree: Tree): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(tree, ([name, one]) => [name, one instanceof Map ? objectOf(one) : one.value] as const),
  )
}

/** One value, or a list; undefined: the person has none. */
type Values = { readonly single: unknown } | { readonly list: readonly unknown[] } | undefined

function valuesOf({ from }: ClaimRule, facts: RuleFacts): Values {
  const source = sourceOf(from)
  switch (source?.kind) {
    case 'attribute':
      return given(own(facts.attributes, source.name))
    case 'claim':
      return given(own(facts.claims, source.name))
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

/** Changes of rules, judged together with all records that tokens are made by. */
import type { Problem } from '../../problem.ts'
import type { ClaimRule } from './claim-rules.ts'
import {
  attributesOf,
  type KnownRules,
  type RuledClient,
  resourceRuleProblems,
  type ScopeRules,
  scopeRuleProblems,
} from './known-rules.ts'
import type { Resource } from './resource-rules.ts'

export type NamedScope = ScopeRules & { readonly name: string }

/** All that rules are judged with. Scopes without rules are there, too: they lead to resources. */
export type RuledRecords = {
  /** By name. */
  readonly attributes: ReadonlyMap<string, unknown>
  readonly scopes: readonly NamedScope[]
  /** By identifier: those with rules. */
  readonly resources: ReadonlyMap<string, Resource>
  readonly clients: readonly RuledClient[]
}

export function knownAmong({ attributes, scopes, resources }: Omit<RuledRecords, 'clients'>): KnownRules {
  return { attributes, scopes: new Map(scopes.map((scope) => [scope.name, scope])), resources }
}

const permitted = (clients: readonly RuledClient[], names: readonly string[]): readonly RuledClient[] =>
  clients.filter(({ scopes }) => scopes.some((scope) => names.includes(scope)))

/** Returns what a scope is refused for. What it has already is not judged again. */
export function scopeProblems(before: NamedScope | undefined, after: NamedScope, records: RuledRecords): Problem[] {
  const [was, is] = [before, after].map((one) => JSON.stringify([one?.claims ?? [], one?.resources ?? []]))
  return was === is ? [] : scopeRuleProblems(after, permitted(records.clients, [after.name]), knownAmong(records))
}

/** Returns what the rules of a resource are refused for. */
export function resourceProblems(after: Resource, records: RuledRecords): Problem[] {
  const leading = records.scopes.filter(({ resources }) => resources.includes(after.identifier))
  const clients = permitted(
    records.clients,
    leading.map(({ name }) => name),
  )
  return resourceRuleProblems(after, clients, knownAmong(records))
}

/** What has rules, as they are. */
export type RuledOwner = {
  readonly kind: 'scope' | 'client' | 'resource'
  readonly id: string
  readonly claims: readonly ClaimRule[]
}

/** Returns the rules that read the attribute, with what they belong to. */
export function usesOf(
  attribute: string,
  { scopes, clients, resources }: Omit<RuledRecords, 'attributes'>,
): readonly RuledOwner[] {
  const owners: RuledOwner[] = [
    ...scopes.map(({ name, claims }) => ({ kind: 'scope', id: name, claims }) as const),
    ...clients.map(({ id, metadata }) => ({ kind: 'client', id, claims: metadata.claims }) as const),
    ...[...resources.values()].map(({ identifier, claims }) => ({ kind: 'resource', id: identifier, claims }) as const),
  ]
  return owners
    .map((owner) => ({ ...owner, claims: owner.claims.filter((rule) => reads(rule, attribute)) }))
    .filter(({ claims }) => claims.length > 0)
}

const reads = (rule: ClaimRule, attribute: string): boolean => attributesOf([rule]).includes(attribute)

/** Returns the rules without those that read the attribute. */
export const withoutAttribute = (rules: readonly ClaimRule[], attribute: string): readonly ClaimRule[] =>
  rules.filter((rule) => !reads(rule, attribute))

/** Names the rules in a sentence: `department of the scope orders`. */
export const namesOf = (uses: readonly RuledOwner[]): readonly string[] =>
  uses.flatMap(({ kind, id, claims }) => [...new Set(claims.map(({ claim }) => `${claim} of the ${kind} ${id}`))])

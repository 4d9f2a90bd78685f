/** Rules of claims that files declare, judged together with what is stored. */
import type { Problem } from '../problem.ts'
import {
  type KnownRules,
  type RuledClient,
  resourceRuleProblems,
  scopeRuleProblems,
} from '../protocol/claims/known-rules.ts'
import type { Resource } from '../protocol/claims/resource-rules.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { type Declaration, placed } from './declaration.ts'

type Declared<T> = {
  readonly before: T | undefined
  readonly after: T | undefined
  readonly declaration: Declaration | undefined
}

/** Returns the rules as they are afterwards. */
export function rulesAfter(
  attributes: KnownRules['attributes'],
  scopes: readonly Scope[],
  resources: readonly Resource[],
): KnownRules {
  const ruled = scopes.filter(({ claims }) => claims.length > 0)
  return {
    attributes,
    scopes: new Map(ruled.map((scope) => [scope.name, scope])),
    resources: new Map(resources.map((one) => [one.identifier, one])),
  }
}

/** Returns what changed rules of scopes and resources are refused for, beside those of clients. */
export function changedRuleProblems(
  scopes: readonly Declared<Scope>[],
  resources: readonly Declared<Resource>[],
  all: { readonly scopes: readonly Scope[]; readonly clients: readonly RuledClient[]; readonly rules: KnownRules },
): Problem[] {
  const permitted = (names: readonly string[]) =>
    all.clients.filter((client) => client.scopes.some((scope) => names.includes(scope)))
  return [
    ...changed(scopes).flatMap(({ after, declaration }) =>
      placed(declaration, scopeRuleProblems(after, permitted([after.name]), all.rules)),
    ),
    ...changed(resources).flatMap(({ after, declaration }) => {
      const leading = all.scopes.filter((scope) => scope.resources.includes(after.identifier))
      return placed(declaration, resourceRuleProblems(after, permitted(leading.map(({ name }) => name)), all.rules))
    }),
  ]
}

/** Those whose rules differ from the stored ones. */
function changed<T extends Pick<Resource, 'claims'>>(declared: readonly Declared<T>[]) {
  return declared.flatMap(({ before, after, declaration }) => {
    if (declaration === undefined || after === undefined) return []
    const isSame = JSON.stringify(before?.claims ?? []) === JSON.stringify(after.claims)
    return isSame ? [] : [{ after, declaration }]
  })
}

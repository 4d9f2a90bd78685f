/** Attributes as files declare them. */
import { type Judged, judge, type Problem, problem } from '../problem.ts'
import type { KnownRules } from '../protocol/claims/known-rules.ts'
import { namesOf, usesOf } from '../protocol/claims/rule-changes.ts'
import type { Client } from '../protocol/client/client.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { attributeRecord, changeAttribute, newAttribute } from '../users/attribute-record.ts'
import { type Attribute, countProblems } from '../users/attributes.ts'
import type { Declaration } from './declaration.ts'
import { changedReadOnly, isAsStored } from './declared-members.ts'
import type { Pair } from './matching.ts'

const readOnly = ['created_at']

/** Returns the declared attribute; the stored one if they do not differ. Members that the file leaves out take their defaults. */
export function declaredAttribute(
  before: Attribute | undefined,
  { id, members }: Declaration,
  patternFault: (pattern: string) => string | undefined,
  nowMs: number,
): Judged<Attribute> {
  const shown = before && attributeRecord(before)
  const fixed = changedReadOnly(members, shown, readOnly)
  if (before !== undefined && isAsStored(members, shown, ['name', ...readOnly])) return judge(before, fixed)
  const blank = { ...newAttribute(id, before?.createdAtMs ?? nowMs), version: before?.version ?? 1 }
  const settable = Object.entries(members).filter(([member]) => !readOnly.includes(member))
  const judged = changeAttribute(blank, Object.fromEntries(settable), patternFault)
  return isRefusal(judged) ? asRefusal({ problems: [...fixed, ...judged.problems] }) : judge(judged, fixed)
}

/** Returns the problems of all attributes as the files leave them: too many, and rules that read one that would be deleted. */
export function attributeProblems(
  pairs: readonly Pair<Attribute>[],
  count: number,
  {
    scopes,
    clients,
    rules,
  }: { readonly scopes: readonly Scope[]; readonly clients: readonly Client[]; readonly rules: KnownRules },
): Problem[] {
  const resources = new Map(
    [...rules.resources].map(([id, { claims }]) => [id, { identifier: id, claims, version: 0 }]),
  )
  const used = pairs.flatMap(({ before, after }) => {
    if (before === undefined || after !== undefined) return []
    const uses = namesOf(usesOf(before.name, { scopes, clients, resources }))
    const fault = `would be deleted, because no file declares it, and rules of claims use it: ${uses.join(', ')}`
    return uses.length === 0 ? [] : [problem('attributes', `The attribute ${before.name}`, fault)]
  })
  return [...(pairs.some(({ before }) => before === undefined) ? countProblems(count) : []), ...used]
}

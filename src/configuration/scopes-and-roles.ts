/** A scope as a file declares it. */
import { type Judged, judge, type Problem, problem } from '../problem.ts'
import { scopeRecord } from '../protocol/client/records.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { registerScope } from '../protocol/scope/scope-registration.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import type { Declaration } from './declaration.ts'
import { changedReadOnly } from './read-only.ts'
import { isTexts, optionalText, unknownMembers } from './values.ts'

const readOnly = ['created_at']
const known = ['display_name', 'description', 'resources', ...readOnly]

/** Returns the declared scope. Members that the file leaves out take their defaults. */
export function declaredScope(before: Scope | undefined, { id, members }: Declaration, nowMs: number): Judged<Scope> {
  const problems: Problem[] = [
    ...unknownMembers(members, known, 'a scope'),
    ...changedReadOnly(members, before && scopeRecord(before), readOnly),
  ]
  const { resources = [] } = members
  if (!isTexts(resources)) problems.push(problem('resources', 'resources', 'must be a list of texts'))
  const scope: Scope = {
    name: id,
    displayName: optionalText(members, 'display_name', problems),
    description: optionalText(members, 'description', problems),
    resources: isTexts(resources) ? resources : [],
    createdAtMs: before?.createdAtMs ?? nowMs,
  }
  const judged = registerScope(scope)
  return isRefusal(judged) ? asRefusal({ problems: [...problems, ...judged.problems] }) : judge(judged, problems)
}

/** A role as a file declares it. */
import { type Judged, judge, type Problem } from '../problem.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { describeRole, type Role, roleRecord } from '../users/roles.ts'
import type { Declaration } from './declaration.ts'
import { changedReadOnly } from './read-only.ts'
import { optionalText, unknownMembers } from './values.ts'

const readOnly = ['created_at']

/** Returns the declared role. Members that the file leaves out take their defaults. */
export function declaredRole(before: Role | undefined, { id, members }: Declaration, nowMs: number): Judged<Role> {
  const problems: Problem[] = [
    ...unknownMembers(members, ['description', ...readOnly], 'a role'),
    ...changedReadOnly(members, before && roleRecord(before), readOnly),
  ]
  const description = optionalText(members, 'description', problems)
  const judged = describeRole({ name: id, description, createdAtMs: before?.createdAtMs ?? nowMs })
  return isRefusal(judged) ? asRefusal({ problems: [...problems, ...judged.problems] }) : judge(judged, problems)
}

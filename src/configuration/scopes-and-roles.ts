/** Scopes and roles as files declare them. */
import { type Judged, judge, type Problem, problem } from '../problem.ts'
import { inAccessTokens } from '../protocol/claims/known-rules.ts'
import { identifierProblems, type Resource } from '../protocol/claims/resource-rules.ts'
import { readRules } from '../protocol/claims/rule-reading.ts'
import { scopeRecord } from '../protocol/client/records.ts'
import { isTexts } from '../protocol/json-value.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { isScopeMember, readScopeMembers, scopeMembers } from '../protocol/scope/scope-members.ts'
import { registerScope } from '../protocol/scope/scope-registration.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { changeRole } from '../users/role-changes.ts'
import { describeRole, type Role, roleRecord, sortedSet } from '../users/roles.ts'
import type { Declaration } from './declaration.ts'
import { changedReadOnly, optionalText, unknownMembers } from './declared-members.ts'

const readOnly = ['created_at']

/** Returns the declared scope. Members that the file leaves out take their defaults. */
export function declaredScope(before: Scope | undefined, { id, members }: Declaration, nowMs: number): Judged<Scope> {
  const unknown = Object.keys(members).filter((member) => !isScopeMember(member))
  const read = readScopeMembers(members)
  const problems: Problem[] = [
    ...unknownMembers(Object.fromEntries(unknown.map((one) => [one, null])), [...scopeMembers, ...readOnly], 'a scope'),
    ...changedReadOnly(members, before && scopeRecord(before), readOnly),
    ...read.problems,
  ]
  return registerScope({ ...read.scope, name: id, createdAtMs: before?.createdAtMs ?? nowMs }, problems)
}

/** Returns the declared resource. */
export function declaredResource(before: Resource | undefined, { id, members }: Declaration): Judged<Resource> {
  const read = readRules(members.claims ?? [], inAccessTokens)
  const resource = { identifier: id, claims: 'value' in read ? read.value : [], version: before?.version ?? 0 }
  return judge(resource, [
    ...unknownMembers(members, ['claims'], 'a resource'),
    ...identifierProblems(id),
    ...('fault' in read ? [problem('claims', 'claims', read.fault)] : []),
  ])
}

/** Returns the declared role. Members that the file leaves out take their defaults. */
export function declaredRole(before: Role | undefined, { id, members }: Declaration, nowMs: number): Judged<Role> {
  const problems: Problem[] = [
    ...unknownMembers(members, ['description', 'includes', 'default', ...readOnly], 'a role'),
    ...changedReadOnly(members, before && roleRecord(before), readOnly),
  ]
  const description = optionalText(members, 'description', problems)
  const { includes = [], default: isDefault = false } = members
  if (!isTexts(includes)) problems.push(problem('includes', 'includes', 'must be a list of texts'))
  if (typeof isDefault !== 'boolean') problems.push(problem('default', 'default', 'must be true or false'))
  const judged = describeRole({
    ...{ name: id, description, createdAtMs: before?.createdAtMs ?? nowMs },
    ...(isTexts(includes) && includes.length > 0 && { includes: sortedSet(includes) }),
    ...(isDefault === true && { isDefault }),
  })
  return isRefusal(judged) ? asRefusal({ problems: [...problems, ...judged.problems] }) : judge(judged, problems)
}

/**
 * Returns the problems of what a role is to include and who is to have it, among all roles as the files leave them. `guarded`: roles that
 * may newly be neither included nor everybody's.
 */
export function roleRuleProblems(
  { before, after }: { readonly before: Role | undefined; readonly after: Role },
  all: readonly Role[],
  guarded: readonly string[],
): readonly Problem[] {
  const roles = new Map(all.map((role) => [role.name, role]))
  if (before === undefined) roles.delete(after.name)
  else roles.set(before.name, before)
  const { name, description, createdAtMs, includes = [], isDefault } = after
  const members = { description, includes, isDefault: isDefault === true }
  const asked = { name, members, isNew: false, guarded, nowMs: createdAtMs }
  return changeRole(asked, { roles, leaving: new Set() }).problems ?? []
}

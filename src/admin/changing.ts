/** Changes of records: rules that run inside a storage verb, and JSON merge patch (RFC 7396). */
import type { MemberFault } from '../http/answers.ts'
import type { Problem, Rejection } from '../problem.ts'
import { ownerlessProblem } from '../protocol/claims/client-roles.ts'
import { isObject } from '../protocol/json-value.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Detail } from '../protocol/refusals/refusal-detail.ts'
import { isRefusal } from '../refusal.ts'
import type { Removal } from '../storage/port/configuration.ts'
import type { Call, Faults, Refused } from './operation.ts'
import { faultsOfProblems } from './validation.ts'

type No = Refusal | Rejection | Faults

/**
 * Adapts a rule to a storage verb. `decide` is passed to the verb, which runs it on the stored record and again after a
 * concurrent change. `refused` is what the last run refused; undefined: nothing. A rule that returns the record itself
 * changes nothing.
 */
export function changing<T extends object>(rule: (current: T) => T | No) {
  let refused: No | undefined
  return {
    decide(current: T): T | undefined {
      const outcome = rule(current)
      const isRefused = isRefusal(outcome) || 'faults' in outcome
      refused = isRefused ? (outcome as No) : undefined
      return isRefused || outcome === current ? undefined : (outcome as T)
    },
    refused: (): No | undefined => refused,
  }
}

/** Returns the refusal of a name that another record has, or had a moment ago. `member`: the one that holds the name. */
export async function nameTaken(
  { service }: Pick<Call, 'service'>,
  { kind, name }: Removal,
  member: string,
  detail: Detail,
): Promise<Refused> {
  const removals = await service.storage.removals.list()
  if (removals.some((one) => one.kind === kind && one.name === name)) {
    const errors = [{ path: `/${member}`, message: `${member} ${name} is being deleted.`, code: 'being_deleted' }]
    return { refusal: refuse('admin_removal_under_way', member, detail), members: { errors } }
  }
  const errors = [{ path: `/${member}`, message: `${member} ${name} is in use.`, code: 'already_exists' }]
  return { refusal: refuse('admin_record_exists', member, detail), members: { errors } }
}

/** Returns the names of the members that the body sets, for the audit trail. */
export function changedMembers(body: object): { readonly members: readonly string[] } {
  return { members: Object.keys(body) }
}

/** Returns faults for members that nobody can set and that differ from those of the record. */
export function readOnlyFaults(
  record: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
  members: readonly string[],
): Faults | undefined {
  const changed = members.filter(
    (member) => Object.hasOwn(body, member) && JSON.stringify(body[member]) !== JSON.stringify(record[member]),
  )
  if (changed.length === 0) return undefined
  const faults: MemberFault[] = changed.map((member) => ({
    member,
    code: 'member_read_only',
    message: `${member} cannot be changed.`,
  }))
  return { faults }
}

/** Returns what a rule found. */
export const problemsOf = (judged: object): readonly Problem[] =>
  isRefusal(judged) && 'problems' in judged ? (judged as Rejection).problems : []

/** Returns the problems of roles that would belong to a client that is not there. */
export async function ownerlessProblems(
  { service }: Pick<Call, 'service'>,
  member: string,
  roles: readonly string[],
): Promise<readonly Problem[]> {
  const ownerless = await service.storage.clientReferences.ownerlessAmong(roles)
  return ownerless.map((role) => ownerlessProblem(member, role))
}

/** Returns all faults of a change in which some members cannot be set: these, and what the rule finds in the others. */
export function withProblems(readOnly: Faults, judged: object): Faults {
  const others = problemsOf(judged).filter(({ member }) => !readOnly.faults.some((one) => one.member === member))
  return { faults: [...readOnly.faults, ...faultsOfProblems(others)] }
}

/** Applies a merge patch to a JSON value (RFC 7396 §2). */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else Object.defineProperty(merged, name, { value: mergePatch(merged[name], value), ...plainMember })
  }
  return merged
}

/** A member called `__proto__` is a member like others. */
const plainMember = { enumerable: true, configurable: true, writable: true }

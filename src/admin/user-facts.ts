/** What the operations on people share: the record, finding a person, and a change by a rule. */
import { judgePassword } from '../account/new-password.ts'
import type { AuditDetails, AuditEvents } from '../audit/entry.ts'
import type { Mail } from '../mail/mail.ts'
import { fixedMembers } from '../person-fields.ts'
import type { Judged, Problem } from '../problem.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { hashPassword, PasswordHashingBusy } from '../secrets/password.ts'
import type { Service } from '../service.ts'
import { mailHourMs, type OperatorMail } from '../users/mail-limits.ts'
import { operatorPasswordProblem } from '../users/new-password.ts'
import type { User } from '../users/user.ts'
import { userRecord } from '../users/user-record.ts'
import { changing, readOnlyFaults } from './changing.ts'
import type { Call, Done, Faults, Outcome, Refused } from './operation.ts'
import { checkUser } from './permissions.ts'
import { faultsOfProblems } from './validation.ts'
import { etagOf } from './version.ts'

/** Finds the person of the path. */
export async function personOf({ service, params }: Call): Promise<User | Refusal> {
  return (await service.storage.users.find(params.id ?? '')) ?? unknownUser(params.id)
}

/** Finds the person of the path, whose credentials and sessions the caller may change. */
export async function changeablePerson(call: Call): Promise<User | Refusal> {
  const user = await personOf(call)
  return isRefusal(user) ? user : (checkUser(call.caller, user) ?? user)
}

export function unknownUser(id = ''): Refusal {
  return refuse('admin_record_unknown', 'user', { id })
}

/**
 * Returns the version of a person. Failed and successful sign-ins are no part of it, with the lockout that follows from
 * them: otherwise a stranger who tries passwords would make each change of an operator stale.
 */
export function etagOfUser(user: User, nowMs: number): string {
  const { sessionsEndedAtMs, grantsEndedAtMs, deletionDueAtMs, isUnclaimed } = user
  const unseen = { sessionsEndedAtMs, grantsEndedAtMs, deletionDueAtMs, isUnclaimed }
  return etagOf([userRecord(withoutLockout(user), nowMs), unseen])
}

/** Returns the faults of members that nobody can set. A lockout that began or ended since the record was read is none. */
export function readOnlyFaultsOf(call: Pick<Call, 'caller' | 'nowMs'>, user: User, body: object): Faults | undefined {
  const { nowMs } = call
  const { locked_until: until, ...others } = body as { readonly locked_until?: string | null }
  const isOfLockout = isPast(until, nowMs) && userRecord(withoutLockout(user), nowMs).locked_until === null
  return readOnlyFaults(recordOf(call, user), isOfLockout ? others : { ...body }, [...fixedMembers, 'effective_roles'])
}

function isPast(until: string | null | undefined, nowMs: number): boolean {
  return until === null || (until !== undefined && Date.parse(until) <= nowMs)
}

/** As it would be if nobody had tried passwords. An operator's lock stays. */
function withoutLockout(user: User): User {
  return user.disabled || user.lockoutBeganAtMs === null ? user : { ...user, lockedUntilMs: null }
}

export function shownUser(call: Pick<Call, 'caller' | 'nowMs'>, user: User): Done {
  return { body: recordOf(call, user), etag: etagOfUser(user, call.nowMs) }
}

/** The record of a person as this interface has it: with the effective roles. */
export function recordOf({ caller, nowMs }: Pick<Call, 'caller' | 'nowMs'>, user: User) {
  return { ...userRecord(user, nowMs), effective_roles: caller.catalogue.effectiveRolesOf(user) }
}

/** Returns the event with the mail, if there is one and the service sends mail. */
export function withMail({ mail }: Service, event: AuditEvents[number], told: Mail | undefined): AuditEvents[number] {
  return told === undefined || !mail.enabled ? event : mail.withMail(event, told)
}

/** Takes a place for a mail to an address. Returns the refusal over the limit; undefined: the mail may leave. */
export async function overMailLimit(
  { service: { mail } }: Call,
  to: string,
  kind: OperatorMail,
): Promise<Refused | undefined> {
  if (!mail.enabled || (await mail.mayOperatorSend(to, kind))) return undefined
  return { refusal: refuse('admin_mail_limit', '', { kind }), retryAfterSeconds: mailHourMs / 1000 }
}

/** The same for a notice to the owner of an account, who gets one at a confirmed address alone. */
export async function overNoticeLimit(call: Call, { email, emailConfirmed }: User): Promise<Refused | undefined> {
  return emailConfirmed ? overMailLimit(call, email, 'notice') : undefined
}

/** Changes the person of the path by a rule of `users/`. `more`: a further check, on the person as stored. */
export async function changePerson(
  call: Call,
  what: AuditDetails,
  rule: (user: User, nowMs: number) => Judged<User>,
  {
    check = () => undefined,
    tell = (event) => event,
  }: {
    readonly check?: (user: User) => Refusal | undefined
    readonly tell?: (event: AuditEvents[number], owner: User) => AuditEvents[number]
  } = {},
): Promise<User | Outcome> {
  const { service, caller, nowMs } = call
  const owner = await personOf(call)
  if (isRefusal(owner)) return owner
  const { decide, refused } = changing((user: User) => {
    const no = call.expects(etagOfUser(user, nowMs)) ?? checkUser(caller, user) ?? check(user)
    if (no !== undefined) return no
    // Read anew for each attempt, so that a session started between two attempts still ends.
    const next = rule(user, service.clock())
    return !isRefusal(next) && isSame(user, next) ? user : next
  })
  const event = tell(call.event('user_changed', { userId: owner.id }, what), owner)
  const changed = await service.storage.users.update(owner.id, decide, [event])
  return refused() ?? changed ?? unknownUser(owner.id)
}

export function isSame({ updatedAtMs: _, ...before }: User, { updatedAtMs: __, ...after }: User): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

export const isPerson = (outcome: User | Outcome): outcome is User => 'passwordHash' in outcome

/** Hashes a password under the rule that binds operators. */
export async function hashFor(
  call: Call,
  password: string,
  owner: Pick<User, 'name' | 'email'>,
): Promise<{ readonly hash: string } | Refusal | Faults> {
  const problem = await passwordProblem(call, password, owner)
  return problem === undefined ? hashOf(call, password) : faultsOf([problem])
}

/** Judges a password under the rule that binds operators. */
export async function passwordProblem(
  { service }: Call,
  password: string,
  owner: Pick<User, 'name' | 'email'>,
): Promise<Problem | undefined> {
  const error = await judgePassword(service, password, owner)
  return operatorPasswordProblem(error, password, service.settings.accounts.password.minLength)
}

export async function hashOf({ service }: Call, password: string): Promise<{ readonly hash: string } | Refusal> {
  try {
    return { hash: await hashPassword(password, service.random) }
  } catch (error) {
    if (!(error instanceof PasswordHashingBusy)) throw error
    return refuse('temporarily_unavailable', '', { rule: 'too many passwords are waiting to be hashed' })
  }
}

export const faultsOf = (problems: readonly Problem[]): Faults => ({ faults: faultsOfProblems(problems) })

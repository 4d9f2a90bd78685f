/** The password of a name without one here, asked of the system of before (`Accounts:Legacy:Url`). */
import { auditEvent } from '../audit/request-events.ts'
import type { Request } from '../http/request.ts'
import { loadPatterns } from '../patterns.ts'
import type { Rejection } from '../problem.ts'
import { administratorRole, isAdministrator, viewerRole } from '../protocol/scope/admin-scopes.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { hashPassword, isHashable } from '../secrets/password.ts'
import { factorProtection } from '../secrets/protected-factors.ts'
import type { Service } from '../service.ts'
import { attemptedName, completing, mayComplete } from '../users/completing.ts'
import { subjectOf } from '../users/confirmation.ts'
import { importedFactors } from '../users/imported-factors.ts'
import {
  type ImportedRecord,
  type ImportRules,
  importedUser,
  readImportedRecord,
  updatedUser,
} from '../users/imported-person.ts'
import { type Candidate, mayAttempt } from '../users/lockout.ts'
import { roleProblems, rolesAtMost, sortedSet } from '../users/roles.ts'
import { normalizeName, type User } from '../users/user.ts'

/**
 * `made`: the password was right, and the person has it here from now on. `ignored`: no answer, which counts for nothing. `unasked`:
 * the name is not one to ask about.
 */
export type LegacyOutcome = 'made' | 'wrong' | 'ignored' | 'locked' | 'unasked'

export type LegacyQuestion = ReturnType<NonNullable<Service['legacy']>['begin']>

/** Never of an administrator: the system of before must not take over this one. */
export async function askLegacy(
  service: Service,
  request: Request,
  { username, password }: { readonly username: string; readonly password: string },
  candidate: Candidate | undefined,
  question: LegacyQuestion,
): Promise<LegacyOutcome> {
  const { clock, sessions, storage } = service
  // A password that cannot be kept here could never be asked for again.
  if (username === '' || password === '' || !isHashable(password)) return 'unasked'
  if (candidate !== undefined && candidate.user.passwordHash !== null) return 'unasked'
  const { rolesOf } = await storage.catalogue.now()
  if (candidate !== undefined && administers(candidate.user, rolesOf(candidate.user))) return 'unasked'
  if (candidate !== undefined && !mayAttempt(candidate, clock())) return 'unasked'
  // A place before the question, so that parallel guesses are no more than the lockout allows.
  const { maxFailedAttempts: places, lockoutMs: lastsMs } = sessions.rules
  const limits = [{ key: `legacy ${subjectOf(attemptedName(username))}`, places, lastsMs }]
  const taken = await storage.users.takeAttempt(limits, clock())
  if (taken === undefined) return 'locked'
  const answer = await question.ask(username, password)
  if (answer.outcome === 'wrong') return 'wrong'
  if (answer.outcome !== 'right') {
    await storage.users.freeAttempt(taken)
    return 'ignored'
  }
  const fault = await bring(service, request, { username, password }, candidate, answer.record)
  const isOfOthers = fault === ofSomebodyElse
  // Whoever has an account there, and types its name otherwise, does not open the breaker for everybody, nor guess uncounted.
  question.judged(fault === undefined || isOfOthers)
  const isGuess = isOfOthers && candidate === undefined
  if (!isGuess) await storage.users.freeAttempt(taken)
  if (fault === undefined) return 'made'
  request.log.warn({ legacy: { fault } }, 'the record of Accounts:Legacy:Url cannot be used')
  return isGuess ? 'wrong' : 'ignored'
}

const ofSomebodyElse = 'It is of somebody else.'

const administers = (user: User, roles: readonly string[]): boolean =>
  isAdministrator({ ...user, roles }) || roles.includes(viewerRole)

/** Makes the person, or completes the one without a password. Returns why not. */
async function bring(
  service: Service,
  request: Request,
  typed: { readonly username: string; readonly password: string },
  candidate: Candidate | undefined,
  given: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { clock, keys, random, storage } = service
  const stored = candidate?.user
  const nowMs = clock()
  const rules = await rulesOf(service, nowMs)
  const { password_hash: _, roles, ...members } = given
  const isList = Array.isArray(roles) && roles.every((role) => typeof role === 'string')
  const kept = { roles: isList ? keptRoles(roles, rules) : roles }
  const source = readImportedRecord({ username: stored?.name ?? typed.username, ...members, ...kept }, rules)
  if (isRefusal<ImportedRecord | Rejection>(source)) return source.problems.map(({ message }) => message).join(' ')
  if (!isOf(source, stored, typed.username)) return ofSomebodyElse
  const [present, isImported] = await Promise.all([
    stored === undefined ? [] : storage.externalLogins.list(stored.id),
    stored !== undefined && storage.imports.isOfImport(stored.id),
  ])
  const hasWayIn = present.length > 0 || (candidate?.passkeys ?? 0) > 0
  if (stored !== undefined && !mayComplete(source, stored, { isImported, hasWayIn })) return ofSomebodyElse
  const passwordHash = await hashPassword(typed.password, random)
  const id = stored?.id ?? source.id ?? uuidv7(source.createdAtMs ?? nowMs, random)
  const own = { ...(stored === undefined ? source : completing(source, stored)), passwordHash }
  const user = stored === undefined ? importedUser(own, id, rules) : updatedUser(stored, own, true, rules)
  if (isRefusal<User | Rejection>(user)) return user.problems.map(({ message }) => message).join(' ')
  const before = stored && (await storage.secondFactors.find(stored.id))
  const logins = source.logins
    .filter((one) => !present.some((two) => two.provider === one.provider && two.subject === one.subject))
    .map((login) => ({ ...login, userId: id, createdAtMs: nowMs }))
  const protection = factorProtection(keys, id, random)
  // What the person set up here stays.
  const next = before?.totp ? undefined : importedFactors(id, source, before, protection, nowMs)
  const factors = next === undefined ? {} : { factors: { next, before } }
  const about = { id: `legacy ${uuidv7(nowMs, random)}`, kind: 'users', recordsRead: 1, startedAtMs: nowMs }
  const counts = { read: 1, created: stored ? 0 : 1, updated: stored ? 1 : 0, skipped: 0, failed: 0 }
  const event = auditEvent(
    request,
    nowMs,
    stored ? 'user_changed' : 'user_added',
    { userId: id },
    {
      ...(stored ? { change: 'imported' } : {}),
      via: 'legacy',
    },
  )
  const { outcome } = await storage.imports.store(
    {
      before: undefined,
      progress: { ...about, counts, notKept: {}, lost: [] },
      people: [{ user, before: stored, logins, isWeak: false, ...factors }],
      records: [],
      failures: [],
    },
    [event],
  )
  // The same person may have come by another sign-in at the same time: then this password is checked against theirs.
  if (outcome === 'stored') await storage.imports.end(about.id)
  if (outcome === 'stored' || (await storage.users.findByName(source.username))?.passwordHash != null) return undefined
  return 'A name, address, login or unique value belongs to somebody else.'
}

/** Whether the record is of the person here, or else of the name that was typed, which may be the address. */
function isOf({ id, username, email }: ImportedRecord, stored: User | undefined, typed: string): boolean {
  const isSame = (one: string, other: string) => normalizeName(one) === normalizeName(other)
  if (stored === undefined) return isSame(username, typed) || (typeof email === 'string' && isSame(email, typed))
  return (id === undefined || id === stored.id) && isSame(username, stored.name)
}

/** Without those that nobody may have from there, and as many as a person may have. */
function keptRoles(roles: readonly string[], rules: ImportRules): readonly string[] {
  const isFit = (role: string) => rules.roleFault(role) === undefined && roleProblems([role]).length === 0
  return sortedSet(roles.filter(isFit)).slice(0, rolesAtMost)
}

async function rulesOf({ storage }: Service, nowMs: number): Promise<ImportRules> {
  const [{ known: declared }, { matches }, { rolesOf }] = await Promise.all([
    storage.attributes.all(),
    loadPatterns(),
    storage.catalogue.now(),
  ])
  const everybodys = rolesOf({ roles: [] })
  const givesRights = (role: string) =>
    rolesOf({ roles: [role] }).some(
      (one) => !everybodys.includes(one) && (one === administratorRole || one === viewerRole),
    )
  return {
    nowMs,
    judgeHash: () => ({ fault: 'is not taken from there' }),
    roleFault: (role) => (givesRights(role) ? 'is not taken from there' : undefined),
    attributes: { declared, matches },
  }
}

/** One attempt to sign in with a password: checked, and committed with its outcome. */
import type { AuditEvent, AuditEvents } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import type { Attempter, Begun } from '../http/attempt-limiter.ts'
import type { Request } from '../http/request.ts'
import type { PacedAttempt } from '../secrets/failure-pace.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { hashPassword, needsRehash } from '../secrets/password.ts'
import type { Service } from '../service.ts'
import { type Candidate, mayAttempt, ownBudget } from '../users/lockout.ts'
import { decidePasswordSignIn, type HalfSignedIn, type PasswordSignIn, type SignedInNow } from '../users/sign-in.ts'
import { normalizeName } from '../users/user.ts'
import type { Prepared } from './enter.ts'
import type { LegacyOutcome, LegacyQuestion } from './legacy-sign-in.ts'
import { withBrowserNotice } from './notices.ts'
import { passwordSignInEvents } from './sign-in-events.ts'

/** What was typed. */
export type PasswordFields = {
  readonly username: string
  readonly password: string
  /** As sent; undefined: the box was not ticked. */
  readonly rememberMe: string | undefined
  /** Where the sign-in leads to, as sent. */
  readonly returnUrl: string
}

export const methods: readonly string[] = ['pwd']

/** Outcomes that count against the address. */
export const failures: readonly string[] = [
  'unknown_user',
  'locked',
  'wrong_password',
] satisfies SignInAttempt['outcome'][]

export type SignInAttempt =
  | ((SignedInNow | HalfSignedIn) & { readonly prepared: Prepared })
  | {
      readonly outcome: 'unknown_user' | 'locked' | 'wrong_password' | 'not_allowed' | 'needs_help'
      /** Nobody said whether the password is right: it counts against no address. */
      readonly isUncounted?: true
    }

export async function findCandidate({ device, storage }: Service, request: Request, { username }: PasswordFields) {
  if (username === '') return undefined
  return storage.users.findForSignIn({ name: username }, device.browserIds(request))
}

/**
 * Returns what the attempt is queued by: the account, whichever of its names was entered, with precedence if the
 * browser is known for it.
 */
export function attempterOf(candidate: Candidate | undefined, { username }: PasswordFields, nowMs: number): Attempter {
  if (candidate === undefined) return { account: normalizeName(username) }
  return { account: candidate.user.id, known: ownBudget(candidate, nowMs) !== undefined }
}

type Checked = { readonly candidate: Candidate | undefined; readonly passwordMatches: boolean }

/** Checks the password, and commits the outcome. `paced` is that of this password. `question`: undefined, there is no former system. */
export async function attemptPassword(
  service: Service,
  request: Request,
  fields: PasswordFields,
  candidate: Candidate | undefined,
  attempt: Begun,
  paced: PacedAttempt,
  question: LegacyQuestion | undefined,
): Promise<SignInAttempt> {
  const asked =
    question === undefined
      ? 'unasked'
      : await (await import('./legacy-sign-in.ts')).askLegacy(service, request, fields, candidate, question)
  // What a right password takes says nothing of what a wrong one does.
  if (asked !== 'made') question?.end()
  return checkHere(service, request, fields, candidate, attempt, paced, asked)
}

/** Checks what is stored here. `asked`: what the system of before made of the attempt. */
async function checkHere(
  service: Service,
  request: Request,
  fields: PasswordFields,
  before: Candidate | undefined,
  attempt: Begun,
  paced: PacedAttempt,
  asked: LegacyOutcome,
): Promise<SignInAttempt> {
  const candidate = asked === 'made' ? await findCandidate(service, request, fields) : before
  // No answer says nothing about the password, and is not counted.
  if (asked === 'ignored' || (asked === 'locked' && candidate === undefined)) {
    await paced.verify(null)
    attempt.checked()
    await writeNothing(service, [failedSignIn(service, request, asked === 'ignored' ? 'provider_failed' : 'locked')])
    return asked === 'ignored' ? { outcome: 'unknown_user', isUncounted: true } : { outcome: 'locked' }
  }
  const hashOf = (one: Candidate | undefined) => one?.user.passwordHash ?? null
  // The password may have changed while this attempt was queued, so the user is read again in parallel with the check.
  const [passwordMatches, current] = await Promise.all([
    paced.verify(hashOf(candidate)),
    attempt.waited ? findCandidate(service, request, fields) : candidate,
  ])
  const isChanged = hashOf(current) !== hashOf(candidate)
  const matches = isChanged ? await paced.verify(hashOf(current)) : passwordMatches
  attempt.checked()
  return commitAttempt(service, request, fields, paced, { candidate: current, passwordMatches: matches })
}

/** The stored hash is no longer the one that was checked. */
type Unchecked = { readonly outcome: 'unchecked'; readonly stored: Candidate }

/** Applies the lockout rule to the user as stored at that moment. `checksLeft`: how often a new hash is checked. */
async function commitAttempt(
  service: Service,
  request: Request,
  fields: PasswordFields,
  paced: PacedAttempt,
  { candidate, passwordMatches }: Checked,
  checksLeft = 2,
): Promise<SignInAttempt> {
  const { sessions, storage } = service
  if (candidate === undefined) {
    await writeNothing(service, [failedSignIn(service, request, 'unknown_user')])
    return { outcome: 'unknown_user' }
  }
  const checkedHash = candidate.user.passwordHash
  // Replaces a hash with outdated parameters, because the password is available only now. Not while the account is locked:
  // the time would tell that the password is right.
  const isReplaced = passwordMatches && checkedHash !== null && needsRehash(checkedHash)
  const newHash = isReplaced && mayAttempt(candidate, service.clock()) ? await hashPassword(fields.password) : null
  const persistent = fields.rememberMe !== undefined
  const entry = sessions.prepare(request, { userId: candidate.user.id, methods, persistent })
  const attempt = { passwordMatches, checkedHash, newHash }
  const decide = (stored: Candidate): (PasswordSignIn & { readonly events: AuditEvents }) | Unchecked => {
    // Another sign-in or housekeeping may have hashed the same password anew.
    if (passwordMatches && checksLeft > 0 && stored.user.passwordHash !== checkedHash) {
      return { outcome: 'unchecked', stored }
    }
    const nowMs = service.clock()
    const decision = decidePasswordSignIn(stored, attempt, entry, sessions.rules, nowMs)
    const events = passwordSignInEvents(service, request, nowMs, stored, decision, fields.returnUrl)
    return { ...decision, events: withBrowserNotice(service, request, stored, entry, decision, events) }
  }
  const decided = await storage.users.recordSignIn(candidate, decide)
  if (decided === undefined) return { outcome: 'unknown_user' }
  if (decided.outcome === 'unchecked') {
    const matches = await paced.verify(decided.stored.user.passwordHash)
    const checked = { candidate: decided.stored, passwordMatches: matches }
    return commitAttempt(service, request, fields, paced, checked, checksLeft - 1)
  }
  if (decided.outcome === 'locked') await writeNothing(service)
  if (decided.outcome === 'signed_in' || 'startedAtMs' in decided) return { ...decided, prepared: entry }
  return { outcome: decided.outcome }
}

/**
 * A failed password check writes to the database. Other refusals write a dummy value, so that they take the same time.
 */
async function writeNothing({ clock, random, storage }: Service, events: AuditEvents = []): Promise<void> {
  const nowMs = clock()
  await storage.spentValues.spend(`sign-in:${uuidv7(nowMs, random)}`, nowMs, events)
}

/** Failure event without a user id. */
export function failedSignIn({ clock }: Service, request: Request, reason: string): AuditEvent {
  return auditEvent(request, clock(), 'sign_in_failed', {}, { method: 'pwd', reason })
}

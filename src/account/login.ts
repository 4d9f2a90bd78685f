/**
 * `POST /Account/Login`: signs a user in with user name or e-mail address, and password.
 *
 * Belongs here: endpoints under `/Account` and `/callback`, one file for each URL, and the audit events of sign-ins.
 * Belongs elsewhere: rules about people (`users/`), and what the browser keeps (`browser/`).
 */
import type { AuditEvent, AuditEvents } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import { type Answer, redirect } from '../http/answer.ts'
import type { Attempter, Begun } from '../http/attempt-limiter.ts'
import { fieldIgnoringCase, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { evenPace } from '../secrets/failure-pace.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { hashPassword, needsRehash, PasswordHashingBusy, verifyPassword } from '../secrets/password.ts'
import type { Service } from '../service.ts'
import { isLocalUrl } from '../users/local-url.ts'
import { type Candidate, ownBudget } from '../users/lockout.ts'
import { decidePasswordSignIn, type HalfSignedIn, type PasswordSignIn, type SignedInNow } from '../users/sign-in.ts'
import { normalizeName } from '../users/user.ts'
import { answerEntry, type Prepared } from './enter.ts'
import { readReturnUrl } from './form-fields.ts'
import { withBrowserNotice } from './notices.ts'
import { readPostedForm } from './posted-form.ts'
import { passwordSignInEvents } from './sign-in-events.ts'

/**
 * One more than the longest possible user name (256 characters of at most two code units each), so that truncating can
 * never produce an existing name.
 */
const maxUsernameLength = 513

type LoginForm = {
  readonly returnUrl: string
  readonly username: string
  readonly password: string
  /** As sent; undefined: the box was not ticked. */
  readonly rememberMe: string | undefined
}

export function login(service: Service): Endpoint {
  const { answers, metrics, settings } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const { form, signedIn } = posted
    const fields = readLoginForm(form)
    if (isRefusal(fields)) return answers.refuseReadably(request, fields)
    const limited = (retryAfterSeconds: number): Answer => {
      metrics.signIn('password', 'rate_limited')
      service.storage.audit.note(failedSignIn(service, request, 'rate_limited'))
      const limit = settings.rateLimit.loginPerMinute
      const refusal = refuse('too_many_requests', '', { address: request.address, failuresPerMinute: limit })
      return answers.fail(request, refusal, retryAfterSeconds)
    }
    const exhaustedFor = service.attempts.exhausted(request.address)
    if (exhaustedFor !== undefined) return limited(exhaustedFor)
    const candidate = await findCandidate(service, request, fields)
    const attempt = await service.attempts.take(request.address, attempterOf(candidate, fields, service.clock()))
    if (!attempt.allowed && attempt.exhausted) return limited(attempt.retryAfterSeconds)
    if (!attempt.allowed) {
      metrics.signIn('password', 'busy')
      const busy = refuse('temporarily_unavailable', '', { rule: 'too many sign-ins are waiting' })
      return answers.fail(request, busy, attempt.retryAfterSeconds)
    }

    // decide and commit
    let attempted: SignInAttempt
    try {
      attempted = await commitAttempt(
        service,
        request,
        fields,
        await check(service, request, fields, candidate, attempt),
      )
    } catch (error) {
      attempt.settle('not_failed')
      if (!(error instanceof PasswordHashingBusy)) throw error
      metrics.signIn('password', 'busy')
      const busy = refuse('temporarily_unavailable', '', { rule: 'too many password checks are waiting' })
      return answers.fail(request, busy, 2)
    }
    attempt.settle(failures.includes(attempted.outcome) ? 'failed' : 'not_failed')
    metrics.signIn('password', attempted.outcome === 'enrolment' ? 'second_factor' : attempted.outcome)

    // answer
    if (!('prepared' in attempted)) {
      const error = attempted.outcome === 'not_allowed' ? 'account_not_allowed' : 'invalid_credentials'
      request.log.refused({ signIn: { outcome: attempted.outcome } }, 'sign-in refused')
      return redirect(loginPage(service, fields, error))
    }
    if (!isLocalUrl(fields.returnUrl)) {
      // Checked last. Never leaves a user signed in through a form that pointed to another site.
      if (attempted.outcome === 'signed_in') {
        const ended = auditEvent(request, service.clock(), 'sign_out', attempted.session, { reason: 'return_address' })
        await service.storage.sessions.delete(attempted.session.id, [ended])
      }
      // Omits the query, which may contain a code or a token.
      const [returnUrl] = fields.returnUrl.split(/[?#]/, 1)
      request.log.warn({ returnUrl }, 'sign-in with a return address that is not local')
      return answers.fail(request, refuse('server_error', '', { rule: 'the return address is not local' }))
    }
    const { returnUrl } = fields
    const arrival = { methods, persistent: fields.rememberMe !== undefined, former: signedIn, returnUrl }
    return answerEntry(service, request, attempted, attempted.prepared, arrival)
  }
}

const methods: readonly string[] = ['pwd']

/** Outcomes that count against the address. */
const failures: readonly string[] = ['unknown_user', 'locked', 'wrong_password'] satisfies SignInAttempt['outcome'][]

type SignInAttempt =
  | ((SignedInNow | HalfSignedIn) & { readonly prepared: Prepared })
  | { readonly outcome: 'unknown_user' | 'locked' | 'wrong_password' | 'not_allowed' }

async function findCandidate({ device, storage }: Service, request: Request, { username }: LoginForm) {
  if (username === '') return undefined
  return storage.users.findForSignIn({ name: username }, device.browserIds(request))
}

/**
 * Returns what the attempt is queued by: the account, whichever of its names was entered, with precedence if the
 * browser is known for it.
 */
function attempterOf(candidate: Candidate | undefined, { username }: LoginForm, nowMs: number): Attempter {
  if (candidate === undefined) return { account: normalizeName(username) }
  return { account: candidate.user.id, known: ownBudget(candidate, nowMs) !== undefined }
}

type Checked = { readonly candidate: Candidate | undefined; readonly passwordMatches: boolean }

/** Unknown users and accounts without a password take the same time as others. */
async function check(
  service: Service,
  request: Request,
  fields: LoginForm,
  candidate: Candidate | undefined,
  attempt: Begun,
): Promise<Checked> {
  const startMs = performance.now()
  const hashOf = (one: Candidate | undefined) => one?.user.passwordHash ?? null
  // The password may have changed while this attempt was queued, so the user is read again in parallel with the check.
  const [passwordMatches, current] = await Promise.all([
    verifyPassword(hashOf(candidate), fields.password),
    attempt.waited ? findCandidate(service, request, fields) : candidate,
  ])
  const isChanged = hashOf(current) !== hashOf(candidate)
  const matches = isChanged ? await verifyPassword(hashOf(current), fields.password) : passwordMatches
  attempt.checked()
  if (!matches) await evenPace(startMs)
  return { candidate: current, passwordMatches: matches }
}

/** The stored hash is no longer the one that was checked. */
type Unchecked = { readonly outcome: 'unchecked'; readonly stored: Candidate }

/** Applies the lockout rule to the user as stored at that moment. `checksLeft`: how often a new hash is checked. */
async function commitAttempt(
  service: Service,
  request: Request,
  fields: LoginForm,
  { candidate, passwordMatches }: Checked,
  checksLeft = 2,
): Promise<SignInAttempt> {
  const { sessions, storage } = service
  if (candidate === undefined) {
    await writeNothing(service, [failedSignIn(service, request, 'unknown_user')])
    return { outcome: 'unknown_user' }
  }
  const checkedHash = candidate.user.passwordHash
  // Replaces a hash with outdated parameters, because the password is available only now.
  const newHash =
    passwordMatches && checkedHash !== null && needsRehash(checkedHash) ? await hashPassword(fields.password) : null
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
    const events = passwordSignInEvents(request, nowMs, stored, decision)
    return { ...decision, events: withBrowserNotice(service, request, stored, entry, decision, events) }
  }
  const decided = await storage.users.recordSignIn(candidate, decide)
  if (decided === undefined) return { outcome: 'unknown_user' }
  if (decided.outcome === 'unchecked') {
    const matches = await verifyPassword(decided.stored.user.passwordHash, fields.password)
    return commitAttempt(
      service,
      request,
      fields,
      { candidate: decided.stored, passwordMatches: matches },
      checksLeft - 1,
    )
  }
  if (decided.outcome === 'locked') await writeNothing(service)
  switch (decided.outcome) {
    case 'signed_in':
    case 'second_factor':
    case 'enrolment':
      return { ...decided, prepared: entry }
    default:
      return { outcome: decided.outcome }
  }
}

/**
 * A failed password check writes to the database. Other refusals write a dummy value, so that they take the same time.
 */
async function writeNothing({ clock, random, storage }: Service, events: AuditEvents = []): Promise<void> {
  const nowMs = clock()
  await storage.spentValues.spend(`sign-in:${uuidv7(nowMs, random)}`, nowMs, events)
}

/** Failure event without a user id. */
function failedSignIn({ clock }: Service, request: Request, reason: string): AuditEvent {
  return auditEvent(request, clock(), 'sign_in_failed', {}, { method: 'pwd', reason })
}

function readLoginForm(form: Parameters): LoginForm | Refusal {
  const returnUrl = readReturnUrl(form, ['username', 'password', 'rememberMe'])
  if (isRefusal(returnUrl)) return returnUrl
  return {
    returnUrl,
    // Keyboards and clipboards add blanks; no user name begins or ends with one.
    username: (fieldIgnoringCase(form, 'username') ?? '').trim().slice(0, maxUsernameLength),
    password: fieldIgnoringCase(form, 'password') ?? '',
    rememberMe: fieldIgnoringCase(form, 'rememberMe')?.slice(0, 16),
  }
}

/** Redirects to the login page with all input except the password. */
function loginPage(service: Service, fields: LoginForm, error: string): string {
  return withQuery(service.settings.oauth.loginPageUrl, [
    ['ReturnUrl', fields.returnUrl],
    ['error', error],
    ['username', fields.username],
    ...(fields.rememberMe === undefined ? [] : ([['rememberMe', fields.rememberMe]] as const)),
  ])
}

/**
 * `POST /Account/Login`: signs a user in with user name or e-mail address, and password.
 *
 * Belongs here: endpoints under `/Account` and `/callback`, one file for each URL, and the audit events of sign-ins.
 * Belongs elsewhere: rules about people (`users/`), and what the browser keeps (`browser/`).
 */
import { auditEvent } from '../audit/request-events.ts'
import { type Answer, redirect } from '../http/answer.ts'
import { fieldIgnoringCase, withQuery } from '../http/parameters.ts'
import type { Endpoint } from '../http/request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { PasswordHashingBusy } from '../secrets/password.ts'
import type { Service } from '../service.ts'
import type { SignInResult } from '../telemetry/metrics.ts'
import { localUrl } from '../users/local-url.ts'
import { answerEntry } from './enter.ts'
import { readReturnUrl } from './form-fields.ts'
import {
  attempterOf,
  attemptPassword,
  failedSignIn,
  failures,
  findCandidate,
  methods,
  type PasswordFields,
  type SignInAttempt,
} from './password-attempt.ts'
import { readPostedForm } from './posted-form.ts'

/**
 * One more than the longest possible user name (256 characters of at most two code units each), so that truncating can
 * never produce an existing name.
 */
const maxUsernameLength = 513

type LoginForm = PasswordFields

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
    const paced = service.failurePace.begin(fields.password)
    const question = service.legacy?.begin()
    let attempted: SignInAttempt
    try {
      attempted = await attemptPassword(service, request, fields, candidate, attempt, paced, question)
    } catch (error) {
      attempt.settle('not_failed')
      if (!(error instanceof PasswordHashingBusy)) throw error
      metrics.signIn('password', 'busy')
      const busy = refuse('temporarily_unavailable', '', { rule: 'too many password checks are waiting' })
      return answers.fail(request, busy, 2)
    }
    const hasFailed = failures.includes(attempted.outcome)
    attempt.settle(hasFailed && !('isUncounted' in attempted) ? 'failed' : 'not_failed')
    metrics.signIn('password', resultOf(attempted))

    // answer
    if (hasFailed) await Promise.all([paced.failed(), question?.failed()])
    if (!('prepared' in attempted)) {
      const error = refusals[attempted.outcome] ?? 'invalid_credentials'
      request.log.refused({ signIn: { outcome: attempted.outcome } }, 'sign-in refused')
      return redirect(loginPage(service, fields, error))
    }
    const returnUrl = localUrl(fields.returnUrl)
    if (returnUrl === undefined) {
      // Checked last. Never leaves a user signed in through a form that pointed to another site.
      if (attempted.outcome === 'signed_in') {
        const ended = auditEvent(request, service.clock(), 'sign_out', attempted.session, { reason: 'return_address' })
        await service.storage.sessions.delete(attempted.session, [ended])
      }
      // Omits the query, which may contain a code or a token.
      const [address] = fields.returnUrl.split(/[?#]/, 1)
      request.log.warn({ returnUrl: address }, 'sign-in with a return address that is not local')
      return answers.fail(request, refuse('server_error', '', { rule: 'the return address is not local' }))
    }
    const arrival = { methods, persistent: fields.rememberMe !== undefined, former: signedIn, returnUrl }
    return answerEntry(service, request, attempted, attempted.prepared, arrival)
  }
}

/** What the login page says of a right password. Everything else is a wrong one. */
const refusals: { readonly [outcome in SignInAttempt['outcome']]?: string } = {
  not_allowed: 'account_not_allowed',
  needs_help: 'account_needs_help',
}

function resultOf(attempted: SignInAttempt): SignInResult {
  if (attempted.outcome === 'needs_help') return 'not_allowed'
  if ('startedAtMs' in attempted) return 'second_factor'
  return attempted.outcome
}

function readLoginForm(form: Parameters): LoginForm | Refusal {
  // A checkbox may come with a hidden field of its name, as in ASP.NET: the first counts.
  const returnUrl = readReturnUrl(form, ['username', 'password'])
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

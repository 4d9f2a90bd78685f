/** `POST /Account/PasskeyLogin`: signs a person in with a passkey. */
import type { AuditEvents } from '../audit/entry.ts'
import { type Answer, redirect } from '../http/answer.ts'
import { fieldIgnoringCase, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { localUrl } from '../users/local-url.ts'
import type { Candidate } from '../users/lockout.ts'
import { passkeyMethods } from '../users/passkey.ts'
import type { SignedIn } from '../users/session.ts'
import { decideEntry } from '../users/sign-in.ts'
import { answerEntry } from './enter.ts'
import { readReturnUrl } from './form-fields.ts'
import { withBrowserNotice } from './notices.ts'
import { failedPasskey, type Presented, presentPasskey, refusePasskey } from './passkeys/presented.ts'
import { readPostedForm } from './posted-form.ts'
import { entryEvents } from './sign-in-events.ts'

type PasskeyForm = {
  readonly returnUrl: string
  /** JSON text. */
  readonly credential: string
  readonly persistent: boolean
}

type Attempted =
  | { readonly outcome: 'signed_in' | 'second_factor'; readonly answer: Answer }
  | { readonly outcome: 'locked' | 'not_allowed' | 'failed' }

export function passkeyLogin(service: Service): Endpoint {
  const { answers, attempts, metrics, settings, storage } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const fields = readPasskeyForm(posted.form)
    if (isRefusal(fields)) return answers.refuseReadably(request, fields)
    const limited = (retryAfterSeconds: number): Answer => {
      metrics.signIn('passkey', 'rate_limited')
      storage.audit.note(failedPasskey(service, request, {}, 'rate_limited'))
      const limit = settings.rateLimit.loginPerMinute
      const refusal = refuse('too_many_requests', '', { address: request.address, failuresPerMinute: limit })
      return answers.fail(request, refusal, retryAfterSeconds)
    }
    const exhaustedFor = attempts.exhausted(request.address)
    if (exhaustedFor !== undefined) return limited(exhaustedFor)
    const attempt = await attempts.take(request.address)
    if (!attempt.allowed && attempt.exhausted) return limited(attempt.retryAfterSeconds)
    if (!attempt.allowed) {
      metrics.signIn('passkey', 'busy')
      const busy = refuse('temporarily_unavailable', '', { rule: 'too many sign-ins are waiting' })
      return answers.fail(request, busy, attempt.retryAfterSeconds)
    }

    // decide and commit
    let attempted: Attempted | Refusal
    try {
      const presented = await presentPasskey(service, request, fields.credential, 'signin', null)
      attempt.checked()
      attempted = await commit(service, request, fields, presented, posted.signedIn)
    } catch (error) {
      attempt.settle('not_failed')
      throw error
    }
    if (isRefusal(attempted)) {
      attempt.settle('not_failed')
      return answers.fail(request, attempted)
    }
    const { outcome } = attempted
    attempt.settle(outcome === 'failed' || outcome === 'locked' ? 'failed' : 'not_failed')
    metrics.signIn('passkey', outcome)

    // answer
    if ('answer' in attempted) return attempted.answer
    request.log.refused({ signIn: { outcome } }, 'sign-in refused')
    const error = outcome === 'not_allowed' ? 'account_not_allowed' : 'invalid_credentials'
    return redirect(loginPage(service, fields, error))
  }
}

/** Whatever the reason, a refused attempt writes once, so that refusals take the same time. */
async function commit(
  service: Service,
  request: Request,
  { persistent, returnUrl: sent }: PasskeyForm,
  presented: Presented,
  former: SignedIn | undefined,
): Promise<Attempted | Refusal> {
  const { clock, sessions, storage } = service
  if (presented.outcome !== 'proven') {
    await refusePasskey(service, request, presented)
    return { outcome: 'failed' }
  }
  const { candidate, passkey, challenge } = presented
  const returnUrl = localUrl(sent)
  if (returnUrl === undefined) {
    // Omits the query, which may contain a code or a token.
    request.log.warn({ returnUrl: sent.split(/[?#]/, 1)[0] }, 'sign-in with a return address that is not local')
    return refuse('server_error', '', { rule: 'the return address is not local' })
  }
  const methods = passkeyMethods(passkey, service.passkeyManufacturers !== null)
  const prepared = sessions.prepare(request, { userId: passkey.userId, methods, persistent })
  const decide = (stored: Candidate) => {
    const nowMs = clock()
    const entry = decideEntry(stored, { first: 'passkey' }, prepared, sessions.rules, nowMs)
    if (entry.outcome !== 'signed_in' && !('startedAtMs' in entry)) return entry
    const entered: AuditEvents = entryEvents(service, request, nowMs, stored.user, ['passkey'], entry, returnUrl)
    const events = withBrowserNotice(service, request, stored, prepared, entry, entered)
    return { ...entry, events, spends: true as const, passkey: { next: passkey, before: candidate.passkey } }
  }
  const decided = await storage.users.completeSignIn(candidate, decide, [challenge])
  if (decided === 'spent' || decided === undefined) {
    await refusePasskey(service, request, { outcome: 'refused', reason: 'challenge_used' })
    return { outcome: 'failed' }
  }
  if (decided.outcome !== 'signed_in' && !('startedAtMs' in decided)) {
    const outcome = decided.outcome === 'locked' ? 'locked' : 'not_allowed'
    await refusePasskey(service, request, { outcome: 'refused', reason: outcome, challenge, userId: passkey.userId })
    return { outcome }
  }
  const arrival = { methods, persistent, former, returnUrl }
  return {
    outcome: decided.outcome === 'signed_in' ? 'signed_in' : 'second_factor',
    answer: await answerEntry(service, request, decided, prepared, arrival),
  }
}

function readPasskeyForm(form: Parameters): PasskeyForm | Refusal {
  const returnUrl = readReturnUrl(form, ['credential'])
  if (isRefusal(returnUrl)) return returnUrl
  return {
    returnUrl,
    credential: fieldIgnoringCase(form, 'credential') ?? '',
    persistent: fieldIgnoringCase(form, 'rememberMe') !== undefined,
  }
}

/** `method` tells the page in which words to say `error`. */
function loginPage(service: Service, { returnUrl, persistent }: PasskeyForm, error: string): string {
  return withQuery(service.settings.oauth.loginPageUrl, [
    ['ReturnUrl', returnUrl],
    ['error', error],
    ['method', 'passkey'],
    ...(persistent ? ([['rememberMe', 'true']] as const) : []),
  ])
}

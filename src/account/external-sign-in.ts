/** Completes an external sign-in: signs the user in, or registers the new account that the user confirms. */
import type { AuditEvents } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import { type Answer, json, redirect, withCookies } from '../http/answer.ts'
import { fieldIgnoringCase, readQuery, withoutEmpty, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import type { SignInResult } from '../telemetry/metrics.ts'
import {
  decideExternalSignIn,
  type ExternalIdentity,
  type ExternalSignIn,
  type ExternalSignInError,
} from '../users/external-identity.ts'
import { registrationLimits } from '../users/external-limits.ts'
import { rememberBrowser } from '../users/known-browser.ts'
import { type LocalUrl, localUrlOrRoot } from '../users/local-url.ts'
import type { Candidate } from '../users/lockout.ts'
import type { SignedIn } from '../users/session.ts'
import { askingNobody, nextStep } from '../users/sign-in-steps.ts'
import { refuseSurplus } from './confirmation-budget.ts'
import { tellOwner } from './confirmation-mail.ts'
import { answerEntry } from './enter.ts'
import { withBrowserNotice } from './notices.ts'
import { goOnward } from './onward.ts'
import { readPostedForm } from './posted-form.ts'
import { externalSignInEvents } from './sign-in-events.ts'

/**
 * `GET /Account/ExternalLoginCallback?returnUrl=…&error=…`: continues with one of the outcomes of specification 4.7.
 */
export function externalLoginCallback(service: Service): Endpoint {
  const { external } = service
  return async (request) => {
    const query = readQuery(request)
    const parameters: Parameters = isRefusal(query) ? [] : query
    const returnUrl = localUrlOrRoot(fieldIgnoringCase(parameters, 'returnUrl'))
    if ((fieldIgnoringCase(parameters, 'error') ?? '') !== '') {
      return redirect(loginPage(service, returnUrl, 'external_provider_error'))
    }
    const identity = external.readIdentity(request)
    if (identity === undefined || identity.subject === '') {
      const unavailable = redirect(loginPage(service, returnUrl, 'external_login_unavailable'))
      return withCookies(unavailable, external.removeIdentity(request))
    }
    const candidate = await findBound(service, request, identity)
    if (candidate === undefined) {
      return redirect(withQuery(service.settings.oauth.externalLoginConfirmPageUrl, [['returnUrl', returnUrl]]))
    }
    const former = await service.sessions.current(request)
    return signInBoundUser(service, request, { candidate, identity, former, returnUrl })
  }
}

/** `GET /Account/ExternalLoginPending`: returns the identity that the confirm page shows. */
export function externalLoginPending({ external }: Service): Endpoint {
  return async (request) => {
    const identity = external.readIdentity(request)
    if (identity === undefined) return json({ error: 'not_found' }, 404)
    const { provider, displayName, email } = identity
    return json({ provider, displayName, email })
  }
}

/** `POST /Account/ExternalLoginRegister`: registers the account that the user confirmed. */
export function externalLoginRegister(service: Service): Endpoint {
  const { answers, external, sessions, storage } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const { form, signedIn } = posted
    const email = (fieldIgnoringCase(form, 'email') ?? '').trim()
    const returnUrl = localUrlOrRoot(fieldIgnoringCase(form, 'ReturnUrl'))
    const askAgain = (error: string): Answer => redirect(confirmPage(service, returnUrl, error, email))
    // Loaded on first use, which keeps it out of the start.
    const { registerExternalUser } = await import('../users/registration.ts')
    const user = registerExternalUser(uuidv7(service.clock(), service.random), email, service.clock())
    if (isRefusal(user)) return askAgain('email_invalid')
    const identity = external.readIdentity(request)
    if (identity === undefined) return redirect(loginPage(service, '/', 'external_login_unavailable'))
    const signInBound = (candidate: Candidate): Promise<Answer> =>
      signInBoundUser(service, request, { candidate, identity, former: signedIn, returnUrl })
    const bound = await findBound(service, request, identity)
    if (bound !== undefined) return signInBound(bound)
    const surplus = await refuseSurplus(service, request, async () => signedIn?.user.id)
    if (surplus !== undefined) return surplus
    if (!(await mayAskAbout(service, identity, email))) {
      request.log.refused({ externalRegistration: { outcome: 'addresses_exhausted' } }, 'registration refused')
      return askAgain('registration_failed')
    }

    // decide and commit: user, external login and session, all or nothing
    const input = { userId: user.id, methods: [identity.provider], persistent: false }
    const { session, cookieValue, newBrowserId } = sessions.prepare(request, input)
    const mayEnter = sessions.maySignIn(user, session.authenticatedAtMs)
    const step = nextStep({ user }, 'external', sessions.rules.secondFactor ?? askingNobody, session.createdAtMs)
    const entersNow = mayEnter && step === 'session'
    const browser = rememberBrowser(undefined, user, newBrowserId, session.createdAtMs, session.userAgent)
    const { provider, subject } = identity
    const login = { provider, subject, userId: user.id, createdAtMs: service.clock() }
    const about = (kind: 'account_registered' | 'sign_in') =>
      auditEvent(request, service.clock(), kind, { userId: user.id }, { method: provider })
    const events = entersNow ? [about('account_registered'), about('sign_in')] : [about('account_registered')]
    const entry = entersNow ? { session, browser } : null
    const registered = await storage.users.registerExternal(user, login, entry, events)

    // answer
    switch (registered.outcome) {
      case 'email_taken':
      case 'name_taken':
        await tellOwner(service, request, email)
        return askAgain('email_in_use')
      case 'name_confusable':
        return askAgain('email_in_use')
      case 'made_before':
        return askAgain('external_login_in_use')
      case 'bound':
        return signInBound((await findBound(service, request, identity)) ?? { user: registered.user })
      case 'registered': {
        service.metrics.signIn('external', 'registered')
        request.log.info({ signIn: { outcome: 'registered', user: user.id, provider } }, 'account created')
        if (!mayEnter) {
          const notAllowed = redirect(loginPage(service, returnUrl, 'account_not_allowed'))
          return withCookies(notAllowed, external.removeIdentity(request))
        }
        if (!entersNow) return signInBound({ user })
        const entered = await sessions.start(request, { session, cookieValue, browser }, signedIn)
        return withCookies(await goOnward(service, user.id, returnUrl), entered)
      }
    }
  }
}

/** Whether the identity may register with this address: it was asked about before, or the identity has a place left. */
async function mayAskAbout({ clock, storage }: Service, identity: ExternalIdentity, email: string): Promise<boolean> {
  const { address, identity: asking } = registrationLimits(identity, email)
  const nowMs = clock()
  return (
    (await storage.mails.takePlaces([address, asking], nowMs)) || !(await storage.mails.hasPlaces([address], nowMs))
  )
}

/** Returns the user bound to the identity, and this browser if it is known for that user. */
function findBound(
  { device, storage }: Service,
  request: Request,
  { provider, subject }: ExternalIdentity,
): Promise<Candidate | undefined> {
  return storage.users.findForSignIn({ provider, subject }, device.browserIds(request))
}

/** Signs in the user bound to the identity. The decision runs on the user as stored. */
async function signInBoundUser(
  service: Service,
  request: Request,
  known: {
    readonly candidate: Candidate
    readonly identity: ExternalIdentity
    /** The browser's previous sign-in. */
    readonly former: SignedIn | undefined
    readonly returnUrl: LocalUrl
  },
): Promise<Answer> {
  const { sessions, storage } = service
  const { candidate, identity, former, returnUrl } = known
  const { user } = candidate
  const input = { userId: user.id, methods: [identity.provider], persistent: false }
  const entry = sessions.prepare(request, input)
  const decide = (stored: Candidate): ExternalSignIn & { readonly events: AuditEvents } => {
    const nowMs = service.clock()
    const decision = decideExternalSignIn(stored, entry, sessions.rules, nowMs)
    const events = externalSignInEvents(service, request, nowMs, stored.user, identity.provider, decision, returnUrl)
    return { ...decision, events: withBrowserNotice(service, request, stored, entry, decision, events) }
  }
  const decided = await storage.users.recordSignIn(candidate, decide)
  if (decided !== undefined && decided.outcome !== 'refused') {
    service.metrics.signIn('external', decided.outcome === 'signed_in' ? 'signed_in' : 'second_factor')
    const answer = await answerEntry(service, request, decided, entry, { ...input, former, returnUrl })
    return withCookies(answer, service.external.removeIdentity(request))
  }
  const error = decided?.error ?? 'external_login_failed'
  service.metrics.signIn('external', results[error] ?? 'failed')
  request.log.warn({ signIn: { outcome: error, user: user.id, provider: identity.provider } }, 'sign-in refused')
  return redirect(loginPage(service, returnUrl, error))
}

/** Refusals that count under the same metric as for passwords. */
const results: { readonly [error in ExternalSignInError]?: SignInResult } = {
  account_locked: 'locked',
  account_not_allowed: 'not_allowed',
  account_needs_help: 'not_allowed',
}

function loginPage({ settings }: Service, returnUrl: string, error: ExternalSignInError): string {
  return withQuery(settings.oauth.loginPageUrl, [
    ['ReturnUrl', returnUrl],
    ['error', error],
  ])
}

/** Redirects to the confirm page, with the user's input. */
function confirmPage({ settings }: Service, returnUrl: string, error: string, email: string): string {
  return withQuery(
    settings.oauth.externalLoginConfirmPageUrl,
    withoutEmpty([
      ['returnUrl', returnUrl],
      ['error', error],
      ['email', email.slice(0, 320)],
    ]),
  )
}

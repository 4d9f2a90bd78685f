/**
 * `/connect/authorize`: the authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2).
 *
 * Belongs here: endpoints under `/connect` and `/.well-known`, one file for each URL, in four steps: gather, decide,
 * commit, answer.
 * Belongs elsewhere: decisions (`protocol/`), the pages of the account (`account/`), and making tokens (`tokens/`).
 */

import { antiforgeryField } from '../browser/antiforgery.ts'
import { type Answer, redirect, seeOther, withCookies } from '../http/answer.ts'
import { readForm, readQuery, withoutEmpty, withoutFields, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import type { ConsentAnswer } from '../protocol/authorization-request/authorize.ts'
import { requestedClaims } from '../protocol/claims/claims-request.ts'
import type { CodeContent } from '../protocol/grant/authorization-code.ts'
import type { Authorization } from '../protocol/grant/grant.ts'
import { sidOfSession } from '../protocol/logout/logout-claims.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { sealCode } from '../tokens/code.ts'
import { codeSeconds } from '../tokens/lifetimes.ts'
import type { RequestingSession, SignedIn } from '../users/session.ts'
import { beganAtMs } from '../users/user.ts'
import { authorizationResponse } from './authorization-response.ts'
import { settleMarks, stepFor } from './authorize-step.ts'
import { returnAddress } from './bounded-address.ts'
import { type CheckedRequest, checkRequest } from './checked-request.ts'
import { newConsent, storeConsent } from './consent-store.ts'
import { hintedProvider } from './provider-hint.ts'
import { answerDenial, answerRefusal, complete, usedUp } from './refused-authorization.ts'
import { stepUp } from './step-up.ts'

const acceptField = 'submit.Accept'
const denyField = 'submit.Deny'
/** Deleted users and clients stay deleted, so the second attempt already decides. */
const maxAttempts = 3

export function authorize(service: Service): Endpoint {
  const { answers, challenges, openedRequests, sessions, settings } = service
  const answerRequest = async (request: Request, attempt = 1): Promise<Answer> => {
    // gather
    const posted = request.method === 'POST'
    const sent = posted ? readForm(request) : readQuery(request)
    if (isRefusal(sent)) return answers.refuseReadably(request, sent)
    const answer = posted ? consentAnswer(sent) : 'none'
    const parameters = withoutFields(sent, [antiforgeryField, acceptField, denyField])
    const checked = await checkRequest(service, request, parameters)
    if (isRefusal(checked)) {
      return checked.target === undefined
        ? answers.refuseReadably(request, checked.refusal)
        : answerRefusal(service, request, checked.target, checked.refusal)
    }
    if (answer === 'both') return answers.refuseReadably(request, refuse('consent_ambiguous'))
    const { signedIn, target } = checked
    if (answer === 'none' && isFromAnotherSite(request) && sessions.cookieOf(request) === undefined) {
      // SameSite=Lax kept the session cookie from this cross-site POST; a top-level GET carries it.
      const address = returnAddress(parameters)
      if (address !== undefined) return seeOther(address)
    }
    // Without a session the request continues to the login page, so there is nothing to protect yet.
    if ((answer === 'accept' || answer === 'deny') && signedIn !== undefined) {
      const forgery = service.antiforgery.check(request, sent, signedIn.user.id)
      if (forgery !== undefined) return answers.refuseSilently(request, forgery)
    }

    // decide
    const step = await stepFor(service, request, checked, parameters, answer)

    // commit and answer
    const { mark } = checked
    const opened = () => (mark === undefined ? [] : openedRequests.mark(request, mark))
    const settled = () => settleMarks(service, request, checked, parameters)
    if (isRefusal(step)) {
      const isDenied = step.reason === 'consent_denied'
      const refused = await (isDenied
        ? answerDenial(service, request, checked, step)
        : answerRefusal(service, request, target, step))
      return withCookies(refused, settled())
    }
    switch (step.next) {
      case 'login': {
        const address =
          hintedProvider(service, checked.request) === undefined
            ? loginAddress(settings.oauth.loginPageUrl, parameters, checked.request)
            : withQuery('/Account/ExternalLogin', [['ReturnUrl', withQuery('/connect/authorize', parameters)]])
        return withCookies(redirect(address), [
          ...(step.challenge ? challenges.mark(request, parameters) : []),
          ...opened(),
        ])
      }
      case 'choose': {
        const address = withQuery('/Account/Choose', [['ReturnUrl', withQuery('/connect/authorize', parameters)]])
        return withCookies(redirect(address), [...challenges.mark(request, parameters), ...opened()])
      }
      case 'complete': {
        const address = withQuery('/Account/Complete', [['ReturnUrl', withQuery('/connect/authorize', parameters)]])
        return withCookies(redirect(address), opened())
      }
      case 'second_factor':
        return withCookies(stepUp(service, request, parameters, step.authentication.signedIn, step.acr), opened())
      case 'consent':
        return withCookies(redirect(withQuery(settings.oauth.consentPageUrl, parameters)), opened())
      case 'code': {
        const { signedIn } = step.authentication
        const slid = await sessions.slide(request, signedIn.session)
        const respond = (authorization: Authorization | undefined): Promise<Answer> => {
          const content = describeCode(service, checked, signedIn, authorization)
          const code = sealCode(content, service.keys, service.random)
          const state = sessionStateOf(service, checked, signedIn)
          return authorizationResponse(service, target, [['code', code], ...state])
        }
        const { client, consentScopes, pushed } = checked
        const consent = step.store
          ? newConsent(service, { userId: signedIn.user.id, client, scopes: consentScopes, registered: checked.scopes })
          : checked.authorization
        // Made before the commit: a request that was completed must have its answer.
        const response = await respond(consent)
        const stored =
          step.store && consent !== undefined
            ? await storeConsent(service, request, consent, client, pushed)
            : await complete(service, pushed)
        if (stored === 'gone') {
          // An operator deleted the user or client after they were read. Gathering again detects that.
          if (attempt === maxAttempts)
            throw new Error('a consent could not be stored, although user and client are there')
          return answerRequest(request, attempt + 1)
        }
        if (stored === 'completed') return answers.refuseReadably(request, usedUp(service, pushed))
        const isEarlier = stored !== undefined && stored.id !== consent?.id
        return withCookies(isEarlier ? await respond(stored) : response, [...slid, ...settled()])
      }
    }
  }
  return (request) => answerRequest(request)
}

function consentAnswer(form: Parameters): ConsentAnswer | 'both' {
  const pressed = (field: string): boolean => form.some(([name, value]) => name === field && value !== '')
  const accepted = pressed(acceptField)
  const denied = pressed(denyField)
  if (accepted && denied) return 'both'
  if (accepted) return 'accept'
  if (denied) return 'deny'
  // Only the consent form carries the token; a client that posts an authorization request has none.
  return form.some(([name]) => name === antiforgeryField) ? 'unanswered' : 'none'
}

/** Whether another site posted the form (OpenID Connect Core §3.1.2.1). All current browsers send this header. */
function isFromAnotherSite(request: Request): boolean {
  return request.method === 'POST' && request.headers['sec-fetch-site'] === 'cross-site'
}

/**
 * Returns the login page with the whole request as return URL. `login_hint` prefills the name. `ui_locales` is added if
 * the request was pushed, or is signed, and so is not in the address.
 */
function loginAddress(
  loginPageUrl: string,
  parameters: Parameters,
  { loginHint, uiLocales }: CheckedRequest['request'],
): string {
  const isInAddress = parameters.some(([name]) => name === 'ui_locales')
  const returnUrl = withQuery('/connect/authorize', parameters)
  return withQuery(
    loginPageUrl,
    withoutEmpty([
      ['ReturnUrl', returnUrl],
      ['username', loginHint ?? ''],
      ['ui_locales', isInAddress ? '' : (uiLocales ?? '')],
    ]),
  )
}

/** What the client may ask the frame about (OpenID Connect Session Management 1.0 §2): the same as `sid` in tokens. */
function sessionStateOf(
  { settings }: Service,
  { request }: CheckedRequest,
  { session }: SignedIn<RequestingSession>,
): Parameters {
  if (settings.oauth.endpointAliases.preset !== 'keycloak' || !request.scopes.includes('openid')) return []
  return [['session_state', sidOfSession({ sessionId: session.id }) ?? '']]
}

function describeCode(
  service: Service,
  checked: CheckedRequest,
  signedIn: SignedIn<RequestingSession>,
  authorization: Authorization | undefined,
): CodeContent {
  const nowMs = service.clock()
  return {
    grantId: uuidv7(nowMs, service.random),
    clientId: checked.client.id,
    userId: signedIn.user.id,
    authorizationId: authorization?.id ?? null,
    redirectUri: checked.request.redirectUri,
    scopes: checked.request.scopes,
    resources: checked.resources,
    codeChallenge: checked.request.codeChallenge,
    nonce: checked.request.nonce,
    claims: requestedClaims(checked.request.claims, signedIn.session.methods),
    authenticatedAtMs: signedIn.session.authenticatedAtMs,
    methods: signedIn.session.methods,
    sessionId: signedIn.session.id,
    dpopKey: checked.request.dpopKey,
    issuedAtMs: beganAtMs(nowMs, signedIn.user.grantsEndedAtMs),
    expiresAtMs: nowMs + codeSeconds(checked.client, service.settings) * 1000,
  }
}

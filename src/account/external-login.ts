/** External sign-in, up to the identity that the provider confirms. */

import { auditEvent } from '../audit/request-events.ts'
import { type PendingSignIn, pendingSeconds } from '../browser/external-cookies.ts'
import { checkRequest } from '../connect/checked-request.ts'
import { hintedProvider } from '../connect/provider-hint.ts'
import { type Answer, json, redirect, type SetCookie, withCookies } from '../http/answer.ts'
import { fieldIgnoringCase, readForm, readQuery, toQuery, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { type Asked, type ExternalProvider, nothingAsked, ProviderFailure, untrusted } from '../providers/provider.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { localUrlOrRoot, maxReturnUrlLength } from '../users/local-url.ts'
import { authorizationRequestIn } from './login-context.ts'
import { readPostedForm } from './posted-form.ts'

/** `GET /Account/ExternalProviders`: lists the providers that the login page offers. */
export function externalProviders({ providers }: Service): Endpoint {
  const items = providers.list.map(({ name, displayName }) => ({ name, displayName }))
  return async () => json(items)
}

/**
 * `GET /Account/ExternalLogin`: redirects to the provider that the authorization request of the return address names (`kc_idp_hint`). Otherwise
 * no provider was chosen, so this redirects to the login page.
 */
export function chooseProvider(service: Service): Endpoint {
  const { settings } = service
  const isHeeded = settings.oauth.endpointAliases.preset === 'keycloak'
  return async (request) => {
    const query = isHeeded ? readQuery(request) : []
    const returnUrl = localUrlOrRoot(isRefusal(query) ? undefined : fieldIgnoringCase(query, 'returnUrl'))
    const sent = authorizationRequestIn(returnUrl)
    const checked = sent && (await checkRequest(service, request, sent))
    const provider = checked === undefined || isRefusal(checked) ? undefined : hintedProvider(service, checked.request)
    if (provider === undefined || returnUrl.length > maxReturnUrlLength) return redirect(settings.oauth.loginPageUrl)
    return goToProvider(service, request, provider, returnUrl)
  }
}

/** `POST /Account/ExternalLogin?returnUrl=…`: redirects to the provider's authorization page. */
export function startExternalLogin(service: Service): Endpoint {
  const { answers, providers } = service
  return async (request) => {
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const { form } = posted
    const name = fieldIgnoringCase(form, 'provider') ?? ''
    const provider = providers.find(name)
    if (provider === undefined) {
      const configured = providers.list.map((one) => one.name)
      const refusal = refuse('provider_unknown', 'provider', { received: name, configured })
      return answers.recorded(request, refusal, json({ error: 'unknown_provider' }, 404))
    }
    const query = readQuery(request)
    const returnUrl = localUrlOrRoot(isRefusal(query) ? undefined : fieldIgnoringCase(query, 'returnUrl'))
    if (returnUrl.length > maxReturnUrlLength) {
      const detail = { length: returnUrl.length, limit: maxReturnUrlLength }
      return answers.refuseReadably(request, refuse('parameter_too_long', 'returnUrl', detail))
    }
    return goToProvider(service, request, provider, returnUrl)
  }
}

async function goToProvider(
  service: Service,
  request: Request,
  provider: ExternalProvider,
  returnUrl: string,
): Promise<Answer> {
  try {
    const begun = await beginAtProvider(service, request, provider, { returnUrl })
    if (isRefusal(begun)) return service.answers.refuseReadably(request, begun)
    return withCookies(redirect(begun.address), begun.cookies)
  } catch (error) {
    return answerProviderFailure(service, request, provider, error)
  }
}

/** Returns the provider's authorization page, and the cookies that bind its response to this browser. */
export async function beginAtProvider(
  service: Service,
  request: Request,
  provider: ExternalProvider,
  purpose: Pick<PendingSignIn, 'returnUrl' | 'linkFor'>,
): Promise<{ readonly address: string; readonly cookies: readonly SetCookie[] } | Refusal> {
  const text = (bytes: number): string => Buffer.from(service.random(bytes)).toString('base64url')
  const checks = { state: text(24), codeVerifier: text(32), nonce: text(24) }
  const asked = await askedOf(service, request, purpose.returnUrl)
  const { href } = await provider.authorizationAddress(callbackAddress(service, provider), checks, asked)
  const pending = { ...checks, ...purpose, provider: provider.name }
  const cookies = service.external.makePending(request, pending)
  if (cookies !== undefined) return { address: href, cookies }
  return refuse('parameter_too_long', 'returnUrl', { length: purpose.returnUrl.length })
}

/** Returns what the authorization request asks for that the return address leads on to, if it does. */
async function askedOf(service: Service, request: Request, returnUrl: string): Promise<Asked> {
  const sent = authorizationRequestIn(returnUrl)
  const checked = sent && (await checkRequest(service, request, sent))
  if (checked === undefined || isRefusal(checked)) return nothingAsked
  const { loginHint, prompt, claims } = checked.request
  const orNull = (values: Iterable<string>): string | null => [...values].join(' ') || null
  return { loginHint, prompt: orNull(prompt), acrValues: orNull(claims.preferredAcr) }
}

/** `GET` and `POST /callback/login/<provider>`: receives the provider's response. */
export function providerCallback(service: Service, provider: ExternalProvider): Endpoint {
  const { answers, external, storage } = service
  return async (request) => {
    const parameters = request.method === 'POST' ? readForm(request) : readQuery(request)
    if (isRefusal(parameters)) return answers.refuseReadably(request, parameters)
    const refused = (rule: string): Answer =>
      answers.refuseReadably(request, refuse('external_state_invalid', 'state', { provider: provider.name, rule }))
    // The state binds the response to this browser and provider. A repeated parameter is invalid.
    const states = parameters.filter(([name]) => name === 'state').map(([, value]) => value)
    const state = states.length === 1 ? states[0] : undefined
    if (state === undefined) return refused('the provider sent no state, or more than one')
    const pending = external.readPending(request, state)
    if (pending === undefined) return refused('this browser began no such sign-in, or over fifteen minutes ago')
    const settled = (answer: Answer): Answer => withCookies(answer, external.removePending(request, state))
    if (pending.provider !== provider.name) return settled(refused('the sign-in was begun at another provider'))
    // A copy of the cookie outlives its removal, so the database ensures that each state is used once.
    const tooOldAtMs = service.clock() + pendingSeconds * 1000
    if (!(await storage.spentValues.spend(`state:${state}`, tooOldAtMs))) {
      return settled(refused('the sign-in was finished before'))
    }
    return settled(await finish(service, provider, request, parameters, pending))
  }
}

/** Processes the provider's response: an error, or the user's identity. */
async function finish(
  service: Service,
  provider: ExternalProvider,
  request: Request,
  parameters: Parameters,
  pending: PendingSignIn,
): Promise<Answer> {
  try {
    const answer = new URL(callbackAddress(service, provider) + toQuery(parameters))
    const identity = await provider.authenticate(answer, pending)
    if ('error' in identity) {
      const error = identity.error.slice(0, 128)
      service.metrics.signIn('external', 'failed')
      request.log.refused({ external: { provider: provider.name, error } }, 'the provider refused')
      noteFailure(service, request, provider, 'provider_refused')
      return redirect(afterCallback(pending, error))
    }
    const source = await service.storage.providerSources.bind(provider.name, provider.source, service.clock())
    if (source !== provider.source) throw untrustedSource(provider, source)
    const cookies = service.external.makeIdentity(request, identity, pending.linkFor)
    return withCookies(redirect(afterCallback(pending)), cookies)
  } catch (failure) {
    if (failure instanceof ProviderFailure) noteFailure(service, request, provider, failure.reason)
    return answerProviderFailure(service, request, provider, failure)
  }
}

/** Whoever is linked there was named by another source, which may have given this name to somebody else. */
function untrustedSource({ name, source }: ExternalProvider, bound: string): ProviderFailure {
  const rule = 'people are linked to another source of subjects'
  return untrusted(name, 'the source of linked accounts', rule, { received: source, expected: bound })
}

/** Returns the redirect URI to register at the provider. */
function callbackAddress({ settings }: Service, provider: ExternalProvider): string {
  return `${baseOf(settings.oauth.issuer)}callback/login/${provider.name}`
}

function noteFailure(service: Service, request: Request, { name }: ExternalProvider, reason: string): void {
  const details = { method: name, reason }
  service.storage.audit.note(auditEvent(request, service.clock(), 'sign_in_failed', {}, details))
}

function afterCallback(pending: PendingSignIn, error?: string): string {
  const returnUrl = localUrlOrRoot(pending.returnUrl)
  const parameters: Parameters = [
    ['returnUrl', returnUrl],
    ...(error === undefined ? [] : ([['error', error]] as const)),
  ]
  const path = pending.linkFor === undefined ? '/Account/ExternalLoginCallback' : '/Account/ExternalLinkCallback'
  return withQuery(path, parameters)
}

function answerProviderFailure(
  { answers, metrics }: Service,
  request: Request,
  { displayName }: ExternalProvider,
  error: unknown,
): Answer {
  if (!(error instanceof ProviderFailure)) throw error
  metrics.signIn('external', 'failed')
  request.log.warn({ err: error }, 'the external provider failed')
  return answers.fail(request, refuse(error.reason, '', error.detail), undefined, { provider: displayName })
}

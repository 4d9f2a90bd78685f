/** The page on which a user answers the request of a device (RFC 8628 §3.3). */
import { auditEvent } from '../audit/request-events.ts'
import { newConsent, operatorConsent, storeConsent } from '../connect/consent-store.ts'
import { type Answer, json, redirect, seeOther, withCookies } from '../http/answer.ts'
import { networkShares, networksOf } from '../http/networks.ts'
import { fieldIgnoringCase, readQuery, withoutEmpty, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { effectiveMaxAge, isRecentEnough } from '../protocol/authorization-request/sign-in-age.ts'
import type { Client } from '../protocol/client/client.ts'
import { checkAnswerable, type DeviceAnswer } from '../protocol/device/device-code.ts'
import { readUserCode, showUserCode } from '../protocol/device/user-code.ts'
import { scopesAsTold } from '../protocol/grant/refresh-token.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { DeviceRequestFacts } from '../storage/port/grants.ts'
import { userCodeHashes } from '../tokens/device-code.ts'
import { isIncomplete } from '../users/own-attributes.ts'
import type { SignedIn } from '../users/session.ts'
import { beganAtMs } from '../users/user.ts'
import { userCodeLimits, wrongCodeMs } from '../users/user-code-limits.ts'
import { describeScopes, inWordsOf } from './contexts.ts'
import { readPostedForm } from './posted-form.ts'

const devicePage = '/Account/Device'
const acceptField = 'submit.Accept'
const denyField = 'submit.Deny'

/** A request that the signed-in user may answer. */
type Answerable = DeviceRequestFacts & { readonly userCode: string }

/**
 * `GET /Account/DeviceContext?user_code=…`: returns `{ user, request, error }`; 401 `login_required` without a session.
 * `request` null: there is no code, or (`error`) it cannot be answered: `code_unknown`, `too_many_tries` or `not_allowed`.
 */
export function deviceContext(service: Service): Endpoint {
  const { answers, sessions } = service
  return async (request) => {
    const parameters = readQuery(request)
    if (isRefusal(parameters)) return answers.refuseAsJson(request, parameters)
    const signedIn = await sessions.current(request)
    if (signedIn === undefined) return answers.refuseAsJson(request, refuse('login_required'), 401)
    const user = { name: signedIn.user.name }
    const typed = typedCode(parameters)
    if (typed === '') return json({ user, request: null, error: null })
    const answerable = await findAnswerable(service, request, typed, signedIn)
    const found = isRefusal(answerable) ? answerable : await permitted(service, answerable, signedIn)
    if (isRefusal(found)) return answers.recorded(request, found, json({ user, request: null, error: errorOf(found) }))
    const { client, scopes, code, userCode } = found
    const described = {
      code: showUserCode(userCode),
      client: { id: client.id, name: client.name },
      scopes: describeScopes(scopesAsTold(code.scopes, client), scopes, await inWordsOf(service, request)),
    }
    return json({ user, request: described, error: null })
  }
}

/** `POST /Account/Device`: the user's answer. Redirects to the page, which says what happened. */
export function answerDevice(service: Service): Endpoint {
  const { answers, challenges, clock, storage } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const { form, signedIn } = posted
    const typed = typedCode(form)
    const page = withQuery(devicePage, withoutEmpty([['user_code', typed]]))
    if (signedIn === undefined) {
      return redirect(withQuery(service.settings.oauth.loginPageUrl, [['ReturnUrl', page]]))
    }
    const pressed = (field: string): boolean => form.some(([name, value]) => name === field && value !== '')
    const isAccepted = pressed(acceptField)
    if (isAccepted && pressed(denyField)) return answers.refuseReadably(request, refuse('consent_ambiguous'))
    if (!isAccepted && !pressed(denyField)) return seeOther(page)
    const found = await findAnswerable(service, request, typed, signedIn)
    if (isRefusal(found)) return refused(service, request, found)

    // commit
    const nowMs = clock()
    const { client, code } = found
    // Denying needs no fresh sign-in, because it reveals nothing.
    const asked: Parameters = [['device request', code.id]]
    const challengedAtMs = challenges.markedAt(request, asked)
    const isRecent = isRecentEnough(signedIn.session, effectiveMaxAge(null, client), challengedAtMs, nowMs)
    if (isAccepted && !isRecent) {
      const login = withQuery(service.settings.oauth.loginPageUrl, [['ReturnUrl', page]])
      return withCookies(seeOther(login), challenges.mark(request, asked))
    }
    // The page comes back with the code once the fields that an operator requires are filled in.
    if (isAccepted && isIncomplete(signedIn.user.attributes, (await service.catalogue.now()).attributes)) {
      return seeOther(withQuery('/Account/Complete', [['ReturnUrl', page]]))
    }
    const parties = { userId: signedIn.user.id, clientId: client.id }
    const details = { device: code.id, scopes: code.scopes }
    const kind = isAccepted ? 'device_approved' : 'consent_denied'
    const answer = isAccepted ? await approval(service, request, found, signedIn) : ({ kind: 'denied' } as const)
    const event = auditEvent(request, nowMs, kind, parties, details)
    if (isRefusal(answer)) return refused(service, request, answer)
    const isStored = await storage.deviceCodes.answer(code.id, answer, nowMs, [event])
    if (!isStored) {
      const rule = 'it was answered or ended at the same moment, or the session of the approval was'
      return refused(service, request, refuse('user_code_unknown', '', { client: client.id, rule }))
    }
    const outcome = seeOther(withQuery(devicePage, [['outcome', isAccepted ? 'allowed' : 'denied']]))
    return withCookies(outcome, challenges.settle(request, asked))
  }
}

function typedCode(parameters: Parameters): string {
  return (fieldIgnoringCase(parameters, 'user_code') ?? '').trim().slice(0, 100)
}

/**
 * Finds the request of a user code. Wrong codes use up the places of the address and of the user, in all processes
 * together. Each try takes one beforehand, so that parallel guesses cannot exceed them, and the right code gives it back.
 */
async function findAnswerable(
  { storage, keys, clock }: Service,
  { address }: Request,
  typed: string,
  { user }: SignedIn,
): Promise<Answerable | Refusal> {
  const nowMs = clock()
  const networks = networksOf(address).map(({ key, prefix }) => ({ key, share: networkShares[prefix] }))
  const places = await storage.places.take(userCodeLimits(networks, user.id), nowMs)
  if (places === undefined) return refuse('user_code_guessed', '', { address })
  const userCode = readUserCode(typed)
  const facts =
    userCode === undefined ? undefined : await storage.deviceCodes.findByUserCode(userCodeHashes(keys, userCode))
  const refusal = checkAnswerable(facts?.code, facts?.client, nowMs)
  if (refusal !== undefined || facts === undefined || userCode === undefined) {
    return refusal ?? refuse('user_code_unknown')
  }
  await storage.places.free(places)
  return { ...facts, userCode }
}

/** Refuses a request of a client that an operator gives people access to, and not this one. */
async function permitted(service: Service, found: Answerable, { user }: SignedIn): Promise<Answerable | Refusal> {
  const { client, code } = found
  if (client.consent !== 'external') return found
  const consent = await operatorConsent(service, user.id, client, code.scopes)
  return consent === undefined ? notGivenBy(client) : found
}

/** Stores the consent, as the authorization endpoint does, and returns the approval. */
async function approval(
  service: Service,
  request: Request,
  { client, code, scopes: registered }: Answerable,
  { user, session }: SignedIn,
): Promise<DeviceAnswer | Refusal> {
  const answer = {
    kind: 'approved',
    userId: user.id,
    authorizationId: null,
    sessionId: session.id,
    authenticatedAtMs: session.authenticatedAtMs,
    methods: session.methods,
    answeredAtMs: beganAtMs(service.clock(), user.grantsEndedAtMs),
  } as const
  if (client.consent === 'implicit' || client.consent === 'always') return answer
  if (client.consent === 'external') {
    const consent = await operatorConsent(service, user.id, client, code.scopes)
    return consent === undefined ? notGivenBy(client) : { ...answer, authorizationId: consent.id }
  }
  const consent = newConsent(service, { userId: user.id, client, scopes: code.scopes, registered })
  const stored = await storeConsent(service, request, consent, client)
  return typeof stored === 'string' ? refuse('user_code_unknown') : { ...answer, authorizationId: stored.id }
}

const notGivenBy = ({ id }: Pick<Client, 'id'>): Refusal => refuse('consent_of_operator_missing', '', { client: id })

function refused({ answers }: Service, request: Request, refusal: Refusal): Answer {
  return refusal.reason === 'user_code_guessed'
    ? answers.fail(request, refusal, wrongCodeMs / 1000)
    : answers.recorded(request, refusal, seeOther(withQuery(devicePage, [['error', errorOf(refusal)]])))
}

function errorOf({ reason }: Refusal): 'too_many_tries' | 'not_allowed' | 'code_unknown' {
  if (reason === 'user_code_guessed') return 'too_many_tries'
  return reason === 'consent_of_operator_missing' ? 'not_allowed' : 'code_unknown'
}

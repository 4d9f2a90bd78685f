/** The page on which a user answers the request of a device (RFC 8628 §3.3). */
import { auditEvent } from '../audit/request-events.ts'
import { storeConsent } from '../connect/consent-store.ts'
import { type Answer, json, redirect, seeOther } from '../http/answer.ts'
import { type Network, networksOf } from '../http/networks.ts'
import { fieldIgnoringCase, readQuery, withoutEmpty, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { checkAnswerable, type DeviceAnswer } from '../protocol/device-code.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { readUserCode, showUserCode } from '../protocol/user-code.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { DeviceRequestFacts } from '../storage/port/device-codes.ts'
import { userCodeHashes } from '../tokens/device-code.ts'
import type { SignedIn } from '../users/session.ts'
import { beganAtMs } from '../users/user.ts'
import { describeScopes } from './contexts.ts'
import { readPostedForm } from './posted-form.ts'

const devicePage = '/Account/Device'
const acceptField = 'submit.Accept'
const denyField = 'submit.Deny'

/** A request that the signed-in user may answer. */
type Answerable = DeviceRequestFacts & { readonly userCode: string }

/**
 * `GET /Account/DeviceContext?user_code=…`: returns `{ user, request, error }`; 401 `login_required` without a session.
 * `request` null: there is no code, or (`error`) it cannot be answered: `code_unknown` or `too_many_tries`.
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
    const found = await findAnswerable(service, request, typed, signedIn)
    if (isRefusal(found)) {
      const error = found.reason === 'user_code_guessed' ? 'too_many_tries' : 'code_unknown'
      return answers.recorded(request, found, json({ user, request: null, error }))
    }
    const { client, scopes, code, userCode } = found
    const described = {
      code: showUserCode(userCode),
      client: { id: client.id, name: client.name },
      scopes: describeScopes(code.scopes, scopes),
    }
    return json({ user, request: described, error: null })
  }
}

/** `POST /Account/Device`: the user's answer. Redirects to the page, which says what happened. */
export function answerDevice(service: Service): Endpoint {
  const { answers, clock, storage } = service
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
    const parties = { userId: signedIn.user.id, clientId: client.id }
    const details = { device: code.id, scopes: code.scopes }
    const kind = isAccepted ? 'device_approved' : 'consent_denied'
    const answer = isAccepted ? await approval(service, request, found, signedIn) : ({ kind: 'denied' } as const)
    const event = auditEvent(request, nowMs, kind, parties, details)
    const isStored = !isRefusal(answer) && (await storage.deviceCodes.answer(code.id, answer, nowMs, [event]))
    if (!isStored) {
      const rule = 'it was answered or ended at the same moment'
      return refused(service, request, refuse('user_code_unknown', '', { client: client.id, rule }))
    }
    return seeOther(withQuery(devicePage, [['outcome', isAccepted ? 'allowed' : 'denied']]))
  }
}

function typedCode(parameters: Parameters): string {
  return (fieldIgnoringCase(parameters, 'user_code') ?? '').trim().slice(0, 100)
}

/** Finds the request of a user code. Wrong codes use up the budget of the address and of the user. */
async function findAnswerable(
  { storage, keys, clock, userCodes }: Service,
  { address }: Request,
  typed: string,
  { user }: SignedIn,
): Promise<Answerable | Refusal> {
  const counted: Network[] = [...networksOf(address), { prefix: 32, key: `user ${user.id}` }]
  // Tries in progress count, so that parallel guesses cannot exceed the budget.
  if (!userCodes.hasRoom(counted)) return refuse('user_code_guessed', '', { address })
  const end = userCodes.begin(counted)
  let isWrong = false
  try {
    const userCode = readUserCode(typed)
    const hashes = userCode === undefined ? [] : userCodeHashes(keys, userCode)
    const facts = userCode === undefined ? undefined : await storage.deviceCodes.findByUserCode(hashes)
    const refusal = checkAnswerable(facts?.code, facts?.client, clock())
    isWrong = refusal !== undefined
    if (refusal !== undefined || facts === undefined || userCode === undefined) {
      return refusal ?? refuse('user_code_unknown')
    }
    return { ...facts, userCode }
  } finally {
    end(isWrong)
  }
}

/** Stores the consent, as the authorization endpoint does, and returns the approval. */
async function approval(
  service: Service,
  request: Request,
  { client, code }: Answerable,
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
  if (client.consent === 'implicit') return answer
  const stored = await storeConsent(service, request, { userId: user.id, client, scopes: code.scopes })
  return stored === 'gone' ? refuse('user_code_unknown') : { ...answer, authorizationId: stored.id }
}

function refused({ answers, userCodes }: Service, request: Request, refusal: Refusal): Answer {
  if (refusal.reason !== 'user_code_guessed') {
    return answers.recorded(request, refusal, seeOther(withQuery(devicePage, [['error', 'code_unknown']])))
  }
  const leftMs = userCodes.exhaustedForMs(networksOf(request.address)) ?? 60_000
  return answers.fail(request, refusal, Math.max(1, Math.ceil(leftMs / 1000)))
}

import * as oauth from 'oauth4webapi'
import { keepInTab, takeFromTab } from '../kept.ts'
import { site } from '../site.ts'
import { signInFailure } from './sign-in-failed.ts'

/**
 * The session of the console: it signs in as every application does, with a code and PKCE, and its tokens are bound to a
 * key that cannot be exported (RFC 9449). Everything is in memory alone and goes with the window.
 */
const client: oauth.Client = { client_id: 'latchkey-console' }
const scope = 'openid admin:read admin:write'

const issuer = new URL(site.issuer ?? location.origin)
const server: oauth.AuthorizationServer = site.service ?? { issuer: issuer.href }
/** Where codes come back to: the address of the console itself, and the page of the window beside it. */
const redirectUri = new URL('/admin/', location.href).href
const besideUri = new URL('/admin/signed-in', location.href).href
/** Loopback services speak plain HTTP. */
const insecure = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }

type Session = {
  dpop: oauth.DPoPHandle
  accessToken: string
  subject: string | undefined
}
let session: Promise<Session> | undefined
const begun = Promise.withResolvers<void>()
/** Resolves when the first request of the sign-in is on its way, which the files of pages would hold up. */
export const signInBegun: Promise<void> = begun.promise
/** The person whom this page shows. */
let subject: string | undefined
/** The class of sign-in that the API has asked for, as far as it has (RFC 9470). */
let classAsked: string | undefined

/** What a window keeps while the person signs in on another page. */
const pendingKey = 'latchkey.console.pending'

/** Sends a request with the access token, and once more if the service wants its nonce in the proof. */
export async function authorized(
  address: URL,
  method: string,
  headers: Headers,
  body: string | null,
  signal?: AbortSignal,
): Promise<Response> {
  const { accessToken, dpop } = await signedIn()
  const options = { DPoP: dpop, ...insecure, ...(signal && { signal }) }
  const send = () => oauth.protectedResourceRequest(accessToken, method, address, headers, body, options)
  try {
    return await send()
  } catch (error) {
    if (oauth.isDPoPNonceError(error)) return refusedOr(send)
    return refused(error)
  }
}

async function refusedOr(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send()
  } catch (error) {
    return refused(error)
  }
}

/** A challenge is an answer like others: the caller reads its problem details. Notes a class that is asked for (RFC 9470 §3). */
function refused(error: unknown): Response {
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
  const tooWeak = error.cause.find(({ parameters }) => parameters.error === 'insufficient_user_authentication')
  classAsked = tooWeak?.parameters.acr_values ?? classAsked
  return error.response
}

/** Whether the session has ended, and nobody has signed in since. The page stays: it may show what was typed. */
let ended = false
export const hasEnded = (): boolean => ended

/** Forgets the access token, because the service no longer accepts it. */
export function forget(): void {
  session = undefined
  ended = true
}

/** Goes on with this session. */
async function adopt(next: Session): Promise<void> {
  session = Promise.resolve(await asBefore(next))
  ended = false
}

/** Whether somebody is signed in to this window. Leaves for the login page if nobody is signed in to the service. */
export function signedIn(): Promise<Session> {
  session ??= begin().then(asBefore, (error) => {
    session = undefined
    throw signInFailure(error)
  })
  return session
}

/** Loads the page anew for another person, so that nothing of the former one remains. */
function asBefore(next: Session): Session | Promise<never> {
  if (subject !== undefined && next.subject !== subject) {
    location.reload()
    return new Promise(() => {})
  }
  subject = next.subject
  return next
}

async function begin(): Promise<Session> {
  return (await finishPending()) ?? (await signInSilently()) ?? leaveToSignIn({})
}

/**
 * Asks for a code without showing anything: the session of this browser is enough, or null. The answer is the form that a
 * browser would post (OAuth 2.0 Form Post Response Mode), so that no redirect loads this page once more. Scripts of other
 * origins cannot read it.
 */
async function signInSilently(): Promise<Session | null> {
  if (issuer.origin !== location.origin) return null
  const request = await newRequest({ prompt: 'none', response_mode: 'form_post' })
  const asked = fetch(request.address, { cache: 'no-store' })
  begun.resolve()
  const response = await asked
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim())
  const form = new DOMParser().parseFromString(text, 'text/html')
  const fields = [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')]
  const answer = new URLSearchParams(fields.map(({ name, value }) => [name, value]))
  return answer.has('code') ? exchange(answer, request) : null
}

type AuthorizationRequest = {
  address: URL
  redirect: string
  state: string
  verifier: string
  keys: CryptoKeyPair
}

async function newRequest(more: Record<string, string>, redirect = redirectUri): Promise<AuthorizationRequest> {
  const keys = await oauth.generateKeyPair('ES256', { extractable: false })
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(server.authorization_endpoint ?? '')
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirect,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(classAsked && { acr_values: classAsked }),
    ...more,
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return { address, redirect, state, verifier, keys }
}

async function exchange(
  answer: URL | URLSearchParams,
  { redirect, state, verifier, keys }: Omit<AuthorizationRequest, 'address'>,
): Promise<Session> {
  const parameters = oauth.validateAuthResponse(server, client, answer, state)
  const dpop = oauth.DPoP(client, keys)
  const options = { DPoP: dpop, ...insecure }
  const send = () =>
    oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, redirect, verifier, options)
  const process = (response: Response) => oauth.processAuthorizationCodeResponse(server, client, response)
  let tokens: oauth.TokenEndpointResponse
  const sent = send()
  begun.resolve()
  try {
    tokens = await process(await sent)
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error
    tokens = await process(await send())
  }
  const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? {}
  return { dpop, accessToken: tokens.access_token, subject: sub }
}

type Pending = { state: string; verifier: string; from: string }

/** Leaves for the login page, which leads back here. */
async function leaveToSignIn(more: Record<string, string>): Promise<never> {
  const { address, state, verifier } = await newRequest(more)
  const pending: Pending = { state, verifier, from: location.pathname + location.search }
  keepInTab(pendingKey, JSON.stringify(pending))
  location.assign(address)
  return new Promise(() => {})
}

/** Signs in on this page, which comes back where it is. `more`: parameters of the authorization request. */
export async function signInHere(more: Record<string, string> = {}): Promise<never> {
  return leaveToSignIn(more)
}

/** Takes the code out of the address, if this window asked for it, and goes on where the person was. */
async function finishPending(): Promise<Session | null> {
  const answer = new URL(location.href)
  if (!answer.searchParams.has('state')) return null
  const text = takeFromTab(pendingKey)
  // An answer that this window did not ask for, or no longer knows of, is of no use, and is not asked for again.
  if (text === null) {
    history.replaceState(null, '', answer.pathname)
    return null
  }
  const { state, verifier, from } = JSON.parse(text) as Pending
  history.replaceState(null, '', from)
  // The key of the request is not kept over the pages between: the code is bound to the verifier.
  const keys = await oauth.generateKeyPair('ES256', { extractable: false })
  return exchange(answer, { redirect: redirectUri, state, verifier, keys })
}

/** Signs in again silently; false if somebody has to do something. */
export async function signInAgain(): Promise<boolean> {
  const silent = await signInSilently().catch(() => null)
  if (silent === null) return false
  await adopt(silent)
  return true
}

/** The request of a window beside this page: it leads there, and `finish` takes the answer. */
export async function requestBeside(): Promise<{ address: URL; state: string; finish(answer: URL): Promise<void> }> {
  const request = await newRequest({}, besideUri)
  const finish = async (answer: URL): Promise<void> => adopt(await exchange(answer, request))
  return { address: request.address, state: request.state, finish }
}

/** What discovery says of the service (OpenID Connect Discovery §3). */
export async function serviceMetadata(): Promise<oauth.AuthorizationServer> {
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
}

/** Whether the window beside can be seen from here: browsers separate the windows of different origins. */
export const seesBeside = issuer.origin === location.origin

/** What a window keeps while it signs in more strongly. */
const strongerKey = 'latchkey.console.stronger'

/**
 * Signs in by the class that the API has asked for; false if it has not, or if this did not help before. `isEnough`: the
 * API accepts the sign-in.
 */
export async function signInMoreStrongly(isEnough: boolean): Promise<boolean> {
  const hasTried = takeFromTab(strongerKey) !== null
  if (isEnough || hasTried || classAsked === undefined) return false
  keepInTab(strongerKey, '')
  // A tab that keeps nothing would try for ever.
  if (takeFromTab(strongerKey) === null) return false
  keepInTab(strongerKey, '')
  return signInHere()
}

/** Whether the API has asked for a stronger sign-in than there was. */
export const isTooWeak = (): boolean => classAsked !== undefined

/** The account area of whoever is signed in. */
export const account = new URL('/account', issuer).href
export const accountSecurity = new URL('/account/security', issuer).href

/** Ends the session of the browser, on the page of the service that asks. */
export function signOut(): void {
  location.assign(new URL('/Account/Logout', issuer))
}

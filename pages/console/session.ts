import * as oauth from 'oauth4webapi'
import { site } from '../site.ts'
import { keepTyped } from './typed.ts'

/**
 * The session of the console: it signs in as every application does, with a code and PKCE, and its tokens are bound to a
 * key that cannot be exported (RFC 9449). Everything is in memory alone and goes with the window.
 */
const client: oauth.Client = { client_id: 'latchkey-console' }
const scope = 'openid admin:read admin:write'

const issuer = new URL(site.issuer ?? location.origin)
/** Where codes come back to: the address of the console itself. */
const redirectUri = new URL('/admin/', location.href).href
/** Loopback services speak plain HTTP. */
const insecure = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }

type Session = { server: oauth.AuthorizationServer; dpop: oauth.DPoPHandle; accessToken: string }
let session: Promise<Session> | undefined

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

/** A challenge is an answer like others: the caller reads its problem details. */
function refused(error: unknown): Response {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response
  throw error
}

/** Whether a call failed on its way: `fetch` rejects with a `TypeError` then. */
export const isNetworkFailure = (error: unknown): boolean => error instanceof TypeError

/** Why nobody could be signed in: `error` is a code of RFC 6749 §4.1.2.1, or 'unreachable'. */
export class SignInFailed extends Error {
  override name = 'SignInFailed'
  readonly error: string | undefined

  constructor(message: string, error?: string) {
    super(message)
    this.error = error
  }
}

function signInFailure(error: unknown): SignInFailed {
  if (error instanceof SignInFailed) return error
  if (isNetworkFailure(error)) return new SignInFailed('', 'unreachable')
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return new SignInFailed(error.error_description ?? '', error.error)
  const { message = '', cause } = error as Error
  return new SignInFailed(cause instanceof Response ? `${cause.status} ${cause.statusText}`.trim() : message)
}

/** Forgets the access token, because the service no longer accepts it. */
export function forget(): void {
  session = undefined
}

/** Whether somebody is signed in to this window. Leaves for the login page if nobody is signed in to the service. */
export function signedIn(): Promise<Session> {
  session ??= begin().catch((error) => {
    session = undefined
    throw signInFailure(error)
  })
  return session
}

async function begin(): Promise<Session> {
  const server = await discover()
  return (await finishPending(server)) ?? (await signInSilently(server)) ?? leaveToSignIn(server)
}

async function discover(): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, insecure)
  return oauth.processDiscoveryResponse(issuer, response)
}

/** Asks for a code without showing anything: the session of this browser is enough, or null. */
async function signInSilently(server: oauth.AuthorizationServer): Promise<Session | null> {
  if (issuer.origin !== location.origin) return null
  const request = await newRequest(server, { prompt: 'none' })
  const response = await fetch(request.address, { redirect: 'follow', cache: 'no-store' })
  const answer = new URL(response.url)
  return answer.searchParams.has('code') ? exchange(server, answer, request) : null
}

type AuthorizationRequest = { address: URL; state: string; verifier: string; keys: CryptoKeyPair }

async function newRequest(
  server: oauth.AuthorizationServer,
  more: Record<string, string>,
  keys?: CryptoKeyPair,
): Promise<AuthorizationRequest> {
  const pair = keys ?? (await oauth.generateKeyPair('ES256', { extractable: false }))
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(server.authorization_endpoint ?? '')
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return { address, state, verifier, keys: pair }
}

async function exchange(
  server: oauth.AuthorizationServer,
  answer: URL,
  { state, verifier, keys }: Pick<AuthorizationRequest, 'state' | 'verifier' | 'keys'>,
): Promise<Session> {
  const parameters = oauth.validateAuthResponse(server, client, answer, state)
  const dpop = oauth.DPoP(client, keys)
  const options = { DPoP: dpop, ...insecure }
  const send = () =>
    oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, redirectUri, verifier, options)
  const process = (response: Response) => oauth.processAuthorizationCodeResponse(server, client, response)
  let tokens: oauth.TokenEndpointResponse
  try {
    tokens = await process(await send())
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error
    tokens = await process(await send())
  }
  return { server, dpop, accessToken: tokens.access_token }
}

type Pending = { state: string; verifier: string; from: string }

/** Leaves for the login page, which leads back here. */
async function leaveToSignIn(server: oauth.AuthorizationServer): Promise<never> {
  const { address, state, verifier } = await newRequest(server, {})
  const pending: Pending = { state, verifier, from: location.pathname + location.search }
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  location.assign(address)
  return new Promise(() => {})
}

/** Takes the code out of the address, if this window asked for it, and goes on where the person was. */
async function finishPending(server: oauth.AuthorizationServer): Promise<Session | null> {
  const answer = new URL(location.href)
  if (!answer.searchParams.has('state')) return null
  const text = sessionStorage.getItem(pendingKey)
  sessionStorage.removeItem(pendingKey)
  // An answer that this window did not ask for is of no use, and is not asked for again.
  if (text === null) {
    history.replaceState(null, '', answer.pathname)
    return null
  }
  const { state, verifier, from } = JSON.parse(text) as Pending
  history.replaceState(null, '', from)
  // The key of the request is not kept over the pages between: the code is bound to the verifier.
  const keys = await oauth.generateKeyPair('ES256', { extractable: false })
  return exchange(server, answer, { state, verifier, keys })
}

/**
 * Signs in again without leaving the page, so that nothing typed is lost: silently, or else in a window of its own, which
 * a press of a button has to open.
 */
export async function signInAgain(): Promise<boolean> {
  const server = await discover()
  const silent = await signInSilently(server).catch(() => null)
  if (silent === null) return false
  session = Promise.resolve(silent)
  return true
}

/** The channel on which the window with the login page says that somebody signed in. */
const channelName = 'latchkey.console'

/** The login page that leads to `address` afterwards. */
const loginAt = (address: string): string => `/Account/Login?ReturnUrl=${encodeURIComponent(address)}`

/**
 * Opens the login page in a window of its own, and waits until somebody has signed in there, or the window is closed.
 * `blocked`: the browser opens none.
 */
export async function signInBeside(): Promise<'signed-in' | 'blocked' | 'closed'> {
  const beside = open(loginAt('/admin/signed-in'), 'latchkey-sign-in', 'width=480,height=720')
  if (beside === null) return 'blocked'
  const channel = new BroadcastChannel(channelName)
  let timer: ReturnType<typeof setInterval> | undefined
  const isDone = await new Promise<boolean>((resolve) => {
    channel.onmessage = () => resolve(true)
    // No event tells that another window was closed.
    timer = setInterval(() => beside.closed && resolve(false), 500)
  })
  clearInterval(timer)
  channel.close()
  beside.close()
  // The window may have closed itself after a sign-in whose message is still on its way.
  return (await signInAgain().catch(() => false)) ? 'signed-in' : isDone ? 'blocked' : 'closed'
}

/** Signs in on this page, which comes back where it is. */
export function signInHere(): void {
  keepTyped()
  location.assign(loginAt(location.pathname + location.search))
}

/** Called in the window beside, when its sign-in is done. */
export function tellSignedIn(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('signed in')
  channel.close()
  close()
}

/** Ends the session of the browser, on the page of the service that asks. */
export function signOut(): void {
  location.assign(new URL('/Account/Logout', issuer))
}

/**
 * Everything this client says to the identity provider, one function per step. No page code in here, so that the file
 * can be copied. The library checks what comes back: issuer, state, nonce, audience, expiry and signature.
 *
 * @typedef {import('oauth4webapi').AuthorizationServer} AuthorizationServer
 * @typedef {import('oauth4webapi').IDToken} IdTokenClaims
 * @typedef {{ issuer: string, client_id: string }} Config
 * @typedef {{ accessToken: string, refreshToken: string | undefined, idToken: string | undefined,
 *   claims: IdTokenClaims, scope: string | undefined, expiresAt: number }} Tokens
 * @typedef {{ state: string, nonce: string, codeVerifier: string }} PendingSignIn
 */
import * as oauth from '/vendor/oauth4webapi.js'

const scope = 'openid offline_access demo_api'
const redirectUri = `${location.origin}/callback`
const postLogoutRedirectUri = `${location.origin}/`

/**
 * Step 0, discovery (OpenID Connect Discovery §4): one address is configured, the rest is asked for.
 *
 * @param {Config} config
 */
export async function createOidcClient(config) {
  const issuer = new URL(config.issuer)
  // The library insists on https. Plain http is for a provider on this very machine and nowhere else.
  const options = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }
  /** A public client: it has no secret, because a page cannot keep one. @type {import('oauth4webapi').Client} */
  const client = { client_id: config.client_id }
  const withoutSecret = oauth.None()

  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))

  /** Step 1: make the secrets of this one sign-in, remember them, and send the browser away. */
  async function signIn() {
    /** @type {PendingSignIn} */
    const pending = {
      state: oauth.generateRandomState(), // ties the answer to this tab (RFC 6749 §10.12)
      nonce: oauth.generateRandomNonce(), // ties the id token to this request (OpenID Connect Core §3.1.2.1)
      codeVerifier: oauth.generateRandomCodeVerifier(), // makes a stolen code worthless (RFC 7636)
    }
    rememberPending(pending)
    location.assign(
      withQuery(as.authorization_endpoint, {
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        scope,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      }),
    )
  }

  /**
   * Step 2: the browser is back with a code, or with an error. Check the answer, then exchange the code.
   *
   * @param {URL} callback the address the browser came back to
   * @returns {Promise<Tokens>}
   */
  async function completeSignIn(callback) {
    const pending = takePending()
    if (!pending) throw new NoPendingSignIn()
    const parameters = oauth.validateAuthResponse(as, client, callback, pending.state)
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      withoutSecret,
      parameters,
      redirectUri,
      pending.codeVerifier,
      options,
    )
    const answer = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: pending.nonce,
      requireIdToken: true,
    })
    // Fetches the provider's key set and checks the id token's signature.
    await oauth.validateApplicationLevelSignature(as, response, options)
    return toTokens(answer)
  }

  /**
   * Step 3: a new access token without asking anybody. The refresh token is replaced too: keep the new one.
   *
   * @param {Tokens} tokens
   * @returns {Promise<Tokens>}
   */
  async function refresh(tokens) {
    if (!tokens.refreshToken) throw new Error('There is no refresh token: offline_access was not granted.')
    const response = await oauth.refreshTokenGrantRequest(as, client, withoutSecret, tokens.refreshToken, options)
    const answer = await oauth.processRefreshTokenResponse(as, client, response)
    await oauth.validateApplicationLevelSignature(as, response, options)
    return toTokens(answer, tokens)
  }

  /**
   * Step 4: call an API with the access token (RFC 6750 §2.1).
   *
   * @param {Tokens} tokens
   * @returns {Promise<{ date: string, temperatureC: number, temperatureF: number, summary: string }[]>}
   */
  async function fetchWeather(tokens) {
    const url = new URL('weatherforecast', issuer)
    const response = await oauth.protectedResourceRequest(tokens.accessToken, 'GET', url, undefined, undefined, options)
    if (!response.ok) throw new Error(`The API answered ${response.status}.`)
    return response.json()
  }

  /**
   * Step 5: end the refresh token (RFC 7009), then the session at the provider (OpenID Connect RP-Initiated Logout §2).
   * The access token stays valid until it expires: a signed token cannot be called back.
   *
   * @param {Tokens} tokens
   */
  async function signOut(tokens) {
    if (tokens.refreshToken) {
      const response = await oauth.revocationRequest(as, client, withoutSecret, tokens.refreshToken, {
        ...options,
        additionalParameters: { token_type_hint: 'refresh_token' },
      })
      await oauth.processRevocationResponse(response)
    }
    const state = oauth.generateRandomState()
    sessionStorage.setItem('demo.sign-out', state)
    location.assign(
      withQuery(as.end_session_endpoint, {
        client_id: client.client_id,
        post_logout_redirect_uri: postLogoutRedirectUri,
        state,
      }),
    )
  }

  return { signIn, completeSignIn, refresh, fetchWeather, signOut }
}

/** Whether the browser just came back from signing out: the `state` that was sent has returned. */
export function returnedFromSignOut() {
  const sent = sessionStorage.getItem('demo.sign-out')
  sessionStorage.removeItem('demo.sign-out')
  return sent !== null && new URL(location.href).searchParams.get('state') === sent
}

/** The callback was opened in a tab that did not start a sign-in, or was opened a second time. */
export class NoPendingSignIn extends Error {}

/**
 * What went wrong, for people. `title` says what happened, `detail` is for the developer.
 *
 * @param {unknown} error
 * @param {string} issuer
 * @returns {{ title: string, detail: string }}
 */
export function explain(error, issuer) {
  if (error instanceof NoPendingSignIn) {
    return {
      title: 'This sign-in was started somewhere else, or is already finished.',
      detail: 'Please sign in again.',
    }
  }
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return {
      title: titles.get(error.error) ?? 'The identity provider refused.',
      detail: [error.error, error.error_description].filter(Boolean).join(': '),
    }
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return {
      title: 'The access token was not accepted.',
      detail: error.cause
        .map(({ scheme, parameters }) => [scheme, parameters.error].filter(Boolean).join(' '))
        .join(', '),
    }
  }
  if (error instanceof oauth.OperationProcessingError) {
    return { title: 'The answer did not pass a check, so it was not used.', detail: error.message }
  }
  // A failed fetch is a TypeError that says nothing else: no connection, or no CORS permission for this origin.
  if (error instanceof TypeError) {
    return {
      title: `${issuer} cannot be reached from here.`,
      detail: `Is it running, and does its setting Cors:Origins list ${location.origin}?`,
    }
  }
  return { title: 'Something went wrong.', detail: error instanceof Error ? error.message : String(error) }
}

/** Error codes worth a sentence of their own (RFC 6749 §4.1.2.1 and §5.2). */
const titles = new Map([
  ['access_denied', 'You did not allow access. Nothing was shared.'],
  ['login_required', 'You are not signed in at the identity provider.'],
  ['consent_required', 'The identity provider needs your consent first.'],
  ['invalid_grant', 'This sign-in has ended. Please sign in again.'],
  ['invalid_scope', 'This application asked for something it may not have.'],
  ['temporarily_unavailable', 'The identity provider is busy. Please try again shortly.'],
])

/**
 * The payload of a JWT, for showing only. Nothing is checked here: trust `completeSignIn`, not this.
 *
 * @param {string} jwt
 * @returns {Record<string, unknown>}
 */
export function readClaims(jwt) {
  const payload = (jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))))
}

/**
 * @param {import('oauth4webapi').TokenEndpointResponse} answer
 * @param {Tokens} [previous]
 * @returns {Tokens}
 */
function toTokens(answer, previous) {
  const claims = oauth.getValidatedIdTokenClaims(answer) ?? previous?.claims
  if (!claims) throw new Error('The answer holds no id token.')
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? previous?.refreshToken,
    idToken: answer.id_token ?? previous?.idToken,
    claims,
    scope: answer.scope ?? previous?.scope,
    expiresAt: Date.now() + (answer.expires_in ?? 0) * 1000,
  }
}

/**
 * The secrets of a sign-in must outlive the page, which goes away and comes back: session storage belongs to this tab
 * and this origin alone. They are good for one answer, so reading them removes them.
 *
 * @param {PendingSignIn} pending
 */
function rememberPending(pending) {
  sessionStorage.setItem('demo.sign-in', JSON.stringify(pending))
}

/** @returns {PendingSignIn | undefined} */
function takePending() {
  const stored = sessionStorage.getItem('demo.sign-in')
  sessionStorage.removeItem('demo.sign-in')
  return stored ? JSON.parse(stored) : undefined
}

/**
 * @param {string | undefined} endpoint as discovered; RFC 8414 §2 lets a provider leave any of them out
 * @param {Record<string, string>} parameters
 */
function withQuery(endpoint, parameters) {
  if (!endpoint) throw new Error('The identity provider does not offer this.')
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

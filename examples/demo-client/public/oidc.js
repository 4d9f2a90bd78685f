/**
 * Everything this client says to the identity provider, one function per step. No page code in here, so that the file
 * can be copied. The library checks what comes back: issuer, state, nonce, audience, expiry and signature.
 *
 * @typedef {import('oauth4webapi').AuthorizationServer} AuthorizationServer
 * @typedef {import('oauth4webapi').IDToken} IdTokenClaims
 * @typedef {{ issuer: string, client_id: string }} Config
 * @typedef {{ accessToken: string, refreshToken: string | undefined, idToken: string | undefined,
 *   claims: IdTokenClaims, scope: string | undefined, receivedAt: number, expiresAt: number }} Tokens
 * @typedef {{ state: string, nonce: string, codeVerifier: string, silent: boolean, acr: string | undefined,
 *   atMs: number, address: string }} PendingSignIn
 * @typedef {{ state: string, refreshToken: string | undefined }} PendingSignOut
 * @typedef {{ fetch: (url: string, init: any) => Promise<Response>,
 *   authorization: (request: PendingSignIn, callback: URL) => void }} Observer
 */
import * as oauth from '/vendor/oauth4webapi.js'

const scope = 'openid offline_access demo_api'
const redirectUri = `${location.origin}/callback`
const postLogoutRedirectUri = `${location.origin}/`

/**
 * Step 0, discovery (OpenID Connect Discovery §4): one address is configured, the rest is asked for.
 *
 * @param {Config} config
 * @param {Observer} [observer] sees every exchange; an application needs none
 */
export async function createOidcClient(config, observer) {
  const issuer = new URL(config.issuer)
  // The library insists on https. Plain http is for a provider on this very machine and nowhere else.
  const options = {
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
    ...(observer && { [oauth.customFetch]: observer.fetch }),
  }
  /** A public client: it has no secret, because a page cannot keep one. @type {import('oauth4webapi').Client} */
  const client = { client_id: config.client_id }
  const withoutSecret = oauth.None()

  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))

  /**
   * Step 1: create the secrets of this sign-in, store them, and redirect the browser. `silent`: the provider shows no page
   * (`prompt=none`). It returns a code if a user is signed in there and has given this client consent before, otherwise an
   * error. `acr`: how strong the sign-in should be (OpenID Connect Core §3.1.2.1), `mfa` for a second factor.
   *
   * @param {{ silent?: boolean, acr?: string }} [options]
   */
  async function signIn({ silent = false, acr } = {}) {
    const pending = {
      state: oauth.generateRandomState(), // ties the answer to this tab (RFC 6749 §10.12)
      nonce: oauth.generateRandomNonce(), // ties the id token to this request (OpenID Connect Core §3.1.2.1)
      codeVerifier: oauth.generateRandomCodeVerifier(), // makes a stolen code worthless (RFC 7636)
      silent,
      acr,
    }
    const address = withQuery(as.authorization_endpoint, {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
      code_challenge_method: 'S256',
      ...(silent && { prompt: 'none' }),
      ...(acr !== undefined && { acr_values: acr }),
    })
    signInUnderWay.write({ ...pending, atMs: Date.now(), address })
    // A reload is no step that the back button should take back.
    await leaveFor(address, silent ? 'replace' : 'assign')
  }

  /**
   * Step 2: the browser is back with a code, or with an error. Check the answer, then exchange the code. Undefined: a
   * silent sign-in found that it cannot be done without the person.
   *
   * @param {URL} callback the address the browser came back to
   * @returns {Promise<{ tokens: Tokens, acr: string | undefined } | undefined>} `acr`: what was asked for
   */
  async function completeSignIn(callback) {
    // Good for one answer, so reading them removes them.
    const pending = signInUnderWay.read()
    signInUnderWay.remove()
    if (!pending) throw new NoPendingSignIn()
    observer?.authorization(pending, callback)
    let parameters
    try {
      parameters = oauth.validateAuthResponse(as, client, callback, pending.state)
    } catch (error) {
      if (pending.silent && needsPerson(error)) return undefined
      throw error
    }
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
    return { tokens: toTokens(answer), acr: pending.acr }
  }

  /**
   * Step 3: gets a new access token without the user. The refresh token is replaced, too: store the new one.
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
   * A refusal on purpose: a code that the provider never issued (RFC 6749 §5.2). Always throws.
   *
   * @returns {Promise<never>}
   */
  async function redeemInventedCode() {
    const response = await oauth.genericTokenEndpointRequest(
      as,
      client,
      withoutSecret,
      'authorization_code',
      { code: 'invented', redirect_uri: redirectUri, code_verifier: oauth.generateRandomCodeVerifier() },
      options,
    )
    await oauth.processGenericTokenEndpointResponse(as, client, response)
    throw new Error('The provider accepted a code that it never issued.')
  }

  /**
   * Another one: an access token that somebody has changed (RFC 6750 §3.1). Always throws.
   *
   * @param {Tokens} tokens
   * @returns {Promise<never>}
   */
  async function callWithChangedToken(tokens) {
    const at = tokens.accessToken.lastIndexOf('.') + 5
    const changed = tokens.accessToken[at] === 'A' ? 'B' : 'A'
    const accessToken = tokens.accessToken.slice(0, at) + changed + tokens.accessToken.slice(at + 1)
    await fetchWeather({ ...tokens, accessToken })
    throw new Error('The API accepted a token that was changed.')
  }

  /**
   * Step 5: ask the provider to end its session (OpenID Connect RP-Initiated Logout §2). It asks the person, who may
   * say no. So nothing is revoked yet, and the refresh token waits in session storage for the way back.
   *
   * @param {Tokens} tokens
   */
  async function signOut({ refreshToken }) {
    const state = oauth.generateRandomState()
    signOutUnderWay.write({ state, refreshToken })
    await leaveFor(
      withQuery(as.end_session_endpoint, {
        client_id: client.client_id,
        post_logout_redirect_uri: postLogoutRedirectUri,
        state,
      }),
    )
  }

  /**
   * Step 6: the browser is back from there. End the refresh token (RFC 7009): the person has confirmed, or has stayed
   * signed in and this page has new tokens by now. The access token stays valid until it expires: a signed token cannot
   * be called back.
   */
  async function completeSignOut() {
    const refreshToken = signOutUnderWay.read()?.refreshToken
    if (refreshToken) {
      const response = await oauth.revocationRequest(as, client, withoutSecret, refreshToken, {
        ...options,
        additionalParameters: { token_type_hint: 'refresh_token' },
      })
      await oauth.processRevocationResponse(response)
    }
    // Only now: after a failure the next load of the page tries again.
    signOutUnderWay.remove()
  }

  return {
    signIn,
    completeSignIn,
    refresh,
    fetchWeather,
    redeemInventedCode,
    callWithChangedToken,
    signOut,
    completeSignOut,
  }
}

/**
 * How a sign-out that was begun in this tab stands. `confirmed`: the browser has come to `address` with the `state` that
 * was sent, so the person said yes. `open`: it has come back in some other way.
 *
 * @param {URL} address
 * @returns {'none' | 'open' | 'confirmed'}
 */
export function signOutState(address) {
  const pending = signOutUnderWay.read()
  if (!pending) return 'none'
  return address.searchParams.get('state') === pending.state ? 'confirmed' : 'open'
}

/** The callback was opened in a tab that did not start a sign-in, or was opened a second time. */
export class NoPendingSignIn extends Error {}

/**
 * What went wrong, for people. `title` says what happened, `detail` is for the developer. `uri`: where the provider explains
 * it (RFC 6749 §5.2).
 *
 * @param {unknown} error
 * @param {string} issuer
 * @returns {{ title: string, detail: string, uri?: string | undefined }}
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
      uri: ownAddress('error_uri' in error.cause ? error.cause.error_uri : undefined, issuer),
    }
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const [challenge] = error.cause
    const { error: code, error_description: description, error_uri: uri } = challenge?.parameters ?? {}
    return {
      title: 'The access token was not accepted.',
      detail: [[challenge?.scheme, code].filter(Boolean).join(' '), description].filter(Boolean).join(': '),
      uri: ownAddress(uri, issuer),
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

/**
 * A link is followed only to the provider itself.
 *
 * @param {unknown} uri
 * @param {string} issuer
 */
function ownAddress(uri, issuer) {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return undefined
  return new URL(uri).origin === new URL(issuer).origin ? uri : undefined
}

/**
 * Whether the provider only says that it cannot go on without a page (OpenID Connect Core §3.1.2.6).
 *
 * @param {unknown} error
 */
function needsPerson(error) {
  const codes = ['login_required', 'consent_required', 'interaction_required', 'account_selection_required']
  return error instanceof oauth.AuthorizationResponseError && codes.includes(error.error)
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
    receivedAt: Date.now(),
    expiresAt: Date.now() + (answer.expires_in ?? 0) * 1000,
  }
}

/**
 * What must outlive the page, which goes away and comes back: session storage belongs to this tab and this origin alone.
 * Nothing stays in it once the browser is back.
 *
 * @template T
 * @param {string} name
 */
function tripMemory(name) {
  return {
    /** @param {T} value */
    write: (value) => sessionStorage.setItem(name, JSON.stringify(value)),
    /** @returns {T | undefined} */
    read: () => JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? undefined,
    remove: () => sessionStorage.removeItem(name),
  }
}

/** @type {ReturnType<typeof tripMemory<PendingSignIn>>} */
const signInUnderWay = tripMemory('demo.sign-in')
/** @type {ReturnType<typeof tripMemory<PendingSignOut>>} */
const signOutUnderWay = tripMemory('demo.sign-out')

/**
 * Sends the browser away. Never resolves, so that nothing happens any more on a page that is going.
 *
 * @param {string} address
 * @param {'assign' | 'replace'} [how]
 */
function leaveFor(address, how = 'assign') {
  location[how](address)
  return new Promise(() => {})
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

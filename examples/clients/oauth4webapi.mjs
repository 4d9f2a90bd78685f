// A web application on a server, with oauth4webapi: every step of the protocol is visible.
import express from 'express'
import session from 'express-session'
import * as oauth from 'oauth4webapi'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const origin = `http://localhost:${PORT}`
const redirectUri = `${origin}/callback`

// For an issuer on this machine: the library demands https otherwise.
const options = { [oauth.allowInsecureRequests]: ISSUER.startsWith('http://') }
const issuer = new URL(ISSUER)
const latchkey = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
const client = { client_id: CLIENT_ID }
const authentication = oauth.ClientSecretBasic(CLIENT_SECRET)

const app = express()
app.use(session({ secret: CLIENT_SECRET, resave: false, saveUninitialized: false }))

app.get('/', (request, response) => response.json(request.session.person ?? null))

app.get('/login', async (request, response) => {
  const pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
  }
  request.session.pending = pending
  const address = new URL(latchkey.authorization_endpoint)
  address.search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    state: pending.state,
    nonce: pending.nonce,
  }).toString()
  response.redirect(address.href)
})

app.get('/callback', async (request, response) => {
  const { verifier, state, nonce } = request.session.pending
  const parameters = oauth.validateAuthResponse(latchkey, client, new URL(request.url, origin), state)
  const answer = await oauth.authorizationCodeGrantRequest(
    latchkey,
    client,
    authentication,
    parameters,
    redirectUri,
    verifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(latchkey, client, answer, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  const { sub } = oauth.getValidatedIdTokenClaims(tokens)
  const userinfo = await oauth.userInfoRequest(latchkey, client, tokens.access_token, options)
  request.session.person = await oauth.processUserInfoResponse(latchkey, client, sub, userinfo)
  request.session.tokens = { refresh: tokens.refresh_token, id: tokens.id_token }
  response.redirect('/')
})

app.get('/refresh', async (request, response) => {
  const { refresh } = request.session.tokens
  const answer = await oauth.refreshTokenGrantRequest(latchkey, client, authentication, refresh, options)
  const tokens = await oauth.processRefreshTokenResponse(latchkey, client, answer)
  // Every refresh returns a new refresh token.
  request.session.tokens = { refresh: tokens.refresh_token, id: tokens.id_token }
  response.json({ refreshed: true })
})

app.get('/logout', (request, response) => {
  const address = new URL(latchkey.end_session_endpoint)
  address.search = new URLSearchParams({
    id_token_hint: request.session.tokens.id,
    post_logout_redirect_uri: `${origin}/`,
  }).toString()
  request.session.destroy(() => response.redirect(address.href))
})

app.listen(PORT)

// A web application on a server, with openid-client.
import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const origin = `http://localhost:${PORT}`

// `execute` is for an issuer on this machine: openid-client demands https otherwise.
const development = ISSUER.startsWith('http://') ? { execute: [client.allowInsecureRequests] } : {}
const latchkey = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, development)

const app = express()
app.use(session({ secret: CLIENT_SECRET, resave: false, saveUninitialized: false }))

app.get('/', (request, response) => response.json(request.session.person ?? null))

app.get('/login', async (request, response) => {
  const codeVerifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  request.session.pending = { codeVerifier, state }
  const address = client.buildAuthorizationUrl(latchkey, {
    redirect_uri: `${origin}/callback`,
    scope: 'openid profile email offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
  })
  response.redirect(address.href)
})

app.get('/callback', async (request, response) => {
  const { codeVerifier, state } = request.session.pending
  const tokens = await client.authorizationCodeGrant(latchkey, new URL(request.url, origin), {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    idTokenExpected: true,
  })
  const { sub } = tokens.claims()
  request.session.person = await client.fetchUserInfo(latchkey, tokens.access_token, sub)
  request.session.tokens = { refresh: tokens.refresh_token, id: tokens.id_token }
  response.redirect('/')
})

app.get('/refresh', async (request, response) => {
  const tokens = await client.refreshTokenGrant(latchkey, request.session.tokens.refresh)
  // Every refresh returns a new refresh token.
  request.session.tokens = { refresh: tokens.refresh_token, id: tokens.id_token }
  response.json({ refreshed: true })
})

app.get('/logout', (request, response) => {
  const { id } = request.session.tokens
  const address = client.buildEndSessionUrl(latchkey, { id_token_hint: id, post_logout_redirect_uri: `${origin}/` })
  request.session.destroy(() => response.redirect(address.href))
})

app.listen(PORT)

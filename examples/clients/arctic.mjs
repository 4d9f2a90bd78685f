// A web application on a server, with Arctic.
import { CodeChallengeMethod, decodeIdToken, generateCodeVerifier, generateState, OAuth2Client } from 'arctic'
import express from 'express'
import session from 'express-session'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const origin = `http://localhost:${PORT}`
const endpoint = (name) => `${ISSUER}connect/${name}`

const latchkey = new OAuth2Client(CLIENT_ID, CLIENT_SECRET, `${origin}/callback`)

const app = express()
app.use(session({ secret: CLIENT_SECRET, resave: false, saveUninitialized: false }))

app.get('/', (request, response) => response.json(request.session.person ?? null))

app.get('/login', (request, response) => {
  const state = generateState()
  const verifier = generateCodeVerifier()
  request.session.pending = { state, verifier }
  const scopes = ['openid', 'profile', 'email', 'offline_access']
  const address = latchkey.createAuthorizationURLWithPKCE(
    endpoint('authorize'),
    state,
    CodeChallengeMethod.S256,
    verifier,
    scopes,
  )
  response.redirect(address.href)
})

app.get('/callback', async (request, response) => {
  const { state, verifier } = request.session.pending
  if (request.query.state !== state) throw new Error('this answer belongs to another sign-in')
  const tokens = await latchkey.validateAuthorizationCode(endpoint('token'), request.query.code, verifier)
  // The id token comes straight from the service, so its claims need no further check (OpenID Connect Core §3.1.3.7).
  const { sub } = decodeIdToken(tokens.idToken())
  const answer = await fetch(endpoint('userinfo'), { headers: { authorization: `Bearer ${tokens.accessToken()}` } })
  const person = await answer.json()
  if (person.sub !== sub) throw new Error('the userinfo response is about another person')
  request.session.person = person
  request.session.tokens = { refresh: tokens.refreshToken(), id: tokens.idToken() }
  response.redirect('/')
})

app.get('/refresh', async (request, response) => {
  const tokens = await latchkey.refreshAccessToken(endpoint('token'), request.session.tokens.refresh, [])
  request.session.tokens = { refresh: tokens.refreshToken(), id: tokens.idToken() }
  response.json({ refreshed: true })
})

app.get('/logout', (request, response) => {
  const query = new URLSearchParams({
    id_token_hint: request.session.tokens.id,
    post_logout_redirect_uri: `${origin}/`,
  })
  request.session.destroy(() => response.redirect(`${endpoint('logout')}?${query}`))
})

app.listen(PORT)

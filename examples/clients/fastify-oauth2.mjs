// A web application on a server, with Fastify and @fastify/oauth2.
import cookie from '@fastify/cookie'
import oauth2 from '@fastify/oauth2'
import Fastify from 'fastify'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const origin = `http://localhost:${PORT}`

const app = Fastify()
await app.register(cookie)
await app.register(oauth2, {
  name: 'latchkey',
  scope: ['openid', 'profile', 'email', 'offline_access'],
  credentials: { client: { id: CLIENT_ID, secret: CLIENT_SECRET } },
  startRedirectPath: '/login',
  callbackUri: `${origin}/callback`,
  // Reads the endpoints from the discovery document, and uses PKCE because it lists S256.
  discovery: { issuer: ISSUER },
})

/** The sessions of this application: the tokens of each browser. */
const sessions = new Map()

app.get('/callback', async (request, reply) => {
  const { token } = await app.latchkey.getAccessTokenFromAuthorizationCodeFlow(request, reply)
  const id = crypto.randomUUID()
  sessions.set(id, token)
  return reply.setCookie('sid', id, { path: '/', httpOnly: true, sameSite: 'lax' }).redirect('/')
})

app.get('/', async (request) => {
  const token = sessions.get(request.cookies.sid)
  return token === undefined ? 'null' : app.latchkey.userinfo(token)
})

app.get('/refresh', async (request) => {
  const { token } = await app.latchkey.getNewAccessTokenUsingRefreshToken(sessions.get(request.cookies.sid), {})
  sessions.set(request.cookies.sid, token)
  return { refreshed: true }
})

app.get('/logout', async (request, reply) => {
  const { id_token: hint } = sessions.get(request.cookies.sid)
  sessions.delete(request.cookies.sid)
  const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: `${origin}/` })
  return reply.redirect(`${ISSUER}connect/logout?${query}`)
})

await app.listen({ port: Number(PORT), host: 'localhost' })

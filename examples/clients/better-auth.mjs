// A web application on a server, with Better Auth and its generic OAuth plugin.
// It brings the routes below /api/auth. Better Auth signs people out of the application alone.
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { genericOAuth } from 'better-auth/plugins'
import express from 'express'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const origin = `http://localhost:${PORT}`

const auth = betterAuth({
  baseURL: origin,
  secret: CLIENT_SECRET,
  // For this example. An application has a database here.
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'latchkey',
          discoveryUrl: `${ISSUER}.well-known/openid-configuration`,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          scopes: ['openid', 'profile', 'email', 'offline_access'],
          pkce: true,
        },
      ],
    }),
  ],
})

const app = express()
app.all('/api/auth/{*path}', toNodeHandler(auth))

app.get('/', async (request, response) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  response.json(session === null ? null : { name: session.user.name, email: session.user.email })
})

app.get('/login', async (_request, response) => {
  const { headers, response: start } = await auth.api.signInSocial({
    body: { provider: 'latchkey', callbackURL: '/' },
    returnHeaders: true,
  })
  response.setHeader('set-cookie', headers.getSetCookie())
  response.redirect(start.url)
})

app.get('/refresh', async (request, response) => {
  const headers = fromNodeHeaders(request.headers)
  const [account] = await auth.api.listUserAccounts({ headers })
  await auth.api.refreshToken({ body: { accountId: account.id }, headers })
  response.json({ refreshed: true })
})

app.listen(PORT)

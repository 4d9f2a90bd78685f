// A web application on a server, with Auth.js. It brings the routes /auth/signin, /auth/callback/latchkey and /auth/signout.
// Auth.js signs people out of the application alone.
import { ExpressAuth, getSession } from '@auth/express'
import express from 'express'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env

const latchkey = {
  id: 'latchkey',
  name: 'Latchkey',
  type: 'oidc',
  issuer: ISSUER,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  authorization: { params: { scope: 'openid profile email offline_access' } },
  // The name and the e-mail address of the person come from the userinfo endpoint.
  idToken: false,
}
const config = {
  providers: [latchkey],
  secret: CLIENT_SECRET,
  trustHost: true,
  callbacks: {
    async jwt({ token, account, profile }) {
      if (account) return { ...token, sub: profile.sub, refreshToken: account.refresh_token }
      return token
    },
    session({ session, token }) {
      return { ...session, sub: token.sub }
    },
  },
}

const app = express()
app.set('trust proxy', true)
app.use('/auth', ExpressAuth(config))

// Auth.js starts a sign-in with a post. Its own page at /auth/signin has the button; this address is a shorter way.
app.get('/login', (_request, response) => response.redirect('/auth/signin'))

app.get('/', async (request, response) => {
  const session = await getSession(request, config)
  response.json(session === null ? null : { sub: session.sub, ...session.user })
})

app.listen(PORT)

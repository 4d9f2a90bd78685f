// A web application on a server, with Passport and passport-openidconnect.
// The strategy has no PKCE, so register the client with require_pkce=false.
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const origin = `http://localhost:${PORT}`

// The strategy reads no discovery document. The issuer ends with a slash.
const strategy = new OpenIDConnectStrategy(
  {
    issuer: ISSUER,
    authorizationURL: `${ISSUER}connect/authorize`,
    tokenURL: `${ISSUER}connect/token`,
    userInfoURL: `${ISSUER}connect/userinfo`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    callbackURL: `${origin}/callback`,
    scope: ['profile', 'email', 'offline_access'],
  },
  (_issuer, profile, _context, idToken, _accessToken, refreshToken, done) => {
    const [email] = profile.emails
    done(null, { sub: profile.id, name: profile.displayName, email: email.value, idToken, refreshToken })
  },
)
passport.use(strategy)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(session({ secret: CLIENT_SECRET, resave: false, saveUninitialized: false }))
app.use(passport.session())

app.get('/', (request, response) => {
  const { sub, name, email } = request.user ?? {}
  response.json(sub === undefined ? null : { sub, name, email })
})

app.get('/login', passport.authenticate('openidconnect'))
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/', failureRedirect: '/login' }))

app.get('/refresh', async (request, response) => {
  // Passport leaves refreshing to the application (RFC 6749 §6).
  const answer = await fetch(`${ISSUER}connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: request.user.refreshToken }),
  })
  if (!answer.ok) throw new Error(`the refresh was refused: ${await answer.text()}`)
  const tokens = await answer.json()
  request.user.refreshToken = tokens.refresh_token
  request.session.passport.user = request.user
  response.json({ refreshed: true })
})

app.get('/logout', (request, response, next) => {
  const query = new URLSearchParams({ id_token_hint: request.user.idToken, post_logout_redirect_uri: `${origin}/` })
  request.logout((error) => (error ? next(error) : response.redirect(`${ISSUER}connect/logout?${query}`)))
})

app.listen(PORT)

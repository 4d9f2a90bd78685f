// A web application on a server, with express-openid-connect. It brings the routes /login, /logout and /callback.
import express from 'express'
import connect from 'express-openid-connect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const origin = `http://localhost:${PORT}`

const app = express()
app.use(
  connect.auth({
    issuerBaseURL: ISSUER,
    baseURL: origin,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    // Encrypts the cookie that holds the application's session.
    secret: CLIENT_SECRET,
    authRequired: false,
    // Signs out at Latchkey, too, and not only here.
    idpLogout: true,
    authorizationParams: { response_type: 'code', scope: 'openid profile email offline_access' },
  }),
)

app.get('/', async (request, response) => {
  response.json(request.oidc.isAuthenticated() ? await request.oidc.fetchUserInfo() : null)
})

app.get('/refresh', async (request, response) => {
  await request.oidc.accessToken.refresh()
  response.json({ refreshed: true })
})

app.listen(PORT)

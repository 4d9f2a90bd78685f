// An API that checks access tokens with express-jwt and jwks-rsa.
import express from 'express'
import { expressjwt } from 'express-jwt'
import jwks from 'jwks-rsa'

const { ISSUER, AUDIENCE, PORT } = process.env

const app = express()

const checked = expressjwt({
  secret: jwks.expressJwtSecret({ jwksUri: `${ISSUER}.well-known/jwks`, cache: true, rateLimit: true }),
  issuer: ISSUER,
  audience: AUDIENCE,
  algorithms: ['ES256'],
})
app.get('/whoami', checked, (request, response) => response.json({ sub: request.auth.sub }))

app.use((error, _request, response, _next) => response.status(error.status ?? 500).json({ error: 'invalid_token' }))

app.listen(PORT)

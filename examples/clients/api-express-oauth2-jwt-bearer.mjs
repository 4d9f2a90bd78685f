// An API that checks access tokens with express-oauth2-jwt-bearer.
import express from 'express'
import { auth } from 'express-oauth2-jwt-bearer'

const { ISSUER, AUDIENCE, PORT } = process.env

const app = express()

// Without tokenSigningAlg the middleware accepts RS256 alone.
const checked = auth({ issuerBaseURL: ISSUER, audience: AUDIENCE, tokenSigningAlg: 'ES256' })
app.get('/whoami', checked, (request, response) => response.json({ sub: request.auth.payload.sub }))

app.listen(PORT)

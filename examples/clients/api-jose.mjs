// An API that checks access tokens with jose.
import express from 'express'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { ISSUER, AUDIENCE, PORT } = process.env
const keys = createRemoteJWKSet(new URL(`${ISSUER}.well-known/jwks`))

const app = express()

app.get('/whoami', async (request, response) => {
  const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  try {
    const options = { issuer: ISSUER, audience: AUDIENCE, typ: 'at+jwt', algorithms: ['ES256'] }
    const { payload } = await jwtVerify(token, keys, options)
    response.json({ sub: payload.sub })
  } catch {
    response.status(401).json({ error: 'invalid_token' })
  }
})

app.listen(PORT)

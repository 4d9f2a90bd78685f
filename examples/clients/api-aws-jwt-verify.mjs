// An API that checks access tokens with aws-jwt-verify.
// The library reads `scope` as text: set access_token_scope=string for the clients that call this API.
import { JwtVerifier } from 'aws-jwt-verify'
import express from 'express'

const { ISSUER, AUDIENCE, PORT } = process.env
const jwksUri = `${ISSUER}.well-known/jwks`
const verifier = JwtVerifier.create({ issuer: ISSUER, audience: AUDIENCE, jwksUri })
// The library fetches the keys itself, but with https alone; for an issuer on this machine they are handed over.
if (ISSUER.startsWith('http://')) verifier.cacheJwks(await (await fetch(jwksUri)).json())

const app = express()

app.get('/whoami', async (request, response) => {
  const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  try {
    const { sub } = await verifier.verify(token)
    response.json({ sub })
  } catch {
    response.status(401).json({ error: 'invalid_token' })
  }
})

app.listen(PORT)

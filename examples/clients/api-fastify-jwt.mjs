// An API that checks access tokens with Fastify and @fastify/jwt.
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import jwks from 'jwks-rsa'

const { ISSUER, AUDIENCE, PORT } = process.env
const keys = jwks({ jwksUri: `${ISSUER}.well-known/jwks`, cache: true, rateLimit: true })

const app = Fastify()
await app.register(jwt, {
  decode: { complete: true },
  // The key that the header of the token names.
  secret: async (_request, { header }) => (await keys.getSigningKey(header.kid)).getPublicKey(),
  verify: { allowedIss: ISSUER, allowedAud: AUDIENCE, algorithms: ['ES256'] },
})

app.get('/whoami', { onRequest: (request) => request.jwtVerify() }, async (request) => ({ sub: request.user.sub }))

await app.listen({ port: Number(PORT), host: 'localhost' })

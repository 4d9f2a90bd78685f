// A native application: opens the system's browser and gets the answer at a free port of this machine (RFC 8252 §7.3).
// Register its client with --native --redirect-uri http://127.0.0.1/callback
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as client from 'openid-client'

const { ISSUER, CLIENT_ID } = process.env

// A public client proves with PKCE that it began the sign-in. `execute` is for an issuer on this machine.
const development = ISSUER.startsWith('http://') ? { execute: [client.allowInsecureRequests] } : {}
const latchkey = await client.discovery(new URL(ISSUER), CLIENT_ID, undefined, client.None(), development)

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const redirectUri = `http://127.0.0.1:${server.address().port}/callback`
const codeVerifier = client.randomPKCECodeVerifier()
const state = client.randomState()
const address = client.buildAuthorizationUrl(latchkey, {
  redirect_uri: redirectUri,
  scope: 'openid profile email offline_access',
  code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
  state,
})
// An application for people opens it itself.
console.log(`Open this address: ${address}`)

const returned = await new Promise((resolve) => {
  server.on('request', (request, response) => {
    const url = new URL(request.url, redirectUri)
    response.end('You can close this page.')
    if (url.pathname === '/callback') resolve(url)
  })
})
server.close()
const tokens = await client.authorizationCodeGrant(latchkey, returned, {
  pkceCodeVerifier: codeVerifier,
  expectedState: state,
  idTokenExpected: true,
})
const person = await client.fetchUserInfo(latchkey, tokens.access_token, tokens.claims().sub)
console.log(`Signed in: ${person.name}`)
const refreshed = await client.refreshTokenGrant(latchkey, tokens.refresh_token)
// Signing out: the refresh token and all that came of it end.
await client.tokenRevocation(latchkey, refreshed.refresh_token)
console.log('Signed out')

// A program that acts for itself, with openid-client: no user, no browser.
import * as oidc from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SCOPE, API } = process.env

// For an issuer on this machine: the library demands https otherwise.
const execute = ISSUER.startsWith('http://') ? [oidc.allowInsecureRequests] : []
const latchkey = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, { execute })

// Kept until it expires: an access token for each call would be a request too many.
const { access_token: accessToken } = await oidc.clientCredentialsGrant(latchkey, SCOPE ? { scope: SCOPE } : {})
const answer = await oidc.fetchProtectedResource(latchkey, accessToken, new URL(API), 'GET')
console.log(answer.status, await answer.text())

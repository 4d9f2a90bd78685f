// A command-line program, with openid-client: the user answers in a browser, on any device.
import * as oidc from 'openid-client'

const { ISSUER, CLIENT_ID, SCOPE = 'openid profile' } = process.env

// For an issuer on this machine: the library demands https otherwise.
const execute = ISSUER.startsWith('http://') ? [oidc.allowInsecureRequests] : []
const latchkey = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), { execute })

const device = await oidc.initiateDeviceAuthorization(latchkey, { scope: SCOPE })
console.log(`Open ${device.verification_uri} and enter the code ${device.user_code}`)
console.log(`or open ${device.verification_uri_complete}`)

// Polls at the interval of the service, and more slowly when the service says so.
const tokens = await oidc.pollDeviceAuthorizationGrant(latchkey, device)
const person = await oidc.fetchUserInfo(latchkey, tokens.access_token, tokens.claims().sub)
console.log(`Signed in as ${person.preferred_username ?? person.sub}`)

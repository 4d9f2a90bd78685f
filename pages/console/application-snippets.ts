import { type Application, kindOf } from './application-kinds.ts'

/** Code for common libraries, by the name of the library. Secrets and keys come from the environment. */
export function snippetsOf(client: Application, issuer: string): [library: string, code: string][] {
  const values: Values = {
    client,
    issuer: quoted(issuer),
    id: quoted(client.client_id),
    scope: quoted(client.scope),
    redirect: quoted(client.redirect_uris[0] ?? ''),
    isPlain: issuer.startsWith('http:'),
  }
  const { scope } = values
  switch (kindOf(client)) {
    case 'machine': {
      const own = client.scope.split(' ').filter((one) => one !== 'openid' && one !== 'offline_access')
      const curl = curlFor(client, issuer, own.join(' '))
      return [
        [
          'openid-client',
          `${openidClient(values)}
const { access_token } = await oidc.clientCredentialsGrant(server, { scope: ${quoted(own.join(' '))} })`,
        ],
        ...(curl === undefined ? [] : [['curl', curl] satisfies [string, string]]),
      ]
    }
    case 'device':
      return [
        [
          'openid-client',
          `${openidClient(values)}
const device = await oidc.initiateDeviceAuthorization(server, { scope: ${scope} })
console.log(device.verification_uri, device.user_code)
const tokens = await oidc.pollDeviceAuthorizationGrant(server, device)`,
        ],
      ]
    case 'spa':
      return [
        [
          'oidc-client-ts',
          `import { UserManager } from 'oidc-client-ts'

const manager = new UserManager({
  authority: ${values.issuer},
  client_id: ${values.id},
  redirect_uri: ${values.redirect},
  scope: ${scope},
})
await manager.signinRedirect()`,
        ],
        ['oauth4webapi', oauth4webapi(values)],
      ]
    default:
      return [
        [
          'openid-client',
          `${openidClient(values)}
const codeVerifier = oidc.randomPKCECodeVerifier()
const state = oidc.randomState()
const address = oidc.buildAuthorizationUrl(server, {
  redirect_uri: ${values.redirect},
  scope: ${scope},
  code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
  state,
})`,
        ],
        ['oauth4webapi', oauth4webapi(values)],
      ]
  }
}

/** Everything but `client` and `isPlain` is a literal of JavaScript. */
type Values = {
  client: Application
  issuer: string
  id: string
  scope: string
  redirect: string
  /** Whether the issuer speaks plain HTTP, which libraries want to be told. */
  isPlain: boolean
}

function openidClient({ client, issuer, id, isPlain }: Values): string {
  const { before, method } = authentication(client, 'oidc')
  const options = isPlain ? ', { execute: [oidc.allowInsecureRequests] }' : ''
  return `import * as oidc from 'openid-client'
${before}
const authentication = ${method}
const server = await oidc.discovery(new URL(${issuer}), ${id}, undefined, authentication${options})`
}

function oauth4webapi({ client, issuer, id, isPlain }: Values): string {
  const { before, method } = authentication(client, 'oauth')
  const options = isPlain ? ', { [oauth.allowInsecureRequests]: true }' : ''
  return `import * as oauth from 'oauth4webapi'
${before}
const issuer = new URL(${issuer})
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer${options}))
const client = { client_id: ${id} }
const authentication = ${method}`
}

/** How the client authenticates, by the names that both libraries have. */
function authentication(client: Application, library: string): { before: string; method: string } {
  const secret = 'process.env.CLIENT_SECRET'
  switch (client.token_endpoint_auth_method) {
    case 'client_secret_basic':
      return { before: '', method: `${library}.ClientSecretBasic(${secret})` }
    case 'client_secret_post':
      return { before: '', method: `${library}.ClientSecretPost(${secret})` }
    case 'client_secret_jwt':
      return { before: '', method: `${library}.ClientSecretJwt(${secret})` }
    case 'private_key_jwt':
      return {
        before: `
// The private key as a JWK of the algorithm ES256.
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const key = await crypto.subtle.importKey('jwk', JSON.parse(process.env.CLIENT_KEY), algorithm, false, ['sign'])`,
        method: `${library}.PrivateKeyJwt(key)`,
      }
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth':
      return {
        before: `
// Requests carry the certificate of the client: give the library a fetch that does so (customFetch).`,
        method: `${library}.TlsClientAuth()`,
      }
    default:
      return { before: '', method: `${library}.None()` }
  }
}

/** A token from the shell; undefined: it takes more than one command. */
function curlFor(client: Application, issuer: string, scope: string): string | undefined {
  const { client_id: id, token_endpoint_auth_method: method } = client
  const named = `--data-urlencode ${shell(`client_id=${id}`)}`
  const how = method.endsWith('tls_client_auth')
    ? `--cert client.pem --key client.key ${named}`
    : method === 'client_secret_post'
      ? `${named} --data-urlencode "client_secret=$CLIENT_SECRET"`
      : method === 'client_secret_basic'
        ? `-u ${shell(id)}":$CLIENT_SECRET"`
        : undefined
  if (how === undefined) return undefined
  const token = `${issuer.replace(/\/$/, '')}/connect/token`
  return `curl ${how} ${shell(token)} -d grant_type=client_credentials --data-urlencode ${shell(`scope=${scope}`)}`
}

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const shell = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`

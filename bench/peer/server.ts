/**
 * The peer, configured to the same work: authorization code with PKCE, a session, a stored consent, JWT access tokens and
 * id tokens under the same algorithm, rotating refresh tokens, everything durable before it is acknowledged.
 *
 *   node bench/peer/server.ts PORT FILE ALGORITHM
 */
import { generateKeyPairSync, randomBytes, type webcrypto } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { hashPassword, verifyPassword } from './password.ts'
import { type Account, openRecords } from './records.ts'

const [port = '', file = '', algorithm = 'ES256'] = process.argv.slice(2)
const issuer = `http://localhost:${port}`
const clientId = 'demo'
const consentId = 'stored-consent'
const resource = 'urn:demo-api'
const scopes = ['openid', 'offline_access', 'demo_api']
const twoWeeks = 1_209_600
/** As `peerApiSecret` in `servers.ts`. */
const apiSecret = 'secret-of-the-introspecting-client'

const records = openRecords(file)
let alice = records.accountByName('alice')
if (alice === undefined) {
  const passwordHash = await hashPassword('Passw0rd!')
  alice = { id: crypto.randomUUID(), name: 'alice', email: 'alice@example.com', passwordHash }
  await records.addAccount(alice)
}

const claimsOf = ({ id, name, email }: Account) => ({ sub: id, name, preferred_username: name, email, role: ['admin'] })
type Context = {
  readonly oidc: {
    readonly entities: { readonly Account?: { readonly claims: () => object } }
    readonly params?: { readonly scope?: string }
  }
}

const provider = new Provider(issuer, {
  adapter: records.adapterOf,
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://localhost:5081/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: algorithm,
    },
    {
      client_id: 'bench-api',
      client_secret: apiSecret,
      redirect_uris: ['http://localhost:5081/callback'],
      grant_types: ['authorization_code', 'client_credentials'],
      response_types: ['code'],
    },
  ],
  scopes,
  jwks: { keys: readKeys() },
  cookies: { keys: [readSecret()] },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  // Both on purpose lighter than its default: no prompt=consent for offline_access, no tie to the session's end.
  issueRefreshToken: async () => true,
  expiresWithSession: async () => false,
  // Reads the account anew at every exchange, as Latchkey does.
  async findAccount(_context: unknown, id: string) {
    const account = records.accountById(id)
    return account && { accountId: id, claims: () => claimsOf(account) }
  },
  extraTokenClaims: async (context: Context) => context.oidc.entities.Account?.claims(),
  loadExistingGrant: async () => provider.Grant.find(consentId),
  interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 600,
    Grant: twoWeeks,
    IdToken: 1200,
    Interaction: 3600,
    RefreshToken: twoWeeks,
    Session: twoWeeks,
  },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    clientCredentials: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // It takes tokens for no resource alone at userinfo and for introspection.
      defaultResource: async ({ oidc }: Context) =>
        oidc.params?.scope?.includes('demo_api') === false ? undefined : resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: 'demo_api',
        audience: resource,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: algorithm } },
      }),
    },
  },
})
provider.on('server_error', (_context, error) => process.stderr.write(`${error.stack}\n`))

if ((await provider.Grant.find(consentId)) === undefined) {
  const consent = new provider.Grant({ accountId: alice.id, clientId, jti: consentId })
  consent.addOIDCScope(scopes.join(' '))
  consent.addResourceScope(resource, 'demo_api')
  await consent.save(twoWeeks)
}

const handle = provider.callback()
const server = createServer((request, response) => {
  const answered = request.url?.startsWith('/interaction/') ? signIn(request, response) : handle(request, response)
  answered.catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`)
    response.writeHead(500).end()
  })
})
server.listen(Number(port), '127.0.0.1')
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.closeAllConnections()
    server.close(() => void records.close())
  })
}

/** The login form of the peer's interaction. */
async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += chunk
  const form = new URLSearchParams(body)
  const account = records.accountByName(form.get('username') ?? '')
  const matches = await verifyPassword(account?.passwordHash ?? null, form.get('password') ?? '')
  if (!matches || account === undefined) {
    response.writeHead(401).end()
    return
  }
  const result = { login: { accountId: account.id } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** Made at the first start and kept beside the database, as a service has to. */
function readKeys(): webcrypto.JsonWebKey[] {
  const made = () => [
    {
      ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: 'RS256',
    },
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: 'ES256',
    },
  ]
  return JSON.parse(readOrMake(`${file}.keys`, () => JSON.stringify(made())))
}

function readSecret(): string {
  return readOrMake(`${file}.cookie`, () => randomBytes(32).toString('base64url'))
}

function readOrMake(name: string, make: () => string): string {
  if (!existsSync(name)) writeFileSync(name, make(), { mode: 0o600 })
  return readFileSync(name, 'utf8')
}

/** Requests to the endpoints beside the code flow, for `random-requests.ts`: right ones, whose JSON is spoilt already. */
import { randomUUID } from 'node:crypto'
import { authorizeParameters } from '../support/browser.ts'
import type { DpopKey } from '../support/dpop.ts'
import type { Draft, Pair } from './request-draft.ts'

type Members = Record<string, unknown>

/** What the drafts are made of. `key`: that of the clients `device` and `signer`. */
export type Tools = {
  readonly issuer: string
  readonly key: DpopKey
  readonly below: (bound: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  /** Codes, tokens and addresses of earlier answers. */
  readonly token: () => string
  readonly deviceCode: () => string
  readonly userCode: () => string
  readonly requestUri: () => string
  /** A value that is hardly ever right. */
  readonly strange: () => string
}

const grants = {
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
}
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, '', ' ', '\u0000', '\ud800', '__proto__', 'a'.repeat(3000)],
  ...[[], {}, [null], [[]], { a: 1 }, ['openid'], Array(300).fill('a'), { keys: [] }, { keys: [{ kty: 'EC' }] }],
  ...[
    { keys: [{ kty: 'RSA', n: 'A', e: 'A' }] },
    'none',
    'ES256',
    'javascript:x',
    'https://127.0.0.1/',
    'https://a;b/',
  ],
]
const members = ['nbf', 'iat', 'crit', 'kid', 'typ', 'cnf', 'claims', 'resource', 'scope', 'response_mode', '__proto__']
const metadata = [
  ...['jwks', 'jwks_uri', 'client_name', 'client_name#de', 'client_name#__proto__', 'contacts', 'grant_types', 'scope'],
  ...['redirect_uris', 'frontchannel_logout_uri', 'id_token_signed_response_alg', 'default_max_age', 'constructor'],
]

export function providerDrafts(tools: Tools): readonly (() => Draft)[] {
  const { issuer, key, below, pick, token, strange } = tools
  const seconds = () => Math.floor(Date.now() / 1000)
  const post = (path: string, fields: Readonly<Record<string, string>>, headers: Pair[] = []): Draft => ({
    ...{ method: 'POST', path, query: [], form: Object.entries(fields) },
    headers: [...headers, ...proofFor(path)],
  })
  const get = (path: string, fields: Readonly<Record<string, string>>, headers: Pair[] = []): Draft => ({
    ...{ method: 'GET', path, query: Object.entries(fields), form: undefined },
    headers,
  })
  const json = (method: string, path: string, document: unknown): Draft => ({
    ...{ method, path, query: [], form: undefined, json: JSON.stringify(document) },
    headers: [['content-type', 'application/json']],
  })

  function spoilt(object: Members, names: readonly string[] = members): Members {
    const changes = Array.from({ length: below(3) }, () => [pick([...Object.keys(object), ...names]), pick(values)])
    return Object.fromEntries([...Object.entries(object), ...changes])
  }
  const signed = (header: Members, claims: Members) => key.sign(spoilt({ alg: 'ES256', ...header }), spoilt(claims))
  const requestObject = () =>
    signed(
      { typ: 'oauth-authz-req+jwt' },
      { iss: 'device', aud: issuer, ...authorizeParameters({ client_id: 'device' }) },
    )
  function proofFor(path: string): Pair[] {
    if (below(3) > 0) return []
    const claims = { jti: randomUUID(), htm: 'POST', htu: `${issuer}${path.slice(1)}`, iat: seconds() }
    return [['dpop', signed({ typ: 'dpop+jwt', jwk: below(9) === 0 ? pick(values) : key.jwk }, claims)]]
  }
  const credentials = (): Readonly<Record<string, string>> =>
    pick<() => Readonly<Record<string, string>>>([
      () => ({ client_id: 'demo' }),
      () => ({ client_id: 'device' }),
      () => ({ client_id: 'machine', client_secret: 's3cret' }),
      () => ({ client_id: 'machine', client_secret: strange() }),
      () => ({ client_assertion_type: assertionType, client_assertion: assertion() }),
    ])()
  const assertion = () =>
    signed({}, { iss: 'signer', sub: 'signer', aud: issuer, exp: seconds() + 60, jti: randomUUID() })
  const claims = () => JSON.stringify(spoilt({ id_token: { sub: pick(values) }, userinfo: { email: pick(values) } }))

  return [
    () => post('/connect/par', { ...authorizeParameters({ client_id: 'device' }), claims: claims() }),
    () => post('/connect/par', { ...credentials(), request: requestObject() }),
    () => get('/connect/authorize', { client_id: 'device', request: requestObject() }),
    () => get('/connect/authorize', { client_id: 'device', request_uri: tools.requestUri() }),
    () => get('/Account/ConsentContext', { client_id: 'device', request_uri: tools.requestUri() }),
    () => get('/connect/authorize', { ...authorizeParameters({ client_id: 'device' }), claims: claims() }),
    () => get('/connect/authorize', { ...authorizeParameters(), response_mode: pick(['jwt', 'form_post.jwt']) }),
    () =>
      get('/connect/authorize', { ...authorizeParameters(), resource: pick([`${issuer}weatherforecast`, 'urn:x']) }),
    () => post('/connect/device', { ...credentials(), scope: 'openid demo_api' }),
    () => post('/connect/token', { client_id: 'device', grant_type: grants.device, device_code: tools.deviceCode() }),
    () => get('/Account/DeviceContext', { user_code: tools.userCode() }),
    () => post('/connect/token', { ...credentials(), grant_type: 'client_credentials', scope: 'demo_api' }),
    () =>
      post('/connect/token', {
        ...{ client_id: 'machine', client_secret: 's3cret', grant_type: grants.exchange },
        ...{ subject_token: token(), subject_token_type: accessTokenType },
        ...(below(2) === 0 && { actor_token: token(), actor_token_type: accessTokenType }),
      }),
    () => post('/connect/introspect', { ...credentials(), token: token() }),
    () =>
      post('/connect/introspect', { client_id: 'machine', client_secret: 's3cret', token: token() }, [
        ['accept', 'application/token-introspection+jwt'],
      ]),
    () => post('/connect/userinfo', { access_token: token() }),
    () => get('/connect/userinfo', {}, [['authorization', `${pick(['Bearer', 'DPoP'])} ${token()}`]]),
    () => json('POST', '/connect/register', spoilt({ redirect_uris: ['https://app.example.com/callback'] }, metadata)),
    () => json('POST', '/connect/register', pick(values)),
    () => json(pick(['PUT', 'DELETE', 'GET']), `/connect/register/${strange()}`, { client_id: 'device' }),
  ]
}

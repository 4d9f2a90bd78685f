/**
 * oidcc-discovery-endpoint-verification, and more: what the discovery document lists works, what it does not list is
 * refused, and it has no member that this file does not check.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { authorizePath, Browser, claimsOf, codeFields, locationOf, postToken } from '../support/browser.ts'
import { initialAccessToken, register } from '../support/registration.ts'
import { startService, type TestService, testClient, testScope } from '../support/service.ts'
import { claims as personClaims } from './basic-op-scene.ts'

type Metadata = Readonly<Record<string, unknown>>
type Check = (value: never, metadata: Metadata, service: TestService) => void | Promise<void>

/** The settings under which as much as possible is switched on. */
const everything = {
  OAuth__DynamicRegistration: 'token',
  OAuth__PostQuantum: 'true',
  OAuth__Mtls__ClientCertificateHeader: 'x-client-cert',
  OAuth__Mtls__Address: 'https://mtls.id.example/',
  Server__TrustProxy: '127.0.0.1',
}

const services = new Map<string, { readonly service: TestService; readonly metadata: Metadata }>()
before(async () => {
  for (const [name, env] of [
    ['as it is installed', {}],
    ['with everything switched on', everything],
  ] as const) {
    const service = await startService(env)
    await seed(service)
    services.set(name, { service, metadata: await discover(service) })
  }
})
after(async () => {
  for (const { service } of services.values()) await service.stop()
})

const standard = ['profile', 'email', 'address', 'phone', 'roles']

/** A client that requests all claims, and a person who has them. */
async function seed({ storage }: TestService): Promise<void> {
  for (const scope of standard) await storage.scopes.create(testScope(scope))
  const metadata = { ...defaultClientMetadata, backchannel_logout_uri: 'https://client.example/out' }
  const scopes = [...standard, 'offline_access', 'demo_api']
  await storage.clients.create(testClient({ id: 'all', consent: 'implicit', scopes, metadata }))
  const alice = await storage.users.findByName('alice')
  await storage.users.update(alice?.id ?? '', (user) => ({ ...user, claims: personClaims }))
}

async function discover({ issuer }: TestService): Promise<Metadata> {
  const response = await fetch(new URL('.well-known/openid-configuration', issuer))
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return (await response.json()) as Metadata
}

/** The names that are registered (RFC 8414 §7.1 and the registry that it starts), as far as they could apply here. */
const registeredNames = new Set(
  `issuer authorization_endpoint token_endpoint jwks_uri registration_endpoint scopes_supported response_types_supported
  response_modes_supported grant_types_supported token_endpoint_auth_methods_supported
  token_endpoint_auth_signing_alg_values_supported service_documentation ui_locales_supported op_policy_uri op_tos_uri
  revocation_endpoint revocation_endpoint_auth_methods_supported revocation_endpoint_auth_signing_alg_values_supported
  introspection_endpoint introspection_endpoint_auth_methods_supported
  introspection_endpoint_auth_signing_alg_values_supported code_challenge_methods_supported signed_metadata
  device_authorization_endpoint tls_client_certificate_bound_access_tokens mtls_endpoint_aliases userinfo_endpoint
  acr_values_supported subject_types_supported id_token_signing_alg_values_supported
  id_token_encryption_alg_values_supported id_token_encryption_enc_values_supported userinfo_signing_alg_values_supported
  userinfo_encryption_alg_values_supported userinfo_encryption_enc_values_supported
  request_object_signing_alg_values_supported request_object_encryption_alg_values_supported
  request_object_encryption_enc_values_supported display_values_supported claim_types_supported claims_supported
  claims_locales_supported claims_parameter_supported request_parameter_supported request_uri_parameter_supported
  require_request_uri_registration require_signed_request_object pushed_authorization_request_endpoint
  require_pushed_authorization_requests introspection_signing_alg_values_supported
  introspection_encryption_alg_values_supported introspection_encryption_enc_values_supported
  authorization_response_iss_parameter_supported check_session_iframe frontchannel_logout_supported
  backchannel_logout_session_supported end_session_endpoint backchannel_logout_supported
  frontchannel_logout_session_supported authorization_signing_alg_values_supported
  authorization_encryption_alg_values_supported authorization_encryption_enc_values_supported
  dpop_signing_alg_values_supported authorization_details_types_supported prompt_values_supported protected_resources
  client_id_metadata_document_supported`.split(/\s+/),
)

const redirect_uris = ['http://localhost:5081/callback']
const publicJwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })

/** Where clients can register: whether they may with these members. */
async function registers(service: TestService, members: Metadata): Promise<boolean> {
  // Another minute, with places of its own for registrations.
  service.advance(61)
  const { status, body } = await register(service, { redirect_uris, ...members }, await initialAccessToken(service))
  assert.ok(status === 201 || body.error === 'invalid_client_metadata', JSON.stringify(body))
  return status === 201
}

/** The listed algorithms can be registered as `member`, and no other. */
const algorithms =
  (member: string, more: Metadata = {}): Check =>
  async (listed: readonly string[], metadata, service) => {
    assert.ok(listed.includes('RS256') && listed.includes('PS256') && listed.includes('ES256'))
    const isForSigning = member.endsWith('_signed_response_alg')
    // The key set has no key for it yet.
    assert.equal(listed.includes('ML-DSA-65'), service.settings.oauth.postQuantum && !isForSigning)
    assert.equal(listed.includes('EdDSA'), !isForSigning)
    if (metadata.registration_endpoint === undefined) return
    for (const algorithm of listed) {
      assert.ok(await registers(service, { ...more, [member]: algorithm }), `${member} ${algorithm}`)
    }
    for (const algorithm of [
      'none',
      'HS256',
      'RS384',
      'ES512',
      'RSA-OAEP',
      ...['ML-DSA-65', 'EdDSA'].filter((uncommon) => !listed.includes(uncommon)),
    ]) {
      assert.equal(await registers(service, { ...more, [member]: algorithm }), false, `${member} ${algorithm}`)
    }
  }

/** The endpoint is the path below the issuer, and answers its method. */
const endpoint =
  (path: string, method: 'GET' | 'POST'): Check =>
  async (address: string, { issuer }) => {
    assert.equal(address, `${issuer}${path}`)
    const { status } = await fetch(address, { method, redirect: 'manual' })
    assert.ok(![404, 405, 500].includes(status), `${address}: ${status}`)
  }

const states =
  (expected: boolean): Check =>
  (value: boolean) =>
    assert.equal(value, expected)

const sameAs =
  (member: string, change: (values: readonly string[]) => readonly string[] = (values) => values): Check =>
  (value: readonly string[], metadata) =>
    assert.deepEqual(value, change(metadata[member] as readonly string[]))

const silently = async (
  service: TestService,
  change: Readonly<Record<string, string>>,
  browser = new Browser(service),
) => browser.get(authorizePath({ prompt: 'none', ...change }))

/** The members of an authorization response to a request that nobody is signed in for. */
async function errorOf(service: TestService, change: Readonly<Record<string, string>>): Promise<string | null> {
  const response = await silently(service, change)
  if (response.status === 302) return locationOf(response).searchParams.get('error')
  return ((await response.json()) as { error: string }).error
}

const authenticationNeeds: Readonly<Record<string, Metadata>> = {
  private_key_jwt: { jwks: { keys: [publicJwk] } },
  tls_client_auth: { tls_client_auth_san_dns: 'client.example' },
  self_signed_tls_client_auth: { jwks_uri: 'https://client.example/keys' },
}
const authenticationMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  ...Object.keys(authenticationNeeds),
]

const canonicalLocales: Check = (tags: readonly string[]) => {
  assert.ok(tags.length > 0)
  assert.deepEqual(Intl.getCanonicalLocales([...tags]), tags)
}

const checks: Readonly<Record<string, Check>> = {
  issuer: (value: string, _, service) => assert.equal(value, service.issuer),
  authorization_endpoint: endpoint('connect/authorize', 'GET'),
  token_endpoint: endpoint('connect/token', 'POST'),
  pushed_authorization_request_endpoint: endpoint('connect/par', 'POST'),
  userinfo_endpoint: endpoint('connect/userinfo', 'GET'),
  end_session_endpoint: endpoint('connect/logout', 'GET'),
  revocation_endpoint: endpoint('connect/revocation', 'POST'),
  introspection_endpoint: endpoint('connect/introspect', 'POST'),
  device_authorization_endpoint: endpoint('connect/device', 'POST'),
  registration_endpoint: endpoint('connect/register', 'POST'),
  jwks_uri: async (address: string) => {
    const { keys } = (await (await fetch(address)).json()) as { keys: Readonly<Record<string, unknown>>[] }
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length)
    for (const key of keys) for (const member of ['d', 'k', 'p', 'q', 'priv']) assert.ok(!(member in key), member)
  },

  grant_types_supported: async (listed: readonly string[], _, service) => {
    const errorOfGrant = async (grant_type: string) =>
      (await postToken(service, { grant_type, client_id: 'demo' })).body.error
    for (const type of listed) assert.notEqual(await errorOfGrant(type), 'unsupported_grant_type', type)
    for (const type of [
      'password',
      'implicit',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'urn:openid:params:grant-type:ciba',
    ]) {
      assert.ok(!listed.includes(type))
      assert.equal(await errorOfGrant(type), 'unsupported_grant_type', type)
    }
  },
  response_types_supported: async (listed: readonly string[], _, service) => {
    assert.deepEqual(listed, ['code'])
    assert.equal(await errorOf(service, { response_type: 'code' }), 'login_required')
    for (const type of ['token', 'id_token', 'code id_token', 'none']) {
      const response = await silently(service, { response_type: type })
      const { search, hash } = locationOf(response)
      assert.match(search + hash, /error=unsupported_response_type/, type)
    }
  },
  response_modes_supported: async (listed: readonly string[], _, service) => {
    for (const mode of listed) {
      const response = await silently(service, { response_mode: mode })
      const { search, hash } = locationOf(response)
      const body = response.status === 200 ? await response.text() : ''
      const wanted = mode.endsWith('jwt') ? /response=|name="response"/ : /login_required/
      assert.match(search + hash + body, wanted, mode)
      if (mode.startsWith('fragment')) assert.match(hash, wanted, mode)
      if (mode.startsWith('form_post')) assert.match(body, wanted, mode)
    }
    for (const mode of ['web_message', 'cookie']) {
      assert.equal(await errorOf(service, { response_mode: mode }), 'invalid_request', mode)
    }
  },
  scopes_supported: async (listed: readonly string[], _, service) => {
    assert.ok(listed.includes('openid'))
    for (const scope of listed) {
      assert.notEqual(await errorOf(service, { client_id: 'all', scope: `openid ${scope}` }), 'invalid_scope', scope)
    }
    assert.equal(await errorOf(service, { client_id: 'all', scope: 'openid unlisted' }), 'invalid_scope')
    assert.ok(!listed.includes('unlisted'))
  },
  claims_supported: async (listed: readonly string[], metadata, service) => {
    const browser = await Browser.signedIn(service)
    const values = (metadata.acr_values_supported as readonly string[]).join(' ')
    const scope = `openid ${standard.join(' ')}`
    const request = { client_id: 'all', scope, nonce: 'n', acr_values: values, max_age: '9999' }
    const { searchParams } = locationOf(await silently(service, request, browser))
    const { body } = await postToken(service, codeFields(searchParams.get('code') ?? '', { client_id: 'all' }))
    const idToken = claimsOf(body.id_token)
    const headers = { authorization: `Bearer ${body.access_token}` }
    const userinfo = (await (await fetch(metadata.userinfo_endpoint as string, { headers })).json()) as Metadata
    const given = { ...userinfo, ...idToken }
    assert.deepEqual(
      [...listed].filter((claim) => !(claim in given)),
      [],
      'listed and not given',
    )
    assert.deepEqual(
      Object.keys(given).filter((claim) => !listed.includes(claim) && claim !== 'jti'),
      [],
      'given and not listed',
    )
    assert.ok((metadata.acr_values_supported as readonly string[]).includes(idToken.acr))
  },
  acr_values_supported: (listed: readonly string[]) => assert.ok(listed.length > 0),
  claims_parameter_supported: states(true),
  prompt_values_supported: async (listed: readonly string[], _, service) => {
    for (const prompt of listed) {
      assert.notEqual(await errorOf(service, { prompt }), 'invalid_request', prompt)
    }
    assert.equal(await errorOf(service, { prompt: 'create' }), 'invalid_request')
    assert.ok(!listed.includes('create'))
  },
  code_challenge_methods_supported: async (listed: readonly string[], _, service) => {
    assert.deepEqual(listed, ['S256'])
    assert.equal(await errorOf(service, { code_challenge_method: 'plain' }), 'invalid_request')
  },
  subject_types_supported: async (listed: readonly string[], metadata, service) => {
    assert.deepEqual(listed, ['public', 'pairwise'])
    if (metadata.registration_endpoint === undefined) return
    for (const type of listed) assert.ok(await registers(service, { subject_type: type }), type)
    assert.equal(await registers(service, { subject_type: 'private' }), false)
  },

  id_token_signing_alg_values_supported: algorithms('id_token_signed_response_alg'),
  userinfo_signing_alg_values_supported: algorithms('userinfo_signed_response_alg'),
  authorization_signing_alg_values_supported: algorithms('authorization_signed_response_alg'),
  introspection_signing_alg_values_supported: algorithms('introspection_signed_response_alg'),
  request_object_signing_alg_values_supported: algorithms('request_object_signing_alg', {
    jwks: { keys: [publicJwk] },
  }),
  token_endpoint_auth_signing_alg_values_supported: async (listed: readonly string[], metadata, service) => {
    const ofSecrets = ['HS512', 'HS384', 'HS256']
    assert.deepEqual(listed.slice(-3), ofSecrets)
    const keys = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [publicJwk] } }
    await algorithms('token_endpoint_auth_signing_alg', keys)(listed.slice(0, -3) as never, metadata, service)
    if (metadata.registration_endpoint === undefined) return
    for (const token_endpoint_auth_signing_alg of ofSecrets) {
      const members = { token_endpoint_auth_method: 'client_secret_jwt', token_endpoint_auth_signing_alg }
      assert.ok(await registers(service, members), token_endpoint_auth_signing_alg)
    }
  },
  revocation_endpoint_auth_signing_alg_values_supported: sameAs('token_endpoint_auth_signing_alg_values_supported'),
  introspection_endpoint_auth_signing_alg_values_supported: sameAs('token_endpoint_auth_signing_alg_values_supported'),
  dpop_signing_alg_values_supported: (listed: readonly string[]) => {
    assert.ok(listed.includes('ES256'))
    assert.deepEqual(
      listed.filter((algorithm) => /^(none|HS)/.test(algorithm)),
      [],
    )
  },

  token_endpoint_auth_methods_supported: async (listed: readonly string[], metadata, service) => {
    const certificates = metadata.tls_client_certificate_bound_access_tokens === true
    assert.deepEqual(
      [...listed].sort(),
      authenticationMethods.filter((method) => certificates || !method.includes('tls')).sort(),
    )
    if (metadata.registration_endpoint === undefined) return
    for (const method of listed) {
      const members = { token_endpoint_auth_method: method, ...authenticationNeeds[method] }
      assert.ok(await registers(service, members), method)
    }
    for (const method of ['attest_jwt_client_auth']) {
      assert.equal(await registers(service, { token_endpoint_auth_method: method }), false, method)
    }
  },
  revocation_endpoint_auth_methods_supported: sameAs('token_endpoint_auth_methods_supported'),
  introspection_endpoint_auth_methods_supported: sameAs('token_endpoint_auth_methods_supported', (methods) =>
    methods.filter((method) => method !== 'none'),
  ),
  tls_client_certificate_bound_access_tokens: states(true),
  mtls_endpoint_aliases: (aliases: Readonly<Record<string, string>>, metadata, service) => {
    const address = String(service.settings.oauth.mtls.address)
    // Every endpoint that takes a certificate, under the name and path that it has at the issuer (RFC 8705 §5).
    const taking = Object.keys(metadata).filter((name) =>
      /^(token|pushed_authorization_request|userinfo|revocation|device_authorization|introspection)_endpoint$/.test(
        name,
      ),
    )
    assert.equal(taking.length, 6)
    assert.deepEqual(
      aliases,
      Object.fromEntries(taking.map((name) => [name, String(metadata[name]).replace(service.issuer, address)])),
    )
  },

  request_parameter_supported: states(true),
  request_uri_parameter_supported: async (value: boolean, _, service) => {
    assert.equal(value, false)
    const response = await silently(service, { request_uri: 'https://client.example/request.jwt' })
    const error = response.status === 302 ? locationOf(response).searchParams.get('error') : 'a page'
    assert.ok(error === 'request_uri_not_supported' || error === 'a page', String(error))
  },
  require_request_uri_registration: states(false),
  require_pushed_authorization_requests: states(false),
  require_signed_request_object: states(false),
  authorization_response_iss_parameter_supported: async (value: boolean, { issuer }, service) => {
    assert.equal(value, true)
    assert.equal(locationOf(await silently(service, {})).searchParams.get('iss'), issuer)
  },
  // What each of these states works by the tests of their names in this folder.
  backchannel_logout_supported: states(true),
  backchannel_logout_session_supported: states(true),
  frontchannel_logout_supported: states(true),
  frontchannel_logout_session_supported: states(true),

  // Not stated today. A member that appears is checked at once.
  ui_locales_supported: canonicalLocales,
  claims_locales_supported: canonicalLocales,
  client_id_metadata_document_supported: (value: boolean, _, service) => {
    assert.equal(value, (service.settings.oauth as Metadata).clientIdMetadataDocuments)
  },
  claim_types_supported: (listed: readonly string[]) => assert.deepEqual(listed, ['normal']),
  display_values_supported: async (listed: readonly string[], _, service) => {
    for (const display of listed) assert.equal(await errorOf(service, { display }), 'login_required', display)
  },
  protected_resources: async (listed: readonly string[], { issuer }) => {
    for (const resource of listed) assert.ok(resource.startsWith(String(issuer)))
  },
}

/** What a client may not have to guess, because the defaults of these members differ between the standards. */
const alwaysStated = [
  'claims_parameter_supported',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'require_request_uri_registration',
  'scopes_supported',
  'claims_supported',
  'userinfo_endpoint',
  'prompt_values_supported',
  'acr_values_supported',
]

for (const name of ['as it is installed', 'with everything switched on']) {
  describe(`discovery of a service ${name} (oidcc-discovery-endpoint-verification)`, () => {
    const of = () => services.get(name) as NonNullable<ReturnType<typeof services.get>>

    it('has registered names alone, and nothing that this file does not check', () => {
      const members = Object.keys(of().metadata)
      assert.deepEqual(
        members.filter((member) => !registeredNames.has(member)),
        [],
      )
      assert.deepEqual(
        members.filter((member) => !(member in checks)),
        [],
      )
      assert.deepEqual(
        alwaysStated.filter((member) => !members.includes(member)),
        [],
      )
    })

    it('has no empty, repeated or null value', () => {
      for (const [member, value] of Object.entries(of().metadata)) {
        assert.ok(value !== null && value !== '', member)
        if (!Array.isArray(value)) continue
        assert.ok(value.length > 0, member)
        assert.equal(new Set(value).size, value.length, member)
      }
    })

    for (const [member, check] of Object.entries(checks)) {
      it(`is true about ${member}`, async () => {
        const { service, metadata } = of()
        if (metadata[member] !== undefined) await check(metadata[member] as never, metadata, service)
      })
    }
  })
}

describe('discovery', () => {
  it('lists nothing that is switched off', async () => {
    const { service, metadata } = services.get('as it is installed') ?? assert.fail()
    for (const member of [
      'registration_endpoint',
      'tls_client_certificate_bound_access_tokens',
      'mtls_endpoint_aliases',
    ]) {
      assert.ok(!(member in metadata), member)
    }
    assert.doesNotMatch(JSON.stringify(metadata), /ML-DSA|tls_client/)
    const { status } = await fetch(new URL('connect/register', service.issuer), { method: 'POST' })
    assert.equal(status, 404)
  })

  it('lists a scope that was registered just now', async () => {
    const { service } = services.get('as it is installed') ?? assert.fail()
    await service.storage.scopes.create(testScope('brand_new'))
    service.advance(1)
    assert.ok(((await discover(service)).scopes_supported as string[]).includes('brand_new'))
  })

  it('is one document at both addresses (RFC 8414 §5)', async () => {
    const { service, metadata } = services.get('with everything switched on') ?? assert.fail()
    const other = await fetch(new URL('.well-known/oauth-authorization-server', service.issuer))
    assert.deepEqual(await other.json(), metadata)
  })
})

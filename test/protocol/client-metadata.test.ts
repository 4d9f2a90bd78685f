/** Which values client metadata may have, and which members must be registered together. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  isRegisteredLogoutUri,
  isRegisteredRedirectUri,
} from '../../src/protocol/authorization-request/redirect-uri.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import { clientMembers, type MemberChange } from '../../src/protocol/client/client-members.ts'
import { defaultClientMetadata, metadataToText, textToMetadata } from '../../src/protocol/client/client-metadata.ts'
import { changeClient, registerClient } from '../../src/protocol/client/client-registration.ts'
import { localizedText } from '../../src/protocol/client/localized-text.ts'
import { clientRecord } from '../../src/protocol/client/records.ts'
import { isRefusal } from '../../src/refusal.ts'
import { bySecret } from '../support/clients.ts'
import { now, sampleClient } from './samples.ts'

const context = {
  registeredScopes: [],
  newSecretHash: 'new-hash',
  isLoopbackIssuer: false,
  isPostQuantum: false,
  accessTokenScope: 'array',
  nowMs: now,
} as const

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = pair.publicKey.export({ format: 'jwk' })
const jwks = { keys: [key] }

const toSet = (members: Readonly<Record<string, unknown>>): MemberChange[] =>
  Object.entries(members).map(([member, value]) => ({ member, operation: 'set', value }))

function changed(client: Client, members: Readonly<Record<string, unknown>>, change = {}): Client {
  const judged = changeClient(client, toSet(members), { ...context, ...change })
  assert.ok(!isRefusal(judged), JSON.stringify(judged))
  return judged
}

/** Returns the members at fault. */
function faults(client: Client, members: Readonly<Record<string, unknown>>, change = {}): string[] {
  const judged = changeClient(client, toSet(members), { ...context, ...change })
  assert.ok(isRefusal(judged), JSON.stringify(members))
  return [...new Set(judged.problems.map(({ member }) => member))]
}

/** A valid value of every member, other than its default. */
const valid: Readonly<Record<string, unknown>> = {
  application_type: 'native',
  token_endpoint_auth_signing_alg: 'ES256',
  jwks,
  tls_client_auth_subject_dn: 'CN=app',
  tls_client_auth_san_dns: 'app.example.com',
  tls_client_auth_san_uri: 'urn:app',
  tls_client_auth_san_ip: '192.0.2.1',
  tls_client_auth_san_email: 'app@example.com',
  id_token_signed_response_alg: 'PS256',
  userinfo_signed_response_alg: 'EdDSA',
  introspection_signed_response_alg: 'ES256',
  authorization_signed_response_alg: 'RS256',
  request_object_signing_alg: 'ES256',
  require_pushed_authorization_requests: true,
  require_signed_request_object: true,
  dpop_bound_access_tokens: true,
  tls_client_certificate_bound_access_tokens: true,
  backchannel_logout_uri: 'https://app.example.com/back',
  backchannel_logout_session_required: true,
  logout_confirmation: 'hint',
  frontchannel_logout_uri: 'https://app.example.com/front?x=1',
  frontchannel_logout_session_required: true,
  initiate_login_uri: 'https://app.example.com/start',
  default_max_age: 0,
  require_auth_time: true,
  default_acr_values: ['a', 'b'],
  client_uri: 'https://app.example.com/',
  logo_uri: 'https://app.example.com/logo.png',
  policy_uri: 'https://app.example.com/policy',
  tos_uri: 'https://app.example.com/terms',
  contacts: ['ops@example.com'],
  id_token_claims: 'requested',
  access_token_format: 'opaque',
  access_token_type: 'JWT',
  access_token_scope: 'string',
  access_token_claims: 'minimal',
  access_token_lifetime: 60,
  refresh_token_lifetime: 3600,
  refresh_token_rotation: false,
  refresh_token_scope: 'openid',
  id_token_lifetime: 90,
  session_lifetime_max: 600,
  unknown_scopes: 'ignore',
  default_scopes: ['openid'],
  resources: ['https://api.example.com/', 'urn:api', 'demo_api'],
  may_exchange: ['other'],
  role_clients: ['other', 'shop'],
  service_account_subject: 'bot-7',
  service_account_roles: ['reporter', 'shop:clerk'],
  claims: [{ claim: 'tenant', from: 'constant:7', in: ['id_token'], as: 'auto' }],
  web_origins: ['+', 'https://spa.example.com'],
  claim_shape: 'aspnet',
  subject_type: 'pairwise',
  template: 'react',
}

describe('client metadata', () => {
  it('takes each member, shows it by its name, and keeps it in storage (RFC 7591 §2)', () => {
    const client = changed(sampleClient(), valid)
    const shown = clientRecord(client, now)
    for (const [member, value] of Object.entries(valid)) {
      assert.deepEqual((shown as Record<string, unknown>)[member], value, member)
    }
    assert.deepEqual(textToMetadata(metadataToText(client.metadata)), client.metadata)
    const settable = Object.keys(clientMembers).filter((member) => Object.hasOwn(defaultClientMetadata, member))
    // A sector_identifier_uri needs its document.
    const apart = ['jwks_uri', 'profile', 'sector_identifier_uri', 'token_endpoint_auth_method']
    assert.deepEqual(new Set([...Object.keys(valid), ...apart]), new Set(settable))
    // All but `localized`, whose members have names of their own, and eight that cannot be set.
    assert.equal(settable.length, Object.keys(defaultClientMetadata).length - 9)
  })

  it('has a row for each member in the documentation', () => {
    const rows = readFileSync(new URL('../../docs/client-members.md', import.meta.url), 'utf8')
    for (const member of Object.keys(clientMembers)) assert.ok(rows.includes(`\n| \`${member}\` |`), member)
  })

  it('resets each member to its default with null', () => {
    const back = changed(
      changed(sampleClient(), valid),
      Object.fromEntries(Object.keys(valid).map((one) => [one, null])),
    )
    assert.deepEqual(back.metadata, defaultClientMetadata)
    assert.equal(metadataToText(back.metadata), null)
  })

  it('names the member whose value is of the wrong kind', () => {
    const wrong: readonly unknown[] = [{}, 1.5, '', '\n', ['x', 1], -1, 'none', 'HS256', Number.MAX_SAFE_INTEGER, [{}]]
    let refused = 0
    for (const member of [...Object.keys(valid), 'jwks_uri', 'profile', 'token_endpoint_auth_method']) {
      for (const value of wrong) {
        // Words that are valid there: a certificate's name, a method, a subject, an id.
        if (value === 'none' || value === 'HS256') {
          if (/^tls_client_auth_s|auth_method$|account_subject$|^template$/.test(member)) continue
        }
        assert.deepEqual(faults(sampleClient(), { [member]: value }), [member], `${member} ${JSON.stringify(value)}`)
        refused += 1
      }
    }
    assert.ok(refused > 400)
  })

  it('takes members with a language, and spells the language in one way (RFC 7591 §2.2)', () => {
    const client = changed(sampleClient(), { 'client_name#DE-at': 'Planer', 'tos_uri#de': 'https://a.example/de' })
    const shown = clientRecord(client, now) as Record<string, unknown>
    assert.equal(shown['client_name#de-AT'], 'Planer')
    assert.equal(shown['tos_uri#de'], 'https://a.example/de')
    const back = changed(client, { 'client_name#de-AT': null })
    assert.deepEqual(back.metadata.localized, { 'tos_uri#de': 'https://a.example/de' })
    for (const member of ['client_name#', 'client_name#x y', 'jwks#de', 'colour#de', '__proto__#de']) {
      assert.deepEqual(faults(sampleClient(), { [member]: 'x' }), [member])
    }
    assert.deepEqual(faults(sampleClient(), { 'logo_uri#de': 'javascript:alert(1)' }), ['logo_uri#de'])
  })

  it('shows texts in the language that a person prefers, if the client registered it (RFC 7591 §2.2)', () => {
    const texts = { client_name: 'Planner', 'client_name#de': 'Planer', 'client_name#fr-CA': 'Planificateur' }
    const client = changed(sampleClient(), { ...texts, policy_uri: 'https://a.example/en' })
    for (const [header, name] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'Planer'],
      ['DE', 'Planer'],
      ['fr-ca', 'Planificateur'],
      ['fr', 'Planner'],
      ['en-US,en;q=0.9,de;q=0.8', 'Planner'],
      ['en;q=0.1, de;q=0.8', 'Planer'],
      ['*', 'Planner'],
      ['', 'Planner'],
      [';q=,,__proto__;q=x', 'Planner'],
    ] as const) {
      assert.equal(localizedText(client, 'client_name', header), name, header)
    }
    assert.equal(localizedText(client, 'policy_uri', 'de'), 'https://a.example/en')
    assert.equal(localizedText(client, 'tos_uri', 'de'), null)
  })

  it('refuses private and symmetric keys, and keys that are none', () => {
    const client = sampleClient()
    const leaked = { keys: [key, pair.privateKey.export({ format: 'jwk' })] }
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
    for (const value of [
      leaked,
      { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] },
      { keys: [{ kty: 'oct' }] },
      { keys: [{ ...key, x: 'AAAA' }] },
      { keys: [rsa] },
      { keys: [] },
      { keys: [{}] },
      { keys: Array.from({ length: 21 }, () => key) },
      { keys: [{ ...key, x5c: ['x'.repeat(20_000)] }] },
      { keys: [{ ...key, kid: 7 }] },
      pair.publicKey.export({ format: 'jwk' }),
    ]) {
      assert.deepEqual(faults(client, { jwks: value }), ['jwks'])
    }
    const judged = changeClient(client, toSet({ jwks: leaked }), context)
    assert.ok(isRefusal(judged))
    assert.match(judged.problems[0]?.message ?? '', /private key material \(d\)/)
  })

  it('takes plain http only on loopback, for a loopback issuer', () => {
    const members = ['jwks_uri', 'backchannel_logout_uri', 'frontchannel_logout_uri', 'initiate_login_uri']
    for (const member of members) {
      for (const uri of [
        'http://localhost:9/x',
        'http://app.example.com/x',
        'https://u:p@a.example/',
        'https://a/#x',
      ]) {
        assert.deepEqual(faults(sampleClient(), { [member]: uri }), [member])
      }
      changed(sampleClient(), { [member]: 'http://localhost:9/x' }, { isLoopbackIssuer: true })
      assert.deepEqual(faults(sampleClient(), { [member]: 'http://a.example/' }, { isLoopbackIssuer: true }), [member])
    }
  })

  it('takes ML-DSA-65 only when the settings do', () => {
    const post = { id_token_signed_response_alg: 'ML-DSA-65' }
    assert.deepEqual(faults(sampleClient(), post), ['id_token_signed_response_alg'])
    changed(sampleClient(), post, { isPostQuantum: true })
  })

  it('gives new clients the form of scopes that the settings name', () => {
    const members = toSet({ redirect_uris: ['https://app.example.com/cb'] })
    const client = registerClient('app', members, { ...context, accessTokenScope: 'string' }, now)
    assert.ok(!isRefusal(client))
    assert.equal(client.metadata.access_token_scope, 'string')
  })
})

describe('rules across members', () => {
  const confidential = sampleClient({ authentication: bySecret('hash') })

  it('has either jwks or jwks_uri (RFC 7591 §2)', () => {
    const jwks_uri = 'https://app.example.com/keys'
    assert.deepEqual(faults(sampleClient(), { jwks, jwks_uri }), ['jwks'])
    const moved = changed(changed(sampleClient(), { jwks }), { jwks: null, jwks_uri })
    assert.equal(moved.metadata.jwks, null)
  })

  it('demands what a method needs', () => {
    for (const method of ['private_key_jwt', 'self_signed_tls_client_auth', 'tls_client_auth']) {
      assert.deepEqual(faults(sampleClient(), { token_endpoint_auth_method: method }), ['token_endpoint_auth_method'])
    }
    const client = changed(confidential, { token_endpoint_auth_method: 'private_key_jwt', jwks })
    assert.deepEqual(client.authentication, { method: 'private_key_jwt' })
    assert.deepEqual(faults(client, { jwks: null }), ['token_endpoint_auth_method'])
    const tls = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: 'app.example.com' }
    changed(confidential, tls)
    assert.deepEqual(faults(confidential, { ...tls, tls_client_auth_san_ip: '::1' }), ['tls_client_auth_san_ip'])
    assert.deepEqual(faults(confidential, { require_signed_request_object: true }), ['require_signed_request_object'])
  })

  it('keeps the secret between the header and the body, and ends it with another method', () => {
    const post = changed(confidential, { token_endpoint_auth_method: 'client_secret_post' })
    assert.deepEqual(post.authentication, confidential.authentication)
    assert.equal(clientRecord(post, now).token_endpoint_auth_method, 'client_secret_post')
    const basic = changed(post, { token_endpoint_auth_method: null })
    assert.equal(clientRecord(basic, now).token_endpoint_auth_method, 'client_secret_basic')
    const keyed = changed(post, { token_endpoint_auth_method: 'private_key_jwt', jwks })
    assert.deepEqual(changed(keyed, { token_endpoint_auth_method: null }).authentication, bySecret('new-hash'))
  })

  it('keeps refresh tokens of a public client unrotated only when they are sender-constrained (RFC 9700 §4.14.2)', () => {
    assert.deepEqual(faults(sampleClient(), { refresh_token_rotation: false }), ['refresh_token_rotation'])
    changed(sampleClient(), { refresh_token_rotation: false, dpop_bound_access_tokens: true })
    const bound = changed(sampleClient(), {
      refresh_token_rotation: false,
      tls_client_certificate_bound_access_tokens: true,
    })
    const faulty = faults(bound, { tls_client_certificate_bound_access_tokens: false })
    assert.deepEqual(faulty, ['refresh_token_rotation'])
    const authenticated = changed(confidential, { refresh_token_rotation: false })
    assert.deepEqual(faults(authenticated, { token_endpoint_auth_method: 'none' }), ['refresh_token_rotation'])
  })

  it('bounds the lifetime of id tokens by that of retired keys', () => {
    changed(sampleClient(), { id_token_lifetime: 86_400 })
    assert.deepEqual(faults(sampleClient(), { id_token_lifetime: 86_401 }), ['id_token_lifetime'])
    assert.deepEqual(faults(sampleClient(), { id_token_lifetime: 0 }), ['id_token_lifetime'])
  })

  it('has default scopes among those that it is permitted, and keeps them so', () => {
    const client = changed(sampleClient(), { scope: 'openid offline_access', default_scopes: ['offline_access'] })
    assert.deepEqual(faults(client, { scope: 'openid' }), ['default_scopes'])
    assert.deepEqual(faults(client, { default_scopes: ['offline_access', 'orders'] }), ['default_scopes'])
    assert.deepEqual(changed(client, { scope: 'openid', default_scopes: null }).metadata.default_scopes, [])
    // The scope was deleted: other changes go on.
    changed({ ...client, scopes: [] }, { client_uri: 'https://app.example.com/' })
  })

  it('has the grant type refresh_token without offline_access where openid gives refresh tokens', () => {
    const types = { scope: 'openid', grant_types: ['authorization_code', 'refresh_token'] }
    const client = changed(sampleClient(), types)
    assert.deepEqual(clientRecord(client, now).grant_types, ['authorization_code'])
    const shown = clientRecord(changed(client, { refresh_token_scope: 'openid' }), now)
    assert.deepEqual(shown.grant_types, ['authorization_code', 'refresh_token'])
  })
})

describe('profile: fapi2 (FAPI 2.0 Security Profile §5.3.2)', () => {
  const fapi = { profile: 'fapi2', token_endpoint_auth_method: 'private_key_jwt', jwks, dpop_bound_access_tokens: true }

  it('completes what the registration leaves open', () => {
    const { metadata } = changed(sampleClient(), fapi)
    assert.equal(metadata.require_pushed_authorization_requests, true)
    assert.equal(metadata.refresh_token_rotation, false)
    assert.equal(metadata.id_token_signed_response_alg, 'ES256')
    const chosen = changed(sampleClient(), { ...fapi, id_token_signed_response_alg: 'PS256' })
    assert.equal(chosen.metadata.id_token_signed_response_alg, 'PS256')
  })

  it('refuses what it forbids, also later', () => {
    const client = changed(sampleClient(), fapi)
    for (const [member, value] of [
      ['token_endpoint_auth_method', 'none'],
      ['token_endpoint_auth_method', 'client_secret_basic'],
      ['token_endpoint_auth_method', 'client_secret_post'],
      ['require_pkce', false],
      ['dpop_bound_access_tokens', false],
      ['require_pushed_authorization_requests', false],
      ['refresh_token_rotation', true],
      ['id_token_signed_response_alg', 'RS256'],
      ['id_token_signed_response_alg', null],
      ['userinfo_signed_response_alg', 'RS256'],
      ['introspection_signed_response_alg', 'RS256'],
      ['authorization_signed_response_alg', 'RS256'],
      ['request_object_signing_alg', 'RS256'],
      ['token_endpoint_auth_signing_alg', 'RS256'],
    ] as const) {
      assert.ok(faults(client, { [member]: value }).includes(member), member)
      if (value !== null) assert.ok(faults(sampleClient(), { ...fapi, [member]: value }).includes(member), member)
    }
    changed(client, { profile: 'default', refresh_token_rotation: true })
  })
})

describe('redirect URIs of native applications (RFC 8252 §7.3)', () => {
  const native = (redirectUris: string[]) =>
    sampleClient({ redirectUris, metadata: { ...defaultClientMetadata, application_type: 'native' } })
  const matches = (client: Client, uris: readonly string[]) =>
    uris.filter((uri) => isRegisteredRedirectUri(uri, client))

  it('match with any port on loopback, and exactly elsewhere', () => {
    const asked = [
      'http://127.0.0.1/cb',
      'http://127.0.0.1:1/cb',
      'http://127.0.0.1:65000/cb',
      'http://localhost:9/cb',
      'http://[::1]:9/cb',
    ]
    assert.deepEqual(matches(native(['http://127.0.0.1:8080/cb']), asked), asked.slice(0, 3))
    assert.deepEqual(matches(native(['http://localhost/cb']), asked), [asked[3]])
    assert.deepEqual(matches(native(['http://[::1]:1/cb']), asked), [asked[4]])
    const exact = ['https://app.example.com:8443/cb', 'com.example.app:/cb']
    assert.deepEqual(matches(native(['https://app.example.com/cb', 'com.example.app:/cb']), exact), [exact[1]])
    for (const uri of [
      'http://127.0.0.1:1/other',
      'http://127.0.0.1:1/cb?x=1',
      'https://127.0.0.1:1/cb',
      'http://127.0.0.1:123456/cb',
      'http://127.0.0.1:@evil.example/cb',
      'http://127.0.0.1:80.evil.example/cb',
      'http://localhost.evil.example:1/cb',
      'http://x@localhost:1/cb',
    ]) {
      assert.deepEqual(matches(native(['http://127.0.0.1/cb', 'http://localhost/cb']), [uri]), [])
    }
  })

  it('of a sign-out match in the same way', () => {
    const postLogoutRedirectUris = ['http://127.0.0.1/out', 'https://app.example.com/out']
    const app = { ...native([]), postLogoutRedirectUris }
    const web = sampleClient({ postLogoutRedirectUris })
    for (const [uri, isNative, isWeb] of [
      ['http://127.0.0.1:9/out', true, false],
      ['http://127.0.0.1/out', true, true],
      ['https://app.example.com:9/out', false, false],
      ['http://127.0.0.1:9/other', false, false],
    ] as const) {
      assert.deepEqual([isRegisteredLogoutUri(uri, app), isRegisteredLogoutUri(uri, web)], [isNative, isWeb], uri)
    }
    assert.equal(isRegisteredLogoutUri('http://127.0.0.1/out', undefined), false)
  })

  it('of a web application match character by character', () => {
    const web = sampleClient({ redirectUris: ['http://localhost:5081/cb', 'http://127.0.0.1:5081/cb'] })
    const asked = ['http://localhost:1/cb', 'http://localhost/cb', 'http://127.0.0.1:1/cb', 'http://127.0.0.1/cb']
    assert.deepEqual(matches(web, asked), [])
  })
})

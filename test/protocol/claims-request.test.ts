import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AuthorizationRequest,
  parseAuthorizationRequest,
} from '../../src/protocol/authorization-request/authorization-request.ts'
import { type AuthorizeStep, decideAuthorize } from '../../src/protocol/authorization-request/authorize.ts'
import { effectiveRequest, scopesToConsent } from '../../src/protocol/authorization-request/effective-request.ts'
import { type ClaimsRequest, parseClaimsRequest } from '../../src/protocol/claims/claims-request.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import { type ClientMetadata, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { ParameterReader } from '../../src/protocol/parameters.ts'
import { isRefusal } from '../../src/refusal.ts'
import { now, sampleClient, sampleScope, sampleUser } from './samples.ts'

const password = '1'

function read(
  claims: unknown,
  acrValues = '',
): { readonly request: ClaimsRequest; readonly fault: string | undefined } {
  const text = typeof claims === 'string' ? claims : JSON.stringify(claims)
  const reader = new ParameterReader([
    ['claims', text],
    ['acr_values', acrValues],
  ])
  return { request: parseClaimsRequest(reader), fault: reader.fault?.id }
}

describe('the claims parameter (OpenID Connect Core §5.5)', () => {
  it('reads the claims of id token and userinfo, requested by null, essential, value or values (§5.5.1)', () => {
    const { request, fault } = read({
      id_token: { email: null, phone_number: { essential: true } },
      userinfo: { name: { value: 'Jane' }, locale: { values: ['de', 'en'] }, address: {} },
    })
    assert.equal(fault, undefined)
    assert.deepEqual(
      [request.idToken, request.userinfo],
      [
        ['email', 'phone_number'],
        ['name', 'locale', 'address'],
      ],
    )
    assert.deepEqual([request.subjects, request.requiredAcr], [null, null])
  })

  it('ignores claims, members and languages that it does not know', () => {
    const claims = JSON.stringify({
      userinfo: { 'http://example.info/claims/groups': null, 'name#de': null, iss: null, nickname: { purpose: 'x' } },
      verified_claims: 1,
    })
    const { request, fault } = read(claims)
    assert.equal(fault, undefined)
    // Whether a rule sets one that is none of the standard is known of the client alone.
    assert.deepEqual(request.userinfo, ['http://example.info/claims/groups', 'name#de', 'nickname'])
    const client = clientWith({}, { scopes: ['profile'] })
    const nobody = { subjects: null, requiredAcr: null, preferredAcr: [] }
    const effective = effectiveRequest(requestWith({ claims }), client, registered).claims
    assert.deepEqual(effective, { idToken: [], userinfo: ['nickname'], ...nobody })
  })

  it('requests one user by a value of sub, and nobody if the two parts name different ones (§5.5.1)', () => {
    assert.deepEqual(read({ id_token: { sub: { value: 'a' } } }).request.subjects, ['a'])
    assert.deepEqual(read({ userinfo: { sub: { values: ['a', 'b', 1] } } }).request.subjects, ['a', 'b'])
    assert.deepEqual(read({ id_token: { sub: { essential: true } } }).request.subjects, null)
    const apart = { id_token: { sub: { value: 'a' } }, userinfo: { sub: { value: 'b' } } }
    assert.deepEqual(read(apart).request.subjects, [])
  })

  it('requires an authentication class only by an essential acr with values (§5.5.1.1)', () => {
    const acr = (request: object | null) => read({ id_token: { acr: request } }).request
    assert.deepEqual(acr({ essential: true, values: ['1', '2'] }).requiredAcr, ['1', '2'])
    assert.equal(acr({ values: ['1'] }).requiredAcr, null)
    assert.equal(acr({ essential: true }).requiredAcr, null)
    assert.deepEqual(acr(null).idToken, ['acr'])
    assert.deepEqual(read('', '1 2').request.idToken, ['acr'])
    assert.deepEqual(read({ id_token: { acr: null } }, '1').request.idToken, ['acr'])
  })

  const malformed: readonly (readonly [string, unknown])[] = [
    ['text that is no JSON', '{'],
    ['an array', []],
    ['a text', '"name"'],
    ['null', 'null'],
    ['an id_token that is an array', { id_token: [] }],
    ['a userinfo that is null', { userinfo: null }],
    ['a claim that is a text', { userinfo: { name: 'yes' } }],
    ['a claim that is true', { userinfo: { name: true } }],
    ['an essential that is a text', { userinfo: { name: { essential: 'true' } } }],
    ['values that are no array', { userinfo: { name: { values: 'a' } } }],
    ['value and values', { userinfo: { name: { value: 'a', values: ['a'] } } }],
    ['51 values', { userinfo: { name: { values: Array.from({ length: 51 }, String) } } }],
    ['101 claims', { userinfo: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`c${n}`, null])) }],
  ]
  for (const [what, claims] of malformed) {
    it(`refuses ${what} with invalid_request (ID9120)`, () => {
      const { request, fault } = read(claims)
      assert.equal(fault, 'ID9120')
      assert.deepEqual(request, { idToken: [], userinfo: [], subjects: null, requiredAcr: null, preferredAcr: [] })
    })
  }

  it('refuses more than 4096 characters, and takes deep nesting for what it is', () => {
    assert.equal(read(`{"userinfo":{"name":${' '.repeat(4096)}null}}`).fault, 'ID9002')
    const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    assert.equal(read(`{"userinfo":{"name":${deep(600)}}}`).fault, undefined)
    assert.equal(read('['.repeat(4000)).fault, 'ID9120')
  })

  it('takes names of object prototypes as unknown claims, and the last of a repeated name', () => {
    const text =
      '{"__proto__":{"id_token":{"email":null}},"constructor":1,"userinfo":{"__proto__":{"essential":true},"toString":null}}'
    assert.deepEqual(read(text), {
      request: {
        idToken: [],
        userinfo: ['__proto__', 'toString'],
        subjects: null,
        requiredAcr: null,
        preferredAcr: [],
      },
      fault: undefined,
    })
    const effective = effectiveRequest(requestWith({ claims: text }), clientWith({}), registered)
    assert.deepEqual(effective.claims.userinfo, [])
    assert.equal(({} as { essential?: boolean }).essential, undefined)
    const twice = '{"userinfo":{"email":null},"userinfo":{"name":null}}'
    assert.deepEqual(read(twice).request.userinfo, ['name'])
    const inherited = '{"userinfo":{"name":{"__proto__":{"essential":"x","values":1}}}}'
    assert.equal(read(inherited).fault, undefined)
  })
})

function requestWith(change: Readonly<Record<string, string>>): AuthorizationRequest {
  const parameters = { client_id: 'demo', redirect_uri: 'http://localhost:5081/callback', response_type: 'code' }
  const parsed = parseAuthorizationRequest(Object.entries({ ...parameters, scope: 'openid', ...change }))
  assert.ok(!isRefusal(parsed))
  return parsed
}

function clientWith(metadata: Partial<ClientMetadata>, change: Partial<Client> = {}): Client {
  return sampleClient({ metadata: { ...defaultClientMetadata, ...metadata }, ...change })
}

const registered = ['profile', 'email', 'demo_api'].map((name) => sampleScope(name))

describe('a request under the rules of its client (OpenID Connect Registration §2)', () => {
  it('leaves out claims whose scope the client may not request or that is not registered', () => {
    const claims = JSON.stringify({
      userinfo: { name: null, email: null, phone_number: null },
      id_token: { acr: null },
    })
    const client = clientWith({}, { scopes: ['email', 'phone'] })
    const effective = effectiveRequest(requestWith({ claims }), client, registered)
    assert.deepEqual([effective.claims.idToken, effective.claims.userinfo], [['acr'], ['email']])
    assert.deepEqual(scopesToConsent(effective), ['openid', 'email'])
  })

  it('asks for consent to the scope of a claim wherever the claim is returned (OpenID Connect Core §5.5)', () => {
    const client = clientWith({}, { scopes: ['email', 'profile'] })
    for (const where of ['id_token', 'userinfo']) {
      const claims = JSON.stringify({ [where]: { email: null } })
      assert.deepEqual(scopesToConsent(effectiveRequest(requestWith({ claims }), client, registered)), [
        'openid',
        'email',
      ])
    }
  })

  it('gives no claims to a request without the scope openid', () => {
    const request = requestWith({ scope: 'demo_api', claims: '{"userinfo":{"email":null}}', acr_values: '1' })
    const { claims } = effectiveRequest(request, clientWith({}, { scopes: ['email', 'demo_api'] }), registered)
    assert.deepEqual(claims, { idToken: [], userinfo: [], subjects: null, requiredAcr: null, preferredAcr: ['1'] })
  })

  it('applies default_max_age to requests without max_age, and session_lifetime_max to all', () => {
    const maxAge = (metadata: Partial<ClientMetadata>, change = {}) =>
      effectiveRequest(requestWith(change), clientWith(metadata), []).maxAgeSeconds
    assert.equal(maxAge({}), null)
    assert.equal(maxAge({ default_max_age: 60 }), 60)
    assert.equal(maxAge({ default_max_age: 60 }, { max_age: '90' }), 90)
    assert.equal(maxAge({ session_lifetime_max: 30 }), 30)
    assert.equal(maxAge({ session_lifetime_max: 30, default_max_age: 60 }), 30)
    assert.equal(maxAge({ session_lifetime_max: 30 }, { max_age: '90' }), 30)
    assert.equal(maxAge({ session_lifetime_max: 30 }, { max_age: '0' }), 0)
  })

  it('requests acr for clients with default_acr_values', () => {
    const { claims } = effectiveRequest(requestWith({}), clientWith({ default_acr_values: ['1'] }), [])
    assert.deepEqual(claims.idToken, ['acr'])
  })

  it('leaves out unknown and forbidden scopes for clients with unknown_scopes=ignore', () => {
    const request = requestWith({ scope: 'openid profile email groups offline_access' })
    const scopes = ['email', 'groups', 'offline_access']
    const ignoring = clientWith({ unknown_scopes: 'ignore' }, { scopes })
    assert.deepEqual(effectiveRequest(request, ignoring, registered).scopes, ['openid', 'email', 'offline_access'])
    assert.deepEqual(effectiveRequest(request, clientWith({}, { scopes }), registered).scopes, request.scopes)
  })
})

describe('the next step of a request that names a user or a class by claims', () => {
  const { id: userId } = sampleUser()
  const next = (change: Readonly<Record<string, string>>, facts: object = {}): AuthorizeStep =>
    decideAuthorize(
      requestWith(change),
      sampleClient({ consent: 'implicit' }),
      {
        authentication: { userId, authenticatedAtMs: now - 1000, acr: password, ...facts },
        authorization: undefined,
        challengedAtMs: undefined,
        hint: undefined,
        ...facts,
      },
      'none',
      now,
    )
  const nextOf = (step: AuthorizeStep) => (isRefusal(step) ? step.reason : step.next)
  const sub = (value: string) => ({ claims: JSON.stringify({ id_token: { sub: { value } } }) })
  const acr = (...values: string[]) => ({ claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }) })
  const afterwards = { challengedAtMs: now - 2000 }

  it('answers for the named user alone: another one may sign in once, and is then refused', () => {
    assert.equal(nextOf(next(sub(userId))), 'code')
    assert.deepEqual(next(sub('another')), { next: 'login', challenge: true, why: 'another' })
    assert.equal(nextOf(next(sub('another'), afterwards)), 'claims_name_another')
    assert.equal(nextOf(next({ ...sub('another'), prompt: 'none' })), 'claims_name_another')
    assert.equal(nextOf(next({ claims: '{"id_token":{"sub":{"values":[]}}}' })), 'claims_name_another')
  })

  it('requires an essential class: unmet_authentication_requirements where no sign-in can reach it', () => {
    assert.equal(nextOf(next(acr('x', password))), 'code')
    const external = { authentication: { userId, authenticatedAtMs: now - 1000 } }
    assert.deepEqual(next(acr(password), external), { next: 'login', challenge: true, why: 'another' })
    assert.equal(nextOf(next(acr(password), { ...external, ...afterwards })), 'acr_unmet')
    assert.equal(nextOf(next(acr('x'), external)), 'acr_unmet')
    const unreachable = next(acr('x'))
    assert.equal(isRefusal(unreachable) ? unreachable.error : '', 'unmet_authentication_requirements')
    assert.equal(nextOf(next({ acr_values: 'x' })), 'code')
  })
})

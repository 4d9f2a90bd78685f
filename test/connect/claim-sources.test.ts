/** Every source and form of a rule in the tokens of a sign-in, and who gets rules of a scope alone. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClaimRule } from '../../src/protocol/claims/claim-rules.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import type { Group } from '../../src/users/groups.ts'
import { adminProgram } from '../support/admin.ts'
import { declareAttributes } from '../support/attributes.ts'
import { Browser, claimsOf, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { register } from '../support/registration.ts'
import { addClient, changeUser, serviceForFile, testScope, userNamed } from '../support/service.ts'

const api = 'https://api.example/'
const service = await serviceForFile({
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'orders',
})
const { storage } = service
const rule = (claim: string, from: string, change: Partial<ClaimRule> = {}): ClaimRule => ({
  ...{ claim, from, in: ['id_token', 'access_token', 'userinfo', 'introspection'], as: 'auto' },
  ...change,
})
await declareAttributes(
  storage,
  { name: 'department' },
  { name: 'teams', many: true },
  { name: 'level', type: 'integer' },
  { name: 'remote', type: 'boolean' },
  { name: 'settings' },
  { name: 'unset' },
)
const rules = [
  rule('department', 'attribute:department'),
  rule('teams', 'attribute:teams'),
  rule('team', 'attribute:teams', { as: 'first' }),
  rule('all_teams', 'attribute:teams', { as: 'joined' }),
  rule('departments', 'attribute:department', { as: 'list' }),
  rule('level', 'attribute:level'),
  rule('level_text', 'attribute:level', { as: 'text' }),
  rule('remote', 'attribute:remote'),
  rule('settings', 'attribute:settings', { as: 'json' }),
  rule('no_json', 'attribute:department', { as: 'json' }),
  rule('none', 'attribute:unset', { as: 'list' }),
  rule('mail', 'claim:email'),
  rule('language', 'claim:locale'),
  rule('full_name', 'claim:name'),
  rule('realm_access.roles', 'roles'),
  rule('resource_access.app.roles', 'roles:app'),
  rule('groups', 'groups'),
  rule('group_names', 'groups:names', { as: 'joined' }),
  rule('login', 'username'),
  rule('uid', 'id'),
  rule('since', 'created_at'),
  rule('application', 'client_id'),
  rule('org\\.unit', 'constant:{"region":"eu","tiers":[1,null]}'),
  rule('https://acme.example/plan', 'constant:"gold"'),
  // Logout tokens have it as well, and userinfo takes the access token nevertheless.
  rule('events', 'constant:["hired"]'),
]
await storage.scopes.create(testScope('orders', { resources: [api], claims: rules }))
for (const name of ['profile', 'roles']) await storage.scopes.create(testScope(name))
const granted = ['orders', 'profile', 'roles']
await addClient(service, { id: 'app', consent: 'implicit', scopes: granted })
await addClient(service, {
  ...{ id: 'api', authentication: bySecret(hashSecret('secret')) },
  metadata: { ...defaultClientMetadata, resources: [api] },
})
const group = (id: string, parentId: string | null, roles: readonly string[]): Group => ({
  ...{ id, name: id, parentId, description: null, roles, createdAtMs: 1, version: 1 },
})
for (const after of [group('staff', null, ['employee']), group('berlin', 'staff', ['app:buyer'])]) {
  await storage.groups.change(() => ({ changes: [{ id: after.id, after }] }))
}
const { id, createdAtMs } = await userNamed(service, 'alice')
await storage.groups.addMembers('berlin', [id])
await changeUser(service, 'alice', {
  claims: { name: 'Alice Example', preferred_username: 'ally' },
  attributes: { department: 'Sales', teams: ['b', 'a'], level: 7, remote: false, settings: '{"theme":"dark"}' },
})

async function tokensOf(client: string, scope: string) {
  const browser = await Browser.signedIn(service)
  const asked = { client_id: client, scope }
  const code = await obtainCode(browser, asked)
  const { status, body } = await postToken(service, codeFields(code, { client_id: client }))
  assert.equal(status, 200, JSON.stringify(body))
  const headers = { authorization: `Bearer ${body.access_token}` }
  const userinfo = await (await fetch(new URL('connect/userinfo', service.issuer), { headers })).json()
  const asking = { token: body.access_token, client_id: 'api', client_secret: 'secret' }
  const introspected = await postToken(service, asking, {}, 'connect/introspect')
  return {
    id_token: claimsOf(body.id_token),
    access_token: claimsOf(body.access_token),
    userinfo: userinfo as Readonly<Record<string, unknown>>,
    introspection: introspected.body as Readonly<Record<string, unknown>>,
  }
}
/** The first segments of what rules set, of those that are there. */
const ruledIn = (claims: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in claims).map((name) => [name, claims[name]]))

describe('every source of a rule', () => {
  it('is read for each token in the form that the rule says, and what has no value is left out', async () => {
    const found = await tokensOf('app', 'openid orders')
    const expected = {
      ...{ department: 'Sales', teams: ['b', 'a'], team: 'b', all_teams: 'b a', departments: ['Sales'] },
      ...{ level: 7, level_text: '7', remote: false, settings: { theme: 'dark' } },
      ...{ mail: 'alice@example.com', full_name: 'Alice Example' },
      realm_access: { roles: ['admin', 'app:buyer', 'employee'] },
      resource_access: { app: { roles: ['buyer'] } },
      ...{ groups: ['/staff/berlin'], group_names: 'berlin', login: 'alice', uid: id },
      ...{ since: new Date(createdAtMs).toISOString(), application: 'app' },
      ...{ 'org.unit': { region: 'eu', tiers: [1, null] }, 'https://acme.example/plan': 'gold' },
      events: ['hired'],
    }
    const names = [...Object.keys(expected), 'no_json', 'none', 'language', 'org\\.unit']
    for (const place of ['id_token', 'access_token', 'userinfo', 'introspection'] as const) {
      assert.deepEqual(ruledIn(found[place], names), expected, place)
    }
  })

  it('is in the preview as it is in the tokens, with the rule of each claim', async () => {
    const admin = await adminProgram(service)
    const found = await tokensOf('app', 'openid orders')
    const asked = { user: 'alice', scope: 'openid orders', resource: api }
    const { body } = await admin.post('/clients/app/preview', asked)
    const names = [...new Set(rules.map(({ claim }) => claim.replace('\\', '')))]
    for (const place of ['id_token', 'access_token', 'userinfo', 'introspection'] as const) {
      const { claims, rules: told, left_out } = body[place]
      const segments = [...names, 'realm_access', 'resource_access']
      assert.deepEqual(ruledIn(claims, segments), ruledIn(found[place], segments), place)
      const unset = [
        ['none', 'no value'],
        ['language', 'no value'],
        ['no_json', 'no JSON'],
      ] as const
      assert.deepEqual(new Map(left_out.map((one: Record<string, string>) => [one.claim, one.why])), new Map(unset))
      assert.equal(told.length, rules.length - unset.length, place)
      const team = told.find((one: Record<string, string>) => one.claim === 'team')
      assert.deepEqual(team, { claim: 'team', from: 'attribute:teams', scope: 'orders' })
    }
  })

  it('gives a name its one value in each place but access tokens, which have the user name', async () => {
    await storage.scopes.create(
      testScope('names', {
        resources: [api],
        claims: [
          rule('name', 'claim:name', { in: ['introspection'] }),
          rule('preferred_username', 'claim:preferred_username', { in: ['introspection'] }),
        ],
      }),
    )
    await addClient(service, { id: 'names', consent: 'implicit', scopes: [...granted, 'names'] })
    const found = await tokensOf('names', 'openid profile names')
    const names = (place: keyof typeof found) => [found[place].name, found[place].preferred_username]
    for (const place of ['id_token', 'userinfo', 'introspection'] as const) {
      assert.deepEqual(names(place), ['Alice Example', 'ally'], place)
    }
    assert.deepEqual(names('access_token'), ['alice', 'alice'])
  })
})

describe('what introspection says', () => {
  it('is never that a token is active or of which type, whatever a rule says', async () => {
    const claims = [rule('active', 'constant:false'), rule('token_type', 'constant:"N_A"')]
    await storage.scopes.create(testScope('stale', { resources: [api], claims }))
    const metadata = { ...defaultClientMetadata, access_token_format: 'opaque' as const }
    for (const [id, more] of [
      ['stale', {}],
      ['stale-opaque', { metadata }],
    ] as const) {
      await addClient(service, { id, consent: 'implicit', scopes: ['stale'], ...more })
      const browser = await Browser.signedIn(service)
      const code = await obtainCode(browser, { client_id: id, scope: 'openid stale' })
      const { body } = await postToken(service, codeFields(code, { client_id: id }))
      assert.equal(claimsOf(body.id_token).active, false)
      const asking = { token: body.access_token, client_id: 'api', client_secret: 'secret' }
      const { active, token_type } = (await postToken(service, asking, {}, 'connect/introspect')).body
      assert.deepEqual([active, token_type], [true, 'Bearer'], id)
    }
  })
})

describe('rules without places of their own', () => {
  it('of a scope or client are in userinfo, and in id tokens unless these have requested claims alone', async () => {
    const claims = [rule('tenant', 'constant:7', { in: null })]
    await storage.scopes.create(testScope('desk', { claims: [rule('desk', 'constant:"A 4"', { in: null })] }))
    for (const [id, id_token_claims] of [
      ['by-scopes', 'scopes'],
      ['by-request', 'requested'],
    ] as const) {
      const metadata = { ...defaultClientMetadata, id_token_claims, claims }
      await addClient(service, { id, consent: 'implicit', scopes: ['desk'], metadata })
      const { id_token, access_token, userinfo } = await tokensOf(id, 'openid desk')
      const both = { tenant: 7, desk: 'A 4' }
      const names = Object.keys(both)
      assert.deepEqual(ruledIn(id_token, names), id_token_claims === 'scopes' ? both : {}, id)
      assert.deepEqual([ruledIn(access_token, names), ruledIn(userinfo, names)], [{}, both], id)
      assert.deepEqual(ruledIn((await tokensOf(id, 'openid')).userinfo, names), { tenant: 7 }, id)
    }
  })
})

describe('a client that registered itself', () => {
  it('gets the rules of its scopes alone: none of its own, by whomever, and none of resources', async () => {
    const resource = { identifier: api, claims: [rule('of_resource', 'roles')], version: 1 }
    await storage.resources.change(() => ({ changes: [{ identifier: api, after: resource }] }))
    const claims = [{ claim: 'own', from: 'username', in: ['id_token'] }]
    const asked = { redirect_uris: ['http://localhost:5081/callback'], token_endpoint_auth_method: 'none' }
    const refused = await register(service, { ...asked, claims })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_client_metadata'])
    const { body } = await register(service, asked)
    const browser = await Browser.signedIn(service)
    await browser.allow({ client_id: body.client_id, scope: 'openid orders' })
    const found = await tokensOf(body.client_id, 'openid orders')
    for (const place of ['id_token', 'access_token', 'userinfo', 'introspection'] as const) {
      assert.deepEqual(ruledIn(found[place], ['department', 'of_resource']), { department: 'Sales' }, place)
    }
    const { access_token } = await tokensOf('app', 'openid orders')
    assert.deepEqual(access_token.of_resource, ['admin', 'app:buyer', 'employee'])
    const admin = await adminProgram(service, ['admin:clients'])
    const given = await admin.patch(`/clients/${body.client_id}`, { claims })
    assert.deepEqual([given.status, given.body.errors?.[0].path], [400, '/claims'])
    assert.match(given.body.detail, /those of its scopes alone/)
    assert.equal((await admin.patch(`/clients/${body.client_id}`, { client_name: 'Another' })).status, 200)
    await storage.resources.change(() => ({ changes: [{ identifier: api, after: undefined }] }))
  })
})

describe('an access token that would be too long', () => {
  it('leaves out the largest values one after another until it fits, groups aside, and the log names each', async () => {
    const sizes = { small: 500, middle: 3000, large: 3500, largest: 4000 }
    const values = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, name.padEnd(size, 'x')]))
    const names = Object.keys(sizes)
    await declareAttributes(storage, ...names.map((name) => ({ name, max: 4096 })))
    const { attributes } = await userNamed(service, 'alice')
    await changeUser(service, 'alice', { attributes: { ...attributes, ...values } })
    const ofAccess = (name: string) => rule(name, `attribute:${name}`, { in: ['access_token'] })
    const longRules = ['large', 'small', 'largest', 'middle'].map(ofAccess)
    await storage.scopes.create(testScope('long', { resources: [api], claims: longRules }))
    await addClient(service, { id: 'long', consent: 'implicit', scopes: ['long'] })
    const { access_token } = await tokensOf('long', 'openid long')
    const { small, middle } = values
    assert.deepEqual(ruledIn(access_token, [...names, 'groups_overage']), { small, middle })
    const warned = service.log.filter(({ msg }) => String(msg).startsWith('a claim was left out of an access token'))
    assert.deepEqual(
      warned.map(({ claim }) => claim),
      ['largest', 'large'],
    )
  })

  it('says nothing of groups where the person is in none', async () => {
    await storage.groups.removeMember('berlin', id)
    await storage.scopes.update('long', (scope) => ({
      ...scope,
      claims: [...scope.claims, rule('groups', 'groups', { in: ['access_token'] })],
    }))
    const { access_token } = await tokensOf('long', 'openid long')
    assert.deepEqual(
      [access_token.groups_overage, access_token.large, access_token.middle !== undefined],
      [undefined, undefined, true],
    )
    const told = service.log.filter(({ claim }) => claim === 'groups')
    assert.deepEqual(told, [])
  })
})

/** `latchkey import keycloak`: what tokens of an application say, and for whom, as its mappers and scopes did there. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { find, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'

type Members = Readonly<Record<string, unknown>>

const everywhere = { 'id.token.claim': 'true', 'access.token.claim': 'true', 'userinfo.token.claim': 'true' }
const mapper = (type: string, config: Members, name = type): Members => ({
  ...{ name, protocol: 'openid-connect', protocolMapper: `oidc-${type}-mapper`, config: { ...everywhere, ...config } },
})
const field = (attribute: string, claim: string) =>
  mapper('usermodel-attribute', { 'user.attribute': attribute, 'claim.name': claim, 'jsonType.label': 'String' }, claim)
const profile = {
  ...{ name: 'profile', protocol: 'openid-connect' },
  protocolMappers: [
    ...[mapper('full-name', {}), field('firstName', 'given_name'), field('updatedAt', 'updated_at')],
    ...[field('website', 'website'), field('nickname', 'nickname')],
  ],
}
const web = (id: string, more: Members = {}): Members => ({
  ...{ clientId: id, protocol: 'openid-connect', secret: `${id}-secret-0123456789-abcdefghij`, attributes: {} },
  ...{ redirectUris: ['https://app.example/cb'], defaultClientScopes: ['profile', 'acr'], optionalClientScopes: [] },
  ...more,
})
const realmOf = (clients: readonly Members[], more: Members = {}) =>
  JSON.stringify({ realm: 'acme', clientScopes: [profile], clients, ...more })

const clientAt = (at: Workplace, id: string) =>
  at.withStorage(async ({ clients }) => (await clients.find(id)) ?? assert.fail(id))
const scopeAt = (at: Workplace, name: string) =>
  at.withStorage(async ({ scopes }) => (await scopes.findMany([name]))[0] ?? assert.fail(name))
const of = ({ findings }: Result, source: string) => findings.filter((one) => one.source === source)

describe('latchkey import keycloak, applications', () => {
  it('puts what an audience mapper of one names into aud by a scope of its own, which it has unasked', async (t) => {
    const audience = (config: Members) => mapper('audience', config)
    const api = audience({ 'included.client.audience': 'api', 'id.token.claim': 'false' })
    const address = audience({ 'included.custom.audience': 'https://api.example', 'access.token.claim': 'false' })
    const files = { 'realm.json': realmOf([web('shop', { protocolMappers: [api, address] }), web('plain')]) }
    const at = placeWith(t, files)
    const found = await result(at, 'keycloak realm.json')
    assert.deepEqual((await scopeAt(at, 'shop-audience')).resources, ['api'])
    const shop = await clientAt(at, 'shop')
    assert.deepEqual(shop.scopes, ['profile', 'shop-audience'])
    assert.deepEqual(shop.metadata.default_scopes, ['profile', 'shop-audience'])
    assert.deepEqual(
      of(found, 'shop: audience').map(({ member, severity }) => [member, severity]),
      [
        ['oidc-audience-mapper', 'changed'],
        ['id.token.claim', 'changed'],
      ],
    )
    assert.deepEqual((await clientAt(at, 'plain')).scopes, ['profile'])
  })

  it('puts what mappers of a standard scope hand over into each token, but for what the shape has', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf([web('shop')]) })
    await result(at, 'keycloak realm.json')
    const { claims, displayName } = await scopeAt(at, 'profile')
    assert.deepEqual(
      claims.map(({ claim, from, in: places }) => [claim, from, places?.join()]),
      ['website', 'nickname'].map((name) => [name, `claim:${name}`, 'id_token,access_token,userinfo']),
    )
    assert.equal(displayName, 'Your profile')
    // Every token there names a class.
    assert.deepEqual((await clientAt(at, 'shop')).metadata.default_acr_values, ['1'])
  })

  it('leaves a standard scope as it is that is here already, and says which rules it lacks, unless it is told to update', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf([web('shop')]) })
    await at.json('scope add profile --display-name Mine')
    await at.json(
      'scope claim add profile nickname --from claim:nickname --as first --in id_token --in access_token --in userinfo',
    )
    const found = await result(at, 'keycloak realm.json')
    const [lacking, ...others] = of(found, 'profile')
    assert.deepEqual([lacking?.severity, others.length], ['lost', 0])
    assert.equal(
      lacking?.command,
      'latchkey scope claim add --in id_token --in access_token --in userinfo --as first --from claim:website profile website',
    )
    assert.equal((await scopeAt(at, 'profile')).claims.length, 1)
    assert.deepEqual(of(await result(at, 'keycloak realm.json --on-conflict update'), 'profile'), [])
    const { claims, displayName } = await scopeAt(at, 'profile')
    assert.deepEqual([claims.map(({ claim }) => claim), displayName], [['nickname', 'website'], 'Mine'])
    assert.deepEqual(of(await result(at, 'keycloak realm.json --on-conflict skip'), 'profile'), [])
  })

  it('come without a scope whose claims conflict with those of another that they may have, and are named', async (t) => {
    const scope = (name: string, from: string) => ({ name, protocolMappers: [field(from, 'team')] })
    const clientScopes = [profile, scope('one', 'website'), scope('two', 'nickname')]
    const shop = web('shop', { defaultClientScopes: ['profile', 'one'], optionalClientScopes: ['two'] })
    const at = placeWith(t, { 'realm.json': realmOf([shop], { clientScopes }) })
    const found = await result(at, 'keycloak realm.json')
    const { scopes, metadata } = await clientAt(at, 'shop')
    assert.deepEqual(
      [scopes, metadata.default_scopes],
      [
        ['profile', 'one'],
        ['profile', 'one'],
      ],
    )
    const [lost] = of(found, 'shop').filter(({ severity, member }) => severity === 'lost' && member.includes('Scopes'))
    assert.match(lost?.reason ?? '', /two does not come: team of the scope one and team of the scope two/)
  })

  it('take any port on this machine where their addresses have none, and no other port where one has', async (t) => {
    const mobile = web('mobile', { publicClient: true, redirectUris: ['http://localhost/cb', 'com.acme.app:/cb'] })
    const mixed = web('mixed', { redirectUris: ['http://localhost/cb', 'http://127.0.0.1:7201/cb'] })
    const at = placeWith(t, { 'realm.json': realmOf([mobile, mixed, web('server')]) })
    await result(at, 'keycloak realm.json')
    for (const [id, type] of [
      ['mobile', 'native'],
      ['mixed', 'web'],
      ['server', 'web'],
    ] as const) {
      assert.equal((await clientAt(at, id)).metadata.application_type, type, id)
    }
  })

  it('have refresh tokens on devices', async (t) => {
    const attributes = { 'oauth2.device.authorization.grant.enabled': 'true' }
    const tv = web('tv', { publicClient: true, standardFlowEnabled: false, redirectUris: [], attributes })
    const at = placeWith(t, { 'realm.json': realmOf([tv]) })
    await result(at, 'keycloak realm.json')
    assert.deepEqual((await clientAt(at, 'tv')).grantTypes, [
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ])
  })

  it('ask nobody again who agreed there, to what rules of the scopes hand over either', async (t) => {
    const clientConsents = [{ clientId: 'shop', grantedClientScopes: ['profile', 'roles'] }]
    const users = [{ id: 'id-ann', username: 'ann', email: 'ann@example.com', clientConsents }]
    const at = placeWith(t, { 'realm.json': realmOf([web('shop', { consentRequired: true })], { users }) })
    await result(at, 'keycloak realm.json')
    const ann = await find(at, 'ann')
    const [given] = await at.withStorage(({ authorizations }) => authorizations.list(ann.id))
    assert.deepEqual(
      [given?.scopes, given?.claims],
      [
        ['openid', 'profile'],
        ['nickname claim:nickname', 'website claim:website'],
      ],
    )
  })
})

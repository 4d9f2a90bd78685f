/** Shapes of other systems: what tokens of a client have for applications that were written for one (claims and groups, section 4). */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ClaimShape } from '../../src/protocol/claims/shapes.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { verifyIdTokenHint } from '../../src/tokens/verify.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  fetchWithToken,
  headerOf,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { type Counts, countedStorage } from '../support/counted-storage.ts'
import { addClient, type ClientChange, changeUser, startService, testScope } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

const api = 'https://api.shop.example'
const secret = 's3cret'
const exchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange'
const asked: Counts = { reads: 0, commits: 0 }
const service = await startService({}, { storage: await countedStorage(asked, await openInMemory()) })
after(() => service.stop())
const { storage } = service
for (const name of ['profile', 'email', 'roles']) await storage.scopes.create(testScope(name))
await storage.scopes.create(testScope('orders', { resources: [api] }))
const scopes = ['offline_access', 'profile', 'email', 'roles', 'orders', 'demo_api']
const common = { consent: 'implicit', scopes } as const
const shaped = (id: string, claim_shape: ClaimShape, change: ClientChange = {}) =>
  addClient(service, { id, ...common, ...change, metadata: { claim_shape, ...change.metadata } })
await shaped('web', 'keycloak')
await shaped('net', 'aspnet')
await addClient(service, { id: 'plain', ...common })
const authentication = bySecret(hashSecret(secret))
await addClient(service, { id: 'shop', authentication, metadata: { resources: [api] } })
await addClient(service, { id: 'inspector', authentication, metadata: { resources: [api, service.issuer] } })
await addClient(service, { id: 'other', authentication })
await changeUser(service, 'alice', {
  roles: ['admin', 'clerk', 'web:editor', 'shop:packer', 'other:auditor', 'ward:nurse'],
  claims: { name: 'Alice Example', given_name: 'Alice', family_name: 'Example', preferred_username: 'ally' },
})

const all = 'openid offline_access profile email roles'

async function tokens(client: string, scope = all, more: Readonly<Record<string, string>> = {}) {
  const code = await obtainCode(new Browser(service), { client_id: client, scope, ...more })
  const { status, body } = await postToken(service, codeFields(code, { client_id: client }))
  assert.equal(status, 200)
  return body
}
async function userinfo(token: string): Promise<Record<string, unknown>> {
  const response = await fetchWithToken(service, 'connect/userinfo', token)
  assert.equal(response.status, 200)
  return (await response.json()) as Record<string, unknown>
}
const introspected = async (token: string) =>
  (await postToken(service, { token, client_id: 'inspector', client_secret: secret }, {}, 'connect/introspect')).body
const exchanged = (token: string, client: string) =>
  postToken(service, {
    grant_type: exchangeType,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    client_id: client,
    client_secret: secret,
  })

describe('the shape keycloak', () => {
  it('has roles by client, the person by scope, and what that system calls kind, party, session and scope', async () => {
    const issued = await tokens('web')
    const [access, id] = [claimsOf(issued.access_token), claimsOf(issued.id_token)]
    const person = {
      preferred_username: 'alice',
      name: 'Alice Example',
      given_name: 'Alice',
      family_name: 'Example',
      email: 'alice@example.com',
      email_verified: true,
    }
    const answer = await userinfo(issued.access_token)
    for (const told of [access, id, answer]) {
      assert.deepEqual(told.realm_access, { roles: ['admin', 'clerk', 'ward:nurse'] })
      assert.deepEqual(told.resource_access, { web: { roles: ['editor'] } })
      assert.deepEqual(Object.fromEntries(Object.keys(person).map((name) => [name, told[name]])), person)
    }
    assert.deepEqual([access.typ, access.azp, access.scope], ['Bearer', 'web', all])
    assert.deepEqual([id.typ, id.azp, id.scope], ['ID', 'web', undefined])
    assert.deepEqual([answer.typ, answer.azp, answer.sid], [undefined, undefined, undefined])
    assert.match(access.sid, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(id.sid, access.sid)
    assert.equal(headerOf(issued.access_token).typ, 'JWT')
    const { body } = await postToken(service, refreshFields(issued.refresh_token, { client_id: 'web' }))
    assert.deepEqual(claimsOf(body.access_token).realm_access, access.realm_access)
    assert.equal(claimsOf(body.access_token).sid, access.sid)
  })

  it('says of the person what the scopes ask for, and nothing of roles that there are not', async () => {
    await changeUser(service, 'alice', { roles: [] })
    const issued = await tokens('web', 'openid email')
    for (const told of [
      claimsOf(issued.access_token),
      claimsOf(issued.id_token),
      await userinfo(issued.access_token),
    ]) {
      assert.deepEqual([told.email, told.email_verified], ['alice@example.com', true])
      for (const absent of ['name', 'preferred_username', 'given_name', 'realm_access', 'resource_access']) {
        assert.ok(!(absent in told), absent)
      }
    }
    await changeUser(service, 'alice', {
      roles: ['admin', 'clerk', 'web:editor', 'shop:packer', 'other:auditor', 'ward:nurse'],
    })
  })

  it('has in access tokens the roles of clients whose resources they are for, and of no other', async () => {
    const issued = await tokens('web', 'openid orders')
    const access = claimsOf(issued.access_token)
    assert.deepEqual([access.aud, access.scope], [api, 'openid orders'])
    assert.deepEqual(access.resource_access, { web: { roles: ['editor'] }, shop: { roles: ['packer'] } })
    assert.deepEqual(claimsOf(issued.id_token).resource_access, { web: { roles: ['editor'] } })
  })

  it('wins over the form of scopes and the type of access tokens, whoever says them', async () => {
    const typed = 'https://typed.example'
    await storage.scopes.create(testScope('typed', { resources: [typed], accessTokenType: 'at+jwt' }))
    const metadata = { access_token_scope: 'array', access_token_type: 'at+jwt' } as const
    await shaped('strict', 'keycloak', { scopes: ['typed'], metadata })
    const { access_token: token } = await tokens('strict', 'openid typed')
    const { aud, scope } = claimsOf(token)
    assert.deepEqual([headerOf(token).typ, aud, scope], ['JWT', typed, 'openid typed'])
  })

  it('leaves id tokens what the request asks for where id_token_claims is requested, the user name included', async () => {
    await shaped('asking', 'keycloak', { metadata: { id_token_claims: 'requested' } })
    const claims = JSON.stringify({ id_token: { preferred_username: null } })
    const id = claimsOf((await tokens('asking', all, { claims })).id_token)
    assert.deepEqual(
      [id.preferred_username, id.name, id.email, id.realm_access],
      ['alice', ...Array(3).fill(undefined)],
    )
    assert.equal(id.typ, 'ID')
  })

  it('makes access tokens that this service accepts as its others', async () => {
    const { access_token: token } = await tokens('web', 'openid demo_api')
    assert.equal((await fetchWithToken(service, 'weatherforecast', token)).status, 200)
    assert.equal((await userinfo(token)).sub, claimsOf(token).sub)
    const told = await introspected(token)
    assert.deepEqual([told.active, told.scope], [true, 'openid demo_api'])
    await shaped('party', 'keycloak', {
      authentication,
      grantTypes: [exchangeType],
      metadata: { may_exchange: ['web'] },
    })
    const { status, body } = await exchanged(token, 'party')
    assert.equal(status, 200)
    const narrower = claimsOf(body.access_token)
    assert.deepEqual([narrower.typ, narrower.azp, narrower.sid], ['Bearer', 'party', claimsOf(token).sid])
    assert.equal((await fetchWithToken(service, 'weatherforecast', body.access_token)).status, 200)
    const revoked = await postToken(service, { token, client_id: 'web' }, {}, 'connect/revocation')
    assert.equal(revoked.status, 200)
    assert.equal((await fetchWithToken(service, 'weatherforecast', token)).status, 401)
  })

  it('says in an exchanged token nothing of the person that the first one did not show, opaque or not (RFC 8693)', async () => {
    await addClient(service, { id: 'quiet', ...common, metadata: { access_token_claims: 'minimal' } })
    await addClient(service, { id: 'told', ...common })
    for (const access_token_format of ['jwt', 'opaque'] as const) {
      const id = `exchanging-${access_token_format}`
      const metadata = { may_exchange: ['quiet', 'told'], access_token_format }
      await shaped(id, 'keycloak', { authentication, grantTypes: [exchangeType], metadata })
      const { access_token: first } = await tokens('quiet', `${all} demo_api`)
      const { status, body } = await exchanged(first, id)
      assert.equal(status, 200)
      const isOpaque = access_token_format === 'opaque'
      const quiet = isOpaque ? await introspected(body.access_token) : claimsOf(body.access_token)
      assert.equal(quiet.azp, id)
      for (const absent of ['realm_access', 'resource_access', 'preferred_username', 'name', 'given_name', 'email']) {
        assert.ok(!(absent in quiet), `${access_token_format}: ${absent}`)
      }
    }
    const { access_token: first } = await tokens('told', `${all} demo_api`)
    const told = claimsOf((await exchanged(first, 'exchanging-jwt')).body.access_token)
    assert.deepEqual(told.realm_access, { roles: ['admin', 'clerk', 'ward:nurse'] })
    assert.deepEqual([told.preferred_username, told.email], ['alice', 'alice@example.com'])
    assert.equal(told.given_name, undefined)
  })

  it('is in what a client gets for itself, as far as that is about no person', async () => {
    const grantTypes = ['client_credentials'] as const
    await shaped('batch', 'keycloak', { authentication, grantTypes, redirectUris: [] })
    const fields = { grant_type: 'client_credentials', client_id: 'batch', client_secret: secret, scope: 'orders' }
    const { body } = await postToken(service, fields)
    const access = claimsOf(body.access_token)
    assert.equal(headerOf(body.access_token).typ, 'JWT')
    assert.deepEqual([access.typ, access.azp, access.scope], ['Bearer', 'batch', 'orders'])
    for (const absent of ['sid', 'realm_access', 'preferred_username']) assert.ok(!(absent in access), absent)
    assert.equal((await introspected(body.access_token)).active, true)
  })

  it('is told of opaque access tokens at introspection', async () => {
    await shaped('opaque', 'keycloak', { metadata: { access_token_format: 'opaque' } })
    const issued = await tokens('opaque', 'openid profile orders')
    const told = await introspected(issued.access_token)
    assert.deepEqual([told.active, told.typ, told.azp], [true, 'Bearer', 'opaque'])
    assert.match(told.sid, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(told.sid, claimsOf(issued.id_token).sid)
    assert.deepEqual(told.realm_access, { roles: ['admin', 'clerk', 'ward:nurse'] })
    assert.deepEqual(told.resource_access, { shop: { roles: ['packer'] } })
  })

  it('makes refresh tokens whose payload is read as that of a JWT, with one spelling in either form', async () => {
    const { refresh_token: token } = await tokens('web')
    const { typ, jti } = claimsOf(token)
    assert.equal(typ, 'Refresh')
    const [header, payload = '', tail = ''] = token.split('.')
    const spelled = `{"typ": "Refresh","jti":"${jti}"}`
    for (const other of [
      [header, Buffer.from(spelled).toString('base64url'), tail].join('.'),
      [header, `${payload}=`, tail].join('.'),
      [header, payload, `${tail.slice(0, -1)}${tail.endsWith('A') ? 'E' : 'A'}`].join('.'),
      [header, payload, tail, ''].join('.'),
    ]) {
      const { status, body } = await postToken(service, refreshFields(other, { client_id: 'web' }))
      assert.deepEqual([status, body.error], [400, 'invalid_grant'], other)
    }
    const usual = `${jti}.${tail}`
    const { status, body } = await postToken(service, refreshFields(usual, { client_id: 'web' }))
    assert.equal(status, 200)
    assert.equal(claimsOf(body.refresh_token).jti, jti.replace(/\.0$/, '.1'))
    const revoked = { token: body.refresh_token, client_id: 'web' }
    assert.equal((await postToken(service, revoked, {}, 'connect/revocation')).status, 200)
    const ended = await postToken(service, refreshFields(body.refresh_token, { client_id: 'web' }))
    assert.deepEqual([ended.status, ended.body.error], [400, 'invalid_grant'])
  })
})

describe('an access token whose header says JWT', () => {
  it('is told from every other JWT of this service: no id token, userinfo or response is taken for one (RFC 9068 §4)', async () => {
    await shaped('signed', 'keycloak', { metadata: { userinfo_signed_response_alg: 'ES256' } })
    for (const client of ['signed', 'net', 'plain']) {
      const issued = await tokens(client, 'openid demo_api profile roles')
      const answer = await fetchWithToken(service, 'connect/userinfo', issued.access_token)
      const others = [issued.id_token, ...(client === 'signed' ? [await answer.text()] : [])]
      for (const other of others) {
        assert.equal(headerOf(other).typ, 'JWT')
        for (const path of ['connect/userinfo', 'weatherforecast', 'admin/api/v1/clients']) {
          assert.equal((await fetchWithToken(service, path, other)).status, 401, `${client}: ${path}`)
        }
        assert.deepEqual(await introspected(other), { active: false })
        const { status, body } = await exchanged(other, 'party')
        assert.deepEqual([status, body.error], [400, 'invalid_request'])
      }
    }
  })

  it('is no id_token_hint (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2)', async () => {
    const browser = new Browser(service)
    const code = await obtainCode(browser, { client_id: 'web', scope: 'openid' })
    const { body } = await postToken(service, codeFields(code, { client_id: 'web' }))
    const asks = async (hint: string) =>
      locationOf(
        await browser.get(authorizePath({ client_id: 'web', scope: 'openid', prompt: 'none', id_token_hint: hint })),
      ).searchParams
    assert.ok((await asks(body.id_token)).has('code'))
    assert.equal((await asks(body.access_token)).get('error'), 'login_required')
    const hinted = (token: string) => verifyIdTokenHint(token, service.keys, service.issuer)
    assert.equal((await hinted(body.id_token))?.audience, 'web')
    assert.equal(await hinted(body.access_token), undefined)
  })
})

describe('the shape aspnet', () => {
  const identity = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
  const role = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role'

  it('has beside the short names those that the JWT handler of the framework maps them to', async () => {
    const issued = await tokens('net')
    const [access, id] = [claimsOf(issued.access_token), claimsOf(issued.id_token)]
    for (const told of [access, id, await userinfo(issued.access_token)]) {
      assert.equal(told[`${identity}nameidentifier`], told.sub)
      assert.equal(told[`${identity}name`], 'Alice Example')
      assert.equal(told[`${identity}emailaddress`], told.email)
      assert.deepEqual(told[role], told.role)
      assert.deepEqual(told[role], ['admin', 'clerk', 'ward:nurse'])
    }
    assert.deepEqual([access.name, headerOf(issued.access_token).typ], ['alice', 'at+jwt'])
    assert.deepEqual(access.scope, all.split(' '))
    for (const client of ['net', 'plain']) {
      const { refresh_token, access_token } = await tokens(client)
      assert.match(refresh_token, /^[0-9a-f-]{36}\.0\./)
      assert.deepEqual([headerOf(access_token).typ, claimsOf(access_token).scope], ['at+jwt', all.split(' ')])
    }
  })

  it('gives the handler one value of each of its types, whether it maps short names to them or not', async () => {
    // What JwtSecurityTokenHandler.DefaultInboundClaimTypeMap has for these types; the framework itself does not run here.
    const map: Readonly<Record<string, string>> = {
      sub: `${identity}nameidentifier`,
      unique_name: `${identity}name`,
      email: `${identity}emailaddress`,
      role,
    }
    const issued = await tokens('net')
    for (const token of [issued.access_token, issued.id_token]) {
      const claims: Readonly<Record<string, unknown>> = claimsOf(token)
      for (const isMapped of [true, false]) {
        const found = Object.entries(claims).flatMap(([name, value]) =>
          [value].flat().map((one) => ({ type: (isMapped && map[name]) || name, value: one })),
        )
        const ofType = (type: string) => [
          ...new Set(found.filter((one) => one.type === type).map(({ value }) => value)),
        ]
        assert.deepEqual(ofType(`${identity}nameidentifier`), [claims.sub])
        assert.deepEqual(ofType(`${identity}name`), ['Alice Example'])
        assert.deepEqual(ofType(`${identity}emailaddress`), ['alice@example.com'])
        assert.deepEqual(ofType(role), ['admin', 'clerk', 'ward:nurse'])
      }
    }
  })

  it('says by the long names no more than by the short ones', async () => {
    await shaped('least', 'aspnet', { metadata: { access_token_claims: 'minimal' } })
    const issued = await tokens('least', 'openid')
    for (const told of [
      claimsOf(issued.access_token),
      claimsOf(issued.id_token),
      await userinfo(issued.access_token),
    ]) {
      assert.equal(told[`${identity}nameidentifier`], told.sub)
      for (const absent of [`${identity}name`, `${identity}emailaddress`, role]) assert.ok(!(absent in told), absent)
    }
  })

  it('has the full name in access tokens where a scope hands it over, else the user name', async () => {
    const [least, whole] = [await tokens('net', 'openid'), await tokens('net', 'openid profile')]
    const named = (token: string) => claimsOf(token)[`${identity}name`]
    assert.deepEqual([named(least.access_token), named(least.id_token)], ['alice', undefined])
    assert.deepEqual([named(whole.access_token), named(whole.id_token)], ['Alice Example', 'Alice Example'])
  })

  it('repeats what a rule of an operator put under the short name', async () => {
    const claims = [{ claim: 'role', from: 'roles:ruled', in: ['access_token'], as: 'list' }] as const
    await shaped('ruled', 'aspnet', { metadata: { claims } })
    await changeUser(service, 'alice', { roles: ['admin', 'ruled:writer'] })
    const access = claimsOf((await tokens('ruled')).access_token)
    assert.deepEqual([access.role, access[role]], [['writer'], ['writer']])
  })
})

describe('a client with a shape', () => {
  it('costs no statement more', async () => {
    const counted = async (work: () => Promise<unknown>) => {
      Object.assign(asked, { reads: 0, commits: 0 })
      await work()
      return { ...asked }
    }
    const code = await obtainCode(new Browser(service), { client_id: 'web', scope: all })
    let body = {} as Awaited<ReturnType<typeof tokens>>
    const redeem = async () => {
      body = (await postToken(service, codeFields(code, { client_id: 'web' }))).body
    }
    assert.deepEqual(await counted(redeem), { reads: 1, commits: 1 })
    const refresh = () => postToken(service, refreshFields(body.refresh_token, { client_id: 'web' }))
    assert.deepEqual(await counted(refresh), { reads: 1, commits: 1 })
    assert.deepEqual(await counted(() => userinfo(body.access_token)), { reads: 1, commits: 0 })
    assert.deepEqual(await counted(() => introspected(body.access_token)), { reads: 1, commits: 0 })
  })

  it('has access tokens of at most 8,192 characters: role is left out first, then the roles of the shape', async () => {
    const left = async (client: string, count: number, prefix = '') => {
      const roles = Array.from({ length: count }, (_, at) => `${prefix}role-${'r'.repeat(40)}-${at}`)
      await changeUser(service, 'alice', { roles })
      const from = service.log.length
      const { access_token: token } = await tokens(client, 'openid profile')
      assert.ok(token.length <= 8192, `${token.length}`)
      const warned = service.log.slice(from).filter(({ msg }) => String(msg).startsWith('a claim was left out'))
      return { access: claimsOf(token), claims: warned.map(({ claim }) => claim) }
    }
    const repeated = await left('web', 80)
    assert.deepEqual([repeated.claims, repeated.access.role], [['role'], undefined])
    assert.equal(repeated.access.realm_access.roles.length, 80)
    const grown = await left('web', 130)
    assert.deepEqual([grown.claims, 'realm_access' in grown.access], [['role', 'realm_access.roles'], false])
    assert.deepEqual([grown.access.typ, grown.access.preferred_username], ['Bearer', 'alice'])
    const ofClient = await left('web', 130, 'web:')
    assert.deepEqual([ofClient.claims, 'resource_access' in ofClient.access], [['role', 'resource_access'], false])
    const long = await left('net', 80)
    assert.deepEqual(
      [long.claims, long.access.role.length],
      [['http://schemas.microsoft.com/ws/2008/06/identity/claims/role'], 80],
    )
  })

  it('learns roles by the scope roles alone where no operator registered it (claims and groups, section 3)', async () => {
    await changeUser(service, 'alice', { roles: ['admin', 'clerk'] })
    for (const registration of ['token', 'open'] as const) {
      const id = `self-${registration}`
      await shaped(id, 'keycloak', { metadata: { registration } })
      const { access_token: without } = await tokens(id, 'openid profile')
      for (const told of [claimsOf(without), await userinfo(without)]) {
        assert.equal(told.preferred_username, 'alice')
        assert.ok(!('realm_access' in told) && !('resource_access' in told), registration)
      }
      const { access_token: token } = await tokens(id, 'openid roles')
      assert.deepEqual(claimsOf(token).realm_access, { roles: ['admin', 'clerk'] })
    }
  })

  it('did not choose it: a registration by the client itself is refused with one', async () => {
    await using open = await startService({ OAuth__DynamicRegistration: 'open' })
    const registered = async (claim_shape: string) => {
      const response = await fetch(new URL('connect/register', open.issuer), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['https://app.example/cb'], claim_shape }),
      })
      return { status: response.status, ...((await response.json()) as { error?: string; claim_shape?: string }) }
    }
    const { status, error } = await registered('keycloak')
    assert.deepEqual([status, error], [400, 'invalid_client_metadata'])
    assert.equal((await registered('plain')).status, 201)
  })
})

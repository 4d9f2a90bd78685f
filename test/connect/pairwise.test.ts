/** `subject_type` pairwise: what people are called, everywhere (OpenID Connect Core §8, connections, section 5). */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openKeyRing } from '../../src/keys/ring.ts'
import { rotateKeys } from '../../src/keys/rotate.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { subjectFor } from '../../src/tokens/subject.ts'
import { adminProgram } from '../support/admin.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  deviceGrant,
  exchangeGrant,
  fetchWithToken,
  locationOf,
  postToken,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { relyingParty, senderOf } from '../support/relying-party.ts'
import { addClient, addUser, type ClientChange, serviceForFile, testScope } from '../support/service.ts'

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
const service = await serviceForFile({ Keys__MasterKey: Buffer.alloc(32, 1).toString('base64') })
const { storage } = service
const scope = 'openid offline_access'
const secret = { authentication: bySecret(hashSecret('s')) } as const
const browsers: Record<string, Browser> = {}
const ids: Record<string, string> = {}

const pairwise = (id: string, sector: string | null, change: ClientChange = {}): Promise<unknown> =>
  addClient(service, {
    ...{ id, consent: 'implicit', scopes: ['offline_access', 'demo_api', 'profile', 'told'] },
    ...change,
    metadata: { subject_type: 'pairwise', sector_identifier: sector, ...change.metadata },
  })

before(async () => {
  const told = { claim: 'person', from: 'id', in: ['id_token', 'access_token', 'userinfo'], as: 'auto' } as const
  await storage.scopes.create(testScope('told', { claims: [told] }))
  await storage.scopes.create(testScope('profile'))
  const grantTypes = ['authorization_code', 'refresh_token', deviceGrant, exchangeGrant] as const
  await pairwise('shop', 'shop.example', { ...secret, grantTypes })
  await pairwise('shop-app', 'shop.example', { metadata: { claim_shape: 'aspnet' } })
  await pairwise('bank', 'bank.example', { metadata: { access_token_format: 'opaque' } })
  await pairwise('lone', null)
  await pairwise('worker', 'worker.example', {
    ...{ ...secret, grantTypes: [exchangeGrant], redirectUris: [] },
    metadata: { may_exchange: ['shop'] },
  })
  await addClient(service, { id: 'plain', consent: 'implicit' })
  for (const name of ['gina', 'hugo']) {
    ids[name] = (await addUser(service, name)).id
    browsers[name] = await Browser.signedIn(service, { username: name })
  }
})

const of = (name: string): Browser => browsers[name] ?? assert.fail(name)
const idOf = (name: string): string => ids[name] ?? assert.fail(name)
const withSecret = (client: string) => (['shop', 'worker'].includes(client) ? { client_secret: 's' } : {})
const answerOf = async (name: string, client: string, change: Record<string, string> = {}): Promise<URL> =>
  locationOf(await of(name).get(authorizePath({ client_id: client, scope, ...change })))
async function tokensOf(name: string, client: string, change: Record<string, string> = {}) {
  const answer = await answerOf(name, client, change)
  const code = answer.searchParams.get('code') ?? assert.fail(answer.href)
  return (await postToken(service, codeFields(code, { client_id: client, ...withSecret(client) }))).body
}
const refreshed = async (client: string, token: string) => {
  const fields = { grant_type: 'refresh_token', client_id: client, refresh_token: token, ...withSecret(client) }
  return (await postToken(service, fields)).body
}
const userinfo = async (token: string) => (await fetchWithToken(service, 'connect/userinfo', token)).json()
const introspected = async (token: string, client = 'shop') =>
  (await postToken(service, { token, client_id: client, client_secret: 's' }, {}, 'connect/introspect')).body
const subOf = async (name: string, client: string): Promise<string> =>
  claimsOf((await tokensOf(name, client)).id_token).sub
const exchange = async (token: string, client: string) => {
  const fields = { grant_type: exchangeGrant, client_id: client, client_secret: 's', subject_token: token }
  return (await postToken(service, { ...fields, subject_token_type: accessTokenType })).body
}

describe('a pairwise client (OpenID Connect Core §8.1)', () => {
  it('is told one name of a person everywhere, which is not the id', async () => {
    const tokens = await tokensOf('gina', 'shop')
    const { sub } = claimsOf(tokens.id_token)
    assert.match(sub, /^[\w-]{43}$/)
    assert.equal(claimsOf(tokens.access_token).sub, sub)
    assert.equal(((await userinfo(tokens.access_token)) as { sub: string }).sub, sub)
    assert.equal((await introspected(tokens.access_token)).sub, sub)
    assert.equal((await introspected(tokens.refresh_token)).sub, sub)
    const next = await refreshed('shop', tokens.refresh_token)
    assert.deepEqual([claimsOf(next.id_token).sub, claimsOf(next.access_token).sub], [sub, sub])
    assert.equal(await subOf('gina', 'shop'), sub, 'at the next sign-in, too')
    assert.notEqual(await subOf('hugo', 'shop'), sub)
    assert.equal(await subOf('gina', 'plain'), idOf('gina'), 'a public client is told the id')
  })

  it('shares it with those of its sector, and with no other', async () => {
    const names = await Promise.all(['shop', 'shop-app', 'bank', 'lone'].map((client) => subOf('gina', client)))
    assert.equal(names[0], names[1])
    assert.equal(new Set([...names, idOf('gina')]).size, 4)
  })

  it('is told the same after a restart and a rotation of keys, by every process', async () => {
    const sub = await subOf('gina', 'shop')
    const clock = () => service.now()
    const added = await rotateKeys({ storage, settings: service.settings, clock })
    assert.ok(added.length > 0 && added.every(({ use }) => use !== 'pairwise'))
    service.advance(3600)
    await service.keys.refresh(0)
    browsers.gina = await Browser.signedIn(service, { username: 'gina' })
    browsers.hugo = await Browser.signedIn(service, { username: 'hugo' })
    assert.equal(await subOf('gina', 'shop'), sub)
    const other = await openKeyRing({ storage, settings: service.settings, clock })
    const shop = (await storage.clients.find('shop')) ?? assert.fail()
    assert.equal(subjectFor(other, shop, { id: idOf('gina') }), sub)
    const kept = (await storage.keys.list()).filter(({ use }) => use === 'pairwise')
    assert.deepEqual(
      kept.map(({ expiresAtMs, publicJwk }) => [expiresAtMs, publicJwk]),
      [[null, null]],
    )
    assert.ok(!service.keys.keySet().includes(kept[0]?.id ?? ''))
  })

  it('with opaque access tokens is told the same', async () => {
    const tokens = await tokensOf('gina', 'bank')
    const { sub } = claimsOf(tokens.id_token)
    assert.equal(((await userinfo(tokens.access_token)) as { sub: string }).sub, sub)
    assert.ok(!tokens.access_token.includes(idOf('gina')))
  })

  it('finds the id in nothing that it gets: rules, shapes, userinfo and introspection', async () => {
    for (const client of ['shop', 'shop-app', 'lone']) {
      const tokens = await tokensOf('gina', client, { scope: 'openid profile told offline_access' })
      const seen = [
        claimsOf(tokens.id_token),
        claimsOf(tokens.access_token),
        await userinfo(tokens.access_token),
        tokens.refresh_token,
        client === 'shop' ? await introspected(tokens.access_token) : {},
      ]
      assert.equal((seen[0] as { person: string }).person, (seen[0] as { sub: string }).sub)
      const text = JSON.stringify(seen)
      assert.ok(!text.includes(idOf('gina')), text)
    }
  })

  it('is told names that are the same everywhere for their scopes alone, in access tokens and at introspection', async () => {
    const bare = await tokensOf('gina', 'shop')
    const { name, preferred_username, email, role } = claimsOf(bare.access_token)
    assert.deepEqual([name, preferred_username, email, role], [undefined, undefined, undefined, undefined])
    assert.equal((await introspected(bare.access_token)).username, undefined)
    const full = await tokensOf('gina', 'shop', { scope: 'openid profile' })
    assert.equal(claimsOf(full.access_token).preferred_username, 'gina')
    assert.equal((await introspected(full.access_token)).username, 'gina')
  })

  it('is told it on devices, too (RFC 8628)', async () => {
    const client = { client_id: 'shop', client_secret: 's' }
    const begun = (await postToken(service, { ...client, scope }, {}, 'connect/device')).body
    await of('gina').submit('/Account/Device', { user_code: begun.user_code, 'submit.Accept': 'Yes' })
    service.advance(10)
    const tokens = await postToken(service, { ...client, grant_type: deviceGrant, device_code: begun.device_code })
    assert.equal(claimsOf(tokens.body.id_token).sub, await subOf('gina', 'shop'))
  })

  it('is told its own after an exchange, and no other of the person (RFC 8693)', async () => {
    const tokens = await tokensOf('gina', 'shop')
    const exchanged = await exchange(tokens.access_token, 'worker')
    const worker = (await storage.clients.find('worker')) ?? assert.fail()
    const expected = subjectFor(service.keys, worker, { id: idOf('gina') })
    assert.equal(claimsOf(exchanged.access_token).sub, expected)
    assert.equal(((await userinfo(exchanged.access_token)) as { sub: string }).sub, expected)
    assert.equal((await introspected(exchanged.access_token, 'worker')).sub, expected)
  })

  it('is previewed as it is told', async () => {
    const admin = await adminProgram(service, ['admin:clients'], { id: 'previewing' })
    const { body } = await admin.post('/clients/shop/preview', { user: 'gina', scope: 'openid told' })
    const sub = await subOf('gina', 'shop')
    assert.deepEqual(
      [body.id_token.claims.sub, body.access_token.claims.sub, body.userinfo.claims.sub],
      [sub, sub, sub],
    )
    assert.equal(body.introspection.claims.sub, sub)
    assert.equal(body.id_token.claims.person, sub)
  })

  it('is told it in logout tokens, without sub once the person is gone (Back-Channel Logout §2.4)', async () => {
    const rp = await relyingParty()
    try {
      await pairwise('leaving', 'leaving.example', { metadata: { backchannel_logout_uri: `${rp.origin}/logout` } })
      const sender = senderOf(service)
      const told = async () => {
        await sender.drain()
        const { form } = rp.received.shift() ?? assert.fail('no logout token')
        return claimsOf(form.get('logout_token') ?? '')
      }
      const { id } = await addUser(service, 'iris')
      browsers.iris = await Browser.signedIn(service, { username: 'iris' })
      const sub = await subOf('iris', 'leaving')
      await of('iris').submit('/connect/logout', { Confirm: 'Yes' })
      const first = await told()
      assert.deepEqual([first.sub, typeof first.sid], [sub, 'string'])
      browsers.iris = await Browser.signedIn(service, { username: 'iris' })
      await subOf('iris', 'leaving')
      await storage.users.delete(id)
      const second = await told()
      assert.deepEqual([second.sub, typeof second.sid], [undefined, 'string'])
    } finally {
      await rp.close()
    }
  })

  it('is announced in discovery', async () => {
    const metadata = await fetch(new URL('.well-known/openid-configuration', service.issuer))
    const { subject_types_supported: types } = (await metadata.json()) as { subject_types_supported: string[] }
    assert.deepEqual(types, ['public', 'pairwise'])
  })
})

describe('a pairwise value that an import brought', () => {
  it('comes first, for the client before its sector', async () => {
    assert.equal(await storage.pairwiseSubjects.store(idOf('hugo'), { 'shop.example': 'old-shop' }), 'stored')
    assert.deepEqual([await subOf('hugo', 'shop'), await subOf('hugo', 'shop-app')], ['old-shop', 'old-shop'])
    assert.match(await subOf('hugo', 'bank'), /^[\w-]{43}$/)
    await storage.pairwiseSubjects.store(idOf('hugo'), { 'client:shop-app': 'old-app' })
    assert.deepEqual([await subOf('hugo', 'shop'), await subOf('hugo', 'shop-app')], ['old-shop', 'old-app'])
    const tokens = await tokensOf('hugo', 'shop')
    const next = await refreshed('shop', tokens.refresh_token)
    assert.equal(((await userinfo(next.access_token)) as { sub: string }).sub, 'old-shop')
    assert.equal((await introspected(next.refresh_token)).sub, 'old-shop')
  })
})

describe('a pairwise value that comes back', () => {
  it('as id_token_hint and as a requested sub names the person, and no one else (OpenID Connect Core §3.1.2.1, §5.5.1)', async () => {
    const [own, others] = [(await tokensOf('gina', 'shop')).id_token, (await tokensOf('hugo', 'shop')).id_token]
    const answered = async (change: Record<string, string>) => {
      const { searchParams } = await answerOf('gina', 'shop', { prompt: 'none', ...change })
      return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : undefined)
    }
    assert.equal(await answered({ id_token_hint: own }), 'code')
    assert.equal(await answered({ id_token_hint: others }), 'login_required')
    const asking = (sub: string) => ({ claims: JSON.stringify({ id_token: { sub: { value: sub } } }) })
    assert.equal(await answered(asking(claimsOf(own).sub)), 'code')
    assert.equal(await answered(asking(claimsOf(others).sub)), 'login_required')
    // Otherwise a client could find out whose id it was told elsewhere.
    assert.equal(await answered(asking(idOf('gina'))), 'login_required')
  })

  it('as a hint from before the client was pairwise counts', async () => {
    const hint = (await tokensOf('gina', 'plain')).id_token
    await storage.clients.update('plain', (client) => ({
      ...client,
      metadata: { ...client.metadata, subject_type: 'pairwise' },
    }))
    const answer = await answerOf('gina', 'plain', { prompt: 'none', id_token_hint: hint })
    assert.ok(answer.searchParams.get('code'), answer.href)
  })

  it('in an access token that is revoked is recorded as the id of the person', async () => {
    const { access_token: token } = await tokensOf('gina', 'shop')
    await postToken(service, { token, client_id: 'shop', client_secret: 's' }, {}, 'connect/revocation')
    assert.equal((await fetchWithToken(service, 'connect/userinfo', token)).status, 401)
    assert.deepEqual(await introspected(token), { active: false })
    await storage.audit.flush()
    const [entry] = await storage.audit.list({ kind: 'token_revoked' }, undefined, 1)
    assert.deepEqual([entry?.userId, entry?.details.jti], [idOf('gina'), claimsOf(token).jti])
    const issued = await storage.audit.list({ kind: 'tokens_issued', clientId: 'shop' }, undefined, 5)
    assert.ok(issued.every(({ userId }) => userId === idOf('gina') || userId === idOf('hugo')))
  })
})

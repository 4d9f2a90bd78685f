/** Token exchange (RFC 8693): narrower access tokens from access tokens of this service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import type { Client } from '../../src/protocol/client/client.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { Browser, claimsOf, codeFields, fetchWithToken, postToken, type TokenAnswer } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { DpopKey } from '../support/dpop.ts'
import { addClient, addUser, serviceForFile, testClient, testScope } from '../support/service.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessToken = 'urn:ietf:params:oauth:token-type:access_token'
const secret = 'backend-secret'
const [orders, invoices] = ['https://orders.example/', 'https://invoices.example/']

const server = (id: string, mayExchange: readonly string[], change: Partial<Client> = {}): Client =>
  testClient({
    id,
    authentication: bySecret(hashSecret(secret)),
    grantTypes: [grantType, 'client_credentials'],
    redirectUris: [],
    scopes: ['orders_read', 'invoices_read', 'offline_access'],
    metadata: { may_exchange: mayExchange },
    ...change,
  })

const service = await serviceForFile()
const { clients, scopes } = service.storage
await scopes.create(testScope('orders_read', { resources: [orders] }))
await scopes.create(testScope('orders_write', { resources: [orders] }))
await scopes.create(testScope('invoices_read', { resources: [invoices] }))
const shopScopes = ['orders_read', 'orders_write', 'invoices_read', 'offline_access']
await addClient(service, { id: 'shop', consent: 'implicit', scopes: shopScopes })
await clients.create(server('backend', ['shop', 'batch']))
await clients.create(server('deeper', ['backend']))
await clients.create(server('batch', []))
await clients.create(server('unrelated', []))
await addUser(service, 'bob')

const all = 'openid orders_read orders_write invoices_read'

/** The tokens of a sign-in at `shop`. */
async function signedIn(scope = all, username = 'alice') {
  const browser = await Browser.signedIn(service, { username })
  const code = await browser.allowedCode({ client_id: 'shop', scope })
  return (await postToken(service, codeFields(code, { client_id: 'shop' }))).body
}
const ofClient = async (id: string, scope = 'orders_read'): Promise<string> => {
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope }
  return (await postToken(service, fields)).body.access_token
}
const exchange = (
  subjectToken: string,
  change: Readonly<Record<string, string>> = {},
  more: ReadonlyArray<readonly [string, string]> = [],
): Promise<TokenAnswer> =>
  postToken(service, [
    ...Object.entries({
      grant_type: grantType,
      client_id: 'backend',
      client_secret: secret,
      subject_token: subjectToken,
      subject_token_type: accessToken,
      ...change,
    }),
    ...more,
  ])
const userinfo = async (token: string): Promise<number> =>
  (await fetchWithToken(service, 'connect/userinfo', token)).status

const introspected = async (token: string, client_id: string) =>
  (await postToken(service, { token, client_id, client_secret: secret }, {}, 'connect/introspect')).body

function assertRefused(answer: TokenAnswer, error: string, id: string, status = 400): void {
  assert.deepEqual([answer.status, answer.body.error], [status, error])
  assert.match(answer.body.error_uri, new RegExp(`#${id}$`))
}

describe('an exchange (RFC 8693 §2)', () => {
  it('gives an access token of the same user, for the client that exchanged it, with what that client may have', async () => {
    const subject = await signedIn()
    const { status, headers, body } = await exchange(subject.access_token)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const members = ['access_token', 'expires_in', 'issued_token_type', 'scope', 'token_type']
    assert.deepEqual(Object.keys(body).sort(), members)
    assert.deepEqual([body.issued_token_type, body.token_type], [accessToken, 'Bearer'])
    assert.equal(body.scope, 'openid orders_read invoices_read')
    const [before, after] = [claimsOf(subject.access_token), claimsOf(body.access_token)]
    assert.deepEqual([after.sub, after.grant_id, after.auth_time], [before.sub, before.grant_id, before.auth_time])
    assert.deepEqual([after.client_id, after.aud], ['backend', [invoices, orders]])
    assert.deepEqual(after.act, { sub: 'backend' })
    assert.notEqual(after.jti, before.jti)
    assert.equal(await userinfo(body.access_token), 200)
  })

  it('narrows scope and audience as requested (§2.1)', async () => {
    const { access_token } = await signedIn()
    const { body } = await exchange(access_token, { scope: 'orders_read', requested_token_type: accessToken })
    assert.deepEqual([body.scope, claimsOf(body.access_token).aud], ['orders_read', orders])
    for (const name of ['resource', 'audience']) {
      const narrowed = await exchange(access_token, { [name]: invoices })
      assert.equal(claimsOf(narrowed.body.access_token).aud, invoices)
    }
    const both = await exchange(access_token, {}, [
      ['resource', orders],
      ['resource', invoices],
    ])
    assert.deepEqual(claimsOf(both.body.access_token).aud, [invoices, orders])
  })

  it('never gives more scopes than the subject token has, nor than the client may request', async () => {
    const { access_token } = await signedIn('openid orders_read orders_write offline_access')
    for (const scope of ['invoices_read', 'orders_write', 'orders_read orders_write', 'offline_access', 'nothing']) {
      assertRefused(await exchange(access_token, { scope }), 'invalid_scope', 'ID9230')
    }
    assert.equal((await exchange(access_token)).body.scope, 'openid orders_read')
  })

  it('never gives an audience that the subject token does not have', async () => {
    const { access_token } = await signedIn('openid orders_read')
    for (const target of [invoices, service.issuer, 'https://other.example/', `${orders}x`]) {
      assertRefused(await exchange(access_token, { resource: target }), 'invalid_target', 'ID9231')
      assertRefused(await exchange(access_token, { audience: target }), 'invalid_target', 'ID9231')
    }
    const narrowed = (await exchange((await signedIn()).access_token, { resource: orders })).body.access_token
    assertRefused(await exchange(narrowed, { resource: invoices }), 'invalid_target', 'ID9231')
    // Without a resource the audience is the issuer, whose sample API is narrower.
    const plain = await signedIn('openid')
    const sample = `${service.issuer}weatherforecast`
    assert.equal(claimsOf((await exchange(plain.access_token, { resource: sample })).body.access_token).aud, sample)
  })

  it('never gives an audience to which no scope of the client leads, asked for or not (RFC 8707 §2)', async () => {
    const audienceOf = (token: string) => [claimsOf(token).aud].flat()
    await service.storage.clients.create(server('narrow', ['shop'], { scopes: ['orders_read'] }))
    await service.storage.clients.create(server('bare', ['shop'], { scopes: [] }))
    const { access_token } = await signedIn()
    assert.deepEqual(audienceOf(access_token), [invoices, orders])
    const alone = await exchange(access_token, { client_id: 'narrow' })
    assert.deepEqual([alone.body.scope, audienceOf(alone.body.access_token)], ['openid orders_read', [orders]])
    for (const name of ['resource', 'audience']) {
      assertRefused(await exchange(access_token, { client_id: 'narrow', [name]: invoices }), 'invalid_target', 'ID9231')
      const scope = 'openid'
      assertRefused(await exchange(access_token, { scope, [name]: orders }), 'invalid_target', 'ID9231')
    }
    // The client may have openid alone, and the token is for neither the issuer nor its sample API.
    assertRefused(await exchange(access_token, { client_id: 'bare' }), 'invalid_target', 'ID9231')
    for (const target of [orders, service.issuer, `${service.issuer}weatherforecast`]) {
      assertRefused(await exchange(access_token, { client_id: 'bare', audience: target }), 'invalid_target', 'ID9231')
    }
    const plain = await signedIn('openid')
    const same = await exchange(plain.access_token, { client_id: 'bare' })
    assert.deepEqual(audienceOf(same.body.access_token), [service.issuer])
  })

  it('leaves out scopes that a client with unknown_scopes=ignore may not request, as an authorization does', async () => {
    const metadata = { ...defaultClientMetadata, may_exchange: ['shop'], unknown_scopes: 'ignore' } as const
    await service.storage.clients.create(server('lenient', ['shop'], { scopes: ['orders_read'], metadata }))
    const asked = { client_id: 'lenient', scope: 'orders_read invoices_read' }
    assert.equal((await exchange((await signedIn()).access_token, asked)).body.scope, 'orders_read')
  })

  it('gives a token that ends with the subject token at the latest', async () => {
    const { access_token } = await signedIn()
    service.advance(3000)
    const { body } = await exchange(access_token)
    assert.ok(body.expires_in <= 600)
    assert.ok(claimsOf(body.access_token).exp <= claimsOf(access_token).exp)
    service.advance(600)
    assertRefused(await exchange(access_token), 'invalid_request', 'ID9226')
    assert.equal(await userinfo(body.access_token), 401)
  })

  it('works for a client’s own tokens, and for those that another client got for itself', async () => {
    const own = await exchange(await ofClient('backend', 'orders_read invoices_read'), { scope: 'orders_read' })
    const ownClaims = claimsOf(own.body.access_token)
    assert.deepEqual([ownClaims.sub, ownClaims.act, ownClaims.grant_id], ['backend', undefined, undefined])
    const batch = await exchange(await ofClient('batch'))
    const { sub, client_id, act } = claimsOf(batch.body.access_token)
    assert.deepEqual([sub, client_id, act], ['batch', 'backend', { sub: 'backend' }])
  })
})

describe('actors (RFC 8693 §4.1)', () => {
  it('form a chain, the latest first', async () => {
    const first = (await exchange((await signedIn()).access_token)).body.access_token
    const second = await exchange(first, { client_id: 'deeper' })
    assert.deepEqual(claimsOf(second.body.access_token).act, { sub: 'deeper', act: { sub: 'backend' } })
  })

  it('say who acted, and no more: no claim of a token before comes back', async () => {
    const minimal = { ...defaultClientMetadata, may_exchange: ['shop'], access_token_claims: 'minimal' } as const
    await service.storage.clients.create(server('quiet', ['shop'], { metadata: minimal }))
    await service.storage.clients.create(server('last', ['quiet', 'sealed']))
    const sealed = { ...minimal, access_token_claims: 'all', access_token_format: 'opaque' } as const
    await service.storage.clients.create(server('sealed', ['shop'], { metadata: sealed }))
    const { access_token } = await signedIn()
    assert.equal(claimsOf(access_token).email, 'alice@example.com')
    for (const between of ['quiet', 'sealed']) {
      const once = (await exchange(access_token, { client_id: between })).body.access_token
      const claims = claimsOf((await exchange(once, { client_id: 'last' })).body.access_token)
      const person = ['name', 'preferred_username', 'email', 'email_verified', 'role']
      assert.deepEqual(
        person.filter((name) => name in claims),
        [],
        between,
      )
      assert.deepEqual(claims.act, { sub: 'last', act: { sub: between } })
    }
  })

  it('are named by an actor token of the client itself', async () => {
    const { access_token } = await signedIn()
    const actor = { actor_token: await ofClient('backend'), actor_token_type: accessToken }
    const { body } = await exchange(access_token, actor)
    assert.deepEqual(claimsOf(body.access_token).act, { sub: 'backend' })
    const stolen = { actor_token: await ofClient('batch'), actor_token_type: accessToken }
    assertRefused(await exchange(access_token, stolen), 'invalid_request', 'ID9227')
    const ofUser = { actor_token: (await signedIn(all, 'bob')).access_token, actor_token_type: accessToken }
    assertRefused(await exchange(access_token, ofUser), 'invalid_request', 'ID9227')
  })

  it('are sent with their type, and never without a token', async () => {
    const { access_token } = await signedIn()
    assertRefused(await exchange(access_token, { actor_token_type: accessToken }), 'invalid_request', 'ID9225')
    const actorToken = await ofClient('backend')
    assertRefused(await exchange(access_token, { actor_token: actorToken }), 'invalid_request', 'ID2029')
    const invalid = { actor_token: `${actorToken}x`, actor_token_type: accessToken }
    assertRefused(await exchange(access_token, invalid), 'invalid_request', 'ID9226')
  })

  it('follow each other at most four times', async () => {
    let token = await ofClient('backend')
    for (let at = 0; at < 4; at += 1) token = (await exchange(token)).body.access_token
    assertRefused(await exchange(token), 'invalid_request', 'ID9229')
  })
})

describe('who may exchange', () => {
  it('is a client for its own tokens, and for those of the clients that its may_exchange lists (§4.4)', async () => {
    const { access_token } = await signedIn()
    for (const client_id of ['unrelated', 'batch', 'deeper']) {
      assertRefused(await exchange(access_token, { client_id }), 'invalid_request', 'ID9227')
    }
  })

  it('is what introspection tells a client of itself in may_act, and of no other one (§4.4, §7.3)', async () => {
    const { clients } = service.storage
    const asAudience = (mayExchange: readonly string[], exchanges = true) => ({
      grantTypes: exchanges ? ([grantType, 'client_credentials'] as const) : (['client_credentials'] as const),
      metadata: { ...defaultClientMetadata, may_exchange: mayExchange, resources: [orders] },
    })
    await clients.create(server('listed', [], asAudience(['shop'])))
    await clients.create(server('other', [], asAudience(['batch'])))
    await clients.create(server('reader', [], asAudience(['shop'], false)))
    const { access_token } = await signedIn('openid orders_read')
    const seen = async (client: string, token = access_token) => {
      const { active, may_act } = await introspected(token, client)
      return [active, may_act]
    }
    assert.deepEqual(await seen('listed'), [true, { sub: 'listed' }])
    for (const client of ['other', 'reader']) assert.deepEqual(await seen(client), [true, undefined], client)
    assert.deepEqual(await seen('backend'), [false, undefined], 'no audience of the token')
    assert.deepEqual(await seen('listed', await ofClient('listed')), [true, undefined], 'its own token')
    assert.equal((await exchange(access_token, { client_id: 'listed' })).status, 200)
    for (const [client_id, id] of [['other', 'ID9227'] as const, ['reader', 'ID2064'] as const]) {
      const refused = await exchange(access_token, { client_id })
      assert.match(refused.body.error_uri, new RegExp(`#${id}$`))
    }
    // What an operator withdraws is gone at once, because no token carries it.
    await clients.update('listed', (client) => ({ ...client, ...asAudience([]) }))
    assert.deepEqual(await seen('listed'), [true, undefined])
    assertRefused(await exchange(access_token, { client_id: 'listed' }), 'invalid_request', 'ID9227')
    assert.equal('may_act' in claimsOf(access_token), false)
  })

  it('is a client that authenticates and is registered for it', async () => {
    const { access_token } = await signedIn()
    const wrong = await exchange(access_token, { client_secret: 'wrong' })
    assertRefused(wrong, 'invalid_client', 'ID2055', 401)
    const fields = {
      grant_type: grantType,
      client_id: 'shop',
      subject_token: access_token,
      subject_token_type: accessToken,
    }
    assertRefused(await postToken(service, fields), 'unauthorized_client', 'ID2043')
    await service.storage.clients.create(server('web', ['shop'], { grantTypes: ['client_credentials'] }))
    assertRefused(await exchange(access_token, { client_id: 'web' }), 'unauthorized_client', 'ID2064')
  })
})

describe('an independent client library', () => {
  const insecure = { [oauth.allowInsecureRequests]: true } as const
  const exchangeWith = async (id: string, parameters: Readonly<Record<string, string>>, password = secret) => {
    const issuer = new URL(service.issuer)
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
    assert.ok(server.grant_types_supported?.includes(grantType))
    const client: oauth.Client = { client_id: id }
    const authentication = oauth.ClientSecretBasic(password)
    const sent = await oauth.genericTokenEndpointRequest(
      server,
      client,
      authentication,
      grantType,
      parameters,
      insecure,
    )
    const answer = await oauth.processGenericTokenEndpointResponse(server, client, sent)
    const asked = await oauth.introspectionRequest(server, client, authentication, answer.access_token, insecure)
    return { answer, state: await oauth.processIntrospectionResponse(server, client, asked) }
  }

  it('(oauth4webapi) exchanges a token, and understands what is refused', async () => {
    const { access_token } = await signedIn()
    const parameters = { subject_token: access_token, subject_token_type: accessToken }
    const { answer, state } = await exchangeWith('backend', { ...parameters, scope: 'orders_read' })
    assert.deepEqual(
      [answer.token_type, answer.scope, answer.issued_token_type],
      ['bearer', 'orders_read', accessToken],
    )
    assert.equal(answer.refresh_token, undefined)
    assert.deepEqual([state.active, state.sub, state.act], [true, claimsOf(access_token).sub, { sub: 'backend' }])
    for (const [id, more, error] of [
      ['unrelated', {}, 'invalid_request'],
      ['backend', { scope: 'orders_write' }, 'invalid_scope'],
      ['backend', { resource: 'https://other.example/' }, 'invalid_target'],
      ['backend', { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }, 'invalid_request'],
    ] as const) {
      await assert.rejects(
        exchangeWith(id, { ...parameters, ...more }),
        (thrown) => thrown instanceof oauth.ResponseBodyError && thrown.error === error,
        error,
      )
    }
    await assert.rejects(exchangeWith('backend', parameters, 'wrong'))
  })

  it('(openid-client) exchanges a token with an actor', async () => {
    const config = await openid.discovery(new URL(service.issuer), 'backend', secret, undefined, {
      execute: [openid.allowInsecureRequests],
    })
    const answer = await openid.genericGrantRequest(config, grantType, {
      subject_token: (await signedIn()).access_token,
      subject_token_type: accessToken,
      actor_token: await ofClient('backend'),
      actor_token_type: accessToken,
      audience: orders,
    })
    assert.deepEqual(claimsOf(answer.access_token).act, { sub: 'backend' })
    assert.equal(claimsOf(answer.access_token).aud, orders)
  })
})

describe('tokens that cannot be exchanged', () => {
  it('are refresh tokens, id tokens, codes and anything else (§2.2.2)', async () => {
    const { access_token, refresh_token, id_token } = await signedIn(`${all} offline_access`)
    for (const token of [refresh_token, id_token, 'x', `${access_token}x`, access_token.slice(0, -4)]) {
      assertRefused(await exchange(token), 'invalid_request', 'ID9226')
    }
    for (const type of ['refresh_token', 'id_token', 'saml2']) {
      const named = `urn:ietf:params:oauth:token-type:${type}`
      assertRefused(await exchange(access_token, { subject_token_type: named }), 'invalid_request', 'ID9224')
      assertRefused(await exchange(access_token, { requested_token_type: named }), 'invalid_request', 'ID9224')
    }
    assertRefused(await exchange(''), 'invalid_request', 'ID2029')
    assertRefused(await exchange(access_token, { subject_token_type: '' }), 'invalid_request', 'ID2029')
    assertRefused(await exchange(access_token, {}, [['subject_token', access_token]]), 'invalid_request', 'ID9001')
  })

  it('are revoked ones, also of a grant or of a user who was locked', async () => {
    const revoke = (token: string) => postToken(service, { token, client_id: 'shop' }, {}, 'connect/revocation')
    const single = await signedIn()
    await revoke(single.access_token)
    assertRefused(await exchange(single.access_token), 'invalid_request', 'ID9226')
    const chain = await signedIn(`${all} offline_access`)
    await revoke(chain.refresh_token)
    assertRefused(await exchange(chain.access_token), 'invalid_request', 'ID9226')
    const { users } = service.storage
    const bob = await users.findByName('bob')
    const ofBob = await signedIn(all, 'bob')
    await users.update(bob?.id ?? '', (user) => ({ ...user, disabled: true }))
    assertRefused(await exchange(ofBob.access_token), 'invalid_request', 'ID9226')
  })
})

describe('an id token as subject token', () => {
  it('grants nothing, also to the client that it was issued to: it names no grant that could be ended (§1)', async () => {
    await service.storage.clients.create(
      server('web-app', [], {
        grantTypes: [grantType, 'authorization_code'],
        redirectUris: ['https://app.example/callback'],
        consent: 'implicit',
      }),
    )
    const browser = await Browser.signedIn(service)
    const redirect = { client_id: 'web-app', redirect_uri: 'https://app.example/callback' }
    const code = await browser.allowedCode({ ...redirect, scope: 'openid orders_read' })
    const { body } = await postToken(service, codeFields(code, { ...redirect, client_secret: secret }))
    const types = ['id_token', 'jwt', 'access_token'].map((type) => `urn:ietf:params:oauth:token-type:${type}`)
    for (const client_id of ['web-app', 'backend']) {
      for (const subject_token_type of types) {
        const id = subject_token_type.endsWith('id_token') ? 'ID9224' : 'ID9226'
        assertRefused(await exchange(body.id_token, { client_id, subject_token_type }), 'invalid_request', id)
      }
      const actor = { client_id, actor_token: body.id_token }
      const subject = await ofClient('backend')
      assertRefused(
        await exchange(subject, { ...actor, actor_token_type: types[0] ?? '' }),
        'invalid_request',
        'ID9224',
      )
      assertRefused(
        await exchange(subject, { ...actor, actor_token_type: types[1] ?? '' }),
        'invalid_request',
        'ID9226',
      )
    }
    assert.equal((await exchange(body.access_token, { client_id: 'web-app' })).status, 200)
  })
})

describe('tokens that are bound to a key (RFC 9449 §5)', () => {
  const key = new DpopKey()
  const proof = (by = key) => ({ DPoP: by.proof({ url: `${service.issuer}connect/token`, nowMs: service.now() }) })
  const bound = async (): Promise<string> => {
    const fields = {
      grant_type: 'client_credentials',
      client_id: 'backend',
      client_secret: secret,
      scope: 'orders_read',
    }
    return (await postToken(service, fields, proof())).body.access_token
  }
  const exchangeWith = (subject: string, headers: Readonly<Record<string, string>>, more = {}) =>
    postToken(
      service,
      {
        grant_type: grantType,
        client_id: 'backend',
        client_secret: secret,
        subject_token: subject,
        subject_token_type: accessToken,
        ...more,
      },
      headers,
    )

  it('are exchanged only with a proof of that key, as subject and as actor', async () => {
    const subject = await bound()
    assertRefused(await exchangeWith(subject, {}), 'invalid_request', 'ID9228')
    assertRefused(await exchangeWith(subject, proof(new DpopKey())), 'invalid_request', 'ID9228')
    const actor = { actor_token: subject, actor_token_type: accessToken }
    assertRefused(await exchangeWith(await ofClient('backend'), {}, actor), 'invalid_request', 'ID9228')
    const { status, body } = await exchangeWith(subject, proof())
    assert.deepEqual([status, body.token_type], [200, 'DPoP'])
    assert.deepEqual(claimsOf(body.access_token).cnf, { jkt: key.thumbprint })
  })

  it('come from an unbound one, too, when the request has a proof', async () => {
    const { body } = await exchangeWith(await ofClient('backend'), proof())
    assert.deepEqual(claimsOf(body.access_token).cnf, { jkt: key.thumbprint })
  })
})

describe('an exchanged token ends', () => {
  const revoke = (token: string, client: Readonly<Record<string, string>>) =>
    postToken(service, { token, ...client }, {}, 'connect/revocation')

  it('with the subject token, however often it was exchanged again', async () => {
    const subject = (await signedIn()).access_token
    const once = (await exchange(subject)).body.access_token
    const twice = (await exchange(once, { client_id: 'deeper' })).body.access_token
    assert.equal(await userinfo(twice), 200)
    assert.deepEqual((await introspected(once, 'backend')).act, { sub: 'backend' })
    await revoke(subject, { client_id: 'shop' })
    assert.deepEqual([await userinfo(once), await userinfo(twice)], [401, 401])
    assert.deepEqual(await introspected(once, 'backend'), { active: false })
    assertRefused(await exchange(once), 'invalid_request', 'ID9226')
  })

  it('with the grant of the subject token', async () => {
    const subject = await signedIn(`${all} offline_access`)
    const token = (await exchange(subject.access_token)).body.access_token
    await revoke(subject.refresh_token, { client_id: 'shop' })
    assert.equal(await userinfo(token), 401)
  })

  it('with a token in between, and by itself, which leaves the subject token', async () => {
    const subject = (await signedIn()).access_token
    const once = (await exchange(subject)).body.access_token
    const twice = (await exchange(once, { client_id: 'deeper' })).body.access_token
    await revoke(once, { client_id: 'shop' })
    assert.equal(await userinfo(once), 200, 'only the client of a token revokes it')
    await revoke(once, { client_id: 'backend', client_secret: secret })
    assert.deepEqual([await userinfo(once), await userinfo(twice), await userinfo(subject)], [401, 401, 200])
  })

  it('with the client that exchanged it', async () => {
    await service.storage.clients.create(server('brief', ['shop']))
    const subject = (await signedIn()).access_token
    const token = (await exchange(subject, { client_id: 'brief' })).body.access_token
    assert.equal(await userinfo(token), 200)
    await service.storage.clients.delete('brief')
    assert.deepEqual([await userinfo(token), await userinfo(subject)], [401, 200])
  })
})

describe('what an exchanged token shows', () => {
  it('is no more about the user than the subject token shows', async () => {
    const minimal = { ...defaultClientMetadata, access_token_claims: 'minimal' } as const
    await service.storage.clients.update('shop', (client) => ({ ...client, metadata: minimal }))
    const quiet = await exchange((await signedIn()).access_token)
    await service.storage.clients.update('shop', (client) => ({ ...client, metadata: defaultClientMetadata }))
    assert.equal('email' in claimsOf(quiet.body.access_token), false)
    const open = await exchange((await signedIn()).access_token)
    assert.equal(claimsOf(open.body.access_token).email, 'alice@example.com')
  })

  it('leaves out claims that the user released one by one, to another client (OpenID Connect Core §5.5)', async () => {
    const browser = await Browser.signedIn(service)
    await service.storage.scopes.create(testScope('profile'))
    const withProfile = (client: Client) => ({ ...client, scopes: [...client.scopes, 'profile'] })
    await service.storage.clients.update('shop', withProfile)
    const claims = JSON.stringify({ userinfo: { preferred_username: null } })
    const code = await browser.allowedCode({ client_id: 'shop', scope: all, claims })
    const subject = (await postToken(service, codeFields(code, { client_id: 'shop' }))).body.access_token
    const seen = async (token: string) =>
      Object.keys((await (await fetchWithToken(service, 'connect/userinfo', token)).json()) as object)
    assert.deepEqual(await seen((await exchange(subject)).body.access_token), ['sub'])
    assert.deepEqual(await seen(subject), ['sub', 'preferred_username'])
  })

  it('is in the audit trail, with the subject token and the actors', async () => {
    const subject = (await signedIn()).access_token
    const { jti } = claimsOf((await exchange(subject)).body.access_token)
    const entries = await service.storage.audit.newest({ kind: 'tokens_issued', clientId: 'backend' }, 5)
    const found = entries.find(({ details }) => details.jti === jti)
    assert.deepEqual(
      [found?.details.subjectJti, found?.details.subjectClient, found?.details.actors],
      [claimsOf(subject).jti, 'shop', ['backend']],
    )
  })
})

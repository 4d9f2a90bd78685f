/** A client that is a document is the same at every endpoint: what the document says now. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { changeClient } from '../../src/protocol/client/client-registration.ts'
import { isRefusal } from '../../src/refusal.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { assertionClaims, assertionFields, type ClientKey, clientKey } from '../support/assertions.ts'
import { authorizeParameters, Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { certificate, generalNames, pemOf } from '../support/certificates.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, startService, type TestService } from '../support/service.ts'

const env = { OAuth__ClientIdMetadataDocuments: 'true', OAuth__DynamicRegistrationScopes: 'demo_api,offline_access' }
const redirect_uris = ['http://localhost:5081/callback']
/** Longer than a document without headers is used. */
const staleAfterSeconds = 301

let folder: string
let host: Server
let origin: string
const documents = new Map<string, Record<string, unknown>>()
const requested: string[] = []
/** Runs before the host answers. */
let meanwhile: () => Promise<unknown> = async () => {}
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-documents-'))
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { der } = certificate({ keys, alternativeNames: [[generalNames.dns, 'localhost']] })
  setDefaultCACertificates([...getCACertificates('default'), pemOf(der)])
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  host = createServer({ key, cert: pemOf(der) }, ({ url = '' }, response) => {
    requested.push(url)
    meanwhile().then(() => {
      const body = documents.get(url)
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? {}))
    })
  })
  await new Promise<void>((resolve) => host.listen(0, 'localhost', resolve))
  origin = `https://localhost:${(host.address() as AddressInfo).port}`
})
after(async () => {
  host.close()
  await rm(folder, { recursive: true })
})

let nextPath = 0
function publish(change: Record<string, unknown> = {}): string {
  nextPath += 1
  const id = `${origin}/clients/${nextPath}`
  rewrite(id, change)
  return id
}
function rewrite(client_id: string, change: Record<string, unknown>): void {
  documents.set(new URL(client_id).pathname, { client_id, client_name: 'Notes', redirect_uris, ...change })
}

describe('a key that was removed from a document', () => {
  let service: TestService
  let keys: readonly ClientKey[]
  before(async () => {
    service = await startService(env)
    keys = await Promise.all([clientKey('ES256', 'old'), clientKey('ES256', 'new')])
  })
  after(() => service.stop())

  const signed = async (key: ClientKey | undefined, client_id: string) =>
    assertionFields((await key?.sign(assertionClaims(client_id, service.issuer, service.now()))) ?? '')

  it('signs no longer at any endpoint once the document is due, and a new one does', async () => {
    const [old, next] = keys
    const published = (key: ClientKey | undefined) => ({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key?.publicJwk] },
    })
    const client_id = publish(published(old))
    const code = await obtainCode(new Browser(service), { client_id })
    const { status, body } = await postToken(service, {
      ...codeFields(code, { client_id }),
      ...(await signed(old, client_id)),
    })
    assert.equal(status, 200, JSON.stringify(body))
    const { access_token: token, refresh_token } = body
    rewrite(client_id, published(next))
    service.advance(staleAfterSeconds)
    const endpoints: [string, Record<string, string>][] = [
      ['connect/token', refreshFields(refresh_token, { client_id })],
      ['connect/introspect', { token }],
      ['connect/revocation', { token }],
      ['connect/device', { client_id }],
      ['connect/par', authorizeParameters({ client_id })],
    ]
    for (const [endpoint, fields] of endpoints) {
      const refused = await postToken(service, { ...fields, ...(await signed(old, client_id)) }, {}, endpoint)
      assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client'], endpoint)
    }
    const refreshed = await postToken(service, { ...endpoints[0]?.[1], ...(await signed(next, client_id)) })
    assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body))
    assert.equal(requested.filter((path) => path === new URL(client_id).pathname).length, 2)
  })

  it('and a document that describes no client any more end the refresh as well; one that cannot be fetched, after a day', async () => {
    const [wrong, gone] = [publish(), publish()]
    const refreshTokens = new Map<string, string>()
    for (const client_id of [wrong, gone]) {
      const code = await obtainCode(new Browser(service), { client_id })
      refreshTokens.set(client_id, (await postToken(service, codeFields(code, { client_id }))).body.refresh_token)
    }
    const refresh = async (client_id: string) => {
      const answer = await postToken(service, refreshFields(refreshTokens.get(client_id) ?? '', { client_id }))
      if (answer.status === 200) refreshTokens.set(client_id, answer.body.refresh_token)
      return [answer.status, answer.body.error]
    }
    rewrite(wrong, { redirect_uris: ['javascript:alert(1)'] })
    documents.delete(new URL(gone).pathname)
    service.advance(staleAfterSeconds)
    assert.deepEqual(await refresh(wrong), [401, 'invalid_client'])
    assert.deepEqual(await refresh(gone), [200, undefined])
    service.advance(86_400)
    assert.deepEqual(await refresh(gone), [401, 'invalid_client'])
  })

  it('leaves the refresh with the scopes that the document still has', async () => {
    const client_id = publish({ scope: 'openid offline_access demo_api' })
    const code = await obtainCode(new Browser(service), { client_id })
    const first = await postToken(service, codeFields(code, { client_id }))
    rewrite(client_id, { scope: 'openid offline_access' })
    service.advance(staleAfterSeconds)
    const { body } = await postToken(service, refreshFields(first.body.refresh_token, { client_id }))
    assert.equal(body.scope, 'openid offline_access')
  })
})

const context = (nowMs: number) =>
  ({
    registeredScopes: [],
    newSecretHash: '',
    isLoopbackIssuer: true,
    isPostQuantum: false,
    accessTokenScope: 'array',
    nowMs,
  }) as const

describe('what an operator changes while a document is fetched', () => {
  it('stays: the client is decided on as it is when it is stored', async () => {
    const service = await startService(env)
    try {
      const client_id = publish()
      await obtainCode(new Browser(service), { client_id })
      rewrite(client_id, { client_name: 'Renamed', scope: 'openid demo_api offline_access' })
      service.advance(staleAfterSeconds)
      meanwhile = () =>
        service.storage.clients.update(client_id, (client) => {
          const scope = { member: 'scope', operation: 'set', value: 'openid offline_access' } as const
          const changed = changeClient(client, [scope], context(service.now()))
          assert.ok(!isRefusal(changed))
          return { ...changed, consent: 'implicit', metadata: { ...changed.metadata, may_exchange: ['demo'] } }
        })
      const query = new URLSearchParams(authorizeParameters({ client_id, scope: 'openid' }))
      assert.equal((await new Browser(service).get(`/connect/authorize?${query}`)).status, 302)
      const stored = await service.storage.clients.find(client_id)
      assert.deepEqual(
        [stored?.name, stored?.consent, stored?.metadata.may_exchange],
        ['Renamed', 'implicit', ['demo']],
      )
    } finally {
      meanwhile = async () => {}
      await service.stop()
    }
  })
})

describe('OAuth:ClientIdMetadataDocuments, switched off', () => {
  it('ends at the next use what it gave: codes, refreshes, revocation, and access tokens everywhere', async () => {
    const place = { Database__Url: `sqlite:${join(folder, 'off.db')}` }
    const on = await startService({ ...env, ...place })
    const api = { client_id: 'api', client_secret: 's3cret' }
    await addClient(on, {
      id: 'api',
      authentication: bySecret(hashSecret(api.client_secret)),
      grantTypes: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      redirectUris: [],
      metadata: {
        resources: [on.issuer],
        may_exchange: [publish({ post_logout_redirect_uris: ['https://app.example/out'] })],
      },
    })
    const client_id = `${origin}/clients/${nextPath}`
    const waiting = await obtainCode(new Browser(on), { client_id })
    const code = await obtainCode(new Browser(on), { client_id, scope: 'openid offline_access' })
    const { body } = await postToken(on, codeFields(code, { client_id }))
    const { access_token: token, refresh_token } = body
    const states = async (at: TestService) => {
      const headers = { authorization: `Bearer ${token}` }
      const asked = ['connect/userinfo', 'weatherforecast'].map((path) => fetch(new URL(path, at.issuer), { headers }))
      const introspected = await postToken(at, { token, ...api }, {}, 'connect/introspect')
      return [...(await Promise.all(asked)).map(({ status }) => status), introspected.body.active]
    }
    const out = new URLSearchParams({ client_id, post_logout_redirect_uri: 'https://app.example/out' })
    const signOut = async (at: TestService) =>
      (await fetch(new URL(`connect/logout?${out}`, at.issuer), { redirect: 'manual' })).status
    assert.deepEqual(await states(on), [200, 200, true])
    assert.equal(await signOut(on), 302)
    await on.stop()
    const off = await startService({ ...place }, { after: on })
    try {
      assert.deepEqual(await states(off), [401, 401, false])
      assert.equal(await signOut(off), 400)
      for (const [endpoint, fields] of [
        ['connect/token', codeFields(waiting, { client_id })],
        ['connect/token', refreshFields(refresh_token, { client_id })],
        ['connect/revocation', { token: refresh_token, client_id }],
        ['connect/par', authorizeParameters({ client_id })],
      ] as const) {
        const refused = await postToken(off, fields, {}, endpoint)
        assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client'], endpoint)
      }
      const exchanged = await postToken(off, {
        ...api,
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
      assert.deepEqual([exchanged.status, exchanged.body.error], [400, 'invalid_request'])
    } finally {
      await off.stop()
    }
    await using again = await startService({ ...env, ...place }, { after: off })
    assert.deepEqual(await states(again), [200, 200, true])
  })
})

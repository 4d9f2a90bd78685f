/** Clients whose id is the address of a document (OAuth Client ID Metadata Documents). */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { certificate, generalNames, pemOf } from '../support/certificates.ts'
import { addClient, serviceForFile, startService, testScope } from '../support/service.ts'

const callback = 'http://localhost:5081/callback'

/** What the host answers by path; the requests that it got. */
let documents: Record<string, { status?: number; headers?: Record<string, string>; body: unknown }>
let requested: string[]
let nextPath = 0

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { der } = certificate({ keys, alternativeNames: [[generalNames.dns, 'localhost']] })
setDefaultCACertificates([...getCACertificates('default'), pemOf(der)])
const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
const host = createServer({ key, cert: pemOf(der) }, ({ url = '' }, response) => {
  requested.push(url)
  const { status = 200, headers = {}, body } = documents[url] ?? { status: 404, body: '' }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
})
await new Promise<void>((resolve) => host.listen(0, 'localhost', resolve))
const origin = `https://localhost:${(host.address() as AddressInfo).port}`
const service = await serviceForFile({
  OAuth__ClientIdMetadataDocuments: 'true',
  OAuth__DynamicRegistrationScopes: 'demo_api,offline_access',
  Server__TrustProxy: 'true',
})
await service.storage.scopes.create(testScope('admin_api'))
after(async () => {
  host.close()
})
beforeEach(() => {
  documents = {}
  requested = []
})

/** Publishes a document at a new address and returns its client id. */
function publish(change: Record<string, unknown> = {}, answer: { headers?: Record<string, string> } = {}): string {
  nextPath += 1
  const path = `/clients/${nextPath}`
  documents[path] = {
    ...answer,
    body: { client_id: `${origin}${path}`, client_name: 'Notes', redirect_uris: [callback], ...change },
  }
  return `${origin}${path}`
}

/** From an address of its own, so that one test leaves the others their budget. */
const ask = (client_id: string, change: Record<string, string> = {}, address = `198.51.100.${nextPath % 250}`) =>
  fetch(
    new URL(`/connect/authorize?${new URLSearchParams(authorizeParameters({ client_id, ...change }))}`, service.issuer),
    { redirect: 'manual', headers: { 'x-forwarded-for': address } },
  )

describe('a client id that is the address of a document', () => {
  it('works as a public client that asks for consent, with code, token and refresh', async () => {
    const client_id = publish()
    const browser = await Browser.signedIn(service)
    const first = await browser.get(`/connect/authorize?${new URLSearchParams(authorizeParameters({ client_id }))}`)
    assert.match(first.headers.get('location') ?? '', /^\/Account\/Consent\?/)
    const context = await browser.get(
      `/Account/ConsentContext?${new URLSearchParams(authorizeParameters({ client_id }))}`,
    )
    const { client } = (await context.json()) as { client: unknown }
    assert.deepEqual(client, { id: client_id, name: 'Notes', selfRegistered: true, host: new URL(origin).host })
    const code = await obtainCode(browser, { client_id })
    const { status, body } = await postToken(service, codeFields(code, { client_id }))
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((await postToken(service, refreshFields(body.refresh_token, { client_id }))).status, 200)
    assert.equal(requested.length, 1)
    const stored = await service.storage.clients.find(client_id)
    assert.deepEqual([stored?.consent, stored?.metadata.registration], ['explicit', 'document'])
  })

  it('gets what the rules of its scopes put into tokens', async () => {
    const rule = { claim: 'login', from: 'username', in: ['access_token', 'id_token'], as: 'auto' } as const
    await service.storage.scopes.update('demo_api', (scope) => ({ ...scope, claims: [rule] }))
    const client_id = publish()
    const browser = await Browser.signedIn(service)
    const code = await obtainCode(browser, { client_id })
    const { body } = await postToken(service, codeFields(code, { client_id }))
    assert.deepEqual([claimsOf(body.access_token).login, claimsOf(body.id_token).login], ['alice', 'alice'])
    await service.storage.scopes.update('demo_api', (scope) => ({ ...scope, claims: [] }))
  })

  it('is not fetched again while it is fresh; afterwards a change takes effect', async () => {
    const client_id = publish({}, { headers: { 'cache-control': 'max-age=600' } })
    const together = await Promise.all(Array.from({ length: 8 }, () => ask(client_id)))
    assert.deepEqual(new Set(together.map(({ status }) => status)), new Set([302]))
    requested = []
    service.advance(590)
    await Promise.all(Array.from({ length: 8 }, () => ask(client_id)))
    assert.equal(requested.length, 0)
    service.advance(20)
    documents[new URL(client_id).pathname] = {
      body: { client_id, client_name: 'Renamed', redirect_uris: ['https://new.example/cb'] },
    }
    const old = await ask(client_id)
    assert.deepEqual([old.status, old.headers.get('location')], [400, null])
    assert.equal((await ask(client_id, { redirect_uri: 'https://new.example/cb' })).status, 302)
    assert.equal((await service.storage.clients.find(client_id))?.name, 'Renamed')
    assert.equal(requested.length, 1)
  })

  it('is used for a day when its document cannot be fetched, and ends with a document that is wrong', async () => {
    const [gone, wrong] = [publish(), publish()]
    for (const client_id of [gone, wrong]) assert.equal((await ask(client_id)).status, 302)
    delete documents[new URL(gone).pathname]
    documents[new URL(wrong).pathname] = { body: { client_id: gone, redirect_uris: [callback] } }
    service.advance(86_000)
    assert.equal((await ask(gone)).status, 302)
    assert.equal((await ask(wrong)).status, 400)
    service.advance(86_400)
    assert.equal((await ask(gone)).status, 400)
  })

  it('authenticates with its published keys (private_key_jwt)', async () => {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
    const client_id = publish({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key] } })
    const code = await obtainCode(new Browser(service), { client_id })
    const { status, body } = await postToken(service, codeFields(code, { client_id }))
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
  })

  it('can push its requests (RFC 9126)', async () => {
    const client_id = publish()
    const { status, body } = await postToken(service, authorizeParameters({ client_id }), {}, 'connect/par')
    assert.equal(status, 201, JSON.stringify(body))
  })

  it('is stated in discovery', async () => {
    const document = await (await fetch(new URL('.well-known/oauth-authorization-server', service.issuer))).json()
    assert.equal((document as Record<string, unknown>).client_id_metadata_document_supported, true)
  })
})

describe('documents that are refused', () => {
  it('describe another id, a secret, more rights, or no client at all, and nothing is stored', async () => {
    const private_ = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
    for (const change of [
      { client_id: `${origin}/clients/other` },
      { client_id: 'demo' },
      { client_id: undefined },
      { client_secret: 'x' },
      { token_endpoint_auth_method: 'client_secret_basic' },
      { token_endpoint_auth_method: 'client_secret_post' },
      { consent: 'implicit' },
      { may_exchange: ['demo'] },
      { resources: ['https://api.example.com/'] },
      { claims: [{ claim: 'own', from: 'username' }] },
      { scope: 'openid admin_api' },
      { grant_types: ['client_credentials'], token_endpoint_auth_method: 'private_key_jwt' },
      { redirect_uris: [] },
      { redirect_uris: ['http://evil.example/'] },
      { redirect_uris: ['javascript:alert(1)'] },
      { jwks: { keys: [private_] } },
      { client_name: 'x\u202e' },
      { contacts: 'x'.repeat(40_000) },
    ]) {
      const client_id = publish(change)
      const answer = await ask(client_id)
      assert.deepEqual(
        [answer.status, answer.headers.get('location')],
        [400, null],
        JSON.stringify(change).slice(0, 80),
      )
      assert.equal(((await answer.json()) as { error: string }).error, 'invalid_request')
      assert.equal(await service.storage.clients.find(client_id), undefined)
    }
  })

  it('are redirects, failures, no JSON, no object, or too large', async () => {
    const valid = publish()
    for (const answer of [
      { status: 302, headers: { location: new URL(valid).pathname }, body: '' },
      { status: 500, body: {} },
      { body: 'no json' },
      { body: '[]' },
      { body: 'null' },
      { body: `"${'x'.repeat(70_000)}"` },
    ]) {
      const client_id = publish()
      documents[new URL(client_id).pathname] = answer
      assert.equal((await ask(client_id)).status, 400)
      assert.equal(await service.storage.clients.find(client_id), undefined)
    }
  })

  it('are never requested by an id that is no plain https address, nor inside other networks', async () => {
    const { port } = new URL(origin)
    publish()
    for (const client_id of [
      `http://localhost:${port}/clients/${nextPath}`,
      `https://localhost:${port}/`,
      `https://localhost:${port}`,
      `https://localhost:${port}/clients/../clients/${nextPath}`,
      `https://localhost:${port}/clients/${nextPath}#x`,
      `https://u:p@localhost:${port}/clients/${nextPath}`,
      `https://LOCALHOST:${port}/clients/${nextPath}`,
      `https://localhost:${port}/${'x'.repeat(200)}`,
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/client',
      'https://[::ffff:10.0.0.1]/client',
      'javascript://localhost/%0aalert(1)',
    ]) {
      const answer = await ask(client_id)
      assert.deepEqual([answer.status, answer.headers.get('location')], [400, null], client_id)
    }
    assert.deepEqual(requested, [])
  })

  it('never replace a client that an operator registered', async () => {
    const client_id = publish({ redirect_uris: ['https://evil.example/cb'] })
    await addClient(service, { id: client_id, consent: 'implicit' })
    assert.equal((await ask(client_id, { redirect_uri: 'https://evil.example/cb' })).status, 400)
    assert.equal((await ask(client_id)).status, 302)
    assert.deepEqual(requested, [])
  })

  it('are fetched a bounded number of times each minute and address', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(publish(), {}, '203.0.113.50')))
    assert.equal(answers.filter(({ status }) => status === 302).length, 30)
    assert.equal(answers.filter(({ status }) => status === 429).length, 10)
    assert.equal(requested.length, 30)
  })

  it('add a bounded number of clients each hour and address: the disk is not for anybody to fill', async () => {
    const before = (await service.storage.clients.list()).length
    const answers: Response[] = []
    for (let minute = 0; minute < 4; minute += 1) {
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => ask(publish(), {}, '203.0.113.60')))))
      service.advance(61)
    }
    assert.equal(answers.filter(({ status }) => status === 302).length, 60)
    assert.equal(answers.filter(({ status }) => status === 429).length, 20)
    assert.equal((await service.storage.clients.list()).length, before + 60)
    service.advance(3600)
    assert.equal((await ask(publish(), {}, '203.0.113.60')).status, 302)
  })

  it('never redirect before the user decided', async () => {
    const client_id = publish({ redirect_uris: ['https://evil.example/cb'] })
    for (const change of [{ prompt: 'login', response_type: 'token' }, { scope: 'openid unknown' }]) {
      const answer = await ask(client_id, { redirect_uri: 'https://evil.example/cb', ...change })
      assert.deepEqual([answer.status, answer.headers.get('location')], [400, null])
    }
    assert.equal(
      locationOf(await ask(client_id, { redirect_uri: 'https://evil.example/cb' })).pathname,
      '/Account/Login',
    )
  })

  it('answer prompt=none with login_required at the address of the client (OpenID Connect Core §3.1.2.6)', async () => {
    const silent = locationOf(await ask(publish(), { prompt: 'none' }))
    assert.deepEqual(
      [`${silent.origin}${silent.pathname}`, silent.searchParams.get('error')],
      [callback, 'login_required'],
    )
  })

  it('leave nothing for ever: a client that nobody used is removed after 30 days', async () => {
    const client_id = publish()
    await ask(client_id)
    assert.ok(await service.storage.clients.find(client_id))
    await service.storage.sweep(service.now() + 30 * 86_400_000 + 1, 500)
    assert.equal(await service.storage.clients.find(client_id), undefined)
  })
})

describe('OAuth:ClientIdMetadataDocuments off, the default', () => {
  it('refuses the clients from before it was switched off, at the authorization endpoint and at PAR', async () => {
    await using closed = await startService()
    const id = 'https://app.example.com/client.json'
    const metadata = { ...defaultClientMetadata, registration: 'document' } as const
    await addClient(closed, { id, metadata })
    const query = new URLSearchParams(authorizeParameters({ client_id: id }))
    const asked = await fetch(new URL(`connect/authorize?${query}`, closed.issuer), { redirect: 'manual' })
    assert.equal(asked.status, 400)
    const pushed = await postToken(closed, authorizeParameters({ client_id: id }), {}, 'connect/par')
    assert.equal(pushed.body.error, 'invalid_client')
  })

  it('requests nothing', async () => {
    await using closed = await startService()
    const client_id = publish()
    const query = new URLSearchParams(authorizeParameters({ client_id }))
    const answer = await fetch(new URL(`/connect/authorize?${query}`, closed.issuer), { redirect: 'manual' })
    assert.equal(answer.status, 400)
    assert.deepEqual(requested, [])
    const document = await (await fetch(new URL('.well-known/openid-configuration', closed.issuer))).json()
    assert.ok(!('client_id_metadata_document_supported' in (document as object)))
  })
})

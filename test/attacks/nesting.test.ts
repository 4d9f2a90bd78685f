/** JSON of a few kilobytes that overflows the stack of what reads it. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { authorizeParameters, postToken } from '../support/browser.ts'
import { DpopKey } from '../support/dpop.ts'
import { register } from '../support/registration.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const key = new DpopKey()
const deepArray = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const deepObject = (levels: number) => `${'{"0":'.repeat(levels)}1${'}'.repeat(levels)}`
const jwks = (more: string) =>
  `{"keys":[{"kty":"EC","crv":"P-256","x":"${key.jwk.x}","y":"${key.jwk.y}","more":${more}}]}`

let published = ''
const service = await serviceForFile({
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'demo_api',
  Server__TrustProxy: 'true',
})
const host = createServer((_, response) => response.end(published)).listen(0, '127.0.0.1')
await new Promise((resolve) => host.once('listening', resolve))
after(async () => {
  host.close()
})

describe('deeply nested JSON', () => {
  it('is refused in a registration, and nothing is stored', async () => {
    const stored = (await service.storage.clients.list()).length
    for (const deep of [deepArray(7900), deepObject(2600)]) {
      for (const member of [`"jwks":${jwks(deep)}`, `"jwks":${deep}`, `"contacts":${deep}`, `"unknown":${deep}`]) {
        const document = `{"redirect_uris":["https://app.example.com/callback"],${member}}`
        const { status, body } = await register(service, document, undefined, { 'x-forwarded-for': '198.51.100.7' })
        assert.equal(status, 400, member.slice(0, 40))
        assert.equal(body.error, 'invalid_client_metadata')
      }
    }
    assert.equal((await service.storage.clients.list()).length, stored)
  })

  it('is refused in what a client publishes at its jwks_uri', async () => {
    const { port } = host.address() as AddressInfo
    for (const [at, deep] of [deepArray(30_000), deepObject(10_000)].entries()) {
      published = jwks(deep)
      const id = `publishes-${at}`
      const metadata = { ...defaultClientMetadata, jwks_uri: `http://127.0.0.1:${port}/${at}` }
      await addClient(service, { id, metadata })
      const claims = { iss: id, aud: service.issuer, ...authorizeParameters({ client_id: id }) }
      const request = key.sign({ alg: 'ES256', typ: 'oauth-authz-req+jwt' }, claims)
      const { status, body } = await postToken(service, { client_id: id, request }, {}, 'connect/par')
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_request_object')
    }
  })

  it('is refused in assertions and request objects', async () => {
    await addClient(service, { id: 'signs', metadata: { jwks: { keys: [key.jwk as { kty: string }] } } })
    const jwt = (claims: string) => {
      const part = (text: string) => Buffer.from(text).toString('base64url')
      return `${part('{"alg":"ES256"}')}.${part(claims)}.AA`
    }
    for (const deep of [deepArray(2500), deepObject(800)]) {
      const request = jwt(`{"iss":"signs","aud":"${service.issuer}","claims":${deep}}`)
      assert.equal((await postToken(service, { client_id: 'signs', request }, {}, 'connect/par')).status, 400)
      const assertion = {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: jwt(`{"iss":"signs","sub":"signs","aud":${deep}}`),
      }
      assert.equal((await postToken(service, assertion, {}, 'connect/par')).status, 401)
    }
  })
})

/** By which names a service may be called: known ones where this machine alone can reach it, any elsewhere. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { exchange, request } from '../attacks/wire.ts'
import { serviceFor } from '../support/lifetime.ts'
import { startService, type TestService } from '../support/service.ts'

async function ask(service: TestService, host: string, ...more: string[]) {
  const lines = ['GET /healthz HTTP/1.1', `Host: ${host}`, ...more, 'Connection: close']
  const [answer] = await exchange({ issuer: service.address }, request(lines))
  assert.ok(answer)
  return answer
}

describe('a service that this machine alone can reach', () => {
  let service: TestService
  before(async () => {
    service = await startService({
      OAuth__Issuer: 'https://id.example.com/',
      Server__AllowedHosts: 'Latchkey.internal, proxy',
    })
  })
  after(() => service.stop())

  for (const host of [
    'id.example.com',
    'ID.example.com:443',
    'id.example.com.',
    'localhost',
    'LOCALHOST:5080',
    'demo.localhost',
    '127.0.0.1',
    '127.1.2.3:80',
    '[::1]',
    '[::1]:5080',
    'latchkey.internal',
    'PROXY:8080',
  ]) {
    it(`is called ${host} [C3.7b]`, async () => {
      assert.equal((await ask(service, host)).status, 200)
    })
  }

  for (const host of [
    'evil.example',
    'evil.example:5080',
    'id.example.com.evil.example',
    'notlocalhost',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '0.0.0.0',
    '10.0.0.1',
    '[fe80::1]',
    'id.example.com@evil.example',
    'evil.example/id.example.com',
    'localhost:x',
    '',
  ]) {
    it(`answers 421 to ${JSON.stringify(host)} (RFC 9110 §15.5.20) [C3.7b]`, async () => {
      const { status, head, body } = await ask(service, host)
      assert.equal(status, 421)
      assert.match(head, /x-trace-id: [0-9a-f]{32}/i)
      assert.match(JSON.parse(body).error_uri, /#ID9421$/)
    })
  }

  it('tells people so on a page that needs no script', async () => {
    const { status, body } = await ask(service, 'evil.example', 'Accept: text/html')
    assert.equal(status, 421)
    assert.match(body, /<h1>Wrong address<\/h1>/)
    assert.doesNotMatch(body, /<script|evil/)
  })

  it('says in the log which name it was, and keeps such requests out of the audit trail', async () => {
    await ask(service, 'evil.example')
    assert.ok(service.log.some(({ refusal }) => (refusal as { received?: string })?.received === 'evil.example'))
    await service.storage.audit.flush()
    const entries = await service.storage.audit.list({ kind: 'refusal' }, undefined, 10)
    assert.deepEqual(entries, [])
  })

  it('is called nothing at all by HTTP/1.0 (RFC 1945)', async () => {
    const [answer] = await exchange({ issuer: service.address }, request(['GET /healthz HTTP/1.0']))
    assert.equal(answer?.status, 200)
  })
})

describe('a service that other machines can reach', () => {
  it('takes any name: proxies and probes have their own [C3.7b]', async (t) => {
    const service = await serviceFor(t, { Server__Host: '0.0.0.0', OAuth__Issuer: 'https://id.example.com/' })
    for (const host of ['id.example.com', '10.1.2.3:5080', 'latchkey-0.pods', 'anything']) {
      assert.equal((await ask(service, host)).status, 200, host)
    }
  })
})

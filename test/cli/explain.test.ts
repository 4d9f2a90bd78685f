/** `latchkey explain`: from a code, an error_uri or a trace id to what happened, why, and how to fix it. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { anEvent } from '../storage/records.ts'
import { authorizePath, Browser, codeFields, postToken } from '../support/browser.ts'
import { freePort, startService, testClient, testScope } from '../support/service.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

describe('latchkey explain with a code', () => {
  it('says of every condition what happened, why and how to fix it', async (t) => {
    const { run, json } = workplace(t)
    for (const what of [
      'ID2043',
      'id2043',
      '2043',
      'http://localhost:5080/errors#ID2043',
      'https://id.example.com/errors#ID2043',
    ]) {
      const { code, stdout } = await run(`explain ${what}`)
      assert.equal(code, 0)
      assert.match(
        stdout,
        /^what {2}The redirect_uri is not registered.*\nwhy {3}.+\nfix {3}Register.+\ncode {2}ID2043 /,
      )
    }
    const entries = (await json('explain ID2052')) as Record<string, string>[]
    assert.ok(entries.length >= 5)
    for (const entry of entries) {
      assert.deepEqual(Object.keys(entry), ['rule', 'id', 'error', 'what', 'why', 'fix', 'source'])
    }
  })

  it('refuses a code that does not exist, and anything that is none', async (t) => {
    const { refuses, misuses } = workplace(t)
    await refuses('explain ID1234', /no error code ID1234/)
    await refuses('explain http://localhost:5080/errors#ID1234', /no error code ID1234/)
    for (const what of ['something', '12345', 'ID20', 'f00', 'x'.repeat(32), 'http://localhost/errors']) {
      await misuses(`explain ${what}`, /Give a trace id/)
    }
    await misuses('explain', /missing required argument/)
  })
})

describe('latchkey explain with a trace id', () => {
  /** A service on the database of the commands, stopped once `work` is done: what it noted is written by then. */
  async function served<T>(
    place: Workplace,
    work: (service: { issuer: string; flush(): Promise<void> }) => Promise<T>,
  ) {
    const port = await freePort()
    const service = await startService({
      Database__Url: `sqlite:${join(place.folder, 'data/latchkey.db')}`,
      Server__Port: String(port),
    })
    await service.storage.clients.create(testClient({ id: 'orchard-planner' }))
    await service.storage.scopes.create(testScope('reports'))
    const result = await work({ issuer: service.address, flush: () => service.storage.audit.flush() })
    await service.stop()
    return { result, log: service.log }
  }
  const traceOf = (headers: Headers): string => headers.get('x-trace-id') ?? 'none'

  it('finds a refusal that a running service has not written yet', async (t) => {
    const place = await placeAfter(t, 'keys list')
    await served(place, async (service) => {
      const traceId = traceOf((await new Browser(service).get(authorizePath({ client_id: 'nobody' }))).headers)
      place.meanwhile = () => service.flush()
      const { code, stdout } = await place.run(`explain ${traceId}`)
      assert.equal(code, 0)
      assert.match(stdout, new RegExp(`^trace id +${traceId}$`, 'm'))
      return {}
    })
  })

  it('finds the refusal in the audit trail, and the names that were most likely meant', async (t) => {
    const place = await placeAfter(t, 'keys list')
    const { result, log } = await served(place, async (service) => {
      const browser = new Browser(service)
      const slash = await browser.get(authorizePath({ redirect_uri: 'http://localhost:5081/callback/' }))
      const client = await browser.get(authorizePath({ client_id: 'orchard-planer' }))
      const scope = await browser.get(authorizePath({ scope: 'openid report' }))
      const token = await postToken(service, codeFields('x', { client_id: 'orchardplanner' }))
      return {
        slash: traceOf(slash.headers),
        client: traceOf(client.headers),
        scope: traceOf(scope.headers),
        token: traceOf(token.headers),
      }
    })
    const { code, stdout } = await place.run(`explain ${result.slash}`)
    assert.equal(code, 0)
    for (const pattern of [
      /^what {8}The redirect_uri is not registered/m,
      /^why {9}\S/m,
      /^fix {9}\S/m,
      /^rule {8}redirect_uri_unregistered \(RFC 6749/m,
      new RegExp(`^trace id {4}${result.slash}$`, 'm'),
      /^received {4}http:\/\/localhost:5081\/callback\/$/m,
      /^registered {2}http:\/\/localhost:5081\/callback$/m,
      /^difference {2}it has a trailing slash/m,
    ]) {
      assert.match(stdout, pattern)
    }
    assert.match((await place.run(`explain ${result.client}`)).stdout, /^meant {6}orchard-planner$/m)
    assert.match((await place.run(`explain ${result.token}`)).stdout, /^meant {6}orchard-planner$/m)
    assert.match((await place.run(`explain ${result.scope.toUpperCase()}`)).stdout, /^meant {9}reports$/m)
    const [told] = (await place.json(`explain ${result.scope}`)) as {
      detail: { unregistered: string[] }
      [name: string]: unknown
    }[]
    assert.deepEqual([told?.trace_id, told?.rule, told?.id], [result.scope, 'scope_unknown', 'ID2052'])
    assert.deepEqual(told?.detail.unregistered, ['report'])
    await place.refuses(`explain ${'0'.repeat(32)}`, /No refusal with the trace id 0{32} is on record/)

    // The log says the same, from a file or from standard input, and among lines of somebody else.
    const lines = [
      'not JSON',
      '{"traceId":{}}',
      `app | ${JSON.stringify(log.find((line) => line.traceId === result.slash))}`,
    ]
    writeFileSync(join(place.folder, 'latchkey.log'), lines.join('\n'))
    const fromFile = await place.run(`explain ${result.slash} --log latchkey.log`)
    assert.deepEqual([fromFile.code, fromFile.stderr], [0, ''])
    assert.match(fromFile.stdout, /^difference {2}it has a trailing slash/m)
    assert.match((await place.run(`explain ${result.slash} --log -`, { stdin: lines.join('\n') })).stdout, /^rule /m)
    await place.refuses(`explain ${result.token} --log latchkey.log`, /is on record there/)
    await place.refuses(`explain ${result.slash} --log nothing.log`, /nothing.log cannot be read: ENOENT/)
  })

  it('shows nothing that a terminal would obey, and no more than a line, of what a log or a changed row says', async (t) => {
    const place = workplace(t)
    const traceId = 'b'.repeat(32)
    const evil = '\u001b[2J\u202e'
    const detail = {
      received: evil + 'x'.repeat(5000),
      registered: [evil, null],
      difference: null,
      difference2: { evil },
    }
    const refusal = { reason: 'redirect_uri_unregistered', ...detail, [evil]: evil }
    const stdin = JSON.stringify({ traceId, time: evil, refusal })
    const { time: _time, ...stored } = {
      time: evil,
      reason: refusal.reason,
      received: refusal.received,
      difference: null,
    }
    await place.run('scope add read')
    await place.withStorage(({ audit }) => audit.append([anEvent({ kind: 'refusal', traceId, details: stored })]))
    for (const { code, stdout, stderr } of [
      await place.run(`explain ${traceId} --log -`, { stdin }),
      await place.run(`explain ${traceId}`),
    ]) {
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, /^received .*u\{1b\}\[2J\\u\{202e\}x{100,}\.\.\. \(\d+ characters\)$/m)
      assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
      assert.ok(stdout.length < 5000)
    }
  })

  it('says so when the rule is one of another version', async (t) => {
    const place = workplace(t)
    const traceId = 'a'.repeat(32)
    const stdin = JSON.stringify({
      traceId,
      time: '2030-01-01T00:00:00.000Z',
      refusal: { reason: 'of_tomorrow', id: 'ID1' },
    })
    await place.refuses(`explain ${traceId} --log -`, /rule of_tomorrow, which this version/, { stdin })
  })
})

/** The question to a former system, its breaker and how long failed attempts are held (connections, section 7). */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, beforeEach, describe, it } from 'node:test'
import { legacyEndpoint } from '../../src/outbound/legacy-endpoint.ts'
import { listen } from '../support/listen.ts'

let nowMs = 0
let respond: () => readonly [number, string | Buffer, Record<string, string>?] = () => [404, '']
const asked: string[] = []
const former = createServer(async (request, response) => {
  for await (const _ of request) {
    // The body is not of interest.
  }
  asked.push(request.url ?? '')
  const [status, body, headers = {}] = respond()
  response.writeHead(status, headers).end(body)
})
const url = `${await listen(former)}/check`
after(() => {
  former.closeAllConnections()
  former.close()
})
beforeEach(() => {
  asked.length = 0
  nowMs += 60_000
})

function endpoint(pauses: number[] = []) {
  return legacyEndpoint({
    ...{ url, secret: Buffer.alloc(32, 1), way: { proxies: { https: null, http: null, except: [] }, caFile: null } },
    ...{ clock: () => nowMs, random: (bytes) => new Uint8Array(bytes), monotonic: () => nowMs },
    pause: async (ms) => pauses.push(ms),
  })
}
type Endpoint = ReturnType<typeof endpoint>
const ask = (of: Endpoint) => of.begin().ask('ada', 'right')

describe('an answer of a former system', () => {
  const rows: readonly (readonly [string, readonly [number, string | Buffer, Record<string, string>?], string])[] = [
    ['200 with an object is right', [200, '{"username":"ada"}'], 'right'],
    ['401 is wrong', [401, ''], 'wrong'],
    ['403 is wrong', [403, ''], 'wrong'],
    ['404 is wrong', [404, ''], 'wrong'],
    ['a redirect is none', [302, '', { location: '/elsewhere' }], 'no_answer'],
    ['nor one that keeps the method', [307, '', { location: '/elsewhere' }], 'no_answer'],
    ['nor is 201', [201, '{"username":"ada"}'], 'no_answer'],
    ['nor 204', [204, ''], 'no_answer'],
    ['nor 429', [429, ''], 'no_answer'],
    ['nor 200 without a body', [200, ''], 'no_answer'],
    ['nor what is no JSON', [200, '<html>'], 'no_answer'],
    ['nor a list', [200, '[{"username":"ada"}]'], 'no_answer'],
    ['nor a text', [200, '"ada"'], 'no_answer'],
    ['nor null', [200, 'null'], 'no_answer'],
    ['nor one of more than 64 KiB', [200, `{"username":"ada","name":"${'x'.repeat(70_000)}"}`], 'no_answer'],
    ['nor one that is nested deeply', [200, `{"address":${'['.repeat(5000)}${']'.repeat(5000)}}`], 'no_answer'],
    ['nor one with a member twice', [200, '{"username":"ada","username":"eve"}'], 'no_answer'],
    ['nor one that is not UTF-8', [200, Buffer.from('{"name":"J\u00f6rg"}', 'latin1')], 'no_answer'],
  ]
  for (const [name, answer, outcome] of rows) {
    it(name, async () => {
      respond = () => answer
      assert.equal((await ask(endpoint())).outcome, outcome)
      assert.deepEqual(asked, ['/check'])
    })
  }
})

describe('the breaker of a former system', () => {
  it('opens after five that are no answer in a row, for 30 seconds, and after five more again', async () => {
    const one = endpoint()
    respond = () => [500, '']
    for (let tried = 0; tried < 4; tried += 1) await ask(one)
    respond = () => [401, '']
    assert.equal((await ask(one)).outcome, 'wrong')
    respond = () => [500, '']
    for (let tried = 0; tried < 7; tried += 1) assert.equal((await ask(one)).outcome, 'no_answer')
    assert.equal(asked.length, 10)
    respond = () => [401, '']
    nowMs += 29_999
    assert.equal((await ask(one)).outcome, 'no_answer')
    nowMs += 1
    assert.equal((await ask(one)).outcome, 'wrong')
    assert.equal(asked.length, 11)
  })

  it('counts a record that cannot be used, and begins anew with one that can', async () => {
    const one = endpoint()
    respond = () => [200, '{}']
    for (const isUsable of [false, false, false, false, true, false, false, false, false, false]) {
      const question = one.begin()
      assert.equal((await question.ask('ada', 'right')).outcome, 'right')
      question.judged(isUsable)
    }
    assert.equal((await ask(one)).outcome, 'no_answer')
  })
})

describe('a failed attempt is held', () => {
  it('as long as a question takes, whether it asked or not, and whatever comes after the question', async () => {
    const pauses: number[] = []
    const one = endpoint(pauses)
    respond = () => [401, '']
    const attempt = async (questionMs: number, isAsked = true) => {
      const question = one.begin()
      if (isAsked) await question.ask('ada', 'wrong')
      nowMs += questionMs
      question.end()
      // The check of the password here, which every attempt has.
      nowMs += 40
      await question.failed()
    }
    await attempt(100)
    await attempt(0, false)
    await attempt(30)
    await attempt(2, false)
    assert.deepEqual(pauses, [100, 70, 98])
    // Of the last twenty, and no longer than an answer is waited for.
    for (let tried = 0; tried < 20; tried += 1) await attempt(10)
    pauses.length = 0
    await attempt(0, false)
    await attempt(60_000)
    await attempt(0, false)
    assert.deepEqual(pauses, [10, 6000])
  })
})

/** What a new password must be: the rules as tables, the bundled list, and the range API as a server of the test. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { isBreachedPassword } from '../../src/secrets/breached-passwords.ts'
import { commonPasswordHash, commonPasswordHashBytes, isCommonPassword } from '../../src/secrets/frequent-passwords.ts'
import { newPasswordError } from '../../src/users/new-password.ts'
import { type PasswordOwner, passwordFault } from '../../src/users/password-rules.ts'
import { settingsFrom } from '../support/settings.ts'

const direct = settingsFrom().outbound

const owner: PasswordOwner = { username: 'Zoë.Müller', email: 'zmueller@example.com', service: 'Latchkey' }
const faultOf = (password: string, about: Partial<PasswordOwner> = {}) =>
  passwordFault(password, { ...owner, ...about }, 8)

describe('a new password', () => {
  it('has the length of the setting in code points, and at most 1,024 bytes of valid text', () => {
    assert.equal(faultOf('x'.repeat(8)), undefined)
    assert.equal(faultOf('x'.repeat(7)), 'password_too_short')
    assert.equal(faultOf('😀'.repeat(7)), 'password_too_short')
    assert.equal(faultOf('😀'.repeat(8)), undefined)
    assert.equal(faultOf('x'.repeat(1024)), undefined)
    assert.equal(faultOf('😀'.repeat(256)), undefined)
    for (const long of ['x'.repeat(1025), '😀'.repeat(257), 'x'.repeat(1e6), '\ud800'.repeat(8)])
      assert.equal(faultOf(long), 'password_too_long')
  })

  it('is not name, address or service with up to three other characters, compared case-folded', () => {
    const similar = [
      'zoë.müller',
      'ZOË.MÜLLER',
      'Zoe\u0308.Müller1',
      '1zoë.mü!ller?',
      'zmueller',
      'ZMUELLER@example.com99',
      'latchkey',
      'Latch-Key-1',
      'LATCHKEY123',
    ]
    for (const password of similar) assert.equal(faultOf(password), 'password_similar', password)
    const fine = ['zoë.müller1234', 'latchkey1234', 'yekhctal', 'zmuellex1234', 'müller.zoë']
    for (const password of fine) assert.equal(faultOf(password), undefined, password)
    assert.equal(faultOf('abcdefgh', { username: '', email: '', service: '' }), undefined)
  })

  it('is not in the bundled list of at least 100,000, in upper or lower case', async () => {
    const { size } = statSync(new URL('../../src/secrets/frequent-passwords.bin', import.meta.url))
    assert.ok(size / commonPasswordHashBytes >= 100_000)
    for (const common of ['password', 'Password123', 'PASSWORD1', 'qwertyuiop', 'iloveyou', '123456789', 'letmein123'])
      assert.equal(await isCommonPassword(common), true, common)
    for (const rare of ['', 'correct horse battery', 'Passw0rd!', 'kT7-vw2q', 'password'.repeat(5)])
      assert.equal(await isCommonPassword(rare), false, rare)
  })

  it('is judged on the page by a part of that list', async () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url))
    const [all, onPages] = [read('src/secrets/frequent-passwords.bin'), read('pages/account/frequent-passwords.bin')]
    const starts = (list: Buffer, width: number) =>
      Array.from({ length: list.length / width }, (_, at) => list.readUInt32BE(at * width))
    const known = new Set(starts(all, commonPasswordHashBytes))
    const shown = starts(onPages, 4)
    assert.ok(shown.length >= 5000 && shown.every((one) => known.has(one)))
    assert.ok(shown.includes(commonPasswordHash('Password123').readUInt32BE(0)))
  })

  it('is asked about in the order of the cost, and elsewhere last', async () => {
    const asked: string[] = []
    const lists = {
      minLength: 8,
      isCommon: async (password: string) => asked.push('common') > 0 && password === 'common one',
      isBreached: async (password: string) => asked.push('breached') > 0 && password === 'breached one',
    }
    const errorOf = async (password: string) => [await newPasswordError(password, owner, lists), asked.splice(0)]
    assert.deepEqual(await errorOf('short'), ['password_too_short', []])
    assert.deepEqual(await errorOf('latchkey'), ['password_similar', []])
    assert.deepEqual(await errorOf('common one'), ['password_common', ['common']])
    assert.deepEqual(await errorOf('breached one'), ['password_breached', ['common', 'breached']])
    assert.deepEqual(await errorOf('a good one'), [undefined, ['common', 'breached']])
  })
})

describe('the range API of breached passwords', () => {
  const password = 'a breached one'
  const digest = hash('sha1', password, 'hex').toUpperCase()
  const suffix = digest.slice(5)

  async function serve(t: TestContext, answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    t.after(() => server.close().closeAllConnections())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`
  }

  it('gets five hexadecimal digits and nothing else, and is believed for counts above zero', async (t) => {
    const asked: string[] = []
    let body = ''
    const address = await serve(t, (request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.cookie ?? ''}`)
      response.end(body)
    })
    for (const [lines, breached] of [
      [`${suffix}:3`, true],
      [`${'0'.repeat(35)}:7\r\n${suffix.toLowerCase()}:1\r\n`, true],
      [`${suffix}:0`, false],
      [`${suffix}`, false],
      [`${'F'.repeat(35)}:9`, false],
      ['<html>', false],
      ['', false],
    ] as const) {
      body = lines
      assert.equal(await isBreachedPassword(address, password, direct), breached, lines)
    }
    assert.deepEqual(new Set(asked), new Set([`GET /range/${digest.slice(0, 5)} `]))
  })

  it('refuses no one when it fails, redirects, floods or does not answer within a second', async (t) => {
    const found = `${suffix}:3`
    const failing: RequestListener[] = [
      (_request, response) => response.writeHead(500).end(found),
      (request, response) =>
        request.url === '/other' ? response.end(found) : response.writeHead(302, { location: '/other' }).end(),
      (request) => request.socket.destroy(),
      (_request, response) => response.end(`${'x'.repeat(2 * 1024 * 1024)}\n${found}`),
      // Headers without an end of the body.
      (_request, response) => response.write(`${found}\n`),
    ]
    for (const answer of failing)
      assert.equal(await isBreachedPassword(await serve(t, answer), password, direct), false)
    assert.equal(await isBreachedPassword('http://127.0.0.1:9/', password, direct), false)
  })
})

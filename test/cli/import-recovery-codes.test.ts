/** Recovery codes that another system hashed (connections, section 7). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { codeNow, halfWay, keycloakApp, keycloakCodes, proved, realmOf, serviceOn, sha512 } from './factors-place.ts'
import { find, lines, placeWith, result } from './import-place.ts'
import { expected, realmPlace } from './keycloak-data.ts'

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
/** With letters that our own alphabet has not. */
const codes = ['LOI0QUL1ZWFO', '7JJD2WJI2FCU', 'TQJ6I5U97MMJ']
const alice = 'alice'

describe('recovery codes of Keycloak', () => {
  it('of a real realm prove the second factor', async (t) => {
    const at = realmPlace(t)
    if (at === undefined) return
    const { findings } = await result(at, 'keycloak realm.json')
    assert.deepEqual(
      findings.filter(({ source }) => source === 'recovery'),
      [],
    )
    await using service = await serviceOn(at)
    const { password, recoveryCodes = [] } =
      expected().people.find(({ username }) => username === 'recovery') ?? assert.fail()
    assert.equal(recoveryCodes.length, 12)
    const browser = new Browser(service)
    await browser.signIn({ username: 'recovery', password: password ?? '' })
    assert.equal(await proved(browser, 'recovery', recoveryCodes[7] ?? ''), null)
  })

  it('count once each, in any order and however they are typed, beside the authenticator app', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf({ [alice]: [keycloakApp(secret), keycloakCodes(codes)] }) })
    assert.deepEqual((await result(at, 'keycloak realm.json')).findings, [])
    await using service = await serviceOn(at)
    const browser = await halfWay(service, alice)
    // The hash is no code, nor is another spelling of a letter, which only codes made here allow.
    assert.equal(await proved(browser, 'recovery', sha512(codes[0] ?? '')), 'code_invalid')
    assert.equal(await proved(browser, 'recovery', 'L010QUL1ZWF0'), 'code_invalid')
    assert.equal(await proved(browser, 'recovery', ' loi0-qul1-zwfo'), null)
    const { id } = await find(at, alice)
    assert.equal((await service.storage.secondFactors.find(id))?.recoveryHashes.length, 2)
    const other = await halfWay(service, alice)
    assert.equal(await proved(other, 'recovery', codes[0] ?? ''), 'code_invalid')
    assert.equal(await proved(other, 'recovery', codes[2] ?? ''), null)
    assert.equal(await proved(await halfWay(service, alice), 'totp', codeNow(service, secret)), null)
  })

  it('count once of two browsers at the same time', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf({ [alice]: [keycloakApp(secret), keycloakCodes(codes)] }) })
    await result(at, 'keycloak realm.json')
    await using service = await serviceOn(at)
    const browsers = [await halfWay(service, alice), await halfWay(service, alice)]
    const outcomes = await Promise.all(browsers.map((browser) => proved(browser, 'recovery', codes[1] ?? '')))
    assert.deepEqual(outcomes.sort(), ['code_invalid', null])
  })

  it('end with new ones, and with the factor that they stand in for', async (t) => {
    const people = {
      alice: [keycloakApp(secret), keycloakCodes(codes)],
      bob: [keycloakApp(secret), keycloakCodes(codes)],
    }
    const at = placeWith(t, { 'realm.json': realmOf(people) })
    await result(at, 'keycloak realm.json')
    await using service = await serviceOn(at)
    const browser = await halfWay(service, 'alice')
    assert.equal(await proved(browser, 'recovery', codes[0] ?? ''), null)
    const made = (await browser.self('POST', '/recovery-codes')).body.codes as string[]
    const again = await halfWay(service, 'alice')
    assert.equal(await proved(again, 'recovery', codes[1] ?? ''), 'code_invalid')
    assert.equal(await proved(again, 'recovery', made[0] ?? ''), null)
    const bob = await halfWay(service, 'bob')
    assert.equal(await proved(bob, 'totp', codeNow(service, secret)), null)
    assert.equal((await bob.self('DELETE', '/totp')).status, 204)
    const { id } = await find(at, 'bob')
    assert.deepEqual((await service.storage.secondFactors.find(id))?.recoveryHashes, [])
  })

  it('are stored sealed, and shown nowhere', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf({ [alice]: [keycloakApp(secret), keycloakCodes(codes)] }) })
    await result(at, 'keycloak realm.json')
    const { id } = await find(at, alice)
    const stored = await at.withStorage(async (storage) => (await storage.secondFactors.find(id))?.recoveryHashes ?? [])
    assert.equal(stored.length, codes.length)
    const hashes = codes.map(sha512)
    assert.ok(!hashes.some((hash) => JSON.stringify(stored).includes(hash)))
    const shown = [await at.run('user show alice --json'), await at.run('user export alice')]
    for (const { code, stdout } of shown) {
      assert.equal(code, 0)
      assert.ok(![...hashes, ...stored].some((hash) => stdout.includes(hash)))
    }
  })

  it('that are hashed in another way, or stand for no other factor, do not come, and the person is held', async (t) => {
    const people = {
      other: [keycloakApp(secret), keycloakCodes(codes, { algorithm: 'SHA-256' })],
      slow: [keycloakApp(secret), keycloakCodes(codes, { hashIterations: 5 })],
      alone: [keycloakCodes(codes)],
    }
    const at = placeWith(t, { 'realm.json': realmOf(people) })
    const { findings } = await result(at, 'keycloak realm.json')
    const lost = findings.filter(({ member }) => member === 'credentials.recovery-authn-codes')
    assert.deepEqual(
      lost.map(({ severity, reason, people: many }) => [severity, reason, many]),
      [
        ['lost', 'These recovery codes are not hashed by SHA-512.', 2],
        ['lost', 'Recovery codes end with the last other factor.', 1],
      ],
    )
    assert.equal((await find(at, 'alone')).hadSecondFactor, true)
    const { id } = await find(at, 'other')
    const factors = await at.withStorage((storage) => storage.secondFactors.find(id))
    assert.deepEqual([factors?.totp !== null, factors?.recoveryHashes], [true, []])
  })

  it('leave with an export of either kind, and work where it is imported; codes made here do not', async (t) => {
    const at = placeWith(t, { 'realm.json': realmOf({ [alice]: [keycloakApp(secret), keycloakCodes(codes)] }) })
    await result(at, 'keycloak realm.json')
    for (const kind of ['users', 'keycloak']) {
      const file = `${kind}.out`
      const { code, stderr } = await at.run(`export ${kind} ${file}`)
      assert.equal(code, 0, stderr)
      assert.ok(!stderr.includes('recovery codes'), stderr)
      const there = placeWith(t, { [file]: readFileSync(join(at.folder, file), 'utf8') })
      assert.equal((await result(there, `${kind} ${file}`)).created, 1)
      await using service = await serviceOn(there)
      assert.equal(await proved(await halfWay(service, alice), 'recovery', codes[1] ?? ''), null)
    }
    await using service = await serviceOn(at)
    const browser = await halfWay(service, alice)
    assert.equal(await proved(browser, 'totp', codeNow(service, secret)), null)
    await browser.self('POST', '/recovery-codes')
    const { stdout, stderr } = await at.run('export users')
    assert.match(stderr, /not exported, for 1 person: recovery codes/)
    assert.ok(!stdout.includes('recovery_codes'))
  })
})

describe('hashed recovery codes in a file of users', () => {
  it('are SHA-512 in Base64 of 64 bytes, and anything else leaves the person out', async (t) => {
    const person = (username: string, code: string) => ({
      ...{ username, email: `${username}@acme.example`, totp_secret: secret, recovery_codes: [code] },
    })
    const at = placeWith(t, {
      'people.jsonl': lines(
        person('good', `sha512:${sha512('7JJD2WJI2FCU')}`),
        person('short', `sha512:${sha512('x').slice(4)}`),
        person('other', `sha256:${sha512('x')}`),
        person('blank', 'sha512:'),
      ),
    })
    const { created, rows } = await result(at, 'users people.jsonl')
    assert.deepEqual([created, rows.map(({ line }) => line)], [1, [2, 3, 4]])
    for (const { reason } of rows) assert.match(reason, /recovery_codes must be a list of codes/)
  })
})

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet, type JSONWebKeySet, SignJWT } from 'jose'
import type { KeyRing } from '../../src/keys/key-ring.ts'
import { propagationMs, secretUses } from '../../src/keys/lifecycle.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { replaceLostKeys, rotateKeys } from '../../src/keys/rotate.ts'
import type { SigningAlgorithm } from '../../src/settings/settings.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { StoredKey } from '../../src/storage/port/keys.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { settingsFrom } from '../support/settings.ts'
import { openDatabase } from '../support/sqlite.ts'

/** Two signing keys, the key of the audit trail, and a secret for each use. */
const ringSize = 3 + secretUses.length
/** Those that a rotation renews: all but the secret of pairwise subject identifiers. */
const renewed = ringSize - 1

const folder = mkdtempSync(join(tmpdir(), 'latchkey-keys-'))
after(() => rmSync(folder, { recursive: true }))

const masterKey = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const day = 24 * 3_600_000

const settingsWith = (env: Record<string, string> = {}) =>
  settingsFrom({ Database__Url: 'sqlite::memory:', Keys__MasterKey: masterKey(1), ...env }, folder)

/** An empty database in memory, with a clock that stands still until it is moved. */
async function scene(env: Record<string, string> = {}) {
  const settings = settingsWith(env)
  const storage = await openDatabase({ kind: 'sqlite-memory' })
  const time = { nowMs: 1_800_000_000_000 }
  const context = { storage, settings, clock: () => time.nowMs }
  return { ...context, time, context, open: () => openKeyRing(context) }
}

function kidsOf(ring: KeyRing): string[] {
  return (JSON.parse(ring.keySet()) as JSONWebKeySet).keys.map(({ kid }) => kid ?? '')
}

async function signAndVerify(ring: KeyRing, algorithm: SigningAlgorithm): Promise<void> {
  const key = ring.signingKey(algorithm)
  const jwt = await new SignJWT({}).setProtectedHeader({ alg: algorithm, kid: key.kid }).sign(key.privateKey)
  const published = createLocalJWKSet(JSON.parse(ring.keySet()) as JSONWebKeySet)
  await compactVerify(jwt, published)
  const verification = ring.verificationKey(key.kid)
  assert.equal(verification?.algorithm, algorithm)
  assert.ok(verification)
  await compactVerify(jwt, verification.publicKey, { algorithms: [algorithm] })
}

describe('a key ring on an empty database', () => {
  it('makes the keys of every algorithm that can be named, and they sign [C3.15]', async () => {
    const first = await scene({ OAuth__AccessTokenAlgorithm: 'EdDSA', OAuth__IdentityTokenAlgorithm: 'PS256' })
    const ring = await first.open()
    await signAndVerify(ring, 'EdDSA')
    await signAndVerify(ring, 'PS256')
    const second = await scene()
    const usual = await second.open()
    await signAndVerify(usual, 'ES256')
    await signAndVerify(usual, 'RS256')
    assert.throws(() => usual.signingKey('EdDSA'), /no EdDSA key/)
  })

  it('publishes public keys alone, named by their thumbprint (RFC 7638)', async () => {
    const ring = await (await scene()).open()
    const { keys } = JSON.parse(ring.keySet()) as JSONWebKeySet
    assert.equal(keys.length, 2)
    for (const jwk of keys) {
      assert.equal(jwk.kid, await calculateJwkThumbprint(jwk))
      assert.equal(jwk.use, 'sig')
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.ok(!(secret in jwk), secret)
    }
    assert.equal(keys.find(({ kty }) => kty === 'RSA')?.n?.length, Math.ceil((256 * 4) / 3))
    assert.equal(ring.keySet(), ring.keySet())
  })

  it('shows nothing of a private key that is written out by mistake', async () => {
    const key = (await (await scene()).open()).signingKey('ES256')
    const { d } = key.privateKey.export({ format: 'jwk' })
    assert.match(d ?? '', /^[A-Za-z0-9_-]{43}$/)
    for (const text of [inspect(key, { depth: 10, showHidden: true }), JSON.stringify(key), String(key.privateKey)]) {
      assert.ok(!text.includes(d as string))
    }
  })

  it('has a secret of its own for every use', async () => {
    const ring = await (await scene()).open()
    const secrets = secretUses.map((use) => ring.secret(use))
    assert.equal(new Set(secrets.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).size, secretUses.length)
    for (const { bytes } of secrets) assert.equal(bytes.length, 32)
    const { id } = ring.secret('code')
    assert.equal(ring.secretById('code', id)?.id, id)
    assert.equal(ring.secretById('refresh', id), undefined)
    assert.equal(ring.secretById('code', 'unknown'), undefined)
  })

  it('is the same for all nodes that start together', async () => {
    const { open } = await scene()
    const rings = await Promise.all([open(), open(), open()])
    assert.equal(new Set(rings.map((ring) => ring.keySet())).size, 1)
    assert.equal(new Set(rings.map((ring) => ring.secret('refresh').id)).size, 1)
  })

  it('is the same after a restart', async () => {
    const { open } = await scene()
    const [before, again] = [await open(), await open()]
    assert.equal(before.keySet(), again.keySet())
    assert.deepEqual(before.secret('code'), again.secret('code'))
  })
})

describe('keys at rest', () => {
  it('are encrypted [C3.24]', async () => {
    const { open, storage } = await scene()
    const ring = await open()
    const rows = await storage.keys.list()
    assert.equal(rows.length, ringSize)
    for (const { wrapped } of rows) assert.match(wrapped, /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    const bytes = Buffer.from(ring.secret('code').bytes)
    for (const spelling of ['hex', 'base64', 'base64url'] as const) {
      assert.ok(!JSON.stringify(rows).includes(bytes.toString(spelling)))
    }
  })

  it('do not open under another master key; the message says what to do', async () => {
    const { open, context } = await scene()
    await open()
    const other = { ...context, settings: settingsWith({ Keys__MasterKey: masterKey(2) }) }
    const expected = {
      name: 'KeyRingProblem',
      message: /master key from Keys:MasterKey\. Set the one .* --lost-master-key/,
    }
    await assert.rejects(openKeyRing(other), expected)
    await assert.rejects(rotateKeys(other), expected)
    assert.equal((await context.storage.keys.list()).length, ringSize)
  })

  it('are bound to their row: a swapped ciphertext does not open', async () => {
    const { open, storage, context } = await scene()
    await open()
    const rows = await storage.keys.list()
    const [code, refresh] = [rows.find(({ use }) => use === 'code'), rows.find(({ use }) => use === 'refresh')]
    assert.ok(code && refresh)
    const swapped: Pick<Storage, 'keys'> = {
      keys: {
        ...storage.keys,
        list: async () => rows.map((row) => (row.id === code.id ? { ...row, wrapped: refresh.wrapped } : row)),
      },
    }
    await assert.rejects(openKeyRing({ ...context, storage: swapped }), { name: 'KeyRingProblem' })
  })
})

describe('a rotation', () => {
  it('publishes the successor at once, and signs with it when everybody knows it', async () => {
    const { open, context, time } = await scene()
    const ring = await open()
    const old = ring.signingKey('ES256').kid
    await rotateKeys(context)
    await ring.refresh(0)
    assert.equal(kidsOf(ring).length, 2, 'read again although the last reading is no older')
    time.nowMs += 1
    await ring.refresh(0)
    assert.equal(kidsOf(ring).length, 4)
    assert.equal(ring.signingKey('ES256').kid, old)
    time.nowMs += propagationMs - 2
    assert.equal(ring.signingKey('ES256').kid, old)
    time.nowMs += 1
    assert.notEqual(ring.signingKey('ES256').kid, old)
    await signAndVerify(ring, 'ES256')
    await signAndVerify(ring, 'RS256')
  })

  it('keeps the old key published until everything it signed has expired, then drops it [C2.22]', async () => {
    const { open, context, time } = await scene({ OAuth__AccessTokenLifetime: String((3 * day) / 1000) })
    const ring = await open()
    const old = ring.signingKey('ES256').kid
    await rotateKeys(context)
    time.nowMs += propagationMs
    await ring.refresh()
    // The last token was signed just before the successor took over.
    time.nowMs += 3 * day
    assert.ok(kidsOf(ring).includes(old))
    assert.ok(ring.verificationKey(old))
    time.nowMs += 3_600_000
    assert.ok(!kidsOf(ring).includes(old))
    assert.equal(ring.verificationKey(old), undefined)
  })

  it('keeps old secrets readable, that of refresh chains for ever', async () => {
    const { open, context, time } = await scene()
    const ring = await open()
    const old = { refresh: ring.secret('refresh'), antiforgery: ring.secret('antiforgery') }
    await rotateKeys(context)
    time.nowMs += propagationMs
    await ring.refresh()
    assert.notEqual(ring.secret('refresh').id, old.refresh.id)
    assert.notEqual(ring.secret('antiforgery').id, old.antiforgery.id)
    time.nowMs += 12 * 3_600_000
    assert.deepEqual(ring.secretById('antiforgery', old.antiforgery.id), old.antiforgery)
    time.nowMs += 3_600_000
    assert.equal(ring.secretById('antiforgery', old.antiforgery.id), undefined)
    time.nowMs += 3650 * day
    assert.deepEqual(ring.secretById('refresh', old.refresh.id), old.refresh)
    const reopened = await open()
    assert.deepEqual(reopened.secretById('refresh', old.refresh.id), old.refresh)
  })

  it('right after another one leaves a key to sign with at every moment', async () => {
    const { open, context, time } = await scene()
    const ring = await open()
    await rotateKeys(context)
    time.nowMs += 10_000
    await rotateKeys(context)
    for (let step = 0; step < 40; step += 1) {
      time.nowMs += 10_000
      await ring.refresh(0)
      assert.ok(kidsOf(ring).includes(ring.signingKey('RS256').kid))
      ring.secret('code')
    }
  })

  it('survives the sweeping of expired keys', async () => {
    const { open, context, time, storage } = await scene()
    const ring = await open()
    await rotateKeys(context)
    time.nowMs += 30 * day
    await storage.sweep(time.nowMs, 100)
    await ring.refresh()
    assert.equal(kidsOf(ring).length, 2)
    await rotateKeys(context)
  })

  it('leaves a key to sign with when the clock is set back a little', async () => {
    const { open, context, time } = await scene()
    const ring = await open()
    await rotateKeys(context)
    time.nowMs += propagationMs
    await ring.refresh()
    time.nowMs -= 50
    await signAndVerify(ring, 'ES256')
    assert.equal((await open()).signingKey('RS256').algorithm, 'RS256')
  })

  it('leaves every secret, and a key set with what signs, when the clock is set back behind the end of old ones', async () => {
    const { open, context, time } = await scene()
    const ring = await open()
    const [old, oldKeys] = [ring.secret('code'), kidsOf(ring)]
    await rotateKeys(context)
    time.nowMs += 60 * day
    await ring.refresh()
    assert.ok(!kidsOf(ring).some((kid) => oldKeys.includes(kid)))
    // Not read again: the next request comes before the next reading.
    time.nowMs -= 60 * day - 1
    for (const use of secretUses) assert.notEqual(ring.secret(use).id, old.id)
    await signAndVerify(ring, 'ES256')
    for (const kid of kidsOf(ring)) assert.ok(ring.verificationKey(kid), 'what is published verifies')
    assert.ok(oldKeys.every((kid) => kidsOf(ring).includes(kid) === (ring.verificationKey(kid) !== undefined)))
    await ring.refresh()
    assert.equal(ring.secret('code').id, old.id)
  })

  it('by another process, or a reading that began before a key was made, takes no key away again', async () => {
    const { context, storage } = await scene()
    let release = (): void => {}
    let lists = 0
    let listed = (): void => {}
    const isListed = new Promise<void>((resolve) => {
      listed = resolve
    })
    const slow = {
      ...storage.keys,
      async list() {
        lists += 1
        const rows = await storage.keys.list()
        // The second reading arrives last.
        if (lists === 2) {
          await new Promise<void>((resolve) => {
            release = resolve
            listed()
          })
        }
        return rows
      },
    }
    const ring = await openKeyRing({ ...context, storage: { keys: slow } })
    const refreshed = ring.refresh(-1)
    await isListed
    const making = Promise.resolve(ring.signer('EdDSA'))
    // Whatever can be made without the reading is made first.
    const isMade = async () => (await storage.keys.list()).some(({ algorithm }) => algorithm === 'EdDSA')
    for (let turns = 0; turns < 1000 && !(await isMade()); turns += 1) await new Promise(setImmediate)
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate)
    release()
    const [made] = await Promise.all([making, refreshed])
    assert.ok(ring.verificationKey(made.kid))
    assert.equal(ring.signer('EdDSA'), made)
  })

  it('of an empty ring makes the first keys as well', async () => {
    const { context, storage } = await scene()
    await rotateKeys(context)
    assert.equal((await storage.keys.list()).length, ringSize + renewed)
  })
})

describe('an algorithm that is given up and named again', () => {
  it('keeps its keys, because clients can register it', async () => {
    const { open, context, time } = await scene()
    const before = (await open()).signingKey('RS256').kid
    const without = { ...context, settings: settingsWith({ OAuth__IdentityTokenAlgorithm: 'ES256' }) }
    await rotateKeys(without)
    time.nowMs += propagationMs
    const ring = await open()
    assert.notEqual(ring.signingKey('RS256').kid, before)
    assert.ok(kidsOf(ring).includes(before))
    await signAndVerify(ring, 'RS256')
  })
})

describe('a lost master key', () => {
  it('is replaced: tokens that were signed can still be verified, lost secrets end', async () => {
    const { open, context, time } = await scene()
    const before = await open()
    await rotateKeys(context)
    time.nowMs += 1
    const lost = { ...context, settings: settingsWith({ Keys__MasterKey: masterKey(2) }) }
    await replaceLostKeys(lost)
    const ring = await openKeyRing(lost)
    assert.ok(ring.verificationKey(before.signingKey('ES256').kid))
    assert.notEqual(ring.signingKey('ES256').kid, before.signingKey('ES256').kid)
    // Successors that never signed are gone with the master key.
    assert.equal(kidsOf(ring).length, 4)
    await signAndVerify(ring, 'ES256')
    assert.equal(ring.secretById('refresh', before.secret('refresh').id), undefined)
    time.nowMs += propagationMs
    assert.notEqual(ring.signingKey('ES256').kid, before.signingKey('ES256').kid)
  })
})

describe('reading the ring again', () => {
  /** Storage whose readings are counted. */
  function counting(storage: Storage) {
    const counted = { readings: 0, fail: false }
    const list = async (): Promise<StoredKey[]> => {
      counted.readings += 1
      if (counted.fail) throw new Error('the database is away')
      return storage.keys.list()
    }
    return { counted, storage: { keys: { ...storage.keys, list } } }
  }

  it('happens once for all who ask at the same time, and not while it is fresh', async () => {
    const { context, time, storage } = await scene()
    const { counted, storage: counter } = counting(storage)
    const ring = await openKeyRing({ ...context, storage: counter })
    counted.readings = 0
    time.nowMs += 1000
    await ring.refresh()
    assert.equal(counted.readings, 0)
    time.nowMs += 1
    await Promise.all([ring.refresh(), ring.refresh(), ring.refresh()])
    assert.equal(counted.readings, 1)
    await ring.refresh()
    assert.equal(counted.readings, 1)
  })

  it('that fails leaves the ring as it was, and is tried again', async () => {
    const { context, time, storage } = await scene()
    const { counted, storage: counter } = counting(storage)
    const ring = await openKeyRing({ ...context, storage: counter })
    const before = ring.keySet()
    time.nowMs += 5000
    counted.fail = true
    await assert.rejects(ring.refresh(), /away/)
    assert.equal(ring.keySet(), before)
    counted.fail = false
    counted.readings = 0
    await ring.refresh()
    assert.equal(counted.readings, 1)
  })

  it('happens after the clock was set back', async () => {
    const { context, time, storage } = await scene()
    const { counted, storage: counter } = counting(storage)
    const ring = await openKeyRing({ ...context, storage: counter })
    counted.readings = 0
    time.nowMs -= 60_000
    await ring.refresh()
    assert.equal(counted.readings, 1)
  })
})

describe('the master key file', () => {
  let databases = 0
  async function fileScene(env: Record<string, string> = {}) {
    databases += 1
    const file = join(folder, `${databases}.db`)
    const settings = settingsWith({ Keys__MasterKey: '', Database__Url: `sqlite:${file}`, ...env })
    const storage = await openDatabase({ kind: 'sqlite-memory' })
    const warnings: string[] = []
    const context = {
      storage,
      settings,
      clock: () => 1_800_000_000_000,
      warn: (text: string) => void warnings.push(text),
    }
    return { context, file: `${file}.key`, warnings }
  }

  it('is created beside the embedded database, for its owner alone [C3.25]', async () => {
    const { context, file, warnings } = await fileScene()
    const ring = await openKeyRing(context)
    assert.match(readFileSync(file, 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await openKeyRing(context)).keySet(), ring.keySet())
    assert.deepEqual(warnings, [])
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('.key.')),
      [],
      'a draft was left behind',
    )
  })

  it('is one file for processes that start together', async () => {
    const { context } = await fileScene()
    const rings = await Promise.all(Array.from({ length: 5 }, () => openKeyRing(context)))
    assert.equal(new Set(rings.map((ring) => ring.keySet())).size, 1)
  })

  it('that is gone is not made anew while the database holds keys', async () => {
    const { context, file } = await fileScene()
    await openKeyRing(context)
    rmSync(file)
    await assert.rejects(openKeyRing(context), {
      name: 'KeyRingProblem',
      message: /no such file\. Restore it from a backup/,
    })
    await replaceLostKeys(context)
    await openKeyRing(context)
  })

  it('that others can read is used with a warning', async () => {
    const { context, file, warnings } = await fileScene()
    await openKeyRing(context)
    chmodSync(file, 0o644)
    await openKeyRing(context)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /chmod 600/)
  })

  it('of the settings is read, and never made', async () => {
    const named = join(folder, 'named.key')
    const { context, file } = await fileScene({ Keys__MasterKeyFile: named })
    await assert.rejects(openKeyRing(context), {
      name: 'KeyRingProblem',
      message: /Keys:MasterKeyFile names .* openssl rand/,
    })
    writeFileSync(named, 'too short\n', { mode: 0o600 })
    await assert.rejects(openKeyRing(context), { message: /does not hold 32 bytes in base64/ })
    writeFileSync(named, `${masterKey(3)}\n`)
    await openKeyRing(context)
    assert.throws(() => statSync(file), { code: 'ENOENT' })
  })

  it('is not needed for a database in memory [C3.27]', async () => {
    const settings = settingsWith({ Keys__MasterKey: '' })
    const storage = await openStorage(settings.database.url, { migrate: true })
    const before = readdirSync(folder)
    await openKeyRing({ storage, settings, clock: () => 1_800_000_000_000 })
    assert.deepEqual(readdirSync(folder), before)
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ml_dsa65 } from '@noble/post-quantum/ml-dsa.js'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import type { KeyRing } from '../../src/keys/key-ring.ts'
import { isLasting, keyState, propagationMs, secretUses } from '../../src/keys/lifecycle.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { replaceLostKeys, rotateKeys, rotateWhenDue } from '../../src/keys/rotate.ts'
import type { ClientAlgorithm } from '../../src/protocol/client/client-metadata.ts'
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import { signJwt } from '../../src/tokens/sign.ts'
import { verifyIssued, verifyJwt } from '../../src/tokens/signature.ts'
import { postgresServer } from '../support/postgres.ts'
import { testClient } from '../support/service.ts'
import { settingsFrom } from '../support/settings.ts'
import { openDatabase } from '../support/sqlite.ts'

/** RS256 and ES256 of the settings, the key of the audit trail, and a secret for each use. */
const ringSize = 3 + secretUses.length
/** The secret of pairwise subjects is never replaced. */
const renewedSize = ringSize - secretUses.filter((use) => isLasting({ use })).length
const issuer = 'https://id.example/'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-algorithms-'))
const server = await postgresServer()
after(async () => {
  rmSync(folder, { recursive: true })
  await server.stop()
})

const settingsWith = (env: Record<string, string> = {}) =>
  settingsFrom({ Keys__MasterKey: Buffer.alloc(32, 1).toString('base64'), ...env }, folder)

async function scene(env: Record<string, string> = {}, database: DatabaseSettings = { kind: 'sqlite-memory' }) {
  const time = { nowMs: 1_800_000_000_000 }
  const storage = await openDatabase(database)
  const context = { storage, settings: settingsWith(env), clock: () => time.nowMs }
  const rows = async (algorithm: ClientAlgorithm) =>
    (await storage.keys.list()).filter((key) => key.use === 'sign' && key.algorithm === algorithm)
  return { time, storage, context, rows, open: () => openKeyRing(context) }
}

/** A client that asks for id tokens of the algorithm. */
const asking = (algorithm: ClientAlgorithm, registration: 'operator' | 'open' = 'operator') =>
  testClient({
    id: `asks for ${algorithm}`,
    metadata: { id_token_signed_response_alg: algorithm, registration },
  })

const published = (ring: KeyRing) => (JSON.parse(ring.keySet()) as JSONWebKeySet).keys
const sign = (ring: KeyRing, algorithm: ClientAlgorithm) =>
  signJwt(ring.signer(algorithm), 'JWT', { iss: issuer, sub: 'x' })

describe('the key of an algorithm that only clients ask for', () => {
  it('is not made at the start', async () => {
    const { open, storage } = await scene()
    assert.equal(published(await open()).length, 2)
    assert.equal((await storage.keys.list()).length, ringSize)
  })

  for (const algorithm of ['PS256', 'EdDSA'] as const) {
    it(`is made when it is first used, published and verified: ${algorithm}`, async () => {
      const { open, rows, storage } = await scene()
      const ring = await open()
      const jwt = await sign(ring, algorithm)
      await compactVerify(jwt, createLocalJWKSet(JSON.parse(ring.keySet())), { algorithms: [algorithm] })
      assert.equal((await verifyJwt(jwt, ['JWT'], ring, issuer))?.sub, 'x')
      assert.equal((await rows(algorithm)).length, 1)
      assert.equal(new Set(published(ring).map(({ kid }) => kid)).size, 3)
      const entries = await storage.audit.newest({}, 2)
      assert.match(JSON.stringify(entries), new RegExp(`keys_created.*sign ${algorithm} `))
    })
  }

  it('is the same after a restart, and at once without a promise', async () => {
    const { open, context } = await scene()
    const first = await (await open()).signer('PS256')
    const again = await open()
    const key = again.signer('PS256')
    assert.ok(!(key instanceof Promise))
    assert.equal(key.kid, first.kid)
    assert.equal((await context.storage.keys.list()).length, ringSize + 1)
  })

  it('is made once for all who ask at the same time', async () => {
    const { open, rows } = await scene()
    const ring = await open()
    const keys = await Promise.all(Array.from({ length: 8 }, () => ring.signer('EdDSA')))
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, 1)
    assert.equal((await rows('EdDSA')).length, 1)
  })

  const databases: [string, () => Promise<DatabaseSettings>][] = [
    ['an SQLite file', async () => ({ kind: 'sqlite', file: join(folder, 'nodes.db') })],
    ['PostgreSQL', async () => ({ kind: 'postgres', url: await server.createEmptyDatabase() })],
  ]
  for (const [name, database] of databases) {
    it(`is one for nodes that need it at the same time, also after it was given up, on ${name}`, async () => {
      const at = await database()
      const nodes = [await scene({}, at), await scene({}, at), await scene({}, at)]
      const rings = await Promise.all(nodes.map(({ open }) => open()))
      const kids = await Promise.all(rings.map(async (ring) => (await ring.signer('EdDSA')).kid))
      assert.equal(new Set(kids).size, 1)
      const [{ rows, storage, time } = await scene()] = nodes
      const [old] = await rows('EdDSA')
      // A version that does not know the algorithm ends its key at a rotation.
      await storage.keys.rotate([], [{ id: old?.id ?? '', fromMs: null, expiresAtMs: time.nowMs + 1000 }])
      for (const node of nodes) node.time.nowMs += 2000
      await Promise.all(rings.map((ring) => ring.refresh(0)))
      const later = await Promise.all(rings.map(async (ring) => (await ring.signer('EdDSA')).kid))
      assert.equal(new Set(later).size, 1)
      assert.notEqual(later[0], kids[0])
      assert.equal((await rows('EdDSA')).length, 2)
      for (const node of nodes) await node.storage.close()
    })
  }

  it('is verified by a node that has not read the ring since', async () => {
    const { open, time } = await scene()
    const [one, other] = [await open(), await open()]
    const jwt = await sign(one, 'PS256')
    time.nowMs += 1001
    assert.equal((await verifyJwt(jwt, ['JWT'], other, issuer))?.sub, 'x')
  })

  it('verifies nothing for another ring, issuer or media type that it verified for one', async () => {
    const { open } = await scene()
    const [ring, stranger] = [await open(), await (await scene()).open()]
    const jwt = await sign(ring, 'PS256')
    for (let round = 0; round < 2; round += 1) {
      assert.equal((await verifyJwt(jwt, ['JWT'], ring, issuer))?.sub, 'x')
      assert.equal(await verifyJwt(jwt, ['at+jwt'], ring, issuer), undefined)
      assert.equal(await verifyJwt(jwt, ['JWT'], ring, 'https://other.example/'), undefined)
      assert.equal(await verifyJwt(jwt, ['JWT'], stranger, issuer), undefined)
      assert.equal(await verifyJwt(`${jwt}A`, ['JWT'], ring, issuer), undefined)
    }
  })

  it('verifies a token no longer than its key is published, however often it was verified', async () => {
    const { open, context, time } = await scene()
    const ring = await open()
    const jwt = await sign(ring, 'EdDSA')
    assert.equal((await verifyJwt(jwt, ['JWT'], ring, issuer))?.sub, 'x')
    await rotateKeys(context)
    time.nowMs += 30 * 24 * 3_600_000
    await ring.refresh(-1)
    assert.equal(await verifyJwt(jwt, ['JWT'], ring, issuer), undefined)
  })

  it('is rotated with the others: published before it signs, by hand and by the schedule', async () => {
    const { open, context, time, rows } = await scene()
    await context.storage.clients.create(asking('EdDSA'))
    const ring = await open()
    const { kid } = await ring.signer('EdDSA')
    assert.equal((await rotateKeys(context)).length, renewedSize + 1)
    await ring.refresh(-1)
    assert.equal((await ring.signer('EdDSA')).kid, kid)
    time.nowMs += propagationMs
    assert.notEqual((await ring.signer('EdDSA')).kid, kid)
    time.nowMs += 90 * 24 * 3_600_000
    assert.equal((await rotateWhenDue(context))?.length, renewedSize + 1)
    const all = await context.storage.keys.list()
    assert.deepEqual((await rows('EdDSA')).map((key) => keyState(key, all, time.nowMs)).sort(), [
      'active',
      'expired',
      'published',
    ])
  })

  it('ends with the next rotation after the last client that asks for it, at once if its type is uncommon', async () => {
    const { open, context, time, rows } = await scene()
    const ring = await open()
    await ring.signer('EdDSA')
    await ring.signer('PS256')
    await context.storage.clients.create(asking('EdDSA', 'open'))
    const jwt = await sign(ring, 'EdDSA')
    assert.equal((await rotateKeys(context)).length, renewedSize)
    await ring.refresh(-1)
    assert.deepEqual(
      published(ring)
        .map(({ alg }) => alg)
        .sort(),
      ['ES256', 'ES256', 'PS256', 'RS256', 'RS256'],
    )
    assert.deepEqual(ring.algorithms().toSorted(), ['ES256', 'RS256'])
    assert.equal((await verifyIssued(jwt, 'JWT', ring, issuer))?.sub, 'x')
    time.nowMs += 26 * 3_600_000
    await ring.refresh()
    assert.deepEqual(
      published(ring)
        .map(({ alg }) => alg)
        .sort(),
      ['ES256', 'RS256'],
    )
    assert.equal((await rows('EdDSA')).length, 1)
    const again = await ring.signer('EdDSA')
    assert.ok(
      published(ring).some(({ kid }) => kid === again.kid),
      'a client that asks later gets a new one',
    )
  })

  it('ends without a rotation as well, as soon as a server looks', async () => {
    const { open, context, rows } = await scene()
    const ring = await open()
    await ring.signer('EdDSA')
    await context.storage.clients.create(asking('EdDSA'))
    assert.equal(await rotateWhenDue(context), undefined)
    assert.equal((await rows('EdDSA'))[0]?.expiresAtMs, null)
    await context.storage.clients.delete('asks for EdDSA')
    await rotateWhenDue(context)
    await ring.refresh(-1)
    assert.equal(published(ring).length, 2)
  })

  it('that the settings named stays until the access tokens that it signed have expired', async () => {
    const { open, context, time } = await scene()
    await (await open()).signer('EdDSA')
    const named = { ...context, settings: settingsWith({ OAuth__AccessTokenAlgorithm: 'EdDSA' }) }
    const jwt = await signJwt((await openKeyRing(named)).signer('EdDSA'), 'at+jwt', { iss: issuer, sub: 'x' })
    await rotateKeys(context)
    const ring = await open()
    assert.equal((await verifyJwt(jwt, ['at+jwt'], ring, issuer))?.sub, 'x')
    assert.ok(published(ring).some(({ alg }) => alg === 'EdDSA'))
    time.nowMs += 26 * 3_600_000
    await ring.refresh()
    assert.ok(!published(ring).some(({ alg }) => alg === 'EdDSA'))
  })

  it('is replaced with the others when the master key is lost', async () => {
    const { open, context } = await scene()
    const { kid } = await (await open()).signer('EdDSA')
    const masterKey = Buffer.alloc(32, 2).toString('base64')
    const lost = { ...context, settings: settingsWith({ Keys__MasterKey: masterKey }) }
    await replaceLostKeys(lost)
    const ring = await openKeyRing(lost)
    assert.notEqual((await ring.signer('EdDSA')).kid, kid)
    assert.ok(ring.verificationKey(kid), 'what it signed is still verified')
  })
})

describe('ML-DSA-65 (RFC 9964)', () => {
  it('is refused unless OAuth:PostQuantum is set', async () => {
    const { open, rows } = await scene()
    const ring = await open()
    await assert.rejects(async () => ring.signer('ML-DSA-65'), /do not allow ML-DSA-65/)
    assert.equal((await rows('ML-DSA-65')).length, 0)
  })

  it('signs and is published as an AKP key, without its seed; another implementation verifies it', async () => {
    const { open } = await scene({ OAuth__PostQuantum: 'true' })
    const ring = await open()
    const jwt = await sign(ring, 'ML-DSA-65')
    const [header = '', payload = '', signature = ''] = jwt.split('.')
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const jwk = published(ring).find((key) => key.kid === kid) as Record<string, string> | undefined
    assert.deepEqual(Object.keys(jwk ?? {}).sort(), ['alg', 'kid', 'kty', 'pub', 'use'])
    assert.deepEqual([jwk?.kty, jwk?.alg, jwk?.use], ['AKP', 'ML-DSA-65', 'sig'])
    const [bytes, message, key] = [
      Buffer.from(signature, 'base64url'),
      Buffer.from(`${header}.${payload}`),
      Buffer.from(jwk?.pub ?? '', 'base64url'),
    ]
    assert.deepEqual([bytes.length, key.length], [3309, 1952])
    assert.ok(ml_dsa65.verify(bytes, message, key))
    assert.ok(!ml_dsa65.verify(bytes, Buffer.from(`${header}.${payload}x`), key))
    assert.equal((await verifyJwt(jwt, ['JWT'], ring, issuer))?.sub, 'x')
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
    const forged = `${header}.${payload}.${bytes.toString('base64url')}`
    assert.equal(await verifyJwt(forged, ['JWT'], ring, issuer), undefined)
  })

  it('that is switched off again signs nothing, and what it signed is verified until its key expires', async () => {
    const { open, context, time } = await scene({ OAuth__PostQuantum: 'true' })
    const jwt = await sign(await open(), 'ML-DSA-65')
    const off = { ...context, settings: settingsWith() }
    const ring = await openKeyRing(off)
    await assert.rejects(async () => ring.signer('ML-DSA-65'), /do not allow/)
    assert.equal((await verifyJwt(jwt, ['JWT'], ring, issuer))?.sub, 'x')
    await rotateKeys(off)
    time.nowMs += 30 * 24 * 3_600_000
    await ring.refresh()
    assert.equal(await verifyJwt(jwt, ['JWT'], ring, issuer), undefined)
  })
})

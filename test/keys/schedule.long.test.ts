import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { generateKeys } from '../../src/keys/generate.ts'
import { dependenceMs, keyState, scheduledLeadMs, secretUses } from '../../src/keys/lifecycle.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { rotateKeys, rotateWhenDue } from '../../src/keys/rotate.ts'
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import type { StoredKey } from '../../src/storage/port/keys.ts'
import { postgresServer } from '../support/postgres.ts'
import { settingsFrom } from '../support/settings.ts'
import { openDatabase } from '../support/sqlite.ts'

/** Two signing keys, the key of the audit trail, and a secret for each use. */
const ringSize = 3 + secretUses.length
/** Those that a rotation renews: all but the secret of pairwise subject identifiers. */
const renewed = ringSize - 1

const folder = mkdtempSync(join(tmpdir(), 'latchkey-schedule-'))
const server = await postgresServer()
after(async () => {
  rmSync(folder, { recursive: true })
  await server.stop()
})

const hour = 3_600_000
const day = 24 * hour

const settingsWith = (env: Record<string, string> = {}) =>
  settingsFrom({ Keys__MasterKey: Buffer.alloc(32, 1).toString('base64'), ...env }, folder)

/** A ring that was just made, with a clock that stands still until it is moved. */
async function scene(env: Record<string, string> = {}, database: DatabaseSettings = { kind: 'sqlite-memory' }) {
  const time = { nowMs: 1_800_000_000_000 }
  const node = async () => {
    const storage = await openDatabase(database)
    return { storage, settings: settingsWith(env), clock: () => time.nowMs }
  }
  const context = await node()
  const ring = await openKeyRing(context)
  const states = async () => {
    const rows = await context.storage.keys.list()
    return rows.filter(({ use }) => use === 'sign').map((key) => keyState(key, rows, time.nowMs))
  }
  return { time, node, context, ring, states }
}

describe('the schedule (Keys:RotateEvery)', () => {
  it('is 90 days unless it is set, publishes a day ahead, and goes on for ever', async () => {
    const { time, context, states } = await scene()
    const everyMs = 90 * day
    time.nowMs += everyMs - day - 1
    assert.equal(await rotateWhenDue(context), undefined)
    time.nowMs += 1
    const added = await rotateWhenDue(context)
    assert.equal(added?.length, renewed)
    for (const key of added ?? []) assert.equal(key.activeAtMs, time.nowMs + day)
    assert.equal(await rotateWhenDue(context), undefined, 'what waits for its time is not replaced')
    assert.deepEqual((await states()).sort(), ['active', 'active', 'published', 'published'])
    time.nowMs += day
    assert.deepEqual((await states()).sort(), ['active', 'active', 'retired', 'retired'])
    await context.storage.sweep(time.nowMs + (dependenceMs('sign', context.settings) ?? 0) - 1, 100)
    assert.equal((await states()).length, 4)
    time.nowMs += dependenceMs('sign', context.settings) ?? 0
    await context.storage.sweep(time.nowMs, 100)
    assert.deepEqual(await states(), ['active', 'active'])
    time.nowMs += everyMs
    assert.equal((await rotateWhenDue(context))?.length, renewed)
  })

  it('never rotates when it is 0', async () => {
    const { time, context } = await scene({ Keys__RotateEvery: '0' })
    time.nowMs += 3650 * day
    assert.equal(await rotateWhenDue(context), undefined)
  })

  it('publishes a quarter of a short interval ahead, and at least for as long as nodes take to read the ring', () => {
    assert.equal(scheduledLeadMs(settingsWith({ Keys__RotateEvery: String(8 * 3600) })), 2 * hour)
    assert.equal(scheduledLeadMs(settingsWith({ Keys__RotateEvery: '3600' })), 15 * 60_000)
  })

  it('counts from a rotation by hand', async () => {
    const { time, context } = await scene()
    time.nowMs += 80 * day
    await rotateKeys(context)
    time.nowMs += 15 * day
    assert.equal(await rotateWhenDue(context), undefined)
    time.nowMs += 75 * day
    assert.equal((await rotateWhenDue(context))?.length, renewed)
  })

  const databases: [string, () => Promise<DatabaseSettings>][] = [
    ['an SQLite file', async () => ({ kind: 'sqlite', file: join(folder, 'nodes.db') })],
    ['PostgreSQL', async () => ({ kind: 'postgres', url: await server.createEmptyDatabase() })],
  ]
  for (const [name, open] of databases) {
    it(`is kept by exactly one of several nodes that find it due at once, on ${name}`, async () => {
      const { time, node, context } = await scene({}, await open())
      const nodes = [context, await node(), await node(), await node()]
      for (let round = 1; round <= 3; round += 1) {
        time.nowMs += 90 * day
        const outcomes = await Promise.all(nodes.map(rotateWhenDue))
        assert.equal(outcomes.filter((added) => added !== undefined).length, 1)
        assert.equal((await context.storage.keys.list()).length, ringSize + renewed * round)
      }
      for (const { storage } of nodes) await storage.close()
    })
  }

  it('leaves every secret readable for as long as something may depend on it, however short the interval', async () => {
    // Without RSA keys, which take long to make.
    const { time, context, ring } = await scene({ Keys__RotateEvery: '3600', OAuth__IdentityTokenAlgorithm: 'ES256' })
    const issued: { readonly atMs: number; readonly antiforgery: string; readonly code: string }[] = []
    const used = new Set<string>()
    for (let step = 0; step < 4 * 36; step += 1) {
      await rotateWhenDue(context)
      await context.storage.sweep(time.nowMs, 100)
      await ring.refresh(0)
      used.add(ring.secret('refresh').id)
      issued.push({ atMs: time.nowMs, antiforgery: ring.secret('antiforgery').id, code: ring.secret('code').id })
      for (const { atMs, antiforgery, code } of issued) {
        const ageMs = time.nowMs - atMs
        if (ageMs <= 12 * hour) assert.ok(ring.secretById('antiforgery', antiforgery), `${ageMs} ms`)
        if (ageMs <= 60_000) assert.ok(ring.secretById('code', code))
      }
      time.nowMs += 15 * 60_000
    }
    assert.ok(used.size >= 30, 'each was used for about an hour')
    const rows = await context.storage.keys.list()
    // About a day's worth of each, and not all that there ever were.
    assert.ok(rows.length < (ringSize - 1) * 30, `${rows.length} keys are left`)
  })

  it('moves the end of a key on that still signs when lifetimes have become longer meanwhile', async () => {
    const { time, context } = await scene()
    time.nowMs += 89 * day
    const added = await rotateWhenDue(context)
    const longer = { ...context, settings: settingsWith({ OAuth__AccessTokenLifetime: String((30 * day) / 1000) }) }
    await rotateWhenDue(longer)
    await rotateWhenDue(longer)
    const activeAtMs = added?.[0]?.activeAtMs ?? 0
    const [old] = (await context.storage.keys.list()).filter(
      ({ use, algorithm }) => use === 'sign' && algorithm === 'ES256',
    )
    assert.equal(old?.expiresAtMs, activeAtMs + (dependenceMs('sign', longer.settings) ?? 0))
    assert.ok((old?.expiresAtMs ?? 0) > activeAtMs + 30 * day)
    await rotateWhenDue(context)
    const [unchanged] = (await context.storage.keys.list()).filter(
      ({ use, algorithm }) => use === 'sign' && algorithm === 'ES256',
    )
    assert.deepEqual(unchanged, old, 'and never back')
  })
})

describe('a key that a newer version has added, for a use that this one does not know', () => {
  const databases: readonly [name: string, make: () => Promise<DatabaseSettings>][] = [
    ['SQLite', async () => ({ kind: 'sqlite-memory' })],
    ['PostgreSQL', async () => ({ kind: 'postgres', url: await server.createDatabase() })],
  ]
  for (const [name, make] of databases) {
    it(`is left as it is by every rotation, on ${name}`, async () => {
      const { time, context } = await scene({}, await make())
      const { storage } = context
      const newer = { use: 'newer' as StoredKey['use'], algorithm: 'secret' }
      const making = {
        masterKey: Buffer.alloc(32, 1),
        random: randomBytes,
        createdAtMs: 0,
        activeAtMs: 0,
        isForClients: () => false,
      }
      const added = await generateKeys([newer], making)
      await storage.keys.addFirst(added)
      assert.equal((await rotateKeys(context)).length, renewed)
      time.nowMs += 90 * day
      assert.equal((await rotateWhenDue(context))?.length, renewed)
      const found = (await storage.keys.list()).filter(({ use }) => use === newer.use)
      assert.deepEqual(found, added)
      await storage.close()
    })
  }
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { secretUses } from '../../src/keys/lifecycle.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { startHousekeeping } from '../../src/server/housekeeping.ts'
import { fixedLease, type Lease } from '../../src/server/lease.ts'
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import type { Engine } from '../../src/storage/engine.ts'
import { sqlSweep } from '../../src/storage/sql/sweep.ts'
import { anEvent, aSession, aUser } from '../storage/records.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { settingsFrom } from '../support/settings.ts'
import { openDatabase } from '../support/sqlite.ts'

/** Two signing keys, the key of the audit trail, and a secret for each use. */
const ringSize = 3 + secretUses.length
/** Those that a rotation renews: all but the secret of pairwise subject identifiers. */
const renewed = ringSize - 1

const day = 24 * 3_600_000

function settingsWith(env: Record<string, string>) {
  return settingsFrom({ Keys__MasterKey: Buffer.alloc(32).toString('base64'), ...env })
}

/** Housekeeping on timers that the test moves. */
async function scene(
  t: TestContext,
  env: Record<string, string> = {},
  database: DatabaseSettings = { kind: 'sqlite-memory' },
  lease?: Lease,
) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const settings = settingsWith(env)
  const storage = await openDatabase(database)
  t.after(() => storage.close())
  const time = { nowMs: 1_800_000_000_000 }
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  // Like a real clock it is a little later at each look.
  const clock = () => {
    time.nowMs += 1
    return time.nowMs
  }
  const common = { storage, settings, clock, log }
  const keys = await openKeyRing(common)
  const again = () =>
    startHousekeeping({
      ...common,
      keys,
      random: randomBytes,
      presence: { beat: async () => {} },
      ...(lease && { lease }),
    })
  const housekeeping = again()
  /** Lets a minute pass on the timers, and waits for what they began. */
  const minute = async () => {
    t.mock.timers.tick(60_000)
    await housekeeping.stop()
  }
  return { time, storage, keys, lines, housekeeping, again, minute }
}

describe('housekeeping', () => {
  it('rotates the keys when it is time (Keys:RotateEvery), and the ring of this process knows them at once', async (t) => {
    const { time, storage, keys, lines, minute } = await scene(t)
    time.nowMs += 90 * day
    await minute()
    assert.equal(JSON.parse(keys.keySet()).keys.length, 4)
    const line = lines.find(({ msg }) => msg === 'new keys are published')
    const activeAtMs = (await storage.keys.list()).at(-1)?.activeAtMs ?? 0
    assert.deepEqual([line?.keys, line?.usedFrom], [renewed, new Date(activeAtMs).toISOString()])
  })

  it('wraps weak password hashes that were imported, while nobody signs in', async (t) => {
    const { storage, minute } = await scene(t)
    // On a busy machine one hash can take all the time that is spent on them at once.
    const people = [aUser()].map((user) => ({
      user: {
        ...user,
        deletionDueAtMs: null,
        passwordHash: `$pbkdf2-sha1$i=1000,l=32$${'c2FsdHNhbHQ'}$${'A'.repeat(43)}`,
      },
      ...{ before: undefined, logins: [], isWeak: true },
    }))
    const counts = { read: 1, created: 1, updated: 0, skipped: 0, failed: 0 }
    const progress = { id: 'one', kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: 0 }
    await storage.imports.store({ before: undefined, progress, people, failures: [] })
    await minute()
    assert.equal(await storage.weakPasswords.count(), 0)
    for (const { user } of people) {
      const hash = (await storage.users.find(user.id))?.passwordHash
      assert.match(hash ?? '', /^wrapped:\$pbkdf2-sha1\$i=1000,l=32\$c2FsdHNhbHQ\$:\$argon2id\$/)
    }
  })

  it('follows settings that were changed meanwhile', async (t) => {
    const { time, storage, housekeeping, minute } = await scene(t)
    housekeeping.follow(settingsWith({ Keys__RotateEvery: '0' }))
    time.nowMs += 90 * day
    await minute()
    assert.equal((await storage.keys.list()).length, ringSize)
  })

  it('says within half a minute that the database file was exchanged, once, and when it is back', async (t) => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'latchkey.db')
    const { lines, housekeeping } = await scene(t, {}, { kind: 'sqlite', file })
    t.after(() => housekeeping.stop())
    const logged = async (msg: string) => {
      do {
        t.mock.timers.tick(30_000)
        await setImmediate()
      } while (!lines.some((line) => line.msg === msg))
      return lines.filter((line) => line.msg === msg)
    }
    renameSync(file, `${file}.away`)
    const failure = 'the database takes no writes: the service is not ready'
    const [line] = await logged(failure)
    assert.equal(line?.level, 50)
    assert.match(String(line?.reason), /latchkey\.db was removed while the service was using it/)
    assert.equal((await logged(failure)).length, 1)
    renameSync(`${file}.away`, file)
    await logged('the database takes writes again')
  })

  it('leaves to another process what one does for all: keys, checkpoints, and what expired', async (t) => {
    const { time, storage, keys, minute } = await scene(t, {}, undefined, fixedLease(false))
    const user = aUser({ deletionDueAtMs: time.nowMs })
    await storage.users.create(user)
    await minute()
    const checkpoints = (await storage.audit.lastCheckpoint())?.number
    time.nowMs += 90 * day
    await storage.audit.append([anEvent({ atMs: time.nowMs })])
    await minute()
    assert.equal(JSON.parse(keys.keySet()).keys.length, 2)
    assert.equal((await storage.audit.lastCheckpoint())?.number, checkpoints)
    assert.ok(await storage.users.find(user.id))
  })

  it('begins no write while nothing has expired', async () => {
    let commits = 0
    const engine: Engine = {
      dialect: 'sqlite',
      read: async () => [],
      commit: async (statements) => {
        commits += 1
        return { applied: true, changes: statements.map(() => 0) }
      },
      checkPlace() {},
      close: async () => {},
    }
    const { sweep } = sqlSweep(engine)
    const nowMs = 1_800_000_000_000
    for (let minute = 0; minute < 60; minute += 1) assert.equal(await sweep(nowMs + minute * 60_000, 500, day), 0)
    assert.equal(commits, 0)
  })

  it('removes what has expired', async (t) => {
    const { time, storage, minute } = await scene(t, { Keys__RotateEvery: '0' })
    const user = aUser()
    const session = aSession(user, { expiresAtMs: time.nowMs })
    await storage.users.create(user)
    await storage.users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
    await minute()
    assert.equal(await storage.sessions.find(session.id), undefined)
  })

  it('deletes the accounts whose owners asked for it, when they are due, and no other', async (t) => {
    const { time, storage, lines, minute } = await scene(t)
    const due = Array.from({ length: 150 }, () => aUser({ deletionDueAtMs: time.nowMs }))
    const [later, never] = [aUser({ deletionDueAtMs: time.nowMs + day }), aUser({ deletionDueAtMs: null })]
    for (const user of [...due, later, never]) await storage.users.create(user)
    await minute()
    const left = (await storage.users.list()).map(({ id }) => id)
    assert.deepEqual(left.toSorted(), [later.id, never.id].toSorted())
    assert.ok(lines.some(({ msg }) => msg === 'deleted accounts whose owners asked for it'))
    const [entry] = await storage.audit.list({ userId: due[0]?.id ?? '' }, undefined, 5)
    assert.deepEqual([entry?.kind, entry?.details], ['user_deleted', { actor: 'service', reason: 'asked_for' }])
  })

  it('signs the first entries of a trail at once, and does not wait for a minute', async (t) => {
    const { storage, housekeeping } = await scene(t)
    await housekeeping.stop()
    assert.equal((await storage.audit.lastCheckpoint())?.number, 1)
  })

  it('signs at its start what a process left unsigned that was killed within its first minute', async (t) => {
    const { storage, housekeeping, time, again } = await scene(t)
    await housekeeping.stop()
    for (let crash = 2; crash < 5; crash += 1) {
      await storage.audit.append([anEvent({ atMs: time.nowMs })])
      await again().stop()
      assert.equal((await storage.audit.lastCheckpoint())?.number, crash)
    }
  })

  it('signs the audit trail while there is something new in it, and at the end', async (t) => {
    const { storage, minute, housekeeping, time } = await scene(t)
    await minute()
    // The keys of the first start.
    assert.equal((await storage.audit.lastCheckpoint())?.number, 1)
    await housekeeping.seal()
    assert.equal((await storage.audit.lastCheckpoint())?.number, 1)
    storage.audit.note(anEvent({ atMs: time.nowMs }))
    await housekeeping.seal()
    assert.equal((await storage.audit.lastCheckpoint())?.number, 2)
  })

  for (const [days, left] of [
    ['30', 1],
    ['0', 3],
  ] as const) {
    it(`keeps audit entries for as long as Audit:RetainFor says: ${days}`, async (t) => {
      const { storage, minute, time } = await scene(t, { Audit__RetainFor: days, Keys__RotateEvery: '0' })
      await storage.audit.append([anEvent({ atMs: time.nowMs })])
      time.nowMs += 30 * day + 1
      await storage.audit.append([anEvent({ atMs: time.nowMs })])
      await minute()
      assert.equal((await storage.audit.stored(undefined, 10)).length, left)
    })
  }

  it('keeps refusals for as long as Audit:RetainRefusalsFor says, and every ten minutes removes what is older', async (t) => {
    const env = { Audit__RetainRefusalsFor: '10', Keys__RotateEvery: '0' }
    const { storage, minute, time, lines } = await scene(t, env)
    await storage.audit.append([anEvent({ atMs: time.nowMs }), anEvent({ atMs: time.nowMs, kind: 'refusal' })])
    time.nowMs += 10 * day + 1
    await minute()
    const kinds = (await storage.audit.stored(undefined, 10)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['keys_created', 'tokens_issued'])
    assert.equal(lines.find(({ msg }) => msg === 'removed audit entries that had become too old')?.removed, 1)
  })

  it('removes old audit entries in one turn, also when many are of one millisecond', async (t) => {
    const { storage, minute, time } = await scene(t, { Audit__RetainFor: '30', Keys__RotateEvery: '0' })
    const atMs = time.nowMs
    await storage.audit.append(Array.from({ length: 5001 }, () => anEvent({ atMs })))
    time.nowMs += 30 * day + 1
    await minute()
    assert.deepEqual(await storage.audit.stored(undefined, 10), [])
  })

  it('keeps old audit entries that are not as they were signed, and says which', async (t) => {
    const { storage, minute, time, lines } = await scene(t, { Audit__RetainFor: '30', Keys__RotateEvery: '0' })
    const [first] = await storage.audit.stored(undefined, 10)
    time.nowMs += 30 * day + 1
    const stored = storage.audit.stored
    storage.audit.stored = async (...asked) => (await stored(...asked)).map((row) => ({ ...row, userId: 'mallory' }))
    await minute()
    assert.equal((await stored(undefined, 10)).length, 1)
    const line = lines.find(({ level }) => level === 50)
    assert.match(String(line?.msg), /old entries are kept; run audit verify/)
    const when = new Date(first?.atMs ?? 0).toISOString()
    const expected = `entry 1 of writer ${first?.writer} (${when}) was changed: its content does not match its hash`
    assert.equal(line?.reason, expected)
  })

  it('logs what went wrong in one line, and ends when it is told to', async (t) => {
    const { storage, lines, minute, time } = await scene(t)
    await storage.close()
    time.nowMs += 1
    await minute()
    const warnings = lines.filter(({ level }) => level === 40)
    // One for each turn, and one for the first signature, which does not wait for its turn.
    assert.equal(warnings.length, 9)
    for (const { reason } of warnings) assert.match(String(reason), /closed|not open|finalized/)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Committed, Engine } from '../../src/storage/engine.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { lookForWrites } from '../../src/storage/sql/probe.ts'
import { roomCheck } from '../../src/storage/sqlite/place.ts'
import { watchWrites } from '../../src/storage/writes.ts'

/** An engine whose commits end as they are told to. */
function scene(look?: () => Promise<void>) {
  let outcome: Committed | Error = { applied: true, changes: [1] }
  let probes = 0
  const bare: Engine = {
    dialect: 'sqlite',
    read: async () => [],
    commit: async () => {
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    checkPlace() {},
    close: async () => {},
  }
  let written = 0
  const { engine, checkWrites } = watchWrites(
    bare,
    async (watched) => {
      probes += 1
      await watched.commit([])
    },
    undefined,
    look,
    () => {
      written += 1
    },
  )
  return {
    async commit(next: Committed | Error) {
      outcome = next
      await engine.commit([]).catch(() => {})
    },
    checkWrites,
    probes: () => probes,
    written: () => written,
  }
}

const stored: Committed = { applied: true, changes: [1] }

it('tells of each commit that changed something, and of no other', async () => {
  const { commit, written } = scene()
  for (const changes of [[0], [0, 0]]) await commit({ ...stored, changes })
  await commit({ ...stored, applied: false })
  await commit(new StorageUnavailable('The disk is full.'))
  assert.equal(written(), 0)
  await commit(stored)
  await commit({ ...stored, changes: [0, 1] })
  assert.equal(written(), 2)
})

it('sends no commit before it may, and none that may not be; what a process writes about itself does not ask', async () => {
  const sent: string[] = []
  let written = 0
  let may: Promise<void> | undefined = Promise.reject(new StorageUnavailable('The database was moved.'))
  const bare: Engine = {
    dialect: 'sqlite',
    read: async () => [],
    commit: async ([name]) => {
      sent.push(String(name))
      return stored
    },
    checkPlace() {},
    close: async () => {},
  }
  const count = () => {
    written += 1
  }
  const { engine, ownEngine } = watchWrites(
    bare,
    async () => {},
    undefined,
    undefined,
    count,
    () => may,
  )
  await assert.rejects(engine.commit(['refused' as never]), /was moved/)
  await ownEngine.commit(['own' as never])
  assert.equal(written, 0)
  const { promise, resolve } = Promise.withResolvers<void>()
  may = promise
  const waiting = engine.commit(['waiting' as never])
  assert.deepEqual(sent, ['own'])
  resolve()
  await waiting
  may = undefined
  await engine.commit(['at once' as never])
  assert.deepEqual([sent, written], [['own', 'waiting', 'at once'], 2])
})

describe('whether a database takes writes', () => {
  it('is known from the last commit: while they succeed nothing is written to find out', async () => {
    const { commit, checkWrites, probes } = scene()
    await commit(stored)
    for (let check = 0; check < 10; check += 1) await checkWrites(Number.POSITIVE_INFINITY)
    assert.equal(probes(), 0)
  })

  it('is found out by a write before the first commit, after a failed one, and when the last one is too old', async () => {
    const { commit, checkWrites, probes } = scene()
    await checkWrites(Number.POSITIVE_INFINITY)
    assert.equal(probes(), 1)
    await checkWrites(-1)
    assert.equal(probes(), 2)
    await commit(new StorageUnavailable('The disk is full.'))
    await assert.rejects(checkWrites(Number.POSITIVE_INFINITY), /The disk is full/)
    await assert.rejects(checkWrites(Number.POSITIVE_INFINITY), /The disk is full/)
    assert.equal(probes(), 4)
    await commit(stored)
    await checkWrites(Number.POSITIVE_INFINITY)
    assert.equal(probes(), 4)
  })

  it('is found out without a write while nothing else is written, and by one when that fails', async () => {
    let isReadOnly = false
    let looks = 0
    const { commit, checkWrites, probes } = scene(async () => {
      looks += 1
      if (isReadOnly) throw new StorageUnavailable('The database is read-only.')
    })
    await checkWrites(-1)
    assert.deepEqual([looks, probes()], [0, 1])
    for (let check = 0; check < 10; check += 1) await checkWrites(-1)
    assert.deepEqual([looks, probes()], [10, 1])
    isReadOnly = true
    await checkWrites(-1)
    assert.deepEqual([looks, probes()], [11, 2])
    await commit(new StorageUnavailable('The disk is full.'))
    await assert.rejects(checkWrites(-1), /The disk is full/)
    assert.deepEqual([looks, probes()], [11, 3])
  })

  it('is found out without a write however long nothing else is written', async (t) => {
    const { checkWrites, probes } = scene(async () => {})
    await checkWrites(-1)
    const startedMs = performance.now()
    for (let day = 1; day <= 30; day += 1) {
      t.mock.method(performance, 'now', () => startedMs + day * 86_400_000)
      await checkWrites(30_000)
    }
    assert.equal(probes(), 1)
  })

  it('is found out by a write while the disk of the file has less than a mebibyte left', async () => {
    let free = 2 * 1024 * 1024
    let asked = ''
    const checkRoom = roomCheck('/data/latchkey.db', async (path) => {
      asked = path
      return { bavail: free / 4096, bsize: 4096 }
    })
    const { checkWrites, probes } = scene(() => lookForWrites({ commit: async () => stored, checkRoom } as never))
    await checkWrites(-1)
    await checkWrites(-1)
    assert.deepEqual([probes(), asked], [1, '/data/latchkey.db'])
    free = 1024 * 1024 - 4096
    await checkWrites(-1)
    assert.equal(probes(), 2)
  })

  it('does not follow from a commit that changed nothing, or that failed by itself', async () => {
    const { commit, checkWrites, probes } = scene()
    await commit({ applied: true, changes: [0] })
    await commit({ applied: false, changes: [] })
    await checkWrites(Number.POSITIVE_INFINITY).catch(() => {})
    assert.equal(probes(), 1)
    await commit(stored)
    await commit(new Error('a constraint was violated'))
    await checkWrites(Number.POSITIVE_INFINITY)
    assert.equal(probes(), 1)
  })
})

/** Imports into a database that does not answer in time (connections, section 7). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type AuditKind, eventBy } from '../../src/audit/entry.ts'
import { isPassing } from '../../src/cli/import-progress.ts'
import { importId } from '../../src/import/files.ts'
import { openPatience } from '../../src/import/patience.ts'
import { judgePeople } from '../../src/import/people.ts'
import { runImport } from '../../src/import/run.ts'
import { readUsers } from '../../src/import/users-file.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { countsOf, lines, type Result, result } from './import-place.ts'
import { workplace } from './run.ts'

type Store = Storage['imports']['store']

const silent = () => new StorageUnavailable('The database did not answer within 10000 ms: db.', { isPassing: true })
const people = Array.from({ length: 1200 }, (_, at) => ({ username: `u${at}`, email: `u${at}@example.com` }))

/** Imports 1,200 people, of whom one has no address that could be one, where `store` stands before the database. */
async function imported(
  t: TestContext,
  store: (real: Store, batch: Parameters<Store>) => ReturnType<Store>,
  end: (real: Storage['imports']['end'], id: string) => Promise<void> = (real, id) => real(id),
) {
  const at = workplace(t)
  const broken = people.map((one, index) => (index === 3 ? { ...one, email: 'nowhere' } : one))
  const file = join(at.folder, 'people.jsonl')
  writeFileSync(file, lines(...broken))
  await at.run('user list')
  const said: string[] = []
  const paused: number[] = []
  const patience = openPatience({
    isPassing,
    pause: async (ms) => paused.push(ms),
    say: (reason, seconds) => said.push(`${reason} ${seconds}`),
  })
  const sizes: number[] = []
  const run = () =>
    at.withStorage(async (storage) => {
      const { imports } = storage
      const counted = (...batch: Parameters<Store>) => {
        sizes.push(batch[0].people.length)
        return store(imports.store, batch)
      }
      const { nowMs } = at
      const attributes = { declared: new Map(), matches: () => true }
      const rules = { nowMs, judgeHash: () => ({ fault: '' }), roleFault: () => undefined, attributes }
      const asked = { origin: 'users', onConflict: 'fail', isWrapped: true, keys: assert.fail } as const
      const outcome = await runImport({
        ...{
          id: await importId('users', [file]),
          kind: 'users',
          file: 'people.jsonl',
          isDryRun: false,
          nowMs,
          patience,
        },
        records: await readUsers([file], {}),
        register: () => assert.fail(),
        progress() {},
        storage: { imports: { ...imports, store: counted, end: (id) => end(imports.end, id) } },
        people: judgePeople({ ...asked, storage, rules, random: randomBytes }),
        event: (kind: AuditKind) => eventBy('test', nowMs, kind, {}),
      })
      const names = (await storage.users.list()).map(({ name }) => name)
      return { outcome, names: names.filter((name) => name.startsWith('u')) }
    })
  return { at, run, said, paused, sizes }
}

const whole = (counts: number[], names: readonly string[]) => {
  assert.deepEqual(counts, [1200, 1199, 0, 0, 1])
  assert.deepEqual([names.length, new Set(names).size], [1199, 1199])
}

describe('an import whose database does not answer in time', () => {
  it('waits, and stores the same people in smaller batches', async (t) => {
    let failures = 3
    const { run, said, paused, sizes } = await imported(t, async (real, batch) => {
      if (failures-- > 0) throw silent()
      return real(...batch)
    })
    const { outcome, names } = await run()
    whole(countsOf(outcome as unknown as Result), names)
    assert.deepEqual(
      outcome.rows.map(({ line }) => line),
      [4],
    )
    assert.deepEqual(paused, [1000, 2000, 5000])
    assert.equal(said[1], 'The database did not answer within 10000 ms: db. 2')
    assert.deepEqual(sizes.slice(0, 4), [499, 249, 124, 62])
    assert.ok(sizes.length > 6)
  })

  it('brings nobody twice where the batch was stored all the same', async (t) => {
    let calls = 0
    const { run, sizes } = await imported(t, async (real, batch) => {
      calls += 1
      const stored = await real(...batch)
      if (calls === 1 || calls === 3) throw silent()
      return stored
    })
    const { outcome, names } = await run()
    whole(countsOf(outcome as unknown as Result), names)
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      1199,
    )
  })

  it('brings nobody twice where the batch is stored when the next one comes', async (t) => {
    let late: Parameters<Store> | undefined
    let calls = 0
    const { run } = await imported(t, async (real, batch) => {
      calls += 1
      if (calls === 2) {
        late = batch
        throw silent()
      }
      if (late !== undefined) await real(...late)
      late = undefined
      return real(...batch)
    })
    const { outcome, names } = await run()
    whole(countsOf(outcome as unknown as Result), names)
  })

  it('waits at its end, too, where what it has to do once may have been done', async (t) => {
    let calls = 0
    const ending = async (real: Storage['imports']['end'], id: string) => {
      calls += 1
      if (calls > 1) await real(id)
      if (calls < 3) throw silent()
    }
    const { at, run, paused } = await imported(t, (real, batch) => real(...batch), ending)
    const { outcome, names } = await run()
    whole(countsOf(outcome as unknown as Result), names)
    assert.deepEqual([calls, paused], [3, [1000, 2000]])
    const again = await result(at, 'users people.jsonl --on-conflict skip')
    assert.deepEqual(countsOf(again), [1200, 0, 0, 1199, 1])
  })

  it('ends after three minutes, or at once where waiting does not help, and goes on when it is given again', async (t) => {
    let error: Error = silent()
    let calls = 0
    const { at, run, paused } = await imported(t, async (real, batch) => {
      calls += 1
      if (calls > 1) throw error
      return real(...batch)
    })
    await assert.rejects(run(), silent())
    assert.deepEqual(
      paused.map((ms) => ms / 1000),
      [1, 2, 5, 10, 20, 40, 60, 60],
    )
    error = new StorageUnavailable('There is no such database.')
    await assert.rejects(run(), error)
    assert.equal(paused.length, 8)
    const resumed = await result(at, 'users people.jsonl')
    assert.deepEqual(countsOf(resumed), [1200, 1199, 0, 0, 1])
  })
})

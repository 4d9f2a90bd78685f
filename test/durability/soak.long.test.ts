/**
 * A service in use for a long time: its memory stays flat once it is warm, and no socket or file is left behind.
 * `SOAK_SECONDS=600` for the long run.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { trailKeeper } from '../../src/audit/keeper.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { openStorage } from '../../src/storage/open.ts'
import { tables } from '../../src/storage/sql/tables.ts'
import { aClient, aGrant, anEvent, aUser } from '../storage/records.ts'
import { processFor, temporaryFolder, thisFile } from '../support/lifetime.ts'
import { seedDatabase } from '../support/seed.ts'
import { freePort } from '../support/service.ts'
import { settingsFrom } from '../support/settings.ts'
import { valuesOf } from '../support/values.ts'
import { Visitor } from './visitor.ts'

const seconds = Number(process.env.SOAK_SECONDS ?? 60)
/** Until the compiler and the caches have settled. */
const warmUpShare = 0.4
/** Enough to keep it busy, and few enough to leave other tests a processor. */
const people = ['ann', 'ben']

const folder = temporaryFolder()
const file = join(folder, 'latchkey.db')
await seedDatabase({ kind: 'sqlite', file }, people)
const port = await freePort()
const service = await processFor(thisFile, { port, folder, env: { Database__Url: `sqlite:${file}` } })

/** Resident memory in MiB that belongs to the process alone: what a leak would fill. */
async function residentMiB(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1024
}

const openFiles = async (): Promise<number> => (await readdir(`/proc/${service.pid}/fd`)).length

describe('a long time in use', () => {
  it(`keeps memory and handles flat over ${seconds} seconds`, { timeout: (seconds + 60) * 1000 }, async (t) => {
    const startedAt = performance.now()
    const elapsed = (): number => (performance.now() - startedAt) / 1000
    const visitors = people.map((name) => new Visitor(`http://localhost:${port}/`, name, 'openid offline_access'))
    const samples: { readonly at: number; readonly mib: number; readonly files: number }[] = []
    let acknowledged = 0
    let sampling: Promise<void> | undefined
    const onAcknowledged = (): void => {
      acknowledged += 1
      if (sampling !== undefined || elapsed() < samples.length * (seconds / 60)) return
      sampling = (async () => {
        samples.push({ at: elapsed(), mib: await residentMiB(), files: await openFiles() })
        sampling = undefined
      })()
    }
    await Promise.all(visitors.map((visitor) => visitor.use(() => elapsed() >= seconds, onAcknowledged)))
    await sampling
    assert.deepEqual(
      valuesOf(visitors, 'failures'),
      visitors.map(() => 0),
    )

    const warm = samples.filter(({ at }) => at >= seconds * warmUpShare)
    const half = Math.floor(warm.length / 2)
    const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    const before = median(warm.slice(0, half).map(({ mib }) => mib))
    const later = median(warm.slice(half).map(({ mib }) => mib))
    t.diagnostic(
      `${acknowledged} writes; ${before.toFixed(1)} MiB, later ${later.toFixed(1)} MiB; ${warm.at(-1)?.files} files`,
    )
    assert.ok(half >= 10, `${warm.length} samples`)
    // What the collector has not got round to yet is a few MiB; a leak of 1 kB a request would be more by far.
    assert.ok(later <= before * 1.1 + 4, `memory grew from ${before.toFixed(1)} to ${later.toFixed(1)} MiB`)
    const files = warm.map((sample) => sample.files)
    assert.ok(Math.max(...files) - Math.min(...files) <= 2 * people.length, `open files: ${files}`)
  })
})

describe('tables under 100,000 grants', () => {
  it('stay bounded, because what has expired goes in small batches', { timeout: 600_000 }, async (t) => {
    const file = join(folder, 'sweep.db')
    const storage = await openStorage({ kind: 'sqlite', file }, { migrate: true })
    try {
      const client = aClient()
      const user = aUser()
      await storage.clients.create(client)
      await storage.users.create(user)
      let nowMs = Date.UTC(2027, 0, 1)
      const clock = () => nowMs
      const settings = settingsFrom({ Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }, folder)
      const keeper = trailKeeper({
        storage,
        clock,
        keys: await openKeyRing({ storage, settings, clock }),
      })
      const most = new Map<string, number>()
      for (let issued = 0; issued < 100_000; issued += 2000) {
        const expiresAtMs = nowMs + 3_600_000
        const redeemed = await Promise.all(
          Array.from({ length: 2000 }, async (_, index) => {
            const createdAtMs = nowMs + index
            const grant = aGrant(user, client, { authorizationId: null, createdAtMs, expiresAtMs })
            const spent = storage.spentValues.spend(grant.id, expiresAtMs)
            return (await storage.grants.redeem(grant, [anEvent({ atMs: createdAtMs })])) && (await spent)
          }),
        )
        assert.ok(redeemed.every(Boolean))
        // Twenty minutes later the sweeper comes by, as often as it takes, and entries of an hour ago are old.
        nowMs += 20 * 60_000
        for (let removed = 500; removed >= 500; ) removed = await storage.sweep(nowMs, 500)
        await keeper.checkpoint()
        while ((await keeper.removeBefore(nowMs - 3_600_000, 5000)) > 0);
        for (const [table, rows] of rowsOf(file)) most.set(table, Math.max(rows, most.get(table) ?? 0))
      }
      t.diagnostic(`at most at once: ${[...most].map(([table, rows]) => `${rows} ${table}`).join(', ')}`)
      for (const [table, rows] of most) assert.ok(rows <= 10_000, `${rows} rows of ${table} at once`)
      for (const table of ['grants', 'spent_values', 'audit_entries']) assert.ok((most.get(table) ?? 0) > 2000, table)
    } finally {
      await storage.close()
    }
  })
})

function rowsOf(file: string): (readonly [string, number])[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return tables.map((table) => [table, Number(db.prepare(`select count(*) as n from ${table}`).get()?.n)])
  } finally {
    db.close()
  }
}

/**
 * Few and many people, grants, sessions and entries on the cluster: requests, the account area and the console touch as many rows,
 * and the trail is divided, and loses its old partitions on all three servers.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { countVisits, type Visits } from '../../bench/visits.ts'
import { trailKeeper } from '../../src/audit/keeper.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { openStorage } from '../../src/storage/open.ts'
import { settingsFrom } from '../support/settings.ts'
import { execute, startCluster } from './cluster.ts'
import { until } from './watchdog.ts'

/** The smaller tables fill a page of every list already. */
const [few, many] = [20_000, 1_000_000]
const week = 7 * 86_400_000

const cluster = await startCluster()
after(() => cluster.stop())
const { name: primary } = await cluster.primary()

async function filled(name: string, rows: number) {
  await execute(cluster.superuserUrl(primary), [`create database ${name} owner latchkey`])
  const url = cluster.url.replace(/\/latchkey$/, `/${name}`)
  const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }
  const settings = settingsFrom(env, cluster.folder)
  const storage = await openStorage(settings.database.url, { migrate: true })
  // As if it had been divided six weeks ago, so that what is written now is in a partition with both ends.
  await storage.audit.partitions.divide(week, Date.now() - 6 * week)
  await storage.audit.partitions.extend(Date.now())
  const keys = await openKeyRing({ storage, settings, clock: Date.now })
  // In another process: this one has the connections of the cluster to etcd, which must not wait for a million hashes.
  const seed = fileURLToPath(new URL('../../bench/seed.ts', import.meta.url))
  await promisify(execFile)(process.execPath, [seed, String(rows), join(cluster.folder, `${name}-tokens`)], {
    cwd: cluster.folder,
    env: { ...process.env, ...env },
  })
  return { url, storage, keeper: trailKeeper({ storage, keys, clock: Date.now }) }
}

describe('a million people on the cluster', { timeout: 900_000 }, async () => {
  const small = await filled('few', few)
  const large = await filled('many', many)
  after(() => Promise.all([small.storage.close(), large.storage.close()]))
  const [before, now] = [await countVisits(small.url), await countVisits(large.url)]

  it('are visited as few are: as many rows by every step, and pages only as indexes are deeper', () => {
    for (const [verb, visits] of now) {
      const { rows, pages } = before.get(verb) as Visits
      assert.deepEqual(visits.scanned, [], verb)
      assert.ok(visits.rows <= rows * 1.1 + 1, `${verb}: ${visits.rows} rows, and ${rows} of the smaller tables`)
      const atMost = Math.max(pages * 1.5 + 2, visits.rows / 2)
      assert.ok(visits.pages <= atMost, `${verb}: ${visits.pages} pages, and ${pages} of the smaller tables`)
    }
  })

  it('of the audit trail are dropped with their partition, once they are checked, on every server', async () => {
    const { storage, keeper } = small
    const partitions = async () => (await storage.audit.partitions.list()).map(({ fromMs }) => fromMs)
    const full = (await storage.audit.partitions.list()).find(({ fromMs, entries }) => fromMs !== null && entries > few)
    const endMs = full?.beforeMs ?? 0
    assert.ok(endMs > 0)
    await keeper.checkpoint()
    let removed = 0
    while ((await partitions()).includes(full?.fromMs ?? 0)) removed += await keeper.removeBefore(endMs, 20_000)
    assert.ok(removed >= 2 * few, `${removed} entries were removed`)
    const named = `select count(*)::int as n from pg_class where relname = 'audit_entries_from_${full?.fromMs}'`
    for (const { name } of cluster.members) {
      await until(`${name} has dropped the partition`, 20_000, async () => {
        const [row] = await execute(cluster.superuserUrl(name, 'few'), [named])
        return row?.n === 0 ? true : undefined
      })
    }
  })
})

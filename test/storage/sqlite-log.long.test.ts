/** The write-ahead log of SQLite is bounded under constant reads. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { logBytes, logLimitBytes } from '../../src/storage/sqlite/log.ts'
import { type GaugeName, noMetrics } from '../../src/telemetry/metrics.ts'

async function scene(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-log-'))
  const file = join(folder, 'latchkey.db')
  const gauges = new Map<GaugeName, () => number>()
  const metrics = { ...noMetrics, gauge: (name: GaugeName, read: () => number) => void gauges.set(name, read) }
  const storage = await openStorage({ kind: 'sqlite', file }, { migrate: true, metrics })
  t.after(async () => {
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  })
  let spent = 0
  /** A commit that changes some pages. */
  const write = () => {
    spent += 1
    return storage.spentValues.spend(`${spent} ${'x'.repeat(3000)}`, 9e15)
  }
  /** Writes until the log has become this small; it is emptied after a batch was answered. */
  const writeUntilSmall = async () => {
    const deadlineMs = performance.now() + 120_000
    while (logBytes(file) > logLimitBytes) {
      await write()
      assert.ok(performance.now() < deadlineMs, `the log still has ${logBytes(file)} bytes`)
    }
  }
  return { file, write, writeUntilSmall, gauge: () => gauges.get('sqlite_log_bytes')?.() }
}

/** Lets the log grow as under constant reads, which prevent a restart of the log. */
function grow(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5000 })
  db.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0; CREATE TABLE IF NOT EXISTS filler (n)')
  db.exec('DELETE FROM filler; INSERT INTO filler VALUES (0)')
  while (logBytes(file) <= 2 * logLimitBytes) db.exec('UPDATE filler SET n = n + 1')
  db.close()
}

describe('the write-ahead log', () => {
  it('is emptied after the next write when it has become large, and its size is a number of its own', async (t) => {
    const { file, write, writeUntilSmall, gauge } = await scene(t)
    await write()
    grow(file)
    assert.equal(gauge(), statSync(`${file}-wal`).size)
    assert.ok((gauge() ?? 0) > 2 * logLimitBytes)
    await writeUntilSmall()
    assert.ok((gauge() ?? 0) <= logLimitBytes)
  })

  it('waits for a reader that takes long, without holding writes up, and is emptied when that has ended', async (t) => {
    const { file, write, writeUntilSmall } = await scene(t)
    await write()
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM users').get()
    grow(file)
    const beganAtMs = performance.now()
    for (let each = 0; each < 50; each += 1) await write()
    assert.ok(logBytes(file) > 2 * logLimitBytes)
    // Each try to empty it that waited for the reader as other commands do would take five seconds.
    assert.ok(performance.now() - beganAtMs < 20_000)
    reader.exec('COMMIT')
    reader.close()
    await writeUntilSmall()
  })

  it('stays small under constant writers and constant readers in other processes', async (t) => {
    const { file, write } = await scene(t)
    await write()
    const readForEver = `
      const { DatabaseSync } = require('node:sqlite')
      const db = new DatabaseSync(${JSON.stringify(file)}, { timeout: 5000 })
      const query = db.prepare('select * from spent_values order by id desc limit 50')
      query.all()
      console.log('reading')
      for (;;) query.all()`
    const readers = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(process.execPath, ['-e', readForEver], { stdio: ['ignore', 'pipe', 'inherit'] })
        t.after(() => child.kill('SIGKILL'))
        await once(child.stdout, 'data')
        return child
      }),
    )
    let largest = 0
    const wanted = 8000
    let written = 0
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (; written < wanted; written += 1) {
          await write()
          largest = Math.max(largest, logBytes(file))
        }
      }),
    )
    t.diagnostic(`${written} commits, at most ${(largest / 1e6).toFixed(1)} MB of log`)
    assert.ok(largest < 3 * logLimitBytes, `${largest} bytes`)
    for (const reader of readers) reader.kill('SIGKILL')
  })
})

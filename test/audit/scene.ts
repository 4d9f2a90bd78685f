/** A trail that grows over time on each engine, and a hand that changes it behind the back of the service. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, type TestContext } from 'node:test'
import postgres from 'postgres'
import { trailKeeper } from '../../src/audit/keeper.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { main } from '../../src/main.ts'
import type { AuditLoss } from '../../src/storage/audit-queue.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { anEvent } from '../storage/records.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { settingsFrom } from '../support/settings.ts'
import { executeSqlite, makeDatabaseFile, openDatabase } from '../support/sqlite.ts'

const server = await postgresServer()
after(() => server.stop())

export const start = Date.UTC(2027, 0, 1)
export const minute = 60_000
export const day = 24 * 60 * minute
export const masterKey = Buffer.alloc(32, 7).toString('base64')

export type Engine = {
  readonly name: string
  url(folder: string): Promise<string>
  /** Changes the database behind the back of the service. */
  execute(url: string, folder: string, text: string): Promise<void>
}

export const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    async url(folder) {
      await makeDatabaseFile(join(folder, 'trail.db'))
      return 'sqlite:trail.db'
    },
    async execute(_url, folder, text) {
      executeSqlite(join(folder, 'trail.db'), text)
    },
  },
  {
    name: 'PostgreSQL',
    url: () => server.createDatabase(),
    async execute(url, _folder, text) {
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      await sql.unsafe(text).simple()
      await sql.end()
    },
  },
]

/** A trail of 30 entries with 3 checkpoints, 10 entries and a minute apart. */
export async function scene(t: TestContext, engine: Engine) {
  const folder = temporaryFolder(t)
  const env = { Database__Url: await engine.url(folder), Keys__MasterKey: masterKey }
  const settings = settingsFrom(env, folder)
  const time = { nowMs: start }
  const clock = () => time.nowMs
  const losses: AuditLoss[] = []

  /** As a process that starts, works and ends: with a chain of its own. */
  async function process<T>(
    work: (storage: Storage, keeper: ReturnType<typeof trailKeeper>) => Promise<T>,
  ): Promise<T> {
    const storage = await openDatabase(settings.database.url, { lost: (loss) => losses.push(loss) })
    try {
      const keys = await openKeyRing({ storage, settings, clock })
      return await work(storage, trailKeeper({ storage, keys, clock }))
    } finally {
      await storage.close()
    }
  }

  async function latchkey(...words: string[]) {
    const output = { stdout: new PassThrough(), stderr: new PassThrough() }
    const stdin = new PassThrough()
    stdin.end()
    const code = await main(words, { stdin, ...output, env, cwd: folder, clock, random: randomBytes })
    return { code, stdout: String(output.stdout.read() ?? ''), stderr: String(output.stderr.read() ?? '') }
  }

  const run = (...words: string[]) => latchkey('audit', ...words)

  async function write(storage: Storage, entries: number): Promise<void> {
    for (let at = 0; at < entries; at += 1) {
      time.nowMs += 100
      await storage.audit.append([anEvent({ atMs: time.nowMs, details: { at } })])
    }
  }

  await process(async (storage, keeper) => {
    for (let round = 0; round < 3; round += 1) {
      await write(storage, 10)
      time.nowMs += minute
      assert.ok(await keeper.checkpoint())
    }
  })

  return {
    folder,
    time,
    process,
    /** What processes were told of events that the trail did not take. */
    losses,
    latchkey,
    run,
    write,
    execute: (text: string) => engine.execute(env.Database__Url, folder, text),
    entries: () => process((storage) => storage.audit.stored(undefined, 1000)),
    async assertIntact(expected?: RegExp) {
      const { code, stdout, stderr } = await run('verify')
      assert.deepEqual([code, stderr], [0, ''], stdout)
      assert.match(stdout, expected ?? /^The audit trail is intact/)
    },
    /** One line that names the entry and what is wrong with it. */
    async assertFound(expected: RegExp, ...options: string[]) {
      const { code, stdout, stderr } = await run('verify', ...options)
      assert.match(stderr, expected)
      assert.match(stderr, /^error: The audit trail is not intact: [^\n]+\n$/)
      assert.deepEqual([code, stdout], [1, ''])
    },
  }
}

/** Settings of a process that has the master key. */
export function settingsOf() {
  return settingsFrom({ Keys__MasterKey: masterKey })
}

/** Every promise of the storage, kept behind a real PgBouncer in both of its modes; and what a wrong setting leads to. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import postgres from 'postgres'
import { migrateDatabase, openStorage, readSchema } from '../../src/storage/open.ts'
import { openRows } from '../../src/storage/open-rows.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { hasStatementLimit } from '../../src/storage/postgres/pooler.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { ownTables, tables } from '../../src/storage/sql/tables.ts'
import { closing } from '../support/lifetime.ts'
import { hasPgBouncer, type PgBouncerSettings, startPgBouncer } from '../support/pgbouncer.ts'
import { startServer } from '../support/postgres.ts'
import { storageContract } from './contract.ts'
import { atOnce, aUser } from './records.ts'

if (hasPgBouncer()) {
  const modes = [
    { name: 'PgBouncer by sessions', settings: { pool_mode: 'session', default_pool_size: 60 }, prepared: true },
    { name: 'PgBouncer by transactions', settings: { pool_mode: 'transaction' }, prepared: false },
  ]
  for (const { name, settings, prepared } of modes) await behind(name, settings, prepared)
  await wrongSettings()
} else {
  it('keeps every promise behind PgBouncer', (t) => t.skip('not on this machine: PgBouncer'))
}

async function behind(name: string, settings: PgBouncerSettings, prepared: boolean): Promise<void> {
  const server = await startServer()
  const direct = await server.createDatabase()
  const pooler = await startPgBouncer(server.port, settings)
  const cleaner = postgres(direct, { max: 1, onnotice: () => {} })
  after(async () => {
    await cleaner.end()
    await pooler.stop()
    await server.stop()
  })
  const at = (database: string) =>
    ({ kind: 'postgres', url: pooler.through(database), preparedStatements: prepared }) as const
  const emptied = [...tables, ...ownTables].map((table) => `delete from ${table}`)

  storageContract(`PostgreSQL behind ${name}`, async () => {
    const storage = await openStorage(at(direct), { migrate: false, checkWay: true })
    const close = async () => {
      await storage.close()
      await cleaner.unsafe(['set session_replication_role = replica', ...emptied].join(';'))
    }
    return { ...storage, close }
  })

  describe(name, () => {
    it('brings the schema up to date once when many nodes start, and leaves no lock behind', async (t) => {
      const url = await server.createEmptyDatabase()
      const storages = await atOnce(4, () => openStorage(at(url), { migrate: true }))
      for (const storage of storages) await storage.close()
      assert.deepEqual((await readSchema(at(url))).pending, [])
      assert.deepEqual(await migrateDatabase(at(url)), [])
      const watching = closing(t, postgres(url, { max: 1 }))
      assert.deepEqual([...(await watching`select pid from pg_locks where locktype = 'advisory'`)], [])
    })

    it('makes an index of a migration, however long the account lets a statement take', async (t) => {
      const url = await server.createEmptyDatabase()
      const admin = closing(t, postgres(url, { max: 2, onnotice: () => {} }))
      // Before the pooler has a session there.
      await admin.unsafe(`alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '1s'`)
      await migrateDatabase(at(url), { upTo: '0026-deletions' })
      let migrating: Promise<string[]> | undefined
      // The index waits for this transaction.
      await admin.begin(async (holder) => {
        await holder`lock table grants in row exclusive mode`
        migrating = migrateDatabase(at(url))
        migrating.catch(() => {})
        const longest = async () => {
          const [row] = await admin`
            select coalesce(max(extract(epoch from now() - query_start)), 0)::float8 as seconds from pg_stat_activity
            where query like 'create index concurrently%' and state = 'active' and datname = current_database()`
          return Number(row?.seconds)
        }
        const endsAtMs = performance.now() + 30_000
        while ((await longest()) < 1.5) assert.ok(performance.now() < endsAtMs, 'no index is waited for')
      })
      await migrating
      assert.deepEqual((await readSchema(at(url))).pending, [])
    })

    it('gives each of many requests at once its own row', async (t) => {
      const storage = closing(t, await openStorage(at(direct), { migrate: false }))
      const users = Array.from({ length: 200 }, () => aUser())
      await Promise.all(users.map((user) => storage.users.create(user)))
      // Fewer at once than a busy machine answers before a request gives up on a connection.
      for (let round = 0; round < 8; round += 1) {
        const asked = Array.from({ length: 500 }, (_, at) => users[(at * 7919 + round) % users.length] ?? aUser())
        const found = await Promise.all(asked.map(({ id }) => storage.users.find(id)))
        assert.deepEqual(
          found.map((user) => user?.id),
          asked.map(({ id }) => id),
        )
      }
    })

    it('moves whole tables, however long the account lets a statement take', async () => {
      const [from, to] = [await server.createDatabase(), await server.createDatabase()]
      const storage = await openStorage(at(from), { migrate: false })
      for (let made = 0; made < 50; made += 1) await storage.users.create(aUser())
      await storage.close()
      const admin = postgres(to, { max: 1 })
      await admin.unsafe(`alter database ${new URL(to).pathname.slice(1)} set lock_timeout = '1ms'`)
      await admin.end()
      const [source, target] = [
        await openRows(at(from), { readOnly: true }),
        await openRows(at(to), { readOnly: false }),
      ]
      await target.fill(({ insert }) =>
        source.snapshot(async (reader) => {
          for await (const rows of reader.rows('users')) await insert('users', rows)
        }),
      )
      assert.equal(await target.snapshot((reader) => reader.count('users')), 50)
      await Promise.all([source.close(), target.close()])
    })
  })
}

async function wrongSettings(): Promise<void> {
  const server = await startServer()
  const direct = await server.createDatabase()
  const pooler = await startPgBouncer(server.port, { pool_mode: 'transaction' })
  after(async () => {
    await pooler.stop()
    await server.stop()
  })
  const url = pooler.through(direct)

  describe('PgBouncer by transactions without Database:PreparedStatements=false', () => {
    it('refuses to open, in a line that names the setting', async () => {
      const database = { kind: 'postgres', url } as const
      await assert.rejects(openStorage(database, { migrate: false, checkWay: true }), (error: Error) => {
        assert.ok(error instanceof StorageUnavailable && !error.isPassing)
        assert.match(error.message, /^The pooler 127\.0\.0\.1:\d+\/\w+ .*Set Database:PreparedStatements to false/)
        assert.doesNotMatch(error.message, /\n/)
        return true
      })
    })

    it('does not wait to find that out where a single session is all there is', async (t) => {
      const single = closing(t, await startPgBouncer(server.port, { pool_mode: 'transaction', default_pool_size: 1 }))
      const storage = await openStorage(
        { kind: 'postgres', url: single.through(direct) },
        { migrate: false, checkWay: true },
      )
      await storage.close()
    })

    it('never answers a request with the row of another', async () => {
      const right = await openStorage({ kind: 'postgres', url, preparedStatements: false }, { migrate: false })
      const users = Array.from({ length: 100 }, () => aUser())
      await Promise.all(users.map((user) => right.users.create(user)))
      const wrong: Storage = sqlStorage(openPostgres(url))
      let answered = 0
      const refusals: unknown[] = []
      for (let round = 0; round < 20; round += 1) {
        await Promise.all(
          users.map(async ({ id }) => {
            const found = await wrong.users.find(id).catch((error) => refusals.push(error) && 'refused')
            if (found === 'refused') return
            answered += 1
            assert.equal((found as { id: string } | undefined)?.id, id)
          }),
        )
      }
      assert.ok(answered > 0 && refusals.length > 0, `${answered} answered, ${refusals.length} refused`)
      for (const error of refusals) {
        assert.ok(error instanceof StorageUnavailable, String(error))
        assert.match(error.message, /Database:PreparedStatements/)
      }
      await wrong.close()
      await right.close()
    })
  })

  describe('a time limit of statements', () => {
    it('is there without a pooler, and behind one where the account has it', async () => {
      assert.equal(await hasStatementLimit(direct, true), true)
      for (const prepared of [true, false]) assert.equal(await hasStatementLimit(url, prepared), false)
      const limited = await server.createDatabase()
      const admin = postgres(limited, { max: 1 })
      await admin.unsafe(`alter database ${new URL(limited).pathname.slice(1)} set statement_timeout = '5s'`)
      await admin.end()
      assert.equal(await hasStatementLimit(pooler.through(limited), false), true)
      assert.equal(await hasStatementLimit('postgres://nobody@127.0.0.1:1/none', true), undefined)
    })
  })

  describe('PgBouncer that refuses parameters', () => {
    it('is named with the parameter and the remedy, and works with Database:PreparedStatements=false', async () => {
      const strict = await startPgBouncer(server.port, { pool_mode: 'session', ignore_startup_parameters: undefined })
      const database = { kind: 'postgres', url: strict.through(direct) } as const
      await assert.rejects(openStorage(database, { migrate: false }), (error: Error) => {
        assert.ok(error instanceof StorageUnavailable && !error.isPassing)
        assert.match(error.message, /refuses the parameter statement_timeout.*ignore_startup_parameters/)
        return true
      })
      const storage = await openStorage({ ...database, preparedStatements: false }, { migrate: true, checkWay: true })
      assert.equal(await storage.users.create(aUser()), 'created')
      await storage.close()
      await strict.stop()
    })
  })
}

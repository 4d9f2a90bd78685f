/** What `latchkey db` does on either engine. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { migrations } from '../../src/storage/migrations/index.ts'
import { tables } from '../../src/storage/sql/tables.ts'
import { assertEverything, type Everything, oneOfEverything, storeEverything } from '../fixtures/everything.ts'
import { aUser } from '../storage/records.ts'
import { executeSqlite } from '../support/sqlite.ts'
import { valuesOf } from '../support/values.ts'
import { place } from './db-place.ts'

const names = Object.keys(migrations)
const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))

/**
 * `newUrl` gives the address of a new database without anything in it; undefined: an SQLite file. `newPostgres` that of a
 * database on PostgreSQL.
 */
export function databaseCommands(
  engine: 'an SQLite file' | 'PostgreSQL',
  newUrl: () => Promise<string | undefined>,
  newPostgres: () => Promise<string>,
): void {
  describe(`latchkey db on ${engine}`, () => {
    it('migrates an empty database, tells of each migration, and then has nothing to do', async (t) => {
      const at = place(t, await newUrl())
      const first = await at.runApart('db migrate')
      assert.deepEqual([first.code, first.stderr], [0, names.map((name) => `migration ${name}\n`).join('')])
      assert.match(first.stdout, /^The schema is up to date: \d+ migrations were run\.\n$/)
      assert.deepEqual(await at.json('db migrate'), { migrations: [] })
    })

    it('says engine, schema, size and the rows of every table, and changes nothing', async (t) => {
      const at = place(t, await newUrl())
      await at.withStorage((storage) => storeEverything(storage, oneOfEverything()))
      const status = (await at.json('db status')) as { tables: Record<string, number>; [name: string]: unknown }
      assert.match(String(status.engine), engine === 'PostgreSQL' ? /^PostgreSQL \d+/ : /^SQLite 3\./)
      assert.ok(Number(status.sizeBytes) > 50_000)
      assert.deepEqual(status.schema, { applied: names, pending: [], unknown: [] })
      assert.deepEqual(Object.keys(status.tables), [...tables])
      assert.equal(status.tables.users, 3)
      // With few rows, nothing is left to remove once a deletion was answered.
      const { removals, ...others } = status.tables
      assert.equal(removals, 0)
      for (const [table, rows] of Object.entries(others)) assert.ok(rows > 0, table)
      const { stdout } = await at.run('db status')
      assert.match(stdout, /^Engine +(PostgreSQL|SQLite) .*\n/m)
      assert.match(stdout, /^Pending +none$/m)
      assert.match(stdout, /^TABLE +ROWS\nusers +3$/m)
      assert.doesNotMatch(stdout, /postgres@/)
    })

    it('backs everything up into one private file, and restores it into an empty database of either engine', async (t) => {
      const at = place(t, await newUrl())
      const everything = oneOfEverything()
      await at.withStorage((storage) => storeEverything(storage, everything))
      const { stdout, stderr, code } = await at.runApart('db backup copy.db')
      assert.equal(code, 0, stderr)
      assert.match(stdout, /does not contain the master key/)
      const file = join(at.folder, 'copy.db')
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.deepEqual(
        readdirSync(at.folder).filter((name) => name.startsWith('copy.db')),
        ['copy.db'],
      )
      await at.refuses('db backup copy.db', /copy\.db already exists/)
      const before = readFileSync(file)
      for (const anotherUrl of [undefined, await newPostgres()]) {
        const other = place(t, anotherUrl)
        const { tables: counts } = await other.json(`db restore ${file}`)
        assert.equal((counts as Record<string, number>).grants, 3)
        await other.withStorage((storage) => assertEverything(storage, everything))
      }
      assert.deepEqual(readFileSync(file), before, 'the backup itself was left as it was')
    })

    it('restores a backup of every released schema, brought up to date on the way', async (t) => {
      const versions = readdirSync(fixtures).flatMap((name) => /^(schema-\d{4})\.json$/.exec(name)?.[1] ?? [])
      assert.ok(versions.length > 0)
      for (const version of versions) {
        const at = place(t, await newUrl())
        await at.json(`db restore ${join(fixtures, `${version}.sqlite`)}`)
        const expected = JSON.parse(readFileSync(join(fixtures, `${version}.json`), 'utf8')) as Everything
        await at.withStorage((storage) => assertEverything(storage, expected))
      }
    })

    it('does not overwrite what is there unless it is forced to, and then replaces all of it', async (t) => {
      const source = place(t)
      const everything = oneOfEverything()
      await source.withStorage((storage) => storeEverything(storage, everything))
      await source.run('db backup copy.db')
      const at = place(t, await newUrl())
      const stranger = aUser({ name: 'stranger' })
      await at.withStorage((storage) => storage.users.create(stranger))
      const restore = `db restore ${join(source.folder, 'copy.db')}`
      await at.refuses(restore, /is not empty \(users: 1[,)].*--force/)
      assert.ok(await at.withStorage((storage) => storage.users.find(stranger.id)))
      const { code, stderr } = await at.run(`${restore} --force`)
      assert.equal(code, 0, stderr)
      await at.withStorage(async (storage) => {
        assert.equal(await storage.users.find(stranger.id), undefined)
        await assertEverything(storage, everything)
      })
    })

    it('leaves the database as it was when a backup turns out to be unusable in the middle', async (t) => {
      const source = place(t)
      await source.withStorage((storage) => storeEverything(storage, oneOfEverything()))
      await source.run('db backup copy.db')
      const file = join(source.folder, 'copy.db')
      // Sound as a file, but with a key twice: a fault that shows when the last table is written.
      executeSqlite(
        file,
        'create table twice as select * from keys; drop table keys; alter table twice rename to keys',
        'insert into keys select * from keys',
      )
      const at = place(t, await newUrl())
      const stranger = aUser({ name: 'stranger' })
      await at.withStorage((storage) => storage.users.create(stranger))
      await at.refuses(`db restore ${file} --force`, /keys cannot be copied, because its rows contradict/)
      await at.withStorage(async (storage) => {
        assert.deepEqual(valuesOf(await storage.users.list(), 'id'), [stranger.id])
      })
    })

    it('backs up one consistent state while the service writes', async (t) => {
      const at = place(t, await newUrl())
      await at.withStorage(async (storage) => {
        // Fewer at once than a busy machine lets wait too long.
        for (let at = 0; at < 1500; at += 100) {
          await Promise.all(Array.from({ length: 100 }, () => storage.users.create(aUser())))
        }
        let stopped = false
        t.after(() => {
          stopped = true
        })
        let written = 0
        const writing = (async () => {
          while (!stopped) {
            const user = aUser()
            const session = { ...oneOfEverything().sessions[0], userId: user.id } as Everything['sessions'][number]
            const login = { provider: 'GitHub', subject: user.id, userId: user.id, createdAtMs: 1 }
            await storage.users.registerExternal(user, login, { session })
            written += 1
          }
        })()
        const backup = await at.runApart('db backup busy.db')
        const during = written
        stopped = true
        await writing
        assert.equal(backup.code, 0, backup.stderr)
        assert.ok(during > 0)
        const copy = new DatabaseSync(join(at.folder, 'busy.db'), { readOnly: true })
        const count = (table: string) => Number(copy.prepare(`select count(*) as n from ${table}`).get()?.n)
        assert.equal(count('users') - 1500, count('external_logins'))
        assert.equal(count('users') - 1500, count('sessions'))
        copy.close()
      })
    })
  })
}

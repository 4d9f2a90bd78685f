/** The database as a whole. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import postgres from 'postgres'
import { purposesOf } from '../../src/keys/lifecycle.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { ownTables, tables } from '../../src/storage/sql/tables.ts'
import { assertEverything, oneOfEverything, storeEverything } from '../fixtures/everything.ts'
import { postgresServer } from '../support/postgres.ts'
import { freePort } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { executeSqlite } from '../support/sqlite.ts'
import { assertNone } from '../support/values.ts'
import { databaseCommands } from './db-contract.ts'
import { masterKey, place, settingsFor } from './db-place.ts'

const server = await postgresServer()
after(() => server.stop())

// The same on PostgreSQL is in the long run.
databaseCommands(
  'an SQLite file',
  async () => undefined,
  () => server.createEmptyDatabase(),
)

describe('latchkey db copy', () => {
  it('moves everything from the embedded database to PostgreSQL and back, with usable keys', async (t) => {
    const at = place(t)
    const everything = oneOfEverything()
    // Real keys, so that they can be opened on the other side.
    const context = async (storage: Storage, url?: string) =>
      openKeyRing({ storage, settings: settingsFor(at.folder, url), clock: () => 1_800_000_000_000 })
    const keySet = await at.withStorage(async (storage) => {
      await storeEverything(storage, { ...everything, keys: [] })
      return (await context(storage)).keySet()
    })
    const url = await server.createEmptyDatabase()
    const there = await at.run(`db copy --from sqlite:data/latchkey.db --to ${url}`)
    assert.equal(there.code, 0, there.stderr)
    assert.match(there.stderr, /^users: 3$/m)
    assert.match(there.stdout, /Keys:MasterKey or Keys:MasterKeyFile to the old master key/)
    const back = await at.json(`db copy --from ${url} --to sqlite:back/latchkey.db`)
    assert.equal((back.tables as Record<string, number>).keys, purposesOf(settingsFor(at.folder, url)).length)
    for (const address of [url, `sqlite:${join(at.folder, 'back', 'latchkey.db')}`]) {
      await at.withStorage(async (storage) => {
        assert.equal((await context(storage, address)).keySet(), keySet)
        const { keys: _, ...rest } = everything
        await assertEverything(storage, { ...rest, keys: await storage.keys.list() })
      }, address)
    }
  })

  it('refuses a target that is not empty, and leaves nothing in one that fails in the middle', async (t) => {
    const at = place(t)
    await at.withStorage((storage) => storeEverything(storage, oneOfEverything()))
    const full = await server.createEmptyDatabase()
    await at.run(`db copy --from sqlite:data/latchkey.db --to ${full}`)
    await at.run('db reopen')
    await at.refuses(`db copy --from sqlite:data/latchkey.db --to ${full}`, /is not empty .*Name an empty database/)
    await at.refuses(`db copy --from ${full} --to sqlite:data/latchkey.db`, /is not empty/)
    executeSqlite(join(at.folder, 'data', 'latchkey.db'), `update keys set wrapped = 'a' || char(0) || 'b'`)
    const empty = await server.createEmptyDatabase()
    await at.refuses(`db copy --from sqlite:data/latchkey.db --to ${empty}`, /cannot hold a text of keys: .*NUL/)
    await at.withStorage(async (storage) => assert.deepEqual(await storage.users.list(), []), empty)
  })

  it('says what is wrong with its addresses, without repeating them', async (t) => {
    const at = place(t)
    const { code, stderr } = await at.run('db copy --from mysql://root:s3cret@x --to sqlite:b.db')
    assert.equal(code, 2)
    assert.match(stderr, /^error: --from must be sqlite:FILE[^\n]+\n$/)
    assert.doesNotMatch(stderr, /s3cret/)
    assert.equal((await at.run('db copy --from sqlite:a.db')).code, 2)
    await at.refuses('db copy --from sqlite:nowhere.db --to sqlite:b.db', /There is no database at .*nowhere\.db/)
    await at.refuses('db copy --from sqlite::memory: --to sqlite:b.db', /--from is sqlite::memory:/)
  })
})

describe('a backup', () => {
  it('is refused when it is damaged, no database, no backup, newer, or the database itself', async (t) => {
    const at = place(t)
    await at.withStorage((storage) => storeEverything(storage, oneOfEverything()))
    await at.run('db backup sound.db')
    const bytes = readFileSync(join(at.folder, 'sound.db'))
    const file = (name: string) => join(at.folder, name)
    writeFileSync(file('cut.db'), bytes)
    truncateSync(file('cut.db'), bytes.length - 8192)
    writeFileSync(file('scribbled.db'), bytes.fill(0x5a, 8192, 24_000))
    writeFileSync(file('text.db'), 'never a database '.repeat(500))
    new DatabaseSync(file('other.db')).exec('create table other (a)')
    await at.run('db backup newer.db')
    new DatabaseSync(file('newer.db')).exec("insert into kysely_migration values ('0999-later', '2100')")
    const empty = place(t)
    await empty.refuses(`db restore ${file('cut.db')}`, /damaged|malformed/)
    await empty.refuses(`db restore ${file('scribbled.db')}`, /damaged|malformed/)
    await empty.refuses(`db restore ${file('text.db')}`, /is not a database/)
    await empty.refuses(`db restore ${file('other.db')}`, /is not a backup of Latchkey/)
    await empty.refuses(`db restore ${file('newer.db')}`, /newer version of Latchkey .*0999-later/)
    await empty.refuses('db restore nowhere.db', /There is no file .*nowhere\.db/)
    await at.refuses('db restore data/latchkey.db', /is the database itself/)
    await at.refuses('db backup no-such-folder/copy.db', /There is no folder/)
    // No file system has names that long.
    await at.refuses(`db backup ${'x'.repeat(300)}`, /The backup cannot be written to .* \(ENAMETOOLONG\)/)
    assert.equal((await at.run('db backup')).code, 2)
    assert.equal((await at.run('db')).code, 2)
  })

  it('removes what a killed one left in the folder, and only names what may still be written', async (t) => {
    const at = place(t)
    const file = (name: string) => join(at.folder, name)
    await at.run('db migrate')
    await at.run('db backup first.db')
    const [left, begun, held, own] = ['a', 'b', 'c', 'd'].map((digit) => file(`day.db.${digit.repeat(12)}.partial`))
    for (const draft of [left, begun, held]) copyFileSync(file('first.db'), draft as string)
    writeFileSync(`${left}-journal`, '')
    // Somebody's own file, of such a name.
    writeFileSync(own as string, 'notes')
    for (const draft of [left, held, own]) utimesSync(draft as string, 1, 1)
    const writer = new DatabaseSync(held as string)
    writer.exec('begin immediate')
    const { code, stderr } = await at.run('db backup second.db')
    writer.close()
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^removed .*aaaa\.partial \(\d+\.\d MB\), which a backup that was killed had left$/m)
    assert.deepEqual(
      stderr.match(/(?<=\.)[a-d](?=[a-d]{11}\.partial .* is being written by another backup, or was left)/g),
      ['b', 'c'],
    )
    const drafts = readdirSync(at.folder).filter((name) => name.includes('.partial'))
    assert.deepEqual(
      drafts.sort(),
      [begun, held, own].map((draft) => basename(draft as string)),
    )
  })

  it('removes what one left that was killed while it wrote, which does not yet begin as a database does', async (t) => {
    const at = place(t)
    const file = (name: string) => join(at.folder, name)
    await at.run('db migrate')
    const db = new DatabaseSync(file('data/latchkey.db'))
    const large = `insert into spent_values select value || hex(zeroblob(500000)), 1 from json_each('[1,2,3,4,5,6,7,8,9]')`
    db.exec(large)
    db.close()
    const left = file(`day.db.${'a'.repeat(12)}.partial`)
    const killed = spawnSync(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { backup, DatabaseSync } from 'node:sqlite'
        const source = new DatabaseSync(${JSON.stringify(file('data/latchkey.db'))})
        const progress = () => process.kill(process.pid, 'SIGKILL')
        await backup(source, ${JSON.stringify(left)}, { rate: 1500, progress })`,
    ])
    assert.equal(killed.signal, 'SIGKILL')
    const bytes = readFileSync(left)
    assert.ok(bytes.length > 1_000_000 && bytes.subarray(0, 16).every((byte) => byte === 0))
    assert.match((await at.run('db backup first.db')).stderr, /aaaa\.partial .* was left by one that was killed/)
    utimesSync(left, 1, 1)
    assert.match((await at.run('db backup second.db')).stderr, /^removed .*aaaa\.partial \(\d+\.\d MB\)/m)
    assertNone(readdirSync(at.folder).filter((name) => name.includes('.partial')))
  })

  it('that is interrupted leaves nothing behind', async (t) => {
    const url = await server.createDatabase()
    const at = place(t, url)
    // The backup has begun, and waits for this table.
    const holder = postgres(url, { max: 1, onnotice: () => {} })
    t.after(() => holder.end())
    await holder.unsafe('begin; lock table users in access exclusive mode')
    const { child, ended } = at.start('db backup copy.db')
    const left = () => readdirSync(at.folder).filter((name) => name.startsWith('copy.db'))
    while (left().length === 0 && child.exitCode === null) await setImmediate()
    child.kill('SIGTERM')
    assert.deepEqual(await ended, { code: null, signal: 'SIGTERM' })
    assert.deepEqual(left(), [])
  })

  it('is taken from a service that runs, and with its master key a new service goes on where it was', async (t) => {
    const at = place(t)
    const port = await freePort()
    const env = { Keys__MasterKey: masterKey, OAuth__Issuer: `http://localhost:${port}/` }
    const keySetOf = async (folder: string) => {
      const service = await startProcess({ port, folder, env })
      const answer = await (await fetch(`${service.address}.well-known/jwks`)).text()
      return { service, answer }
    }
    const first = await keySetOf(at.folder)
    assert.equal((await at.runApart('db backup copy.db')).code, 0)
    await first.service.stop()
    const other = place(t)
    const restored = await other.run(`db restore ${join(at.folder, 'copy.db')}`)
    assert.equal(restored.code, 0, restored.stderr)
    assert.doesNotMatch(restored.stderr, /warning/)
    const second = await keySetOf(other.folder)
    assert.equal(second.answer, first.answer)
    await second.service.stop()
  })

  it('that was made under another master key is restored with a warning that says what to do', async (t) => {
    const at = place(t)
    await at.run('db migrate')
    await at.run('keys rotate')
    await at.run('db backup copy.db')
    const other = place(t, undefined, Buffer.alloc(32, 9).toString('base64'))
    const { code, stderr } = await other.run(`db restore ${join(at.folder, 'copy.db')}`)
    assert.equal(code, 0)
    assert.match(stderr, /^warning: .*cannot be decrypted with the master key from Keys:MasterKey/m)
  })
})

describe('the tables that are copied', () => {
  it('are all that the schema has, but for those about the database itself, on both engines', async () => {
    const { openSqliteInMemory } = await import('../../src/storage/sqlite/engine.ts')
    const { openPostgres } = await import('../../src/storage/postgres/engine.ts')
    const { ensureSchema } = await import('../../src/storage/schema.ts')
    const url = await server.createDatabase()
    const memory = openSqliteInMemory()
    await ensureSchema(memory, true)
    const queries = [
      [memory.engine, "select name from sqlite_master where type = 'table'"],
      [
        openPostgres(url).engine,
        'select table_name as name from information_schema.tables where table_schema = current_schema()',
      ],
    ] as const
    for (const [engine, text] of queries) {
      const rows = await engine.read<{ name: string }>({
        mustChange: false,
        toSql: () => ({ text, parameters: [] }),
      })
      const names = rows.map(({ name }) => name).filter((name) => !/^(kysely|sqlite)_/.test(name))
      assert.deepEqual(names.sort(), [...tables, ...ownTables].sort())
      await engine.close()
    }
  })
})

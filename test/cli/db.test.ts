/** The database as a whole, on both engines. Where another process matters, commands run in one of their own. */
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { purposesOf } from '../../src/keys/lifecycle.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { main } from '../../src/main.ts'
import { readSettings } from '../../src/settings/read.ts'
import { migrations } from '../../src/storage/migrations/index.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { ownTables, tables } from '../../src/storage/sql/tables.ts'
import { assertEverything, type Everything, oneOfEverything, storeEverything } from '../fixtures/everything.ts'
import { aUser } from '../storage/records.ts'
import { postgresServer } from '../support/postgres.ts'
import { freePort } from '../support/service.ts'
import { guard, startProcess } from '../support/service-process.ts'

const names = Object.keys(migrations)
const program = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))
const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const server = await postgresServer()
after(() => server.stop())

const masterKey = Buffer.alloc(32, 7).toString('base64')

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string }

type Place = {
  readonly folder: string
  /** Runs a command in a process of its own. */
  start(line: string): ChildProcessWithoutNullStreams
  /** As `start`, to its end. */
  runApart(line: string): Promise<Outcome>
  /** Runs a command inside this process. */
  run(line: string): Promise<Outcome>
  json(line: string): Promise<Record<string, unknown>>
  /** Expects exit code 1 and a last line that matches. */
  refuses(line: string, pattern: RegExp): Promise<void>
  withStorage<T>(work: (storage: Storage) => Promise<T>, address?: string): Promise<T>
}

function settingsFor(folder: string, url: string | undefined) {
  const env = { Keys__MasterKey: masterKey, ...(url && { Database__Url: url }) }
  const read = readSettings({ env, cwd: folder })
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'))
  return read.settings
}

function place(t: TestContext, url?: string, key = masterKey): Place {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-db-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { PATH = '' } = process.env
  const env = { Keys__MasterKey: key, ...(url && { Database__Url: url }) }
  const self: Place = {
    folder,
    start: (line) => spawn(program, line.split(' '), { cwd: folder, env: { PATH, ...guard, ...env }, stdio: 'pipe' }),
    async run(line) {
      const output = { stdout: new PassThrough(), stderr: new PassThrough() }
      const stdin = new PassThrough()
      stdin.end()
      const context = { stdin, ...output, env, cwd: folder, clock: Date.now, random: randomBytes }
      const written = Promise.all([text(output.stdout), text(output.stderr)])
      const code = await main(line.split(' '), context)
      for (const stream of Object.values(output)) stream.end()
      const [stdout, stderr] = await written
      return { code, stdout, stderr }
    },
    async runApart(line) {
      const child = self.start(line)
      child.stdin.end()
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      const [code] = await once(child, 'close')
      return { code, stdout, stderr }
    },
    async json(line) {
      const { code, stdout, stderr } = await self.run(`${line} --json`)
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    },
    async refuses(line, pattern) {
      const { code, stdout, stderr } = await self.run(line)
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, stderr)
      const last = stderr.trimEnd().split('\n').at(-1) ?? ''
      assert.match(last, /^error: /)
      assert.match(last, pattern)
    },
    async withStorage(work, address = url) {
      const storage = await openStorage(settingsFor(folder, address).database.url, { migrate: true })
      try {
        return await work(storage)
      } finally {
        await storage.close()
      }
    },
  }
  return self
}

const engines = [
  ['an SQLite file', async () => undefined],
  ['PostgreSQL', () => server.createEmptyDatabase()],
] as const

for (const [engine, newUrl] of engines) {
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
      assert.equal(status.tables.users, 2)
      for (const [table, rows] of Object.entries(status.tables)) assert.ok(rows > 0, table)
      const { stdout } = await at.run('db status')
      assert.match(stdout, /^Engine +(PostgreSQL|SQLite) .*\n/m)
      assert.match(stdout, /^Pending +none$/m)
      assert.match(stdout, /^TABLE +ROWS\nusers +2$/m)
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
      for (const [, anotherUrl] of engines) {
        const other = place(t, await anotherUrl())
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
      await at.refuses(restore, /is not empty \(users: 1\)\. .*--force/)
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
      const db = new DatabaseSync(file)
      db.exec('create table twice as select * from keys; drop table keys; alter table twice rename to keys')
      db.exec('insert into keys select * from keys')
      db.close()
      const at = place(t, await newUrl())
      const stranger = aUser({ name: 'stranger' })
      await at.withStorage((storage) => storage.users.create(stranger))
      await at.refuses(`db restore ${file} --force`, /keys cannot be copied, because its rows contradict/)
      await at.withStorage(async (storage) => {
        assert.deepEqual(
          (await storage.users.list()).map(({ id }) => id),
          [stranger.id],
        )
      })
    })

    it('leaves the database as it was when it is killed in the middle of replacing everything', async (t) => {
      const source = place(t)
      await source.withStorage((storage) => storeEverything(storage, oneOfEverything()))
      const db = new DatabaseSync(join(source.folder, 'data', 'latchkey.db'))
      db.exec(`insert into spent_values with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
        select 'value-' || i, i from n`)
      db.close()
      await source.run('db backup copy.db')
      const at = place(t, await newUrl())
      const stranger = aUser({ name: 'stranger' })
      await at.withStorage((storage) => storage.users.create(stranger))
      const child = at.start(`db restore ${join(source.folder, 'copy.db')} --force`)
      child.stderr.on('data', (chunk) => {
        if (String(chunk).includes('users: 2')) child.kill('SIGKILL')
      })
      const [, signal] = await once(child, 'close')
      assert.equal(signal, 'SIGKILL')
      await at.withStorage(async (storage) => {
        assert.deepEqual(
          (await storage.users.list()).map(({ id }) => id),
          [stranger.id],
        )
        assert.equal(await storage.spentValues.spend('value-1', 9e15), true)
      })
    })

    it('backs up one consistent state while the service writes', async (t) => {
      const at = place(t, await newUrl())
      await at.withStorage(async (storage) => {
        const users = Array.from({ length: 1500 }, () => aUser())
        await Promise.all(users.map((user) => storage.users.create(user)))
        let stopped = false
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
    assert.match(there.stderr, /^users: 2$/m)
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
    const db = new DatabaseSync(join(at.folder, 'data', 'latchkey.db'))
    db.exec(`update keys set wrapped = 'a' || char(0) || 'b'`)
    db.close()
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

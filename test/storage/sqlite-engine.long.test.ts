import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openStorage } from '../../src/storage/open.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { ensureSchema } from '../../src/storage/schema.ts'
import { mustChange } from '../../src/storage/sql/prepared.ts'
import type { Statement } from '../../src/storage/sql/statement.ts'
import { openSqlite, openSqliteInMemory } from '../../src/storage/sqlite/engine.ts'
import { closing, temporaryFolder } from '../support/lifetime.ts'
import { executeSqlite } from '../support/sqlite.ts'
import { valuesOf } from '../support/values.ts'
import { anEvent, atOnce, aUser, created } from './records.ts'

const folder = temporaryFolder()

let made = 0
function newFile(): string {
  made += 1
  return join(folder, `${made}`, 'latchkey.db')
}

const open = (file: string, migrate = true) => openStorage({ kind: 'sqlite', file }, { migrate })

/** A statement that no record group has, for what must never be written. */
function raw(text: string, ...parameters: (string | number | null)[]): Statement {
  return { mustChange: false, toSql: () => ({ text, parameters }) }
}

function refuses(saying: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StorageUnavailable, String(error))
    assert.match(error.message, saying)
    assert.ok(!error.message.includes('\n'))
    return true
  }
}

describe('commits on SQLite', () => {
  for (const [kind, openEngine] of [
    ['a file', () => openSqlite(newFile(), { create: true })],
    ['memory', openSqliteInMemory],
  ] as const) {
    it(`lets a poisoned commit fail alone among its neighbours, on ${kind}`, async () => {
      const adapter = openEngine()
      await ensureSchema(adapter, true)
      const { engine } = adapter
      const add = (jti: string) => raw('insert into revoked_access_tokens values (?, 1)', jti)
      const outcomes = await Promise.allSettled([
        engine.commit([add('a')], [anEvent()]),
        engine.commit([add('b'), add('a')], [anEvent()]),
        engine.commit([raw('this is not SQL')]),
        engine.commit(
          [add('c'), mustChange(raw('delete from revoked_access_tokens where jti = ?', 'none'))],
          [anEvent()],
        ),
        engine.commit([add('d'), add('e')], [anEvent(), anEvent()]),
      ])
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.applied : 'failed')),
        [true, 'failed', 'failed', false, true],
      )
      const rows = await engine.read<{ jti: string }>(
        raw('select jti from revoked_access_tokens order by jti') as never,
      )
      assert.deepEqual(valuesOf(rows, 'jti'), ['a', 'd', 'e'])
      const entries = await engine.read<{ writer: string; seq: number }>(
        raw('select distinct writer, seq from audit_entries order by seq') as never,
      )
      // Those of the commits that were stored, one after the other in one chain.
      assert.deepEqual(valuesOf(entries, 'seq'), [1, 2, 3])
      assert.equal(new Set(entries.map(({ writer }) => writer)).size, 1)
      await engine.close()
    })
  }

  it('tells all of a batch that they are under way, each once and before any of them has an outcome', async () => {
    const adapter = openSqlite(newFile(), { create: true })
    await ensureSchema(adapter, true)
    const { engine } = adapter
    const happened: string[] = []
    const add = raw("insert into revoked_access_tokens values ('a', 1) on conflict do nothing")
    await atOnce(3, async () => {
      const { applied } = await engine.commit([mustChange(add)], [], () => happened.push('under way'))
      happened.push(applied ? 'stored' : 'lost')
    })
    assert.deepEqual(happened, [...Array(3).fill('under way'), 'stored', 'lost', 'lost'])
    await engine.close()
  })

  it('has everything that was acknowledged when the file is opened again', async (t) => {
    const file = newFile()
    const users = Array.from({ length: 200 }, () => aUser())
    const first = await open(file)
    const other = await open(file)
    await Promise.all(users.map((user, at) => (at % 2 === 0 ? first : other).users.create(user)))
    // What a second connection sees was committed; what the file has after both were closed stays.
    for (const user of users) assert.deepEqual(await other.users.find(user.id), user)
    await first.close()
    await other.close()
    const again = closing(t, await open(file, false))
    assert.equal((await again.users.list()).length, 200)
  })

  it('reads what it was asked for in the same turn before it closes, and refuses what comes later', async () => {
    const storage = await open(newFile())
    const user = await created(storage.users, aUser())
    const asked = [storage.users.find(user.id), storage.users.find('nobody')]
    const closed = storage.close()
    assert.deepEqual(await Promise.all(asked), [user, undefined])
    await closed
    await assert.rejects(storage.users.find(user.id), StorageUnavailable)
  })

  it('fails one reading without those beside it', async () => {
    const { engine } = openSqliteInMemory()
    const outcomes = await Promise.allSettled(
      ['select 1 as one', 'select nonsense', 'select 2 as one'].map((text) => engine.read(raw(text))),
    )
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? { ...(outcome.value[0] as object) } : 'failed')),
      [{ one: 1 }, 'failed', { one: 2 }],
    )
    await engine.close()
  })

  it('reads in every turn what another process committed before it, also after a reading that failed', async () => {
    const file = newFile()
    const writing = await open(file)
    const { engine } = openSqlite(file, { create: false })
    for (const stored of [1, 2, 3]) {
      const name = `user-${stored}`
      await writing.users.create(aUser({ id: name, name, email: `${name}@example.com` }))
      const outcomes = await Promise.allSettled(
        ['select count(*) as stored from users', 'select nonsense', 'select count(*) as stored from users'].map(
          (text) => engine.read(raw(text)),
        ),
      )
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === 'fulfilled' ? { ...(outcome.value[0] as object) } : 'failed')),
        [{ stored }, 'failed', { stored }],
      )
    }
    await Promise.all([writing.close(), engine.close()])
  })

  it('holds foreign keys and full durability', async () => {
    const adapter = openSqlite(newFile(), { create: true })
    await ensureSchema(adapter, true)
    await assert.rejects(adapter.engine.commit([raw("insert into external_logins values ('p', 's', 'nobody', 1)")]))
    const [row] = await adapter.engine.read<Record<string, unknown>>(raw('pragma journal_mode') as never)
    assert.equal(row?.journal_mode, 'wal')
    const [sync] = await adapter.engine.read<Record<string, unknown>>(raw('pragma synchronous') as never)
    assert.equal(sync?.synchronous, 2)
    await adapter.engine.close()
  })
})

describe('opening an SQLite file', () => {
  it('makes the folder and a file that only its owner can read', async (t) => {
    const file = newFile()
    const storage = closing(t, await open(file))
    await storage.users.create(aUser())
    for (const name of [file, `${file}-wal`]) assert.equal(statSync(name).mode & 0o777, 0o600)
  })

  it('brings the schema up to date once when many processes open a new file at the same time', async () => {
    const file = newFile()
    const program = `
      const { openStorage } = await import(${JSON.stringify(import.meta.resolve('../../src/storage/open.ts'))})
      const storage = await openStorage({ kind: 'sqlite', file: ${JSON.stringify(file)} }, { migrate: true })
      const user = ${JSON.stringify(aUser({ name: 'alice' }))}
      console.log(await storage.users.create({ ...user, id: String(process.pid) }))
      await storage.close()`
    const outputs = await atOnce(4, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 120_000 }),
    )
    const outcomes = outputs.map(({ stdout }) => stdout.trim())
    assert.deepEqual(outcomes.sort(), ['created', 'name_taken', 'name_taken', 'name_taken'])
  })

  it('lets a process end by itself that has written, also when it never closed', async () => {
    const program = `
      const { openStorage } = await import(${JSON.stringify(import.meta.resolve('../../src/storage/open.ts'))})
      const storage = await openStorage({ kind: 'sqlite', file: ${JSON.stringify(newFile())} }, { migrate: true })
      console.log(await storage.users.create(${JSON.stringify(aUser())}))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      timeout: 120_000,
    })
    assert.equal(stdout.trim(), 'created')
  })

  it('refuses to make a file or a schema when it is not to migrate', async () => {
    await assert.rejects(open(newFile(), false), refuses(/no database at .*Database:Url/))
    const file = newFile()
    mkdirSync(join(file, '..'))
    new DatabaseSync(file).exec('create table other (a)')
    await assert.rejects(open(file, false), refuses(/Start the server once/))
  })

  it('refuses a database of a newer version', async () => {
    const file = newFile()
    await (await open(file)).close()
    executeSqlite(file, "insert into kysely_migration values ('9999-from-the-future', '2100')")
    await assert.rejects(open(file), refuses(/newer version .*9999-from-the-future/))
  })

  it('says so when the file is not a database', async () => {
    const file = newFile()
    mkdirSync(join(file, '..'))
    writeFileSync(file, 'This was never a database, however long one looks at it.'.repeat(100))
    await assert.rejects(open(file), refuses(/is not a database/))
  })

  it('says so when the folder cannot be made', async () => {
    writeFileSync(join(folder, 'plain-file'), '')
    await assert.rejects(open(join(folder, 'plain-file', 'data', 'latchkey.db')), refuses(/cannot be made/))
    await assert.rejects(open(folder), refuses(/cannot be opened/))
  })

  it('says so when it may not write', async () => {
    const file = newFile()
    await (await open(file)).close()
    chmodSync(file, 0o444)
    chmodSync(join(file, '..'), 0o555)
    chmodSync(folder, 0o755)
    await withoutPrivileges(async () => {
      await assert.rejects(
        async () => {
          const storage = await open(file)
          await storage.users.create(aUser()).finally(() => storage.close())
        },
        refuses(/read-only|cannot be opened/),
      )
    })
    chmodSync(join(file, '..'), 0o755)
  })

  it('writes again as soon as a file that was read-only may be written, without being opened again', async () => {
    const file = newFile()
    await (await open(file)).close()
    // What SQLite needs to read a database with a log is there; the file itself is read-only.
    chmodSync(folder, 0o755)
    chmodSync(join(file, '..'), 0o777)
    chmodSync(file, 0o444)
    await withoutPrivileges(async () => {
      const storage = await open(file, false)
      const user = aUser()
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await assert.rejects(storage.users.create(user), refuses(/is read-only/))
        await assert.rejects(storage.checkWrites(), refuses(/is read-only/))
      }
      withPrivileges(() => {
        // The files beside it have its mode.
        for (const end of ['', '-wal', '-shm']) if (existsSync(`${file}${end}`)) chmodSync(`${file}${end}`, 0o666)
      })
      await storage.checkWrites()
      assert.equal(await storage.users.create(user), 'created')
      await storage.close()
    })
  })

  it('says so when another process holds the lock for too long, and goes on when it lets go', async () => {
    const file = newFile()
    const adapter = openSqlite(file, { create: true, busyTimeoutMs: 50 })
    await ensureSchema(adapter, true)
    const holder = new DatabaseSync(file)
    holder.exec('begin immediate')
    const add = () => adapter.engine.commit([raw("insert into revoked_access_tokens values ('a', 1)")])
    await assert.rejects(add(), refuses(/locked by another process/))
    holder.exec('rollback')
    holder.close()
    assert.deepEqual(await add(), { applied: true, changes: [1] })
    await adapter.engine.close()
  })
})

describe('an SQLite file that goes away under its service', () => {
  for (const [how, exchange] of [
    ['removed', (file: string) => rmSync(file)],
    ['moved', (file: string) => renameSync(file, `${file}.away`)],
    [
      'replaced',
      (file: string) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    ],
    ['without its log', (file: string) => rmSync(`${file}-wal`)],
  ] as const) {
    it(`acknowledges nothing from then on, no commit under way either: ${how}`, async (t) => {
      const file = newFile()
      const storage = closing(t, await open(file))
      assert.equal(await storage.users.create(aUser()), 'created')
      const gone = refuses(/was (?:removed|replaced by another file) while the service was using it/)
      const underWay = storage.users.create(aUser())
      // The writer has it; the file goes before it can answer.
      await setImmediate()
      exchange(file)
      await assert.rejects(underWay, gone)
      for (let attempt = 0; attempt < 3; attempt += 1) await assert.rejects(storage.users.create(aUser()), gone)
      await assert.rejects(storage.checkWrites(), gone)
    })
  }

  it('takes writes again once it is back', async (t) => {
    const file = newFile()
    const storage = closing(t, await open(file))
    renameSync(file, `${file}.away`)
    await assert.rejects(storage.users.create(aUser()), refuses(/was removed/))
    assert.equal(existsSync(file), false, 'no other file is made in its place')
    renameSync(`${file}.away`, file)
    await storage.checkWrites()
    assert.equal(await storage.users.create(aUser()), 'created')
  })
})

/** As root again for a moment, when the tests run as root. */
function withPrivileges(work: () => void): void {
  const account = process.geteuid?.()
  if (process.getuid?.() === 0) process.seteuid?.(0)
  work()
  if (process.getuid?.() === 0 && account !== undefined) process.seteuid?.(account)
}

/** As another account when the tests run as root, for whom nothing is read-only. */
async function withoutPrivileges(work: () => Promise<void>): Promise<void> {
  const root = process.geteuid?.() === 0
  if (root) process.seteuid?.('nobody')
  try {
    await work()
  } finally {
    if (root) process.seteuid?.(0)
  }
}

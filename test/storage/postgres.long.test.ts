import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, connect as dial, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import postgres from 'postgres'
import { openStorage } from '../../src/storage/open.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { toError } from '../../src/storage/postgres/errors.ts'
import { sessionOptions } from '../../src/storage/postgres/options.ts'
import { openPostgresRows } from '../../src/storage/postgres/rows.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { ownTables, tables } from '../../src/storage/sql/tables.ts'
import { closing } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { testClient, testScope } from '../support/service.ts'
import { storageContract } from './contract.ts'
import { atOnce, aUser, countOf, created } from './records.ts'

const server = await postgresServer()

const open = (url: string, migrate = true) => openStorage({ kind: 'postgres', url }, { migrate })

// One database for all of the contract: emptying it takes far less than making another.
const contractUrl = await server.createDatabase()
const cleaner = postgres(contractUrl, { max: 1, onnotice: () => {} })
after(async () => {
  await cleaner.end()
  await server.stop()
})
const emptied = [...tables, ...ownTables].map((table) => `delete from ${table}`)

storageContract('PostgreSQL', async () => {
  const storage = await open(contractUrl, false)
  const close = async () => {
    await storage.close()
    // As a replica, the server checks no foreign keys: the order of the tables does not matter.
    await cleaner.unsafe(['set session_replication_role = replica', ...emptied].join(';'))
  }
  return { ...storage, close }
})

describe('PostgreSQL', () => {
  it('brings the schema up to date once when many nodes start on an empty database', async () => {
    const url = await server.createEmptyDatabase()
    await assert.rejects(open(url, false), /Start the server once/)
    const storages = await atOnce(4, () => open(url))
    const outcomes = await Promise.all(storages.map((storage) => storage.users.create(aUser({ name: 'alice' }))))
    assert.equal(countOf(outcomes, 'created'), 1)
    for (const storage of storages) await storage.close()
  })

  it('says in one line, and without the password, when there is nothing at the address', async () => {
    const nobody = 'postgres://latchkey:s3cret@127.0.0.1:1/latchkey'
    await assert.rejects(open(nobody), (error: Error) => {
      assert.ok(error instanceof StorageUnavailable)
      assert.match(error.message, /127\.0\.0\.1:1\/latchkey .*Database:Url/)
      assert.doesNotMatch(error.message, /s3cret|\n/)
      return true
    })
    const missing = `postgres://postgres@127.0.0.1:${server.port}/missing`
    await assert.rejects(open(missing), /missing cannot be used: there is no such database/)
  })

  it('recovers by itself when the server ends its connections', async (t) => {
    const url = await server.createDatabase()
    const storage = closing(t, await open(url))
    const user = await created(storage.users, aUser())
    const admin = postgres(url, { max: 1 })
    const sleeping = storage.users.list()
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`
    await admin.end()
    await sleeping.catch((error) => assert.ok(error instanceof StorageUnavailable, String(error)))
    // The first ones may meet connections that have just ended.
    let found: unknown
    for (let attempt = 0; attempt < 20 && !found; attempt += 1) {
      found = await storage.users.find(user.id).catch((error) => {
        assert.ok(error instanceof StorageUnavailable, String(error))
      })
    }
    assert.deepEqual(found, user)
  })

  const verbs = {
    'a statement by itself': (storage: Storage) => storage.scopes.delete('demo_api'),
    'a transaction': (storage: Storage) => storage.clients.delete('demo', []),
  }
  for (const [what, run] of Object.entries(verbs)) {
    it(`refuses only ${what} whose connection is lost on the way, and goes on at once`, async (t) => {
      const url = await server.createDatabase()
      const storage = closing(t, sqlStorage(openPostgres(url, { connections: 1 })))
      await storage.scopes.create(testScope('demo_api'))
      await storage.clients.create(testClient())
      await cutWhileWaiting(url, 'scopes, clients', async () => {
        await assert.rejects(run(storage), StorageUnavailable)
      })
      // The driver would answer the first of them with the error of what was lost.
      assert.equal((await storage.clients.find('demo'))?.id, 'demo')
      assert.equal(await run(storage), true)
    })
  }

  it('rolls back what was filled in when the connection is lost on the way, or a file cannot be read', async (t) => {
    const url = await server.createDatabase()
    const lost = openPostgresRows(url)
    const spent = { id: 'one', expires_at_ms: 1 }
    await cutWhileWaiting(url, 'users', async () => {
      await assert.rejects(
        lost.fill(async ({ insert }) => insert('spent_values', [spent])),
        StorageUnavailable,
      )
    })
    await lost.close()
    const rows = closing(t, openPostgresRows(url))
    const torn = rows.fill(async ({ insert }) => {
      await insert('spent_values', [spent])
      await readFile('/missing')
    })
    await assert.rejects(torn, /ENOENT/)
    assert.equal(await rows.snapshot(({ count }) => count('spent_values')), 0)
  })

  it('gives up on a silent server, and finds it again when it speaks', async () => {
    const database = new URL(await server.createDatabase())
    const line = await cuttableLine(server.port)
    database.port = String(line.port)
    const storage = sqlStorage(openPostgres(database.href, { deadlineMs: 300, connections: 2 }))
    const user = await created(storage.users, aUser())
    line.cut()
    const silenced = await Promise.allSettled([storage.users.find(user.id), storage.users.create(aUser())])
    for (const outcome of silenced) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable)
      assert.match(outcome.reason.message, /did not answer within 300 ms/)
    }
    line.mend()
    assert.deepEqual(await storage.users.find(user.id), user)
    await storage.close()
    line.end()
  })

  it('reports a network that is down, and an address that cannot be one, as a failure of the request', async () => {
    for (const host of ['255.255.255.255', '[2001:db8::1]']) {
      const storage = sqlStorage(openPostgres(`postgres://postgres@${host}:5432/postgres`, { deadlineMs: 1000 }))
      await assert.rejects(storage.users.find('none'))
      await storage.close()
    }
  })

  it('tells at once of a proxy that has no server behind it, and connects to it with pauses', async () => {
    let taken = 0
    let isEmpty = true
    const proxy = createServer((near) => {
      taken += 1
      near.on('error', () => near.destroy())
      if (isEmpty) return void near.end()
      const far = dial(server.port, '127.0.0.1').on('error', () => near.destroy())
      near.on('close', () => far.destroy())
      near.pipe(far).pipe(near)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const database = new URL(await server.createDatabase())
    database.port = String((proxy.address() as { port: number }).port)
    const storage = sqlStorage(openPostgres(database.href, { connections: 2 }))
    const beganAtMs = performance.now()
    for (let round = 0; round < 5; round += 1) {
      await assert.rejects(storage.users.find('none'), /a proxy has no server behind this address/)
    }
    const seconds = (performance.now() - beganAtMs) / 1000
    // A round that waited would take the deadline of ten seconds.
    assert.ok(seconds < 25, `${seconds} s until it was told`)
    assert.ok(taken <= 10 + 40 * seconds, `${taken} connections in ${seconds} s`)
    isEmpty = false
    const deadlineMs = performance.now() + 120_000
    while ((await storage.users.create(aUser()).catch(() => 'refused')) !== 'created') {
      assert.ok(performance.now() < deadlineMs, 'the server is there again')
    }
    await storage.close()
    proxy.close()
  })

  it('lets go of connections that turned read-only, and floods a server that stays so with no new ones', async (t) => {
    const url = await server.createDatabase()
    const database = new URL(url).pathname.slice(1)
    const admin = closing(t, postgres(url, { max: 1, onnotice: () => {} }))
    await admin.unsafe(`alter database ${database} set default_transaction_read_only = on`)
    const storage = closing(t, sqlStorage(openPostgres(url, { connections: 3 })))
    const connections = async () => {
      const [row] = await admin`select count(*)::integer as n from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
      return Number(row?.n)
    }
    const goneAtMs = performance.now() + 120_000
    for (let round = 0; round < 20; round += 1) {
      const writes = await Promise.allSettled(Array.from({ length: 10 }, () => storage.users.create(aUser())))
      for (const write of writes) {
        assert.ok(write.status === 'rejected' && write.reason instanceof StorageUnavailable)
        assert.match(write.reason.message, /it accepts no writes now/)
      }
      // Those that are let go, and those that take their place. A busy server sees late which were let go.
      while ((await connections()) > 6)
        assert.ok(performance.now() < goneAtMs, 'those that were let go are there still')
    }
    const [{ sessions } = { sessions: Number.NaN }] = await admin<[{ sessions: number }]>`
      select sessions::integer from pg_stat_database where datname = current_database()`
    // One for each refused write would be 200.
    assert.ok(sessions <= 100, `${sessions} connections`)
    await admin.unsafe('set default_transaction_read_only = off')
    await admin.unsafe(`alter database ${database} set default_transaction_read_only = off`)
    const deadlineMs = performance.now() + 120_000
    while ((await storage.users.create(aUser()).catch(() => 'refused')) !== 'created') {
      assert.ok(performance.now() < deadlineMs, 'the connections are still those that were read-only')
    }
  })

  it('is ready for writes only when none of its connections refuses them', async (t) => {
    const url = await server.createDatabase()
    const database = new URL(url).pathname.slice(1)
    const admin = closing(t, postgres(url, { max: 1, onnotice: () => {} }))
    await admin.unsafe(`alter database ${database} set default_transaction_read_only = on`)
    const storage = closing(t, sqlStorage(openPostgres(url, { connections: 3 })))
    await storage.users.find('none')
    await admin.unsafe('set default_transaction_read_only = off')
    await admin.unsafe(`alter database ${database} set default_transaction_read_only = off`)
    // The first connection stays read-only. These open two that take writes.
    await Promise.all([storage.users.find('none'), storage.users.find('none'), storage.users.find('none')])
    const deadlineMs = performance.now() + 120_000
    const isReady = () =>
      storage.checkWrites().then(
        () => true,
        () => false,
      )
    while (!(await isReady())) {
      assert.ok(performance.now() < deadlineMs, 'the read-only connection is still there')
      await setImmediate()
    }
    const writes = await Promise.all(Array.from({ length: 10 }, () => storage.users.create(aUser())))
    assert.deepEqual(new Set(writes), new Set(['created']))
  })

  it('keeps no statement prepared if told so, and answers the same', async (t) => {
    const url = await server.createDatabase()
    const storage = closing(t, sqlStorage(openPostgres(url, { preparedStatements: false, connections: 2 })))
    const users = Array.from({ length: 40 }, () => aUser())
    await Promise.all(users.map((user) => storage.users.create(user)))
    await storage.scopes.create(testScope('demo_api'))
    await storage.clients.create(testClient())
    assert.equal(await storage.clients.delete('demo', []), true)
    const found = await Promise.all(users.map(({ id }) => storage.users.find(id)))
    assert.deepEqual(found, users)
    assert.equal(await storage.users.find('\0'), undefined)
  })

  it('never has the driver repeat a prepared statement that a pooler lost, and names the setting', async (t) => {
    const sql = closing(t, postgres(await server.createDatabase(), { ...sessionOptions(true, {}), max: 1 }))
    const ask = () => sql.unsafe('select $1::text as value', ['one'], { prepare: true })
    await ask()
    await sql.unsafe('deallocate all')
    await assert.rejects(ask(), (error: Error) => {
      const told = toError(error, 'db.example/latchkey')
      assert.ok(told instanceof StorageUnavailable && !told.isPassing)
      assert.match(told.message, /^The pooler db\.example\/latchkey .*Set Database:PreparedStatements to false/)
      return true
    })
  })

  it('ends a statement that takes too long, and a transaction that waits for a lock', async (t) => {
    const url = await server.createDatabase()
    const storage = closing(t, sqlStorage(openPostgres(url, { statementTimeoutMs: 100 })))
    const user = await created(storage.users, aUser())
    const holder = postgres(url, { max: 1 })
    await holder.begin(async (sql) => {
      await sql`select * from users for update`
      await assert.rejects(
        storage.users.update(user.id, (at) => ({ ...at, roles: [] })),
        StorageUnavailable,
      )
    })
    await holder.end()
    assert.deepEqual((await storage.users.update(user.id, (at) => ({ ...at, roles: [] })))?.roles, [])
  })
})

/** Holds `tables` while `work` asks for them, and ends the connection that waits for them. */
async function cutWhileWaiting(url: string, tables: string, work: () => Promise<void>): Promise<void> {
  const admin = postgres(url, { max: 2, onnotice: () => {} })
  await admin.begin(async (holder) => {
    await holder.unsafe(`lock table ${tables} in access exclusive mode`)
    const working = work()
    let ended: readonly unknown[] = []
    while (ended.length === 0) {
      ended = await admin`
        select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`
    }
    await working
  })
  await admin.end()
}

/** A line to a port that can fall silent, as a network does, without closing what was open. */
async function cuttableLine(port: number) {
  let silent = false
  const sockets: Socket[] = []
  const relay = createServer((near) => {
    const far = dial(port, '127.0.0.1')
    sockets.push(near, far)
    // What was open when the line was cut stays dead; only new connections come through when it is mended.
    let dead = silent
    const carry = (from: Socket, to: Socket) => {
      from.on('data', (data) => {
        dead ||= silent
        if (!dead) to.write(data)
      })
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
    }
    carry(near, far)
    carry(far, near)
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  return {
    port: (relay.address() as { port: number }).port,
    cut: () => {
      silent = true
    },
    mend: () => {
      silent = false
    },
    end: () => {
      for (const socket of sockets) socket.destroy()
      relay.close()
    },
  }
}

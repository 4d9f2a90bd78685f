/** Several PostgreSQL servers in one address: the one that takes writes is used, whichever that is. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, it } from 'node:test'
import postgres from 'postgres'
import { migrateDatabase } from '../../src/storage/open.ts'
import { openRows } from '../../src/storage/open-rows.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { place, readAddress } from '../../src/storage/postgres/address.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { findServer } from '../../src/storage/postgres/hosts.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { closing } from '../support/lifetime.ts'
import { startServer } from '../support/postgres.ts'
import { freePort } from '../support/service.ts'
import { aUser } from './records.ts'

const [one, two] = await Promise.all([startServer(), startServer()])
after(() => Promise.all([one.stop(), two.stop()]))

const at = (...ports: number[]) => `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`

/** Makes sessions that exist or begin read-only, or no longer so. */
async function setReadOnly(port: number, value: 'on' | 'off'): Promise<void> {
  const admin = postgres(`${at(port)}/postgres`, { max: 1, onnotice: () => {} })
  await admin`set default_transaction_read_only = off`
  await admin.unsafe(`alter system set default_transaction_read_only = ${value}`)
  const watching = postgres(`${at(port)}/postgres`, { max: 1, onnotice: () => {} })
  const current = async () =>
    (await watching`select current_setting('default_transaction_read_only') as value`)[0]?.value
  await current()
  await admin`select pg_reload_conf()`
  // The server signals its processes one after the other; this session is the youngest.
  while ((await current()) !== value);
  await Promise.all([admin.end(), watching.end()])
}

describe('an address of PostgreSQL', () => {
  it('names its servers one by one, each with the name, the database and the parameters', () => {
    assert.deepEqual(readAddress('postgres://u:p%40@h/d?sslmode=require'), {
      servers: ['postgres://u:p%40@h/d?sslmode=require'],
      isChosen: false,
    })
    assert.deepEqual(readAddress('postgres://u:p@h1:1,h2,[::1]:3/d?target_session_attrs=read-write&sslmode=require'), {
      servers: ['h1:1', 'h2', '[::1]:3'].map((host) => `postgres://u:p@${host}/d?sslmode=require`),
      isChosen: true,
    })
    assert.deepEqual(readAddress('postgres://h/d?target_session_attrs=primary'), {
      servers: ['postgres://h/d'],
      isChosen: true,
    })
    assert.equal(place('postgres://u:s3cret@h1:1,h2/d?sslmode=require'), 'h1:1,h2/d')
  })
})

describe('several servers in Database:Url', () => {
  it('are taken in their order when more than one takes writes', async () => {
    assert.equal(await findServer(`${at(two.port, one.port)}/postgres`), `${at(two.port)}/postgres`)
    assert.equal(await findServer(`${at(one.port, two.port)}/postgres`), `${at(one.port)}/postgres`)
  })

  it('are passed over when they are away, silent or read-only', async () => {
    // Accepts connections, and says nothing.
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as { port: number }
    const beganAtMs = performance.now()
    const found = await findServer(`${at(await freePort(), port, one.port)}/postgres`)
    assert.equal(found, `${at(one.port)}/postgres`)
    assert.ok(performance.now() - beganAtMs < 2950, 'the silent one is not waited for, which would take 3 seconds')
    silent.close()
    await setReadOnly(one.port, 'on')
    assert.equal(await findServer(`${at(one.port, two.port)}/postgres`), `${at(two.port)}/postgres`)
    await assert.rejects(findServer(`${at(1, one.port)}/postgres`), (error: Error) => {
      assert.ok(error instanceof StorageUnavailable && error.isPassing)
      assert.match(
        error.message,
        /^No server of 127\.0\.0\.1:1,127\.0\.0\.1:\d+\/postgres takes writes \(127\.0\.0\.1:1\/postgres: connect ECONNREFUSED .*; 127\.0\.0\.1:\d+\/postgres: read-only\)\./,
      )
      return true
    })
    await setReadOnly(one.port, 'off')
  })

  it('are used for the schema, for whole tables and for requests, and changed when the one turns read-only or ends', async (t) => {
    const databases = await Promise.all(
      [one, two].map(async (server) => new URL(await server.createEmptyDatabase()).pathname),
    )
    assert.equal(databases[0], databases[1])
    const url = `${at(one.port, two.port)}${databases[0]}?target_session_attrs=read-write`
    const only = (port: number) => `${at(port)}${databases[0]}`
    await migrateDatabase({ kind: 'postgres', url: only(two.port) })
    await migrateDatabase({ kind: 'postgres', url })
    const storage = closing(t, sqlStorage(openPostgres(url)))
    const names = async (port: number) => {
      const rows = await openRows({ kind: 'postgres', url: only(port) }, { readOnly: true })
      const users = await rows.snapshot((reader) => reader.count('users'))
      await rows.close()
      return users
    }
    /** Stores a user as soon as that is possible; how many attempts were refused. */
    const store = async () => {
      const deadlineMs = performance.now() + 120_000
      for (let refused = 0; ; refused += 1) {
        const outcome = await storage.users.create(aUser()).catch((error: unknown) => error)
        if (outcome === 'created') return refused
        assert.ok(outcome instanceof StorageUnavailable, String(outcome))
        assert.ok(performance.now() < deadlineMs, outcome.message)
      }
    }
    assert.equal(await store(), 0)
    assert.deepEqual([await names(one.port), await names(two.port)], [1, 0])

    await setReadOnly(one.port, 'on')
    await store()
    assert.deepEqual([await names(one.port), await names(two.port)], [1, 1])

    await setReadOnly(one.port, 'off')
    await two.down()
    await store()
    assert.equal(await names(one.port), 2)
    await two.up()
  })
})

/** Nodes behind a real PgBouncer, in both of its modes: journeys go on, and what is lost with the pooler comes back with it. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import type { Storage } from '../../src/storage/port/storage.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { aUser } from '../storage/records.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { hasPgBouncer, type PgBouncer, type PgBouncerSettings, startPgBouncer } from '../support/pgbouncer.ts'
import { type PostgresServer, postgresPair, startServer } from '../support/postgres.ts'
import { runProgram } from '../support/program.ts'
import { freePort, testClient, testScope, testUser } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { underLoad } from './load.ts'
import { startRoundRobin } from './round-robin.ts'
import { Visitor } from './visitor.ts'

const modes = [
  { name: 'session', settings: { pool_mode: 'session', default_pool_size: 60 }, prepared: true },
  { name: 'transaction', settings: { pool_mode: 'transaction' }, prepared: false },
] as const

/** How long a node may take to answer again. */
const recoversWithinMs = 60_000

type Site = {
  readonly server: PostgresServer
  readonly direct: string
  readonly pooler: PgBouncer
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

async function startSite(t: TestContext, settings: PgBouncerSettings, prepared: boolean): Promise<Site> {
  const server = await startServer()
  t.after(() => server.stop())
  const pooler = await startPgBouncer(server.port, settings)
  t.after(() => pooler.stop())
  const folder = temporaryFolder(t)
  const direct = await server.createEmptyDatabase()
  const env = {
    Database__Url: pooler.through(direct),
    ...(!prepared && { Database__PreparedStatements: 'false' }),
    Keys__MasterKey: Buffer.alloc(32, 7).toString('base64'),
    OAuth__AuthorizationCodeLifetime: '600',
    OAuth__RefreshTokenReuseLeeway: '3600',
    Log__Level: 'info',
  }
  return { server, direct, pooler, folder, env }
}

/** Runs a command of the program; its exit code and what it wrote. */
async function run({ folder, env }: Site, ...words: string[]) {
  const { code, stdout, stderr } = await runProgram(words, { folder, env })
  return { code, text: stdout + stderr }
}

/** Asks until the answer has `status`. */
async function until(address: string, status: number): Promise<Response> {
  const endsAtMs = performance.now() + recoversWithinMs
  for (;;) {
    const answer = await fetch(address)
    const text = await answer.clone().text()
    if (answer.status === status) return answer
    assert.ok(performance.now() < endsAtMs, `${address} still answers ${answer.status}, not ${status}: ${text}`)
    await pause(50)
  }
}

function assertUnavailable(answer: Response): void {
  assert.equal(answer.status, 503)
  assert.match(answer.headers.get('retry-after') ?? 'nothing', /^[1-9]\d*$/)
}

describe('nodes behind PgBouncer', { timeout: 600_000 }, () => {
  if (!hasPgBouncer()) {
    it('go on', (t) => t.skip('not on this machine: PgBouncer'))
    return
  }

  for (const { name, settings, prepared } of modes) {
    it(`go on in ${name} mode while PgBouncer and PostgreSQL are restarted, and lose nothing acknowledged`, async (t) => {
      const site = await startSite(t, settings, prepared)
      const ports = [await freePort(), await freePort(), await freePort()]
      const proxyPort = await freePort()
      const env = { ...site.env, OAuth__Issuer: `http://localhost:${proxyPort}/` }
      // All of them find the database empty.
      const nodes = await Promise.all(ports.map((port) => startProcess({ port, folder: site.folder, env })))
      t.after(() => Promise.all(nodes.map((node) => node.kill())))
      const storage = sqlStorage(openPostgres(site.direct))
      await storage.scopes.create(testScope('demo_api'))
      await storage.clients.create(testClient())
      const names = ['ann', 'ben', 'cleo', 'dora']
      for (const user of names) await storage.users.create(testUser({ name: user, email: `${user}@example.com` }))
      await storage.close()
      const proxy = await startRoundRobin(proxyPort, ports)
      t.after(() => proxy.stop())
      const visitors = names.map((user) => new Visitor(proxy.address, user, 'openid offline_access'))
      await underLoad(visitors, async (acknowledged) => {
        await site.pooler.down()
        await until(`http://localhost:${ports[0]}/readyz`, 503)
        await site.pooler.up()
        await acknowledged(60)
        await site.server.down()
        await site.server.up()
        await acknowledged(60)
      })
      for (const visitor of visitors) await visitor.verify()
      for (const port of ports) await until(`http://localhost:${port}/readyz`, 200)

      const doctor = await run({ ...site, env }, 'doctor')
      assert.equal(doctor.code, 0, doctor.text)
      assert.match(doctor.text, /! PostgreSQL ends no statement that takes too long.*\n.*alter role/)
      for (const words of [
        ['db', 'migrate'],
        ['db', 'backup', 'kept.db'],
        ['user', 'list'],
        ['audit', 'verify'],
      ]) {
        const { code, text } = await run({ ...site, env }, ...words)
        assert.equal(code, 0, `${words.join(' ')}: ${text}`)
      }
      for (const node of nodes) {
        assert.equal(await node.stop(), 0)
        assert.doesNotMatch(node.output(), /PreparedStatements|"level":60/)
      }
    })
  }

  it('answer 503 while all connections are taken, by the time the pooler says, and go on after', async (t) => {
    const settings = { pool_mode: 'transaction', default_pool_size: 1, query_wait_timeout: 1, max_client_conn: 30 }
    const site = await startSite(t, settings, false)
    const node = await startProcess({ port: await freePort(), folder: site.folder, env: site.env, args: ['--demo'] })
    t.after(() => node.kill())
    const ready = `${node.address}readyz`
    await until(ready, 200)
    const request = `${node.address}connect/authorize?client_id=nobody`
    const others = postgres(site.pooler.through(site.direct), { max: 1, prepare: false })
    await others.begin(async (sql) => {
      await sql`select 1`
      assertUnavailable(await until(request, 503))
      await until(ready, 503)
      assert.equal((await fetch(`${node.address}healthz`)).status, 200)
    })
    await until(ready, 200)
    // Every client connection is taken, and those of the node were lost with the pooler.
    const crowd = postgres(site.pooler.through(site.direct), { max: 30, prepare: false, fetch_types: false })
    await site.pooler.down()
    await site.pooler.up()
    await Promise.all(Array.from({ length: 60 }, () => crowd`select 1`.catch(() => {})))
    assertUnavailable(await until(request, 503))
    await until(ready, 503)
    await crowd.end({ timeout: 0 })
    await others.end({ timeout: 0 })
    await until(ready, 200)
    await until(request, 400)
    assert.equal(await node.stop(), 0)
  })

  it('do not start where prepared statements are lost, and doctor says so; requests are refused if that comes later', async (t) => {
    const site = await startSite(t, { pool_mode: 'transaction' }, true)
    const line = /The pooler 127\.0\.0\.1:\d+\/\w+ .*Set Database:PreparedStatements to false/
    const port = await freePort()
    await assert.rejects(startProcess({ port, folder: site.folder, env: site.env }), line)
    const doctor = await run(site, 'doctor')
    assert.equal(doctor.code, 1)
    assert.match(doctor.text, line)

    site.pooler.reload({ pool_mode: 'session', default_pool_size: 60 })
    await site.pooler.down()
    await site.pooler.up()
    const node = await startProcess({ port, folder: site.folder, env: site.env, args: ['--demo'] })
    t.after(() => node.kill())
    const requests = () =>
      Promise.all(Array.from({ length: 60 }, () => fetch(`${node.address}connect/authorize?client_id=nobody`)))
    site.pooler.reload({ pool_mode: 'transaction' })
    await site.pooler.down()
    await site.pooler.up()
    const endsAtMs = performance.now() + recoversWithinMs
    while (!line.test(node.output())) {
      assert.ok(performance.now() < endsAtMs, 'no line names the setting')
      for (const answer of await requests()) {
        if (answer.status === 503) assertUnavailable(answer)
        else assert.equal(answer.status, 400)
      }
    }
    await site.pooler.down()
    site.pooler.reload({ pool_mode: 'session', default_pool_size: 60 })
    await site.pooler.up()
    await until(`${node.address}readyz`, 200)
    assert.equal(await node.stop(), 0)
  })

  it('are ready after a failover, although the pooler reports the parameters of the time before', async (t) => {
    const { primary, standby, promote } = await postgresPair()
    t.after(() => Promise.all([primary.stop(), standby.stop()]))
    const database = await primary.createDatabase()
    const storages: Storage[] = []
    for (const { settings, prepared } of modes) {
      const pooler = await startPgBouncer(standby.port, settings)
      t.after(() => pooler.stop())
      const url = pooler.through(database)
      const before = postgres(url, { max: 1, prepare: false, fetch_types: false, onnotice: () => {} })
      // It follows the primary, and has the database a moment later.
      const endsAtMs = performance.now() + recoversWithinMs
      while ((await before`select 1`.catch(() => undefined)) === undefined) assert.ok(performance.now() < endsAtMs)
      await before.end()
      const storage = sqlStorage(openPostgres(url, { preparedStatements: prepared }))
      t.after(() => storage.close())
      storages.push(storage)
    }
    for (const storage of storages) await assert.rejects(storage.checkWrites(), /accepts no writes now/)
    // A pooler before each server, and both in the address.
    const each = [primary, standby].map((server) => startPgBouncer(server.port, { pool_mode: 'transaction' }))
    const poolers = await Promise.all(each)
    t.after(() => Promise.all(poolers.map((pooler) => pooler.stop())))
    const hosts = poolers.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const url = `postgres://postgres@${hosts}${new URL(database).pathname}?target_session_attrs=read-write`
    const both = sqlStorage(openPostgres(url, { preparedStatements: false }))
    t.after(() => both.close())
    assert.equal(await both.users.create(aUser()), 'created')
    storages.push(both)
    await primary.down()
    await promote()
    for (const storage of storages) {
      const endsAtMs = performance.now() + recoversWithinMs
      // The first request may be the one that finds its connection lost.
      const create = () => storage.users.create(aUser()).catch((error: Error) => error.message)
      for (let outcome = await create(); outcome !== 'created'; outcome = await create()) {
        assert.ok(performance.now() < endsAtMs, outcome)
        await pause(50)
      }
      const look = () => storage.checkWrites().catch((error: Error) => error.message)
      for (let problem = await look(); problem !== undefined; problem = await look()) {
        assert.ok(performance.now() < endsAtMs, problem)
        await pause(50)
      }
      // It stays so.
      for (let look = 0; look < 30; look += 1) {
        await storage.checkWrites()
        await pause(50)
      }
    }
  })
})

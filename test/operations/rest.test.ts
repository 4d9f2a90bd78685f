/** Nodes on one PostgreSQL: one that nobody asks comes to rest, and answers as before with its first request. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import postgres from 'postgres'
import { nodeRest } from '../../src/server/node-rest.ts'
import { Refused } from '../../src/server/refused.ts'
import { serve } from '../../src/server/serve.ts'
import type { Signals } from '../../src/server/signals.ts'
import { readSettings } from '../../src/settings/read.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { place } from '../cli/db-place.ts'
import { aClient, aSession, aUser } from '../storage/records.ts'
import { freePort } from '../support/free-port.ts'
import { postgresServer } from '../support/postgres.ts'
import { assertNone } from '../support/values.ts'

const server = await postgresServer()
after(() => server.stop())

/** Times of the day that nodes see, on timers that the test moves. */
async function scene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const url = await server.createDatabase()
  const sql = postgres(url, { max: 1, fetch_types: false })
  t.after(() => sql.end())
  const time = { nowMs: Date.now() }
  const commands = place(t, url)

  /** A node on a port of its own. */
  async function node() {
    const port = await freePort()
    const stopped = Promise.withResolvers<NodeJS.Signals>()
    const announced = Promise.withResolvers<void>()
    const log: Record<string, unknown>[] = []
    const read = readSettings({
      env: {
        Server__Host: '127.0.0.1',
        Server__Port: String(port),
        Server__DrainDelay: '0',
        Keys__MasterKey: Buffer.alloc(32, 7).toString('base64'),
        Database__Url: url,
      },
      cwd: commands.folder,
    })
    assert.ok(read.ok)
    const signals: Signals = { stopped: stopped.promise, reload: async () => {}, ignore() {} }
    const ended = serve({
      settings: read.settings,
      readSettings: () => read.settings,
      // Like a real clock it is a little later at each look.
      clock: () => {
        time.nowMs += 1
        return time.nowMs
      },
      random: randomBytes,
      log: pino({ level: 'debug' }, { write: (line: string) => log.push(JSON.parse(line)) }),
      output: { dropped: () => 0 } as never,
      signals,
      worker: 0,
      isDemo: false,
      check: false,
      announce: () => announced.resolve(),
    }).then(
      () => undefined,
      (error: Error) => error.message,
    )
    const stop = () => {
      stopped.resolve('SIGTERM')
      return ended
    }
    t.after(stop)
    await Promise.race([announced.promise, ended.then((message) => assert.fail(message))])
    return {
      port,
      log,
      stop,
      ended,
      /** On a connection of its own, which ends with the answer. */
      async ask(path: string) {
        const [response] = await once(get({ host: '127.0.0.1', port, path, agent: false }), 'response')
        return { status: response.statusCode as number, body: await text(response) }
      },
    }
  }

  return {
    time,
    url,
    sql,
    commands,
    node,
    ids: async () => (await sql`select id from servers order by started_at_ms`).map(({ id }) => String(id)),
    /** Moves clock and timers on, and waits for what they began, as far as the database shows it. */
    async pass(seconds: number, everySeconds = 10) {
      for (let passed = 0; passed < seconds; passed += everySeconds) {
        time.nowMs += everySeconds * 1000
        t.mock.timers.tick(everySeconds * 1000)
        for (let quiet = 0; quiet < 5; ) {
          await setImmediate()
          const [row] = await sql`select count(*) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`
          quiet = row?.count === '0' ? quiet + 1 : 0
        }
      }
    },
    /** Whether the session that is over is removed by what has begun: a process that is busy may still be at it. */
    async swept() {
      for (let turn = 0; turn < 2000; turn += 1) {
        if ((await sql`select 1 from sessions`).length === 0) return true
        await setImmediate()
      }
      return false
    },
    /** Every row, with the transaction that wrote it. */
    async rows() {
      const tables =
        await sql`select relname from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
        order by relname`
      const all: string[] = []
      for (const { relname } of tables) {
        for (const row of await sql`select ctid, xmin, * from ${sql(relname)} order by ctid`) {
          all.push(`${relname} ${JSON.stringify(row)}`)
        }
      }
      return all
    },
  }
}

const restsWithinSeconds = 6 * 60

describe('a node on PostgreSQL', () => {
  it('signs off when nobody asks it for anything, and writes nothing while it rests', async (t) => {
    const { node, ids, pass, rows } = await scene(t)
    const one = await node()
    assert.equal((await ids()).length, 1)
    await pass(restsWithinSeconds)
    assert.deepEqual(await ids(), [])
    const before = await rows()
    await pass(15 * 60, 60)
    assert.deepEqual(await rows(), before)
    // It ends when everything that it began has ended.
    assert.equal(await one.stop(), undefined)
    assertNone(one.log.filter(({ level }) => Number(level) >= 40))
  })

  it('does not rest while requests come, nor while a connection is open', async (t) => {
    const { node, ids, pass } = await scene(t)
    const one = await node()
    for (let minute = 0; minute < 8; minute += 1) {
      await one.ask('/healthz')
      await pass(60)
    }
    assert.equal((await ids()).length, 1)
    const socket = connect(one.port, '127.0.0.1')
    await once(socket, 'connect')
    await pass(restsWithinSeconds)
    assert.equal((await ids()).length, 1)
    socket.end()
    await once(socket, 'close')
    await pass(restsWithinSeconds)
    assert.deepEqual(await ids(), [])
  })

  it('answers the first request after a rest with the keys that were made meanwhile', async (t) => {
    const { node, pass, ids, commands } = await scene(t)
    const one = await node()
    await pass(restsWithinSeconds)
    await commands.json('keys rotate')
    const { body } = await one.ask('/.well-known/jwks')
    assert.equal(JSON.parse(body).keys.length, 4)
    assert.equal((await ids()).length, 1, 'it is a server again')
  })

  it('rests beside a node that is awake, which takes over what one does for all', async (t) => {
    const { node, ids, pass, swept, sql, commands, time } = await scene(t)
    const holder = async () => (await sql`select holder from leases where until_ms > 0`).at(0)?.holder
    const resting = await node()
    await pass(20)
    const first = await holder()
    assert.ok(first)
    const awake = await node()
    for (let minute = 0; minute < 8; minute += 1) {
      await awake.ask('/healthz')
      await pass(60)
    }
    assert.equal((await ids()).length, 1)
    // The time of a lease is the database's own.
    await sql`update leases set until_ms = 0 where holder = ${first}`
    await awake.ask('/healthz')
    await pass(60)
    await awake.ask('/healthz')
    const second = await holder()
    assert.ok(second)
    assert.notEqual(second, first)
    const user = aUser()
    await commands.withStorage(async ({ users, clients }) => {
      await users.create(user)
      await users.recordSignIn({ user }, () => ({
        outcome: 'signed_in',
        session: aSession(user, { expiresAtMs: time.nowMs }),
      }))
      await clients.create(aClient({ id: 'app' }))
    })
    assert.equal((await resting.ask('/connect/authorize?client_id=app&response_type=code')).status, 400)
    const asked = new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      redirect_uri: 'https://client.example/callback',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    assert.equal((await resting.ask(`/connect/authorize?${asked}`)).status, 302)
    assert.equal((await ids()).length, 2)
    await pass(60)
    assert.equal(await holder(), second)
    assert.ok(await swept())
  })

  it('does at rest what one does for all, if every node rests, and is awake then', async (t) => {
    const { node, ids, pass, swept, sql, commands, time } = await scene(t)
    await node()
    await node()
    await pass(restsWithinSeconds)
    assert.deepEqual(await ids(), [])
    await sql`update leases set until_ms = 0`
    const user = aUser()
    const session = aSession(user, { expiresAtMs: time.nowMs })
    await commands.withStorage(async ({ users }) => {
      await users.create(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
    })
    await pass(120, 60)
    assert.ok(await swept())
    assert.notEqual((await ids()).length, 0)
  })

  it('answers nothing from a database that was moved while it rested, and stops', async (t) => {
    const { node, pass, commands, url } = await scene(t)
    const one = await node()
    await pass(restsWithinSeconds)
    const { code, stderr } = await commands.run(`db copy --from ${url} --to sqlite:moved.db`)
    assert.deepEqual([code, stderr.includes('waiting')], [0, false], stderr)
    const [discovery, alive] = await Promise.all([one.ask('/.well-known/jwks'), one.ask('/healthz')])
    assert.deepEqual([discovery.status, alive.status], [503, 200])
    assert.match((await one.ended) ?? '', /was moved to/)
  })

  it('stops within a minute if the database was moved while it rests', async (t) => {
    const { node, pass, commands, url } = await scene(t)
    const one = await node()
    await pass(restsWithinSeconds)
    assert.equal((await commands.run(`db copy --from ${url} --to sqlite:moved.db`)).code, 0)
    await pass(60, 60)
    assert.match((await one.ended) ?? '', /was moved to/)
  })

  it('waits with its answers while a move is being decided, and answers when the database is opened again', async (t) => {
    const { node, pass, commands, ids } = await scene(t)
    const one = await node()
    await pass(restsWithinSeconds)
    await commands.withStorage(({ servers }) => servers.markMoved({ to: 'elsewhere', atMs: 1 }).then(() => {}))
    assert.equal((await one.ask('/.well-known/jwks')).status, 503)
    assert.deepEqual(await ids(), [])
    await commands.run('db reopen')
    assert.equal((await one.ask('/.well-known/jwks')).status, 200)
    assert.equal((await ids()).length, 1)
  })
})

describe('what is stale after a rest', () => {
  /** A node at rest that comes back as it is told to. */
  function resting(back: () => Promise<Refused | undefined>) {
    const counts = { back: 0, read: 0, awakened: 0 }
    const rest = nodeRest({
      presence: {
        leave: async () => {},
        comeBack: () => {
          counts.back += 1
          return back()
        },
      },
      keys: {
        async refresh() {
          counts.read += 1
        },
      },
      lease: { renew: async () => {} },
    })
    const end = rest.begin(() => {
      counts.awakened += 1
    })
    return { rest, end, counts }
  }

  it('is read once for all who come together, and not again', async () => {
    const answer = Promise.withResolvers<undefined>()
    const { rest, end, counts } = resting(() => answer.promise)
    end()
    const all = Promise.all(Array.from({ length: 20 }, () => rest.ready()))
    answer.resolve(undefined)
    await all
    assert.deepEqual(counts, { back: 1, read: 1, awakened: 20 })
    assert.equal(rest.ready(), undefined)
    end()
    assert.deepEqual([counts.back, counts.read], [1, 1])
  })

  it('holds nobody up any more when the database does not answer, as while a node is awake', async () => {
    const { rest } = resting(() => Promise.reject(new StorageUnavailable('gone', { isPassing: true })))
    await rest.ready()
    assert.equal(rest.ready(), undefined)
  })

  it('fails for each who asks while the database is another one, and no longer', async () => {
    let refused: Refused | undefined = new Refused('moved')
    const { rest } = resting(async () => refused)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await assert.rejects(async () => rest.ready(), { name: 'StorageUnavailable', message: 'moved' })
    }
    refused = undefined
    await rest.ready()
    assert.equal(rest.ready(), undefined)
  })
})

/** Changes of many requests that share a statement and a commit on PostgreSQL: each has its own outcome, and none is answered before. */
import assert from 'node:assert/strict'
import { createServer, connect as dial, type Socket } from 'node:net'
import { after, describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import postgres from 'postgres'
import { toDraft } from '../../src/audit/draft.ts'
import { type Adapter, type Committed, type Engine, heldUpState } from '../../src/storage/engine.ts'
import { haveMails } from '../../src/storage/mail-rows.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { auditLanes } from '../../src/storage/postgres/audit.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { commitGathered } from '../../src/storage/postgres/gathered-changes.ts'
import type { Statement, Value } from '../../src/storage/sql/statement.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { ownTables, tables } from '../../src/storage/sql/tables.ts'
import { postgresServer } from '../support/postgres.ts'
import { storageContract } from './contract.ts'
import { assertChained } from './contract-audit.ts'
import { userAndClient } from './contract-clients.ts'
import { aChain, aGrant, anEvent, atOnce, aUser, countOf, nextId, now } from './records.ts'

const server = await postgresServer()
const contractUrl = await server.createDatabase()
const direct = postgres(contractUrl, { max: 1, onnotice: () => {}, fetch_types: false })
after(async () => {
  await direct.end()
  await server.stop()
})
const emptied = [...tables, ...ownTables].map((table) => `delete from ${table}`)

let gathered = 0
/** Commits each change that may be gathered between two of nothing, in one statement. */
function betweenOthers(adapter: Adapter): Adapter {
  const writer = postgres(contractUrl, { max: 4, fetch_types: false })
  const send = async (text: string, parameters: Value[]) =>
    [...(await writer.unsafe(text, parameters, { prepare: true }).values())] as Value[][]
  const lanes = auditLanes(async () => {
    const [row] = await direct`select at_ms from audit_checkpoints order by number desc limit 1`
    return { floorMs: Number(row?.at_ms ?? 0), partitions: [] }
  })
  const nothing = (statement: Statement, key: string): Statement => ({
    ...statement,
    changed: { column: statement.changed?.column ?? '', key },
    toSql: (dialect) => {
      const sql = statement.toSql(dialect)
      return { ...sql, parameters: sql.parameters.map(() => null) }
    },
  })
  const commit: Engine['commit'] = (statements, events = []) => {
    const [statement] = statements
    if (statement?.changed === undefined || statements.length > 1 || haveMails(events)) {
      return adapter.engine.commit(statements, events)
    }
    gathered += 1
    return lanes.record(events.map(toDraft), async (entries): Promise<Committed> => {
      const changes = [
        { statement: nothing(statement, 'nothing'), entries: [] },
        { statement, entries },
        { statement: nothing(statement, 'nobody'), entries: [] },
      ]
      for (;;) {
        try {
          const [, outcome] = await commitGathered(changes, send)
          return outcome ?? assert.fail('there is no outcome')
        } catch (error) {
          // The engine leaves the wait for a lock to another statement.
          if ((error as { code?: unknown }).code !== heldUpState) throw error
        }
      }
    })
  }
  const close = async () => {
    await writer.end()
    await adapter.engine.close()
  }
  return { ...adapter, engine: { ...adapter.engine, commit, close } }
}

storageContract('PostgreSQL, with each change between others', async () => {
  const storage = sqlStorage(betweenOthers(openPostgres(contractUrl)))
  const close = async () => {
    await storage.close()
    await direct.unsafe(['set session_replication_role = replica', ...emptied].join(';'))
  }
  return { ...storage, close }
})

const event = (grantId: string) => anEvent({ details: { grant: grantId } })

/** Whether each of the changes was made; an error if it is not known. */
const outcomesOf = async (changes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(changes)).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error)))

async function opened(t: TestContext, url?: string) {
  const database = await server.createDatabase()
  const sql = postgres(database, { max: 3, onnotice: () => {} })
  // Statements that are not prepared are sent with their text.
  const storage = sqlStorage(
    openPostgres(url?.replace('DATABASE', new URL(database).pathname.slice(1)) ?? database, {
      preparedStatements: url === undefined,
    }),
  )
  t.after(async () => {
    await storage.close()
    await sql.end()
  })
  const stored = async () => (await sql`select id from grants`).map(({ id }) => String(id))
  return { database, sql, stored, ...(await userAndClient(storage)) }
}

/** The grants that the entries of the trail tell of. */
const told = async (storage: Storage) =>
  (await assertChained(storage)).map(({ details }) => String((JSON.parse(details) as { grant: unknown }).grant))

describe('changes on PostgreSQL that come at once', () => {
  it('of the contract were gathered', () => assert.ok(gathered > 100, String(gathered)))

  it('redeem each code once, in a few commits, whatever becomes of the others, with an entry for each grant', async (t) => {
    const { sql, storage, stored, user, client } = await opened(t)
    const ids = Array.from({ length: 100 }, () => nextId())
    const gone = aUser()
    // The first of each process waits for the state of the trail.
    await storage.grants.redeem(aGrant(user, client, { id: 'first' }), [event('first')])
    const commits = async () => Number((await sql`select count(distinct xmin::text) as n from grants`)[0]?.n)
    const outcomes = await atOnce(300, (at) => {
      // Each third is the same code again, or of somebody who is no longer there.
      const owner = at % 3 === 2 ? gone : user
      const id = at % 3 === 2 ? nextId() : (ids[Math.floor(at / 3)] as string)
      return storage.grants.redeem(aGrant(owner, client, { id }), [event(id)])
    })
    assert.equal(countOf(outcomes, true), 100)
    for (const [at, outcome] of outcomes.entries()) if (at % 3 === 2) assert.equal(outcome, false)
    for (let at = 0; at < 300; at += 3) assert.notEqual(outcomes[at], outcomes[at + 1])
    assert.deepEqual((await stored()).sort(), ['first', ...ids].sort())
    assert.deepEqual((await told(storage)).sort(), ['first', ...ids].sort())
    assert.ok((await commits()) < 50, String(await commits()))
  })

  it('rotate each chain once from a generation, whatever becomes of the others', async (t) => {
    const { storage, user, client } = await opened(t)
    const grants = Array.from({ length: 40 }, () => aGrant(user, client))
    await atOnce(40, (at) => storage.grants.redeem(grants[at] as (typeof grants)[number]))
    await atOnce(10, (at) => storage.grants.revoke(grants[at * 4]?.id ?? '', now))
    const outcomes = await atOnce(120, (at) => {
      const id = grants[at % 40]?.id ?? ''
      return storage.grants.rotate(id, aChain(0), aChain(1), now + 5000 + at, [event(id)])
    })
    const changed = grants.filter((_, at) => at % 4 !== 0).map(({ id }) => id)
    assert.equal(countOf(outcomes, true), 30)
    assert.deepEqual((await told(storage)).sort(), changed.sort())
    for (const [at, { id }] of grants.entries()) {
      const { grant } = await storage.grants.findForRefresh(id, client.id)
      const won = outcomes.flatMap((outcome, by) => (outcome === true && by % 40 === at ? [now + 5000 + by] : []))
      assert.equal(grant?.refresh?.generation, at % 4 === 0 ? 0 : 1)
      assert.deepEqual(won, at % 4 === 0 ? [] : [grant?.expiresAtMs])
    }
  })

  it('are answered while one among them waits for a lock, which is answered when it has it', async (t) => {
    const { sql, storage, user, client } = await opened(t)
    const ids = Array.from({ length: 40 }, () => nextId())
    await atOnce(40, (at) => storage.grants.redeem(aGrant(user, client, { id: ids[at] as string })))
    const rotated = async () => (await sql`select id from grants where generation = 1`).length
    let waiting: Promise<unknown> | undefined
    await sql.begin(async (holding) => {
      await holding`select id from grants where id = ${ids[20] as string} for update`
      const rotations = ids.map((id) => storage.grants.rotate(id, aChain(0), aChain(1), now + 5000, [event(id)]))
      waiting = rotations[20]
      const others = await Promise.all(rotations.filter((_, at) => at !== 20))
      assert.equal(countOf(others, true), 39)
      assert.equal(await rotated(), 39)
    })
    assert.equal(await waiting, true)
    assert.equal(await rotated(), 40)
    assert.deepEqual((await told(storage)).sort(), ids.toSorted())
  })

  it('are repeated alone, with their own outcome, when the entry that one of them continues is gone', async (t) => {
    const { sql, storage, stored, user, client } = await opened(t)
    const redeem = (count: number) => atOnce(count, () => storage.grants.redeem(aGrant(user, client), [event('any')]))
    await redeem(30)
    await sql`delete from audit_entries where ctid in (select ctid from audit_entries limit 15)`
    assert.equal(countOf(await redeem(30), true), 30)
    assert.equal((await stored()).length, 60)
    assert.equal((await storage.audit.stored(undefined, 1000)).length, 45)
  })

  it('continue their chains in a divided trail, from one partition to the next', async (t) => {
    const { storage, user, client } = await opened(t)
    const week = 7 * 24 * 3_600_000
    assert.equal(await storage.audit.partitions.divide(week, now), 'divided')
    for (let at = 0; at < 6; at += 1) {
      await storage.audit.partitions.extend(now + at * week)
      const outcomes = await atOnce(60, () =>
        storage.grants.redeem(aGrant(user, client), [anEvent({ atMs: now + at * week, details: { grant: '' } })]),
      )
      assert.equal(countOf(outcomes, true), 60)
    }
    assert.equal((await told(storage)).length, 360)
  })

  it('are acknowledged only if they are kept when the connection ends between a statement and its answer', async (t) => {
    const line = await cuttableLine(server.port)
    const { storage, stored, user, client } = await opened(t, `postgres://postgres@127.0.0.1:${line.port}/DATABASE`)
    t.after(line.end)
    await storage.grants.redeem(aGrant(user, client, { id: 'first' }), [event('first')])
    const ids = Array.from({ length: 200 }, () => nextId())
    const held = line.holdAnswerTo('gathered')
    const outcomes = outcomesOf(ids.map((id) => storage.grants.redeem(aGrant(user, client, { id }), [event(id)])))
    await held
    // The server has done all that was sent, and one answer is still on its way.
    while ((await stored()).length < 201);
    line.cut()
    const found = await outcomes
    const kept = new Set(await stored())
    assert.equal(kept.size, 201)
    const lost = found.filter((one) => one instanceof StorageUnavailable)
    assert.ok(lost.length > 1 && lost.length < 200, String(lost.length))
    assert.equal(countOf(found, true), 200 - lost.length)
    // Each has one entry, acknowledged or not.
    assert.deepEqual((await told(storage)).sort(), [...kept].sort())
    assert.equal(await storage.grants.redeem(aGrant(user, client, { id: 'last' }), [event('last')]), true)
    assert.equal((await told(storage)).length, 202)
  })

  it('are acknowledged only if they are kept while the server ends connections again and again', async (t) => {
    const { sql, storage, stored, user, client } = await opened(t)
    await storage.grants.redeem(aGrant(user, client, { id: 'first' }), [event('first')])
    const ids = Array.from({ length: 600 }, () => nextId())
    const found: unknown[] = []
    const working = Promise.all(
      Array.from({ length: 30 }, async (_, worker) => {
        for (let at = worker; at < ids.length; at += 30) {
          const id = ids[at] as string
          const redeemed = storage.grants.redeem(aGrant(user, client, { id }), [event(id)])
          found[at] = await redeemed.catch((error) => error)
        }
      }),
    )
    let isDone = false
    const ended = working.then(() => {
      isDone = true
    })
    while (!isDone) {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%gathered%' and pid <> pg_backend_pid() and state = 'active'`
    }
    await ended
    const kept = new Set(await stored())
    for (const [at, one] of found.entries()) {
      if (one === true) assert.ok(kept.has(ids[at] ?? ''))
      else assert.ok(one instanceof StorageUnavailable, String(one))
    }
    assert.deepEqual((await told(storage)).sort(), [...kept].sort())
  })

  it('are kept, also those that wait, when the storage is closed right after', async (t) => {
    const { database, user, client, stored } = await opened(t)
    const closing = sqlStorage(openPostgres(database))
    await closing.grants.redeem(aGrant(user, client), [event('first')])
    const redeemed = Array.from({ length: 200 }, () => closing.grants.redeem(aGrant(user, client), [event('any')]))
    const found = closing.clients.find(client.id)
    // Now all of them have been sent, or wait.
    await turn()
    await closing.close()
    assert.equal(countOf(await Promise.all(redeemed), true), 200)
    assert.equal((await found)?.id, client.id)
    assert.equal((await stored()).length, 201)
  })

  it('keep every chain whole when several nodes change the same grants at once', async (t) => {
    const { database, storage, user, client } = await opened(t)
    const other = sqlStorage(openPostgres(database))
    t.after(() => other.close())
    const grants = Array.from({ length: 20 }, () => aGrant(user, client))
    await atOnce(20, (at) => storage.grants.redeem(grants[at] as (typeof grants)[number]))
    for (let generation = 0; generation < 20; generation += 1) {
      const outcomes = await atOnce(80, (at) => {
        // In opposite orders.
        const id = grants[at % 2 === 0 ? Math.floor(at / 4) : 19 - Math.floor(at / 4)]?.id ?? ''
        const node = at % 2 === 0 ? storage : other
        return node.grants.rotate(id, aChain(generation), aChain(generation + 1), now + 5000, [event(id)])
      })
      assert.equal(countOf(outcomes, true), 20)
    }
    assert.equal((await told(storage)).length, 400)
  })
})

/** A line to a port that can keep the answer to something from whoever asks, and be cut there. */
async function cuttableLine(port: number) {
  let isWaitedFor: ((data: string | Buffer) => boolean) | undefined
  const sockets = new Set<Socket>()
  const held = new Set<Socket>()
  const relay = createServer((near) => {
    const far = dial(port, '127.0.0.1')
    near.on('data', (data) => {
      if (isWaitedFor?.(data)) held.add(near)
      far.write(data)
    })
    far.on('data', (data) => {
      if (!held.has(near)) near.write(data)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  return {
    port: (relay.address() as { port: number }).port,
    /** Resolves when a connection asks with such a text, the first time. */
    holdAnswerTo: (text: string) =>
      new Promise<void>((resolve) => {
        isWaitedFor = (data) => {
          if (!data.includes(text)) return false
          isWaitedFor = undefined
          resolve()
          return true
        }
      }),
    cut: () => {
      for (const socket of held) socket.destroy()
    },
    end: async () => {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

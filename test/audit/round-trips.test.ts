/** Recording costs PostgreSQL no message more than acting alone. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { assertChained } from '../storage/contract-audit.ts'
import { userAndClient } from '../storage/contract-clients.ts'
import { aBrowser, aChain, aGrant, anAuthorization, anEvent, aSession, nextId, now } from '../storage/records.ts'
import { closing } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'

const server = await postgresServer()
after(() => server.stop())

/** Counts how often the client asks the server to answer: every `Sync`, and every simple query; and how often it waits for that. */
async function countingLine(port: number) {
  let count = 0
  let waits = 0
  const sockets: Socket[] = []
  const relay = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    sockets.push(near, far)
    let isAnswered = true
    far.on('data', (data: Buffer) => {
      near.write(data)
      isAnswered = true
    })
    let waiting = Buffer.alloc(0)
    let isStarted = false
    near.on('data', (data: Buffer) => {
      // The client writes in pieces, one for each turn of the event loop: what it sends without waiting arrives together.
      setImmediate(() => setImmediate(() => far.write(data)))
      if (isAnswered) waits += 1
      isAnswered = false
      waiting = Buffer.concat([waiting, data])
      for (;;) {
        // The first message has no type in front of its length.
        const head = isStarted ? 1 : 0
        if (waiting.length < head + 4) return
        const end = head + waiting.readUInt32BE(head)
        if (waiting.length < end) return
        if (isStarted && 'SQ'.includes(String.fromCharCode(waiting[0] ?? 0))) count += 1
        isStarted = true
        waiting = waiting.subarray(end)
      }
    })
    for (const socket of [near, far]) socket.on('error', () => {})
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    relay.close()
  })
  return { port: (relay.address() as { port: number }).port, count: () => count, waits: () => waits }
}

describe('an act that is recorded, on PostgreSQL', () => {
  it('asks the server once, as it does without being recorded', async (t) => {
    const url = new URL(await server.createDatabase())
    const line = await countingLine(server.port)
    url.port = String(line.port)
    const storage = closing(t, sqlStorage(openPostgres(url.href, { connections: 1 })))
    const { user, client } = await userAndClient(storage)
    const events = [anEvent()]
    const generations = new Map<string, number>()
    const grant = aGrant(user, client)
    await storage.grants.redeem(grant)
    const verbs: Record<string, () => Promise<unknown>> = {
      'grants.redeem': () => storage.grants.redeem(aGrant(user, client), events),
      'grants.rotate': () => {
        const generation = generations.get(grant.id) ?? 0
        generations.set(grant.id, generation + 1)
        return storage.grants.rotate(grant.id, aChain(generation), aChain(generation + 1), now, events)
      },
      'users.recordSignIn': () =>
        storage.users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session: aSession(user), events })),
      'authorizations.store': () =>
        storage.authorizations.store(anAuthorization(user, client, { scopes: [nextId()] }), events),
      'grants.redeem with a value': () =>
        storage.grants.redeem(aGrant(user, client), events, undefined, [{ id: nextId(), expiresAtMs: now }]),
      'accessTokens.issue': () => storage.accessTokens.issue(events),
      'spentValues.spend': () => storage.spentValues.spend(nextId(), now, events),
      'sessions.delete': () => storage.sessions.delete({ id: nextId(), userId: nextId() }, events),
      'accessTokens.revoke': () => storage.accessTokens.revoke(nextId(), now, events),
    }
    for (const [verb, act] of Object.entries(verbs)) {
      // The first time the statement is prepared.
      await act()
      const before = line.count()
      await act()
      // The end of a session takes what it began and its grants with it, in a transaction.
      assert.equal(line.count() - before, verb === 'sessions.delete' ? 5 : 1, verb)
    }
    // All but `sessions.delete`, which found nothing to delete.
    assert.equal((await assertChained(storage)).length, 2 * (Object.keys(verbs).length - 1))
  })

  it('waits three times for a transaction, however many statements it has', async (t) => {
    const url = new URL(await server.createDatabase())
    const line = await countingLine(server.port)
    url.port = String(line.port)
    const storage = closing(t, sqlStorage(openPostgres(url.href, { connections: 1 })))
    const { user } = await userAndClient(storage)
    const signIn = () => {
      const events = [anEvent()]
      const session = aSession(user)
      return storage.users.completeSignIn(
        { user, sessions: 30 },
        () => ({ outcome: 'signed_in', session, browser: aBrowser(user), events }),
        [{ id: nextId(), expiresAtMs: now }],
      )
    }
    // Their statements are prepared, that of the first entry of a chain and that of the others.
    for (let times = 0; times < 2; times += 1) await signIn()
    const [asked, waited] = [line.count(), line.waits()]
    assert.equal((await signIn()) === 'spent', false)
    assert.deepEqual([line.count() - asked, line.waits() - waited], [8, 3])
  })

  it('ends its chain when nobody can say what became of it, and the trail stays whole', async (t) => {
    const url = await server.createDatabase()
    const storage = closing(t, sqlStorage(openPostgres(url, { connections: 2, statementTimeoutMs: 100 })))
    const { user, client } = await userAndClient(storage)
    const grant = aGrant(user, client)
    await storage.grants.redeem(grant, [anEvent()])
    const { default: postgres } = await import('postgres')
    const holder = postgres(url, { max: 1 })
    await holder.begin(async (sql) => {
      await sql`select * from grants for update`
      await assert.rejects(storage.grants.rotate(grant.id, aChain(0), aChain(1), now, [anEvent()]))
    })
    await holder.end()
    assert.equal(await storage.grants.rotate(grant.id, aChain(0), aChain(1), now, [anEvent()]), true)
    const entries = await assertChained(storage)
    assert.deepEqual([entries.length, new Set(entries.map(({ writer }) => writer)).size], [2, 2])
  })
})

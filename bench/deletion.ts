/**
 * Deletes a client and a scope that many grants and consents have, while people go on signing in: how long a deletion takes, when
 * the last row has gone, and how long the others wait meanwhile.
 *
 *   node bench/deletion.ts [--rows N] [--postgres]      default 1,000,000, on SQLite
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { openStorage } from '../src/storage/open.ts'
import type { Storage } from '../src/storage/port/storage.ts'
import { aChain, aClient, aGrant, aScope, aSession, aUser } from '../test/storage/records.ts'
import { startDurablePostgres } from './database.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, postgres: { type: 'boolean', default: false } },
})
const rows = Number(values.rows)
/** People who sign in at once. */
const visitors = 4
const quietMs = 5_000
/** As housekeeping does. */
const [everyMs, forMs] = [1_000, 400]

const folder = mkdtempSync(join(tmpdir(), 'latchkey-deletion-'))
const server = values.postgres ? await startDurablePostgres() : undefined
const file = join(folder, 'latchkey.db')
try {
  await measure()
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const url = await server?.createDatabase()
  const target =
    url === undefined
      ? ({ kind: 'sqlite', file } as const)
      : ({ kind: 'postgres', url, preparedStatements: true } as const)
  const storage = await openStorage(target, { migrate: true })
  const [owner, deleted, used] = [aUser(), aClient({ id: 'deleted', scopes: ['orders'] }), aClient({ id: 'used' })]
  await storage.users.create(owner)
  for (const client of [deleted, used]) await storage.clients.create(client)
  await storage.scopes.create(aScope('orders'))
  await fill(url, owner.id, deleted.id)
  process.stdout.write(
    `${rows} grants and as many consents of one client, with the scope 'orders', on ${server ? 'PostgreSQL' : 'SQLite'}\n`,
  )

  const waits: number[] = []
  let goesOn = true
  const visiting = Array.from({ length: visitors }, async () => {
    while (goesOn) await visit(storage, used, waits)
  })
  const phase = async (name: string, work: () => Promise<string>) => {
    waits.length = 0
    const startedMs = performance.now()
    const said = await work()
    const seconds = (performance.now() - startedMs) / 1000
    const sorted = waits.toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
    process.stdout.write(
      `${name.padEnd(28)} ${said.padEnd(34)} ${Math.round(sorted.length / seconds)} commits a second beside, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms\n`,
    )
  }
  await phase('nothing is deleted', async () => {
    await wait(quietMs)
    return ''
  })
  const [scope] = await storage.scopes.findMany(['orders'])
  if (scope === undefined) throw new Error('there is no scope')
  await phase('deleting the scope', () => deleting(storage, () => storage.scopes.deleteEverywhere(scope)))
  await phase('deleting the client', () => deleting(storage, () => storage.clients.delete(deleted.id)))
  goesOn = false
  await Promise.all(visiting)
  await storage.close()
}

async function deleting(storage: Storage, verb: () => Promise<boolean>): Promise<string> {
  const startedMs = performance.now()
  if (!(await verb())) throw new Error('nothing was deleted')
  const answeredMs = performance.now() - startedMs
  for (let isDone = false; !isDone; ) {
    const endMs = performance.now() + forMs
    isDone = await storage.removals.goOn(() => performance.now() < endMs)
    if (!isDone) await wait(everyMs - forMs)
  }
  const goneMs = performance.now() - startedMs
  return `${Math.round(answeredMs)} ms, last row after ${(goneMs / 1000).toFixed(1)} s`
}

/** What signing in and a refresh commit, without the password hash, which takes the processor and not the database. */
async function visit(storage: Storage, client: ReturnType<typeof aClient>, waits: number[]): Promise<void> {
  const user = aUser()
  const session = aSession(user)
  const grant = aGrant(user, client, { sessionId: session.id, refresh: aChain(0) })
  await storage.users.create(user)
  for (const commit of [
    () => storage.users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session })),
    () => storage.grants.redeem(grant),
    () => storage.grants.rotate(grant.id, aChain(0), aChain(1), grant.expiresAtMs),
  ]) {
    const startedMs = performance.now()
    if ((await commit()) === false) throw new Error('a commit beside the deletion was lost')
    waits.push(performance.now() - startedMs)
  }
}

async function fill(url: string | undefined, userId: string, clientId: string): Promise<void> {
  const scopes = `'["openid","orders"]'`
  const id = (number: string) => (url === undefined ? `printf('%032d', ${number})` : `lpad(${number}::text, 32, '0')`)
  const numbers =
    url === undefined
      ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n)`
      : `generate_series(1, ${rows}) as n(i)`
  const statements = [
    `insert into authorizations (id, user_id, client_id, scopes, scope_set, created_at_ms)
      select ${id('i')}, '${userId}', '${clientId}', ${scopes}, ${id('i')}, 1 from ${numbers}`,
    `insert into grants (id, client_id, user_id, authorization_id, scopes, resources, authenticated_at_ms, method, created_at_ms,
        expires_at_ms, generation, salt, derivation_key_id, refresh_expires_at_ms, rotated_at_ms)
      select ${id('i')}, '${clientId}', '${userId}', ${id('i')}, ${scopes}, '[]', 1, '["pwd"]', 1,
        9000000000000, 0, 'AAAAAAAAAAAAAAAAAAAAAA', 'key', 9000000000000, '[]' from ${numbers}`,
  ]
  if (url === undefined) {
    const db = new DatabaseSync(file)
    for (const statement of statements) db.exec(statement)
    db.close()
    return
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  for (const statement of statements) await sql.unsafe(statement)
  await sql.unsafe('analyze')
  await sql.end()
}

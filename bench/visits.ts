/**
 * Counts what the verbs of the storage port touch in PostgreSQL: pages of tables and indexes, and rows that were looked at. Unlike
 * rates these do not depend on the machine, so that few and many rows can be compared by them. Times are taken in turn, call by call.
 */
import { randomBytes } from 'node:crypto'
import type { AuditEvent } from '../src/audit/entry.ts'
import type { Grant, RefreshChain } from '../src/protocol/grant/grant.ts'
import { uuidv7 } from '../src/secrets/opaque.ts'
import { demo } from '../src/settings/demo.ts'
import type { Storage } from '../src/storage/port/storage.ts'
import { openPostgres } from '../src/storage/postgres/engine.ts'
import type { Value } from '../src/storage/sql/statement.ts'
import { sqlStorage } from '../src/storage/sql/storage.ts'

/** Of one call of a verb, on average. */
export type Visits = {
  readonly pages: number
  /** Rows read from tables, and entries read from indexes. */
  readonly rows: number
  /** Tables that were read from one end to the other. */
  readonly scanned: readonly string[]
}

/** Calls before counting begins: enough for PostgreSQL to settle on a plan for a prepared statement. */
const warmUp = 8
const calls = 24
/** For a median that outliers do not move. */
const timedCalls = 400
/** As many as a running service removes at once. */
const sweptAtOnce = 500
/** A table of fewer rows is rightly read as a whole. */
const smallTable = 2000

export type Person = {
  readonly user_id: string
  readonly name: string
  readonly session_id: string
  readonly grant_id: string
  readonly generation: number
  readonly refresh_expires_at_ms: number
  readonly salt: string
  readonly derivation_key_id: string
  readonly authorization_id: string
}

type Verb = (storage: Storage, person: Person, nowMs: number) => Promise<unknown>

const scopes = ['openid', 'offline_access', demo.scope]
const client = { clientId: demo.clientId }

/** What the requests, the account area and the console do, by the verbs that each of them calls. */
const verbs: Readonly<Record<string, Verb>> = {
  'code: read': ({ grants }, { user_id: userId, authorization_id: authorizationId }, nowMs) =>
    grants.findForExchange({ ...client, grantId: uuidv7(nowMs), userId, authorizationId }),
  'code: redeem': ({ grants }, person, nowMs) => {
    const grant = grantOf(person, nowMs)
    return grants.redeem(grant, [issued(person, nowMs)])
  },
  'refresh: read': ({ grants }, { grant_id: id }) => grants.findForRefresh(id, demo.clientId),
  'refresh: rotate': ({ grants }, person, nowMs) => {
    const { grant_id: id, generation, refresh_expires_at_ms: expiresAtMs } = person
    const next = { ...chainOf(person, nowMs), generation: generation + 1 }
    return grants.rotate(id, { generation, expiresAtMs }, next, nowMs + 1e9, [issued(person, nowMs)])
  },
  'authorize with a session': ({ authorizations }, { session_id: sessionId }) =>
    authorizations.findForRequest({ ...client, scopes, sessionId }),
  'session: renew': ({ sessions }, { session_id: id }, nowMs) => sessions.renew(id, nowMs + 1e9, nowMs),
  'sign-in: find by name': ({ users }, { name }) => users.findForSignIn({ name }, []),
  'sign-in: find by address': ({ users }, { name }) => users.findForSignIn({ name: `${name}@example.com` }, []),
  'sign-in: record': async ({ users }, { user_id: id }, nowMs) => {
    const user = await users.find(id)
    if (user === undefined) throw new Error(`${id} is gone`)
    const session = sessionOf(id, nowMs)
    const event = { ...issued({ user_id: id }, nowMs), kind: 'sign_in' } as const
    return users.recordSignIn({ user }, () => ({ outcome: 'in', session, events: [event] }))
  },
  'account: sessions': ({ sessions }, { user_id: id }) => sessions.ofUser(id),
  'account: browsers': ({ knownBrowsers }, { user_id: id }) => knownBrowsers.list(id),
  'account: applications': ({ applications }, { user_id: id }, nowMs) =>
    applications.list({ id, grantsEndedAtMs: null }, nowMs),
  'account: activity': ({ audit }, { user_id: id }) => audit.activity(id, undefined),
  'console: people': ({ users }) => users.page('name', '', '', 64),
  'console: people by name': ({ users }) => users.page('name', 'person-9', '', 64),
  'console: people by address': ({ users }) => users.page('email', 'person-99', '', 64),
  'console: people by full name': ({ userSearch }) => userSearch.page('w7039', { key: '', userId: '' }, 64),
  'console: clients': ({ clients }) => clients.page('', {}, 64),
  'console: sessions': ({ accessPages }) => accessPages.sessions({ after: '' }),
  'console: sessions of a person': ({ accessPages }, { user_id: userId }) =>
    accessPages.sessions({ userId, after: '' }),
  'console: grants': ({ accessPages }) => accessPages.grants({ after: '' }),
  'console: grants of a person': ({ accessPages }, { user_id: userId }) => accessPages.grants({ userId, after: '' }),
  'console: consents of a person': ({ accessPages }, { user_id: userId }) =>
    accessPages.authorizations({ userId, after: '' }),
  'console: audit trail': ({ audit }) => audit.page({}, undefined, 50),
  'console: activity of 30 days': ({ statistics }, _, nowMs) =>
    statistics.activity(nowMs - 30 * 86_400_000, nowMs, 'day'),
}

/** At least `count` people from all over the tables, with what belongs to them. */
export async function peopleFrom(ask: Ask, count: number): Promise<Person[]> {
  const people = await ask<Person>(
    `select u.id as user_id, u.name, s.id as session_id, g.id as grant_id, g.generation, g.refresh_expires_at_ms,
       g.salt, g.derivation_key_id, g.authorization_id
     from (select id, name, row_number() over (order by id) as n, count(*) over () as total from users where name like 'person-%') u
     join sessions s on s.user_id = u.id join grants g on g.user_id = u.id
     where n % (total / ${2 * count} + 1) = 1 and g.session_id = s.id`,
  )
  if (people.length < count) throw new Error('the database was not filled by bulk.ts, or with too few rows')
  return people
}

/**
 * Returns the median time of a call in microseconds, by verb, for each database, with what is read in memory. The databases take turns with every call, so that
 * whatever else the machine does meets all of them. They keep what the verbs store.
 */
export async function timeVerbs(
  urls: readonly string[],
  nowMs = Date.now(),
): Promise<ReadonlyMap<string, readonly number[]>> {
  const places = await Promise.all(
    urls.map(async (url) => {
      const adapter = openPostgres(url, { connections: 1 })
      const ask: Ask = (text) => adapter.engine.read({ mustChange: false, toSql: () => ({ text, parameters: [] }) })
      return { storage: sqlStorage(adapter), people: await peopleFrom(ask, warmUp + timedCalls), ask }
    }),
  )
  try {
    // A large table's pages would otherwise come from the disk for whoever is asked about first.
    for (const [name, verb] of Object.entries(verbs)) {
      if (!readsOfPerson.test(name)) continue
      for (const { storage, people } of places) for (const person of people) await verb(storage, person, nowMs)
    }
    const medians = new Map<string, readonly number[]>()
    for (const [name, verb] of Object.entries(verbs)) {
      const times = places.map((): number[] => [])
      // What the verb before has written must not be flushed now.
      for (const { ask } of places) await ask('checkpoint')
      for (let call = 0; call < warmUp + timedCalls; call += 1) {
        for (const [at, { storage, people }] of places.entries()) {
          const beganAtMs = performance.now()
          await verb(storage, people[call] as Person, nowMs)
          if (call >= warmUp) times[at]?.push((performance.now() - beganAtMs) * 1000)
        }
      }
      medians.set(
        name,
        times.map((each) => each.toSorted((a, b) => a - b)[timedCalls / 2] as number),
      )
    }
    return medians
  } finally {
    for (const { storage } of places) await storage.close()
  }
}

const readsOfPerson = /read$|^authorize|find|^account/

/** Counts for every verb. The database keeps what they store. */
export async function countVisits(url: string, nowMs = Date.now()): Promise<ReadonlyMap<string, Visits>> {
  // One connection: PostgreSQL counts by connection, and adds up when it is asked to.
  const adapter = openPostgres(url, { connections: 1 })
  const ask = <Row>(text: string, parameters: Value[] = []) =>
    adapter.engine.read<Row>({ mustChange: false, toSql: () => ({ text, parameters }) })
  const storage = sqlStorage(adapter)
  try {
    const people = await peopleFrom(ask, warmUp + calls)
    const counted = new Map<string, Visits>()
    for (const [name, verb] of Object.entries(verbs)) {
      const run = async (from: number, count: number) => {
        for (const person of people.slice(from, from + count)) await verb(storage, person, nowMs)
      }
      await run(0, warmUp)
      const before = await readCounters(ask)
      await run(warmUp, calls)
      counted.set(name, difference(before, await readCounters(ask), calls))
    }
    for (const [name, visits] of await countSweeps(() => sqlStorage(adapter), ask, nowMs)) counted.set(name, visits)
    return counted
  } finally {
    await storage.close()
  }
}

/**
 * What the sweeper touches when nothing has expired, and for each expired row where it meets them. `open`: begins at the start of
 * the tables.
 */
async function countSweeps(open: () => Storage, ask: Ask, nowMs: number): Promise<readonly [string, Visits][]> {
  const idle = open()
  const sweep = () => idle.sweep(nowMs, sweptAtOnce)
  await sweep()
  const before = await readCounters(ask)
  await sweep()
  await sweep()
  const nothing = difference(before, await readCounters(ask), 2)
  const swept = ['sessions', 'grants']
  for (const table of swept) {
    const oldest = `select id from ${table} order by id limit ${sweptAtOnce}`
    await ask(`update ${table} set expires_at_ms = 1 where id in (${oldest})`)
  }
  const ofSwept = async () => (await readCounters(ask)).filter(({ name }) => swept.includes(name))
  const full = await ofSwept()
  const removed = await open().sweep(nowMs, sweptAtOnce)
  if (removed !== swept.length * sweptAtOnce) throw new Error(`${removed} rows were removed`)
  return [
    ['sweeper: nothing expired', nothing],
    ['sweeper: each expired row', difference(full, await ofSwept(), removed)],
  ]
}

type Counter = {
  readonly name: string
  readonly pages: number
  readonly rows: number
  readonly scans: number
  readonly live: number
}
export type Ask = <Row>(text: string) => Promise<Row[]>

/** Reads what the connection touched so far, by table. */
export async function readCounters(ask: Ask): Promise<readonly Counter[]> {
  await ask('select pg_stat_force_next_flush()')
  return ask<Counter>(
    `select io.relname as name, t.seq_scan as scans, t.n_live_tup as live,
       coalesce(heap_blks_read + heap_blks_hit, 0) + coalesce(idx_blks_read + idx_blks_hit, 0)
         + coalesce(toast_blks_read + toast_blks_hit, 0) as pages,
       t.seq_tup_read + coalesce(t.idx_tup_fetch, 0)
         + coalesce((select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = io.relid), 0)::bigint as rows
     from pg_statio_user_tables io join pg_stat_user_tables t using (relid) order by 1`,
  )
}

/** `calls`: among how many the difference is shared. */
export function difference(before: readonly Counter[], after: readonly Counter[], calls: number): Visits {
  const was = new Map(before.map((counter) => [counter.name, counter]))
  const grown = after.map(({ name, pages, rows, scans, live }) => {
    const { pages: pagesBefore = 0, rows: rowsBefore = 0, scans: scansBefore = 0 } = was.get(name) ?? {}
    return { name, live, pages: pages - pagesBefore, rows: rows - rowsBefore, scans: scans - scansBefore }
  })
  const sum = (of: (one: (typeof grown)[number]) => number) => grown.reduce((total, one) => total + of(one), 0) / calls
  return {
    pages: sum(({ pages }) => pages),
    rows: sum(({ rows }) => rows),
    scanned: grown.flatMap(({ name, scans, live }) => (scans > 0 && live > smallTable ? [name] : [])),
  }
}

export function issued({ user_id: userId }: Pick<Person, 'user_id'>, nowMs: number): AuditEvent {
  const details = { type: 'refresh', grant: userId }
  return { atMs: nowMs, kind: 'tokens_issued', userId, ...client, traceId: null, address: null, details }
}

export function chainOf({ generation, salt, derivation_key_id: derivationKeyId }: Person, nowMs: number): RefreshChain {
  return { generation, salt, derivationKeyId, expiresAtMs: nowMs + 1e9, rotatedAtMs: [nowMs] }
}

export function grantOf(person: Person, nowMs: number): Grant {
  return {
    id: uuidv7(nowMs),
    ...client,
    userId: person.user_id,
    authorizationId: person.authorization_id,
    scopes,
    resources: [],
    authenticatedAtMs: nowMs,
    methods: ['pwd'],
    sessionId: person.session_id,
    nonce: null,
    claims: null,
    confirmation: null,
    createdAtMs: nowMs,
    revokedAtMs: null,
    expiresAtMs: nowMs + 1e9,
    refresh: { ...chainOf(person, nowMs), generation: 0, rotatedAtMs: [] },
  }
}

export function sessionOf(userId: string, nowMs: number) {
  return {
    id: uuidv7(nowMs),
    secretHash: randomBytes(32).toString('base64url'),
    userId,
    authenticatedAtMs: nowMs,
    methods: ['pwd'],
    persistent: true,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 1e9,
    lastSeenAtMs: nowMs,
    clientAddress: '192.0.2.1',
    userAgent: 'a browser',
  }
}

/** A line for each verb, with a column for each database. */
/** `times`: as `timeVerbs` returns them, in the same order. */
export function compareVisits(
  all: readonly { readonly name: string; readonly visits: Readonly<Record<string, Visits>> }[],
  times: ReadonlyMap<string, readonly number[]>,
): string {
  const cell = ({ pages, rows, scanned }: Visits, us: number | undefined) => {
    const whole = scanned.length === 0 ? '' : ` (read as a whole: ${scanned.join(', ')})`
    return `${pages.toFixed(1).padStart(8)} pages ${rows.toFixed(1).padStart(8)} rows ${(us?.toFixed(0) ?? '–').padStart(6)} µs${whole}`
  }
  const head = `${''.padEnd(32)}${all.map(({ name }) => name.padStart(38)).join('')}`
  const lines = Object.keys(all[0]?.visits ?? {}).map(
    (verb) =>
      `${verb.padEnd(32)}${all.map(({ visits }, at) => cell(visits[verb] as Visits, times.get(verb)?.[at])).join('  ')}`,
  )
  return `${[head, ...lines].join('\n')}\n`
}

/**
 * Counts what the frequent changes make PostgreSQL write: bytes of its log, entries of indexes, dead versions of rows, pages. It
 * reads them from the log itself, so that they are the same on every machine, whatever else that does.
 *
 *   npx node bench/writes.ts [--rows N] [--calls N] [--together N] [--only PART] [--json]
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openKeyRing } from '../src/keys/ring.ts'
import { uuidv7 } from '../src/secrets/opaque.ts'
import type { Storage } from '../src/storage/port/storage.ts'
import type { SignInOutcome } from '../src/storage/port/users.ts'
import { openPostgres } from '../src/storage/postgres/engine.ts'
import { sqlStorage } from '../src/storage/sql/storage.ts'
import type { KnownBrowser } from '../src/users/known-browser.ts'
import type { Candidate } from '../src/users/lockout.ts'
import type { SecondFactors } from '../src/users/second-factor.ts'
import { type PostgresServer, startServer } from '../test/support/postgres.ts'
import { settingsFrom } from '../test/support/settings.ts'
import { fillInBulk } from './bulk.ts'
import { table } from './report.ts'
import { type Ask, chainOf, grantOf, issued, type Person, peopleFrom, sessionOf } from './visits.ts'

type Change = (storage: Storage, person: Person, nowMs: number, call: number) => Promise<unknown>

/** The changes that requests make, with the audit entry of each. */
export const changes: Readonly<Record<string, Change>> = {
  'code: redeem': ({ grants }, person, nowMs) => grants.redeem(grantOf(person, nowMs), [issued(person, nowMs)]),
  'code: redeem, first of a session that tells of its end': ({ grants }, person, nowMs) =>
    grants.redeem(
      grantOf(person, nowMs),
      [issued(person, nowMs)],
      undefined,
      [],
      person.session_id.replaceAll('-', ''),
    ),
  'refresh: rotate': ({ grants }, person, nowMs, call) => {
    const { grant_id: id, refresh_expires_at_ms: expiresAtMs } = person
    const next = { ...chainOf(person, nowMs), expiresAtMs, generation: call + 1, rotatedAtMs: [nowMs, nowMs - 60_000] }
    return grants.rotate(id, { generation: call, expiresAtMs }, next, nowMs + 1e9, [issued(person, nowMs)])
  },
  'client credentials: issue': ({ accessTokens }, person, nowMs) => accessTokens.issue([issued(person, nowMs)]),
  'DPoP proof: spend': ({ spentValues }, _, nowMs) =>
    spentValues.spend(`dpop:${randomBytes(32).toString('base64url')}`, nowMs + 60_000),
  'session: renew': ({ sessions }, { session_id: id }, nowMs) => sessions.renew(id, nowMs + 1e9, nowMs),
  'sign-in: unknown browser': (storage, person, nowMs) =>
    signIn(storage, person, nowMs, ({ user }) => ({
      browser: { ...browserOf(user.id, nowMs), id: uuidv7(nowMs) },
    })),
  'sign-in: known browser': (storage, person, nowMs) =>
    signIn(storage, person, nowMs, ({ browser }) => ({
      browser: { ...(browser as KnownBrowser), lastUsedAtMs: nowMs, expiresAtMs: nowMs + 1e9 },
    })),
  'sign-in: failed': ({ users }, person, nowMs) =>
    findCandidate(users, person).then((candidate) => {
      const user = { ...candidate.user, failedAttempts: candidate.user.failedAttempts + 1 }
      const events = [{ ...issued(person, nowMs), kind: 'sign_in_failed' } as const]
      return users.recordSignIn(candidate, () => ({ outcome: 'refused', user, events }))
    }),
  'sign-in: authenticator app': (storage, person, nowMs, call) =>
    signIn(storage, person, nowMs, ({ factors }) => {
      const { totp, ...others } = factors as SecondFactors
      return { factors: { ...others, totp: { ...(totp as NonNullable<typeof totp>), lastStep: call + 1 } } }
    }),
  'sign-in: passkey': async ({ passkeys, users }, person, nowMs) => {
    const candidate = await passkeys.findForSignIn(credentialOf(person.user_id), [])
    if (candidate === undefined) throw new Error(`the passkey of ${person.name} is gone`)
    const { passkey: before } = candidate
    const next = { ...before, counter: before.counter + 1, lastUsedAtMs: nowMs }
    const events = [{ ...issued(person, nowMs), kind: 'sign_in' } as const]
    const challenge = { id: `passkey:${randomBytes(32).toString('base64url')}`, expiresAtMs: nowMs + 300_000 }
    return users.completeSignIn(
      candidate,
      () => ({ outcome: 'in', session: sessionOf(person.user_id, nowMs), passkey: { next, before }, events }),
      [challenge],
    )
  },
  'access token: revoke': ({ accessTokens }, person, nowMs) =>
    accessTokens.revoke(randomBytes(16).toString('base64url'), nowMs + 300_000, [issued(person, nowMs)]),
  // Last, because the others need the grants.
  'refresh token: revoke': ({ grants }, { grant_id: id, ...person }, nowMs) =>
    grants.revoke(id, nowMs, [issued(person, nowMs)]),
}

/** What a person or a session does once: another one comes each time. */
const once: readonly string[] = ['code: redeem, first of a session that tells of its end', 'refresh token: revoke']

async function findCandidate(users: Storage['users'], { user_id: id, name }: Person): Promise<Candidate> {
  const candidate = await users.findForSignIn({ name }, [browserIds.get(id) ?? ''])
  if (candidate === undefined) throw new Error(`${name} is gone`)
  return candidate
}

async function signIn(
  { users }: Storage,
  person: Person,
  nowMs: number,
  also: (candidate: Candidate) => Partial<SignInOutcome>,
): Promise<unknown> {
  const candidate = await findCandidate(users, person)
  const session = sessionOf(person.user_id, nowMs)
  const events = [{ ...issued(person, nowMs), kind: 'sign_in' } as const]
  return users.recordSignIn(candidate, () => ({ outcome: 'in', session, events, ...also(candidate) }))
}

/** By person. */
const browserIds = new Map<string, string>()

function browserOf(userId: string, nowMs: number): Omit<KnownBrowser, 'id'> {
  return {
    userId,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
    expiresAtMs: nowMs + 1e9,
    failedAttempts: 0,
    lockedUntilMs: null,
    userAgent: 'a browser',
    secondFactorUntilMs: null,
  }
}

const credentialOf = (userId: string): string => `credential-${userId}`

/** Everybody has a passkey and an authenticator app, of usual lengths. */
async function addFactors(ask: Ask): Promise<void> {
  await ask(`insert into passkeys (id, user_id, credential_id, public_key, counter, name, synced, transports, created_at_ms)
    select id, id, 'credential-' || id, repeat('k', 104), 0, 'A passkey', 1, '["internal","hybrid"]', 0 from users`)
  await ask(`insert into second_factors (user_id, totp_secret, totp_since_ms, totp_last_step, recovery_hashes, mail_barred, failed_attempts, version)
    select id, repeat('s', 90), 0, 0, '[' || repeat('"hhhhhhhhhhhhhhhhhhhhhh",', 9) || '"h"]', 0, 0, 1 from users`)
  await ask('vacuum (analyze) passkeys, second_factors')
}

export type Writes = {
  /** Bytes of the log for one change, without whole pages. */
  readonly bytes: number
  /** Entries added to each index, for one change. */
  readonly entries: Readonly<Record<string, number>>
  /** New versions of rows that replace another, and the share of them that writes no index. */
  readonly updates: number
  readonly hotShare: number
  /** The same share of the first change of each row, whose page is as full as it gets. */
  readonly hotShareAtFirst: number
  /** Versions of rows that nobody sees any more and that no later change has removed. */
  readonly dead: number
  /** Pages that the log would have as a whole if each change came first after a checkpoint. */
  readonly pages: number
}

/** A server for `countWrites` alone: it keeps the log until it is read, and nobody else makes it grow. */
export const startCounted = (): Promise<PostgresServer> =>
  startServer({ settings: ['wal_level=minimal', 'max_wal_senders=0', 'wal_keep_size=256MB'] })

type Counters = { readonly updates: number; readonly hot: number; readonly dead: number }
type Block = { readonly name: string; readonly kind: string; readonly inserted: number; readonly pages: number }

export type WritesOptions = { readonly calls: number; readonly together: number; readonly only: string }

/** `url`: a database that `fillInBulk` filled, on a server of `startCounted`. It keeps what is stored. */
export async function countWrites(
  url: string,
  { calls, together, only }: WritesOptions,
  beginMs = Date.now(),
): Promise<ReadonlyMap<string, Writes>> {
  let nowMs = beginMs
  // One connection: PostgreSQL counts by connection, and adds up when it is asked to.
  const adapter = openPostgres(url, { connections: 1 })
  const ask: Ask = (text) => adapter.engine.read({ mustChange: false, toSql: () => ({ text, parameters: [] }) })
  const storage = sqlStorage(adapter)
  try {
    await ask('create extension if not exists pg_walinspect')
    const people = await peopleFrom(ask, 2 * calls)
    await addFactors(ask)
    const known = await ask<{ id: string; user_id: string }>('select id, user_id from known_browsers')
    for (const { id, user_id } of known) browserIds.set(user_id, id)
    const counted = new Map<string, Writes>()
    for (const [name, change] of Object.entries(changes)) {
      if (!name.includes(only)) continue
      const round = async (call: number) => {
        for (let from = 0; from < calls; from += together) {
          const first = once.includes(name) ? call * calls : 0
          const some = people.slice(first + from, first + Math.min(calls, from + together))
          nowMs += 1
          await Promise.all(some.map((person) => change(storage, person, nowMs, call)))
        }
      }
      // Twice for each person: the second change finds what the first has left in a page.
      const atFirst = await readCounters(ask)
      await round(0)
      const before = await readCounters(ask)
      const start = await position(ask)
      await round(1)
      const end = await position(ask)
      const after = await readCounters(ask)
      const { hotShare: hotShareAtFirst } = difference(atFirst, before, calls)
      counted.set(name, {
        ...(await readLog(ask, start, end, calls)),
        ...difference(before, after, calls),
        hotShareAtFirst,
      })
    }
    return counted
  } finally {
    await storage.close()
  }
}

async function position(ask: Ask): Promise<string> {
  const [row] = await ask<{ at: string }>('select pg_current_wal_flush_lsn()::text as at')
  return (row as { at: string }).at
}

async function readCounters(ask: Ask): Promise<Counters> {
  await ask('select pg_stat_force_next_flush()')
  const [row] = await ask<Counters>(
    `select sum(n_tup_upd)::integer as updates, sum(n_tup_hot_upd)::integer as hot, sum(n_dead_tup)::integer as dead
     from pg_stat_user_tables`,
  )
  return row as Counters
}

function difference(before: Counters, after: Counters, calls: number): Pick<Writes, 'updates' | 'hotShare' | 'dead'> {
  const updates = after.updates - before.updates
  return {
    updates: updates / calls,
    hotShare: updates === 0 ? 1 : (after.hot - before.hot) / updates,
    dead: (after.dead - before.dead) / calls,
  }
}

/** What the service wrote between two places of the log; what it writes for others or the server for itself is left out. */
async function readLog(
  ask: Ask,
  start: string,
  end: string,
  calls: number,
): Promise<Pick<Writes, 'bytes' | 'entries' | 'pages'>> {
  const range = `'${start}', '${end}'`
  const ours = '(select oid from pg_database where datname = current_database())'
  // A commit has no page: it belongs to the database that its transaction changed.
  const [sum] = await ask<{ bytes: number }>(
    `with ours as materialized (select distinct start_lsn from pg_get_wal_block_info(${range}) where reldatabase = ${ours}),
       records as materialized (select * from pg_get_wal_records_info(${range}))
     select sum(record_length - coalesce(fpi_length, 0))::integer as bytes from records
     where start_lsn in (select start_lsn from ours) or xid in
       (select xid from records where xid::text <> '0' and start_lsn in (select start_lsn from ours))`,
  )
  // A record of an insertion has its page first; one that splits a page adds one entry, too.
  const blocks = await ask<Block>(
    `select c.relname as name, c.relkind as kind, count(distinct (b.relforknumber, b.relblocknumber))::integer as pages,
       count(*) filter (where b.block_id = 0 and
         (b.record_type in ('INSERT_LEAF', 'INSERT_POST', 'SPLIT_L', 'SPLIT_R')))::integer as inserted
     from pg_get_wal_block_info(${range}) b join pg_class c on c.relfilenode = b.relfilenode
     where b.reldatabase = ${ours}
     group by 1, 2 order by 1`,
  )
  const indexes = blocks.filter(({ kind, inserted }) => kind === 'i' && inserted > 0)
  return {
    bytes: (sum?.bytes ?? 0) / calls,
    entries: Object.fromEntries(indexes.map(({ name, inserted }) => [name, inserted / calls])),
    pages: blocks.reduce((all, { pages }) => all + pages, 0) / calls,
  }
}

/** Indexes and their sizes, bytes for one row. */
export async function indexSizes(url: string): Promise<readonly (readonly [string, number])[]> {
  const { engine } = openPostgres(url, { connections: 1 })
  try {
    const found = await engine.read<{ name: string; bytes: number }>({
      mustChange: false,
      toSql: () => ({
        text: `select c.relname as name, (pg_relation_size(c.oid) / greatest(t.reltuples, 1))::real as bytes
          from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
          where t.relname = 'grants' order by 1`,
        parameters: [],
      }),
    })
    return found.map(({ name, bytes }) => [name, Number(bytes)])
  } finally {
    await engine.close()
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

export function writesText(counted: ReadonlyMap<string, Writes>): string {
  const rows = [...counted].map(([name, { bytes, entries, updates, hotShare, hotShareAtFirst, dead, pages }]) => [
    name,
    bytes.toFixed(0),
    Object.values(entries)
      .reduce((all, one) => all + one, 0)
      .toFixed(2),
    updates === 0 ? '–' : percent(hotShareAtFirst),
    updates === 0 ? '–' : percent(hotShare),
    dead.toFixed(2),
    pages.toFixed(2),
    Object.entries(entries)
      .map(([index, count]) => (count.toFixed(2) === '1.00' ? index : `${count.toFixed(2)} ${index}`))
      .join(' '),
  ])
  return table(['', 'log B', 'index entries', 'HOT at first', 'HOT', 'dead', 'pages', 'indexes'], rows)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '20000' },
      calls: { type: 'string', default: '1000' },
      together: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-writes-'))
  const server = await startCounted()
  try {
    const url = await server.createDatabase()
    const settings = settingsFrom(
      { Database__Url: url, Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') },
      folder,
    )
    const storage = sqlStorage(openPostgres(url))
    const keys = await openKeyRing({ storage, settings, clock: Date.now })
    await fillInBulk({ url, storage, keys }, Number(values.rows), 1)
    await storage.close()
    const sizes = await indexSizes(url)
    const options = { calls: Number(values.calls), together: Number(values.together), only: values.only }
    const counted = await countWrites(url, options)
    process.stdout.write(
      values.json
        ? `${JSON.stringify(Object.fromEntries(counted), null, 2)}\n`
        : `${writesText(counted)}\n\nBytes of an entry in an index of grants: ${sizes.map(([name, bytes]) => `${name} ${bytes.toFixed(0)}`).join(', ')}\n`,
    )
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/**
 * Fills a PostgreSQL database with people in bulk: each has a consent, a session, a known browser, a grant with a refresh chain and
 * two entries in the audit trail, and each hundred of them a client, of which there are a hundred at least. The rows are copies of one that the service's own code
 * stored, made by the server; the trail is chained here and sent as a stream, so memory stays the same however many there are.
 */
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import postgres from 'postgres'
import { append, newTail, type Tail } from '../src/audit/chain.ts'
import { toDraft } from '../src/audit/draft.ts'
import type { StoredAuditEntry } from '../src/audit/entry.ts'
import { trailKeeper } from '../src/audit/keeper.ts'
import type { KeyRing } from '../src/keys/key-ring.ts'
import { defaultClientMetadata } from '../src/protocol/client/client-metadata.ts'
import type { Grant } from '../src/protocol/grant/grant.ts'
import { isRefusal } from '../src/refusal.ts'
import { uuidv7 } from '../src/secrets/opaque.ts'
import { seedDemo } from '../src/server/demo.ts'
import { demo } from '../src/settings/demo.ts'
import type { Storage } from '../src/storage/port/storage.ts'
import { findServer } from '../src/storage/postgres/hosts.ts'
import { columns } from '../src/storage/sql/tables.ts'
import { newRefreshChain, refreshTokenOf } from '../src/tokens/refresh.ts'
import { registerUser } from '../src/users/registration.ts'

const dayMs = 86_400_000
const lifetimeMs = 14 * dayMs
export const usersOfClient = 100
/** A page of the console's list is full with few people as with many: a page costs what it shows. */
export const clientsAtLeast = 100
/** Rows that one statement makes. */
const atOnce = 50_000
/** As many as a service has connections. */
const chains = 10
/** People who came in the same millisecond. */
const rowsInMs = 20

export type BulkContext = {
  /** The address of the database, whose schema is in place. */
  readonly url: string
  readonly storage: Storage
  readonly keys: KeyRing
  /** When the last of the rows was made, in epoch milliseconds; default: now. */
  readonly nowMs?: number
  /** Over which time before that the entries of the trail are spread; default: an hour. */
  readonly trailMs?: number
  readonly report?: (line: string) => void
}

/** Returns refresh tokens of at most `tokens` of the people, from all over the table. */
export async function fillInBulk(context: BulkContext, rows: number, tokens: number): Promise<string[]> {
  const { url, storage, keys, nowMs = Date.now(), trailMs = 3_600_000, report = () => {} } = context
  const sql = postgres(await findServer(url), {
    max: 1,
    onnotice: () => {},
    connection: { statement_timeout: 0, synchronous_commit: 'off' },
  })
  try {
    const grant = await storeFirst(storage, keys, nowMs)
    for (const [table, made] of Object.entries(copies(grant, nowMs))) {
      const count = table === 'clients' ? Math.max(clientsAtLeast, Math.ceil(rows / usersOfClient)) : rows
      await copyRows(sql, table, made, count)
      await sql.unsafe(`vacuum (analyze) ${table}`)
      report(`${table}: ${count}`)
    }
    await fillTrail(sql, rows, nowMs, trailMs)
    await sql.unsafe('vacuum (analyze) audit_entries')
    report(`audit_entries: ${2 * rows}`)
    await trailKeeper({ storage, keys, clock: () => nowMs }).checkpoint()
    return await sampledTokens(sql, grant, keys, rows, tokens)
  } finally {
    await sql.end()
  }
}

/** Stores the person number 0 and what belongs to them, through the port. */
async function storeFirst(storage: Storage, keys: KeyRing, nowMs: number): Promise<Grant> {
  await seedDemo(storage, () => nowMs, randomBytes)
  await storage.clients.create({
    id: 'application-first',
    name: 'Application',
    authentication: { method: 'none' },
    grantTypes: ['authorization_code', 'refresh_token'],
    consent: 'explicit',
    requirePkce: true,
    redirectUris: [`${demo.origin}/callback`],
    postLogoutRedirectUris: [`${demo.origin}/`],
    scopes: ['offline_access', demo.scope],
    metadata: defaultClientMetadata,
    createdAtMs: nowMs,
    version: 1,
  })
  const name = 'person-first'
  const [id, authorizationId, sessionId] = [uuidv7(nowMs), uuidv7(nowMs), uuidv7(nowMs)]
  const registration = {
    id,
    name,
    email: `${name}@example.com`,
    emailConfirmed: true,
    passwordHash: null,
    roles: [],
    claims: { name: 'Person' },
  }
  const user = registerUser(registration, nowMs)
  if (isRefusal(user) || (await storage.users.create(user)) !== 'created') throw new Error(`${name} was not created`)
  const scopes = ['openid', 'offline_access', demo.scope]
  await storage.authorizations.store({
    id: authorizationId,
    userId: id,
    clientId: demo.clientId,
    scopes,
    createdAtMs: nowMs,
  })
  const session = {
    id: sessionId,
    secretHash: 'x'.repeat(43),
    userId: id,
    authenticatedAtMs: nowMs,
    methods: ['pwd'],
    persistent: true,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + lifetimeMs,
    lastSeenAtMs: nowMs,
    clientAddress: '192.0.2.1',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  }
  const browser = {
    id: uuidv7(nowMs),
    userId: id,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
    expiresAtMs: nowMs + lifetimeMs,
    failedAttempts: 0,
    lockedUntilMs: null,
    userAgent: session.userAgent,
    secondFactorUntilMs: null,
  }
  await storage.users.recordSignIn({ user }, () => ({ outcome: 'in', session, browser, events: [] }))
  const grant: Grant = {
    id: uuidv7(nowMs),
    clientId: demo.clientId,
    userId: id,
    authorizationId,
    scopes,
    resources: [],
    authenticatedAtMs: nowMs,
    methods: ['pwd'],
    sessionId,
    nonce: null,
    claims: null,
    confirmation: null,
    createdAtMs: nowMs,
    revokedAtMs: null,
    expiresAtMs: nowMs + lifetimeMs,
    refresh: newRefreshChain(keys, nowMs + lifetimeMs, randomBytes),
  }
  if (!(await storage.grants.redeem(grant, []))) throw new Error(`the grant of ${name} was not stored`)
  return grant
}

/** A time-ordered id of row `i` (UUIDv7), as SQL. `kind`: a hexadecimal digit that tells the ids of one person apart. */
function idOf(kind: string, nowMs: number): string {
  const time = `lpad(to_hex(${nowMs - dayMs} + i / ${rowsInMs}), 12, '0')`
  const low = `lpad(to_hex(i % 256), 2, '0')`
  const random = 'md5(i::text)'
  return `substr(${time}, 1, 8) || '-' || substr(${time}, 9) || '-7${kind}' || ${low} || '-8' || substr(${random}, 1, 3) || '-' || substr(${random}, 4, 12)`
}

/** The same id, without asking the server. */
function userIdOf(row: number, nowMs: number): string {
  const time = (nowMs - dayMs + Math.floor(row / rowsInMs)).toString(16).padStart(12, '0')
  const low = (row % 256).toString(16).padStart(2, '0')
  const random = hash('md5', String(row))
  return `${time.slice(0, 8)}-${time.slice(8)}-70${low}-8${random.slice(0, 3)}-${random.slice(3, 15)}`
}

type Copy = { readonly where: string; readonly set: Readonly<Record<string, string>> }

/** For each table the row to copy, and the columns that differ in row `i`. */
function copies({ id, userId }: Grant, nowMs: number): Readonly<Record<string, Copy>> {
  const user = idOf('0', nowMs)
  const mine = (kind: string): Copy['set'] => ({ id: idOf(kind, nowMs), user_id: user })
  return {
    clients: {
      where: `id = 'application-first'`,
      set: { id: `'application-' || i`, name: `'Application ' || i` },
    },
    users: {
      where: `id = '${userId}'`,
      set: {
        id: user,
        name: `'person-' || i`,
        normalized_name: `'person-' || i`,
        name_skeleton: `'skeleton-' || i`,
        email: `'person-' || i || '@example.com'`,
        normalized_email: `'person-' || i || '@example.com'`,
        claims: `'{"name":"Person P' || i || '"}'`,
      },
    },
    user_search_keys: {
      where: `user_id = '${userId}'`,
      set: { key: `'w70' || encode(convert_to(i::text, 'UTF8'), 'hex')`, user_id: user },
    },
    authorizations: { where: `user_id = '${userId}'`, set: mine('1') },
    sessions: { where: `user_id = '${userId}'`, set: mine('2') },
    known_browsers: { where: `user_id = '${userId}'`, set: mine('3') },
    grants: {
      where: `id = '${id}'`,
      set: {
        ...mine('4'),
        authorization_id: idOf('1', nowMs),
        session_id: idOf('2', nowMs),
        salt: `translate(encode(decode(md5('salt' || i), 'hex'), 'base64'), '+/=', '-_')`,
      },
    },
  }
}

async function copyRows(sql: postgres.Sql, table: string, { where, set }: Copy, rows: number) {
  const known: Readonly<Record<string, readonly string[]>> = columns
  const names = [...new Set([...(known[table] ?? []), ...Object.keys(set)])]
  const values = names.map((name) => set[name] ?? `t.${name}`)
  for (let from = 1; from <= rows; from += atOnce) {
    const to = Math.min(rows, from + atOnce - 1)
    await sql.unsafe(
      `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
       from (select * from ${table} where ${where}) t cross join generate_series(${from}, ${to}) i`,
    )
  }
}

/** Chains a sign-in and issued tokens of each person, as a service with ten connections would have done. */
async function fillTrail(sql: postgres.Sql, rows: number, nowMs: number, trailMs: number): Promise<void> {
  const copy = await sql.unsafe(`copy audit_entries (${columns.audit_entries.join(', ')}) from stdin`).writable()
  const failed = once(copy, 'error').then(([error]) => {
    throw error
  })
  failed.catch(() => {})
  const tails: Tail[] = Array.from({ length: chains }, () => newTail('acts'))
  const perRow = trailMs / (rows + 1)
  let text = ''
  for (let row = 1; row <= rows; row += 1) {
    const userId = userIdOf(row, nowMs)
    const atMs = Math.floor(nowMs - trailMs + row * perRow)
    const at = row % chains
    for (const [kind, details] of [
      ['sign_in', { method: 'pwd' }],
      [
        'tokens_issued',
        { type: 'code', grant: userId.replace('-70', '-74'), jti: randomBytes(16).toString('base64url') },
      ],
    ] as const) {
      const event = { atMs, kind, userId, clientId: demo.clientId, traceId: randomBytes(16).toString('hex') }
      const entry = append(tails[at] as Tail, toDraft({ ...event, address: '192.0.2.1', details }), 0)
      tails[at] = entry
      text += lineOf(entry)
    }
    if (text.length < 65_536) continue
    if (!copy.write(text)) await Promise.race([once(copy, 'drain'), failed])
    text = ''
  }
  const finished = once(copy, 'finish')
  copy.end(text)
  await Promise.race([finished, failed])
}

/** A row as `copy` reads it. */
function lineOf(entry: StoredAuditEntry): string {
  const { atMs, writer, seq, kind, userId, clientId, traceId, address, details, hash } = entry
  const fields = [atMs, writer, seq, kind, userId, clientId, traceId, address, details.replaceAll('\\', '\\\\'), hash]
  return `${fields.join('\t')}\n`
}

async function sampledTokens(sql: postgres.Sql, first: Grant, keys: KeyRing, rows: number, atMost: number) {
  const every = Math.ceil(rows / atMost)
  const found = await sql.unsafe<{ id: string; salt: string }[]>(
    `select id, salt from (select id, salt, row_number() over (order by id) as n from grants where salt <> '${first.refresh?.salt}') g
     where n % ${every} = 0`,
  )
  return found.map(({ id, salt }) => {
    const refresh = { ...(first.refresh as NonNullable<Grant['refresh']>), salt }
    return refreshTokenOf({ ...first, id, refresh }, keys) as string
  })
}

/**
 * Fills a database with users, refresh tokens and clients, and writes some of the live tokens to a file. SQLite through the
 * storage port, which is fast there; PostgreSQL in bulk (`bulk.ts`), with what belongs to a person beside these.
 *
 *   node bench/seed.ts ROWS TOKENS_FILE      settings as for the service, in the environment
 */

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { openKeyRing } from '../src/keys/ring.ts'
import { defaultClientMetadata } from '../src/protocol/client/client-metadata.ts'
import type { Grant } from '../src/protocol/grant/grant.ts'
import { isRefusal } from '../src/refusal.ts'
import { uuidv7 } from '../src/secrets/opaque.ts'
import { seedDemo } from '../src/server/demo.ts'
import { demo } from '../src/settings/demo.ts'
import { readSettings } from '../src/settings/read.ts'
import { openStorage } from '../src/storage/open.ts'
import { newRefreshChain, refreshTokenOf } from '../src/tokens/refresh.ts'
import { registerUser } from '../src/users/registration.ts'
import { clientsAtLeast, fillInBulk, usersOfClient } from './bulk.ts'

/** As many as a commit takes. */
const batch = 512
/** More tokens than a run moves on, so that the rows it touches lie all over the table. */
const tokensAtMost = 20_000
const lifetimeMs = 1_209_600_000

const [rowsText = '', tokensFile = ''] = process.argv.slice(2)
const rows = Number(rowsText)
const read = readSettings({ env: process.env, cwd: process.cwd() })
if (!read.ok) throw new Error(read.problems.join('\n'))
const { settings } = read
const clock = Date.now
const target = settings.database.url
if (target.kind === 'sqlite-memory') throw new Error('a database in memory ends with this program')
const storage = await openStorage(target, { migrate: true })
const keys = await openKeyRing({ storage, settings, clock })
const tokens: string[] = []
if (target.kind === 'postgres') {
  const report = (line: string) => process.stdout.write(`${line}\n`)
  tokens.push(...(await fillInBulk({ url: target.url, storage, keys, report }, rows, tokensAtMost)))
} else await fillThroughPort()
writeFileSync(tokensFile, tokens.sort(() => Math.random() - 0.5).join('\n'), { mode: 0o600 })
await storage.close()

async function fillThroughPort(): Promise<void> {
  await seedDemo(storage, clock, randomBytes)
  const clients = Math.max(clientsAtLeast, Math.ceil(rows / usersOfClient))
  for (let client = 0; client < clients; client += 1) await addClient(client)
  for (let row = 0; row < rows; row += batch) {
    await Promise.all(Array.from({ length: Math.min(batch, rows - row) }, (_, at) => add(row + at)))
    if (row % (batch * 100) === 0) process.stdout.write(`${row}\n`)
  }
}

function isSampled(row: number): boolean {
  return row % Math.ceil(rows / tokensAtMost) === 0
}

async function addClient(number: number): Promise<void> {
  const { origin, scope } = demo
  await storage.clients.create({
    id: `application-${number}`,
    name: `Application ${number}`,
    authentication: { method: 'none' },
    grantTypes: ['authorization_code', 'refresh_token'],
    consent: 'explicit',
    requirePkce: true,
    redirectUris: [`${origin}/callback`],
    postLogoutRedirectUris: [`${origin}/`],
    scopes: ['offline_access', scope],
    metadata: defaultClientMetadata,
    createdAtMs: clock(),
    version: 1,
  })
}

async function add(row: number): Promise<void> {
  const nowMs = clock()
  const name = `person-${row}`
  const registration = {
    id: uuidv7(nowMs),
    name,
    email: `${name}@example.com`,
    emailConfirmed: true,
    passwordHash: null,
    roles: [],
  }
  const user = registerUser(registration, nowMs)
  if (isRefusal(user) || (await storage.users.create(user)) !== 'created') throw new Error(`${name} was not created`)
  const refresh = newRefreshChain(keys, nowMs + lifetimeMs, randomBytes)
  const grant: Grant = {
    id: uuidv7(nowMs),
    clientId: demo.clientId,
    userId: registration.id,
    authorizationId: null,
    scopes: ['openid', 'offline_access', demo.scope],
    resources: [],
    authenticatedAtMs: nowMs,
    methods: ['pwd'],
    sessionId: null,
    nonce: null,
    claims: null,
    confirmation: null,
    createdAtMs: nowMs,
    revokedAtMs: null,
    expiresAtMs: nowMs + lifetimeMs,
    refresh,
  }
  const event = { atMs: nowMs, kind: 'tokens_issued', userId: user.id, clientId: demo.clientId } as const
  const issued = { ...event, traceId: null, address: null, details: { type: 'code', grant: grant.id } }
  if (!(await storage.grants.redeem(grant, [issued]))) throw new Error(`the grant of ${name} was not stored`)
  if (isSampled(row)) tokens.push(refreshTokenOf(grant, keys) as string)
}

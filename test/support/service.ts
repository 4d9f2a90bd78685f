/** A whole Latchkey for a test: real HTTP on a free port, a real database, a clock that the test moves. */

import { argon2Sync, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pino } from 'pino'
import { type AppParts, buildApp } from '../../src/app.ts'
import { handlerSwitch, type Patience } from '../../src/http/handler-switch.ts'
import type { LogGate } from '../../src/http/log-gate.ts'
import type { KeyRing } from '../../src/keys/key-ring.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import type { Scope } from '../../src/protocol/scope/scope.ts'
import { uuidv7 } from '../../src/secrets/opaque.ts'
import { hashPassword } from '../../src/secrets/password.ts'
import { doctorFor } from '../../src/server/doctor/running.ts'
import { readSettings } from '../../src/settings/read.ts'
import type { Settings } from '../../src/settings/settings.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { type UptimeKeeper, uptimeKeeper } from '../../src/tokens/uptime.ts'
import type { User } from '../../src/users/user.ts'
import { freePort } from './free-port.ts'
import { openDatabase } from './sqlite.ts'

export { freePort }

export type TestService = {
  /** The issuer, with its trailing slash. */
  readonly issuer: string
  /** Where it listens, with a trailing slash: the issuer may be the name of a proxy in front. */
  readonly address: string
  readonly settings: Settings
  readonly storage: Storage
  readonly keys: KeyRing
  /** Its turns are the test's to take. */
  readonly uptime: UptimeKeeper
  /** Epoch milliseconds as the service sees them; `advance` moves them on. */
  now(): number
  advance(seconds: number): void
  /** Sets the clock forward, or back, by this much, while no time passes. */
  setClock(seconds: number): void
  /** Everything that was logged, as parsed JSON lines. */
  readonly log: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** How many are open, and how many were closed because there were too many. */
  connections(): { readonly open: number; readonly refused: number }
  stop(): Promise<void>
  /** Stops at the end of the block that declared it with `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

export const password = 'Passw0rd!'
/** One hash for all tests: hashing costs what it is meant to cost. */
export const passwordHash = await hashPassword(password)

/**
 * `password` hashed at the least cost there is, for tests in which thousands guess. A success replaces it. A hash of
 * another kind than ours has every failed sign-in wait (`src/secrets/failure-pace.ts`): a few guesses take longer with it.
 */
export const cheapPasswordHash = (() => {
  const salt = randomBytes(16)
  const parameters = { memory: 8, passes: 1, parallelism: 1 }
  const hash = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: 32, ...parameters })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=8,t=1,p=1$${text(salt)}$${text(hash)}`
})()

/** Tests send more refused requests than a minute has lines for, and read the line of each. */
export const everyLine: LogGate = { admits: () => true, suppressed: () => 0, close() {} }

type Options = Pick<
  AppParts,
  'budgets' | 'resolve' | 'providerDeadlineMs' | 'metrics' | 'tracing' | 'lifecycle' | 'logGate' | 'followEveryMs'
> & {
  /** For each check of the installation. */
  readonly checkDeadlineMs?: number
  /** How long its servers wait for a request to arrive; default: as in service. */
  readonly patience?: Patience
  /** Used instead of that of the settings, and closed at the end. */
  readonly storage?: Storage
  /** Leaves out the demo's user, client and scope, and everything else. */
  readonly isNew?: boolean
  /** A stopped service whose port, database (a file, named in `env`) and time this one takes over. */
  readonly after?: Pick<TestService, 'settings' | 'now'>
}

/** Starts a service with the demo client, scope and user. `env` holds settings in their environment form. */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  { after, patience, checkDeadlineMs, isNew = false, ...options }: Options = {},
): Promise<TestService> {
  const port = after?.settings.server.port ?? Number(env.Server__Port ?? (await freePort()))
  const read = readSettings({
    env: {
      Server__Port: String(port),
      Server__Host: '127.0.0.1',
      // What raw requests of the tests call it.
      Server__AllowedHosts: 'x',
      Database__Url: 'sqlite::memory:',
      ...env,
    },
    cwd: join(tmpdir(), 'latchkey-no-settings-here'),
  })
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const { settings } = read
  let skewMs = after === undefined ? 0 : after.now() - Date.now()
  let passedMs = 0
  const monotonic = (): number => performance.now() + passedMs
  const clock = (): number => Date.now() + skewMs
  const storage =
    options.storage ??
    (await openDatabase(settings.database.url, {
      needsConfirmedEmail: () => settings.accounts.requireConfirmedEmail,
      monotonic,
    }))
  const keys = await openKeyRing({ storage, settings, clock })
  if (after === undefined && !isNew) await seed(storage, clock())
  const log: Record<string, unknown>[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => log.push(JSON.parse(line)) })
  const uptime = uptimeKeeper({ uptimes: storage.uptimes, clock, random: randomBytes, monotonic })
  const doctor = (settings: Settings) => doctorFor({ settings, storage, clock, deadlineMs: checkDeadlineMs ?? 10_000 })
  const parts = {
    doctorFor: doctor,
    settings,
    keys,
    clock,
    random: randomBytes,
    log: logger,
    logGate: everyLine,
    uptime,
  }
  const app = await buildApp({ ...parts, ...options, storage })
  // On a machine whose cores are busy, an answer may take longer to make than a client may be silent.
  const handlers = handlerSwitch(app, { stalledTimeout: 240_000, ...patience })
  await handlers.listen({ host: '127.0.0.1', port })
  const { enabled, port: adminPort } = settings.admin
  if (enabled && adminPort !== null) {
    await handlers.listen({ host: '127.0.0.1', port: adminPort, administration: true })
  }
  const stop = async () => {
    await handlers.close()
    await storage.close()
  }
  return {
    issuer: settings.oauth.issuer,
    address: `http://127.0.0.1:${port}/`,
    settings,
    storage,
    keys,
    uptime,
    now: clock,
    advance: (seconds) => {
      skewMs += seconds * 1000
      passedMs += seconds * 1000
    },
    setClock: (seconds) => {
      skewMs += seconds * 1000
    },
    log,
    connections: handlers.connections,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Starts a service that all tests of a file share, and that stops after the last of them. */
export async function serviceForFile(...parameters: Parameters<typeof startService>): Promise<TestService> {
  const service = await startService(...parameters)
  after(() => service.stop())
  return service
}

/** Servers that wait a moment for a request to arrive, instead of half a minute; nothing else about them is changed. */
export const impatient: Patience = { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 25 }

/** What tests say of a client: the rest is that of the demo client. */
export type ClientChange = Partial<Omit<Client, 'metadata'>> & { readonly metadata?: Partial<Client['metadata']> }

export function testClient({ metadata, ...change }: ClientChange = {}): Client {
  return {
    id: 'demo',
    name: 'Demo client',
    authentication: { method: 'none' },
    grantTypes: ['authorization_code', 'refresh_token'],
    consent: 'explicit',
    requirePkce: true,
    redirectUris: ['http://localhost:5081/callback'],
    postLogoutRedirectUris: ['http://localhost:5081/'],
    scopes: ['offline_access', 'demo_api'],
    metadata: { ...defaultClientMetadata, ...metadata },
    createdAtMs: Date.now(),
    version: 1,
    ...change,
  }
}

/** Registers a client. */
export async function addClient({ storage }: Pick<TestService, 'storage'>, change: ClientChange): Promise<Client> {
  const client = testClient(change)
  await storage.clients.create(client)
  return client
}

export function testScope(name: string, change: Partial<Scope> = {}): Scope {
  return {
    name,
    displayName: null,
    description: null,
    resources: [],
    claims: [],
    purposes: {},
    localized: {},
    accessTokenType: null,
    createdAtMs: Date.now(),
    ...change,
  }
}

export function testUser(change: Partial<User> = {}): User {
  const createdAtMs = change.createdAtMs ?? Date.now()
  return {
    id: uuidv7(createdAtMs),
    name: 'alice',
    email: 'alice@example.com',
    emailConfirmed: true,
    passwordHash,
    roles: ['admin'],
    disabled: false,
    lockedUntilMs: null,
    failedAttempts: 0,
    lockoutBeganAtMs: null,
    sessionsEndedAtMs: null,
    grantsEndedAtMs: null,
    claims: {},
    attributes: {},
    deletionDueAtMs: null,
    createdAtMs,
    updatedAtMs: createdAtMs,
    version: 1,
    ...change,
  }
}

/** Adds a person of this name, with an address at example.com. */
export async function addUser(
  { storage }: Pick<TestService, 'storage'>,
  name: string,
  change: Partial<User> = {},
): Promise<User> {
  const user = testUser({ name, email: `${name}@example.com`, ...change })
  await storage.users.create(user)
  return user
}

/** The person of this name, who is there. */
export async function userNamed({ storage }: Pick<TestService, 'storage'>, name: string): Promise<User> {
  const user = await storage.users.findByName(name)
  if (user === undefined) throw new Error(`nobody is called ${name}`)
  return user
}

/** Changes what is stored of the person of this name. */
export async function changeUser(service: Pick<TestService, 'storage'>, name: string, change: Partial<User>) {
  const { id } = await userNamed(service, name)
  await service.storage.users.update(id, (user) => ({ ...user, ...change }))
}

async function seed(storage: Storage, nowMs: number): Promise<void> {
  await storage.scopes.create(testScope('demo_api', { displayName: 'Demo API' }))
  await storage.clients.create(testClient())
  await storage.users.create(testUser({ createdAtMs: nowMs }))
}

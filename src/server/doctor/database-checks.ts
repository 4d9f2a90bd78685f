/** Checks of `latchkey doctor` that need the database. They write one row and delete it, and change nothing else. */

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Finding, failed, ok, warning } from '../../finding.ts'
import { checkHistory, hasHistory, lostDatabase } from '../../keys/founding.ts'
import { activeKey, isForClients as isOnlyForClients, isPublished, purposesIn } from '../../keys/lifecycle.ts'
import { loadMasterKey } from '../../keys/master-key.ts'
import { emptyState, loadState } from '../../keys/ring-state.ts'
import type { ClientAlgorithm } from '../../protocol/client/client-metadata.ts'
import { uncommonKeyWarnings } from '../../protocol/client/signing-algorithms.ts'
import { isLoopbackHost } from '../../protocol/loopback.ts'
import { verifyPassword } from '../../secrets/password.ts'
import { demo } from '../../settings/demo.ts'
import type { Settings } from '../../settings/settings.ts'
import { openStorage } from '../../storage/open.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { kindCountedTo } from '../../storage/port/users.ts'
import { visible } from '../../text.ts'
import { whyNotHere } from '../moved.ts'
import { checkClaims } from './claim-checks.ts'
import { checkClientAddresses } from './outgoing-checks.ts'
import { checkRegistrations } from './registration-checks.ts'
import { checkRoles } from './role-checks.ts'
import { checkTrail } from './trail-checks.ts'

/** Clock difference between nodes that is worth a warning. */
const clockToleranceMs = 60_000

export async function checkDatabase(settings: Settings, nowMs: number): Promise<Finding[]> {
  const database = settings.database.url
  if (database.kind === 'sqlite-memory') return [inMemory]
  let storage: Storage
  try {
    checkHistory(settings, false)
    if (database.kind === 'sqlite' && !existsSync(database.file)) return [checkPlaceFor(database.file)]
    storage = await openStorage(database, { migrate: false, checkWay: true })
  } catch (error) {
    return [failed('database', (error as Error).message, '')]
  }
  try {
    // Tests whether the database accepts writes.
    await storage.checkWrites()
    const elsewhere = await whyNotHere(storage, database)
    if (elsewhere !== undefined) return [failed('database', elsewhere.message, '')]
    return [
      ok('database', readAndWritten),
      ...(await checkPostgres(settings)),
      await checkKeys(settings, storage, nowMs),
      ...(await checkKeyTypes(settings, storage, nowMs)),
      ...(await checkTrail(settings, storage, nowMs)),
      ...(await checkPasswordKinds(storage)),
      ...(await checkWeakPasswords(storage)),
      ...(await checkSearch(storage)),
      ...(await checkRoles(storage, true)),
      ...(await checkClaims(settings, storage)),
      ...(await checkClientAddresses(settings, storage)),
      ...(await checkRegistrations(storage)),
      ...(await checkDemo(settings, storage)),
    ]
  } catch (error) {
    return explain(settings, error as Error)
  } finally {
    await storage.close()
  }
}

/** Says what is wrong with a database that fails, in place of how the failure showed. */
async function explain({ database: { url: database } }: Settings, error: Error): Promise<Finding[]> {
  const failure = [failed('database', error.message, '')]
  if (database.kind !== 'postgres') return failure
  const { readReplication } = await import('../../storage/postgres/replicas.ts')
  const replication = await readReplication(database.url).catch(() => undefined)
  const waiting = replication && (await import('./replica-checks.ts')).checkWaiting(replication)
  return waiting?.[0] === undefined ? failure : waiting
}

const inMemory = warning(
  'database',
  'The database is in memory and is lost when the server stops.',
  'Set Database:Url to a file or a PostgreSQL server.',
)

/** Reading is not enough: a full disk is noticed by writing. */
const writtenAtMostMs = 10_000

/** Checks the open database of a running service. */
export async function checkOpenDatabase(settings: Settings, storage: Storage): Promise<Finding[]> {
  try {
    await storage.checkWrites(writtenAtMostMs)
  } catch (error) {
    return explain(settings, error as Error)
  }
  if (settings.database.url.kind === 'sqlite-memory') return [inMemory]
  return [ok('database', readAndWritten), ...(await checkPostgres(settings))]
}

const readAndWritten = 'The database can be read and written, and its schema fits this version.'

/** Checks the folder, or its closest existing parent, in which it would be created. */
function checkPlaceFor(file: string): Finding {
  let folder = dirname(file)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return ok('database', `There is no database yet; the first start creates ${file}.`)
  } catch {
    const advice = `Give the account of the service write access to ${folder}, or set Database:Url.`
    return failed('database', `There is no database, and ${file} cannot be created.`, advice)
  }
}

async function checkPostgres({ database: { url: database } }: Settings): Promise<Finding[]> {
  if (database.kind !== 'postgres') return []
  const { readReplication } = await import('../../storage/postgres/replicas.ts')
  const { hasStatementLimit } = await import('../../storage/postgres/pooler.ts')
  const [replication, isLimited] = await Promise.all([
    readReplication(database.url),
    hasStatementLimit(database.url, database.preparedStatements ?? true),
  ])
  return [
    ...(isLimited === false ? [unlimited] : []),
    ...(replication === undefined ? [] : (await import('./replica-checks.ts')).checkReplication(replication)),
  ]
}

const unlimited = warning(
  'database',
  'PostgreSQL ends no statement that takes too long: behind a pooler, statement_timeout has to be set for the account.',
  "Run in PostgreSQL, with the name of the account: alter role latchkey set statement_timeout = '5s'",
)

export async function checkKeys(settings: Settings, storage: Storage, nowMs: number): Promise<Finding> {
  const rows = await storage.keys.list()
  if (rows.length === 0 && hasHistory(settings))
    return failed('keys', lostDatabase(settings, 'has no keys').message, '')
  if (rows.length === 0) return ok('keys', 'There are no keys yet; the first start creates them.')
  const newestMs = Math.max(...rows.map((row) => row.createdAtMs))
  if (newestMs > nowMs + clockToleranceMs) {
    const message = `The newest key was created at ${new Date(newestMs).toISOString()}, which is in the future by this clock.`
    return failed('clock', message, 'Set the clocks of all nodes, preferably with a time service (NTP).')
  }
  const purposes = purposesIn(rows, settings)
  try {
    const masterKey = await loadMasterKey(settings, false)
    await loadState(rows, emptyState, purposes, masterKey, nowMs)
  } catch (error) {
    return failed('keys', (error as Error).message, '')
  }
  const isComplete = purposes.every((purpose) => activeKey(rows, purpose, nowMs) !== undefined)
  const later = isComplete ? '' : ' The next start creates keys for the algorithms that are new in the settings.'
  const imported = rows.filter((row) => row.use === 'imported' && isPublished(row, nowMs))
  const foreign = imported.map(
    ({ id, expiresAtMs }) => `${visible(id)} until ${new Date(expiresAtMs ?? 0).toISOString()}`,
  )
  const before = foreign.length === 0 ? '' : ` In the key set, from a former system: ${foreign.join(', ')}.`
  return ok('keys', `All keys can be decrypted.${later}${before}`)
}

/** Warns of keys in the key set for which some libraries refuse the whole set. */
export async function checkKeyTypes(settings: Settings, storage: Storage, nowMs: number): Promise<Finding[]> {
  const rows = (await storage.keys.list()).filter((key) => key.use === 'sign' && isPublished(key, nowMs))
  const algorithms = [...new Set(rows.map(({ algorithm }) => algorithm as ClientAlgorithm))]
  const isForClients = isOnlyForClients(settings)
  return algorithms.flatMap((algorithm) => {
    const advice = isForClients({ use: 'sign', algorithm })
      ? `If such a library is in use, register another algorithm for the clients that use ${algorithm}; then run: latchkey keys rotate`
      : `If such a library is in use, set another algorithm than ${algorithm} in OAuth:AccessTokenAlgorithm and OAuth:IdentityTokenAlgorithm; then run: latchkey keys rotate`
    return uncommonKeyWarnings([algorithm]).map((message) => warning('keys', message, advice))
  })
}

/** Tells which kinds of password hashes people have besides ours: failed sign-ins take as long as the dearest of them. */
export async function checkPasswordKinds({ passwordKinds }: Storage): Promise<Finding[]> {
  const kinds = await passwordKinds.list()
  const counted = await Promise.all(
    kinds.map(async ({ beginning }) => {
      const people = await passwordKinds.count(beginning)
      return `${nameOfKind(beginning)} (${people > kindCountedTo ? `more than ${kindCountedTo}` : people})`
    }),
  )
  if (counted.length === 0) return []
  return [ok('passwords', `People have password hashes of other kinds than ours: ${counted.join(', ')}.`)]
}

/** Without the key of a Firebase project. */
function nameOfKind(beginning: string): string {
  const [name = '', ...fields] = beginning.split('$').filter((part) => part !== '' && !part.startsWith('v='))
  const parameters = fields.join(',').split(',')
  const shown = parameters.filter((one) => /^(?:i|ln|r|p|m|t)=\d+$|^\d+$/.test(one))
  return [
    name === 'wrapped:' ? 'wrapped' : name,
    ...(name === 'wrapped:' ? parameters.slice(0, 1) : []),
    ...shown,
  ].join(' ')
}

/** Bounds what counting reads. */
const weakCountedTo = 10_000

/** Tells how many imported password hashes are left to wrap. */
export async function checkWeakPasswords({ weakPasswords }: Storage): Promise<Finding[]> {
  const left = await weakPasswords.count(weakCountedTo)
  if (left === 0) return []
  const many = left > weakCountedTo ? `More than ${weakCountedTo}` : left
  const hashes = left === 1 ? '1 imported password hash is' : `${many} imported password hashes are`
  return [ok('passwords', `${hashes} weak and left to wrap: a running service does so while nobody signs in.`)]
}

/** Tells how many people are found by their full name, while some are not yet. */
export async function checkSearch({ userSearch }: Storage): Promise<Finding[]> {
  const fill = await userSearch.fill()
  if (fill === undefined || fill.isDone) return []
  const people = fill.people === 1 ? '1 person' : `${fill.people} people`
  return [ok('search', `${people} can be found by full name so far: a running service adds the others.`)]
}

/** Warns of a demo account on a public service. */
export async function checkDemo({ oauth }: Settings, storage: Storage): Promise<Finding[]> {
  if (isLoopbackHost(new URL(oauth.issuer).hostname)) return []
  const user = await storage.users.findByName(demo.userName)
  if (user === undefined || !(await verifyPassword(user.passwordHash, demo.password))) return []
  const message = `The user ${demo.userName} has the published password of the demo.`
  return [failed('demo', message, `Run: latchkey user delete ${demo.userName}`)]
}

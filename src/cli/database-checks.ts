/** Checks of `latchkey doctor` that need the database. They write one row and delete it, and change nothing else. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkHistory, hasHistory, lostDatabase } from '../keys/founding.ts'
import { activeKey, purposesIn } from '../keys/lifecycle.ts'
import { loadMasterKey } from '../keys/master-key.ts'
import { emptyState, loadState } from '../keys/ring-state.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { verifyPassword } from '../secrets/password.ts'
import { demo } from '../server/demo.ts'
import { movedAway } from '../server/moved.ts'
import type { Settings } from '../settings/settings.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type Finding, failed, ok, warning } from './checks.ts'
import type { CommandContext } from './context.ts'
import { checkTrail } from './trail-checks.ts'

/** Clock difference between nodes that is worth a warning. */
const clockToleranceMs = 60_000

export async function checkDatabase(settings: Settings, context: CommandContext): Promise<Finding[]> {
  const database = settings.database.url
  if (database.kind === 'sqlite-memory') {
    return [
      warning(
        'database',
        'The database is in memory and is lost when the server stops.',
        'Set Database:Url to a file or a PostgreSQL server.',
      ),
    ]
  }
  let storage: Storage
  try {
    checkHistory(settings, false)
    if (database.kind === 'sqlite' && !existsSync(database.file)) return [checkPlaceFor(database.file)]
    storage = await openStorage(database, { migrate: false })
  } catch (error) {
    return [failed('database', (error as Error).message, '')]
  }
  try {
    // Tests whether the database accepts writes.
    await storage.checkWrites()
    const move = await storage.servers.findMove()
    if (move !== undefined) return [failed('database', movedAway(database, move).message, '')]
    return [
      ok('database', 'The database can be read and written, and its schema fits this version.'),
      ...(await checkReplicas(settings)),
      await checkKeys(settings, storage, context),
      await checkTrail(storage, context.clock()),
      ...(await checkDemo(settings, storage)),
    ]
  } catch (error) {
    return [failed('database', (error as Error).message, '')]
  } finally {
    await storage.close()
  }
}

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

async function checkReplicas(settings: Settings): Promise<Finding[]> {
  const database = settings.database.url
  if (database.kind !== 'postgres') return []
  const { readReplication } = await import('../storage/postgres/replicas.ts')
  const replication = await readReplication(database.url)
  return replication === undefined ? [] : (await import('./replica-checks.ts')).checkReplication(replication)
}

async function checkKeys(settings: Settings, storage: Storage, { clock }: CommandContext): Promise<Finding> {
  const rows = await storage.keys.list()
  if (rows.length === 0 && hasHistory(settings))
    return failed('keys', lostDatabase(settings, 'has no keys').message, '')
  if (rows.length === 0) return ok('keys', 'There are no keys yet; the first start creates them.')
  const nowMs = clock()
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
  return ok('keys', `All keys can be decrypted.${later}`)
}

/** Warns of a demo account on a public service. */
async function checkDemo({ oauth }: Settings, storage: Storage): Promise<Finding[]> {
  if (isLoopbackHost(new URL(oauth.issuer).hostname)) return []
  const user = await storage.users.findByName(demo.userName)
  if (user === undefined || !(await verifyPassword(user.passwordHash, demo.password))) return []
  const message = `The user ${demo.userName} has the published password of the demo.`
  return [failed('demo', message, `Run: latchkey user delete ${demo.userName}`)]
}

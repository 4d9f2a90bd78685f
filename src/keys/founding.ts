/**
 * A master key beside a database that has no keys: either a first start that is under way, or a database that was lost, moved
 * or not mounted. A mark beside the key file tells the two apart: it is there from before the key file is made until the
 * keys are in the database, also when a first start is cut off.
 */
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Settings } from '../settings/settings.ts'
import { ownMasterKeyFile } from './master-key.ts'
import { KeyRingProblem } from './problem.ts'

type KeySettings = Pick<Settings, 'keys' | 'database'>

const markOf = (keyFile: string): string => `${keyFile}.new`

/**
 * Whether the key file is of a provider that has been there before. To be asked before the keys are read: a first start that
 * ends in between has put them there by then.
 */
export function hasHistory(settings: KeySettings): boolean {
  const keyFile = ownMasterKeyFile(settings)
  return keyFile !== null && existsSync(keyFile) && !existsSync(markOf(keyFile))
}

/** Says that keys may be made although there is a key file. Throws `KeyRingProblem` when the mark cannot be written. */
export function beginFounding(settings: KeySettings): void {
  const keyFile = ownMasterKeyFile(settings)
  if (keyFile === null) return
  const mark = markOf(keyFile)
  try {
    mkdirSync(dirname(mark), { recursive: true, mode: 0o700 })
    closeSync(openSync(mark, 'a', 0o600))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new KeyRingProblem(
      `${mark} cannot be written (${code}). Make ${dirname(mark)} writable, or set Keys:MasterKey.`,
    )
  }
}

/** The keys are in the database. */
export function endFounding(settings: KeySettings): void {
  const keyFile = ownMasterKeyFile(settings)
  if (keyFile !== null) rmSync(markOf(keyFile), { force: true })
}

/**
 * Before a database is opened that may have to be made: throws `KeyRingProblem` when it would be made beside the key file of
 * an earlier one, unless the operator says that it is new.
 */
export function checkHistory(settings: KeySettings, isNew: boolean): void {
  const { database } = settings
  if (isNew) beginFounding(settings)
  if (database.kind !== 'sqlite' || !hasHistory(settings)) return
  const size = statSync(database.file, { throwIfNoEntry: false })?.size
  if (size === undefined) throw lostDatabase(settings, 'is missing')
  if (size === 0) throw lostDatabase(settings, 'is empty')
}

/** `what`: what is the matter with the database. */
export function lostDatabase(settings: KeySettings, what: string): KeyRingProblem {
  const file = settings.database.kind === 'sqlite' ? settings.database.file : ''
  return new KeyRingProblem(
    `The master key ${ownMasterKeyFile(settings)} is that of an earlier database, but ${file} ${what}. ` +
      'Check Database:Url and that its volume is mounted, or restore a backup with: latchkey db restore FILE. ' +
      'To begin again without users, clients and keys, run once: latchkey serve --new',
  )
}

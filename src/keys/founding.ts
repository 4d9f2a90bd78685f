/**
 * Distinguishes a first start from a lost database. A master key beside a database without keys means either that a
 * first start is in progress, or that the database was lost, moved or not mounted. A marker file tells the two apart:
 * it exists from before the key file is created until the keys are in the database, so it survives a first start that
 * was interrupted.
 */
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Settings } from '../settings/settings.ts'
import { KeyRingProblem, ownMasterKeyFile } from './master-key.ts'

type KeySettings = Pick<Settings, 'keys' | 'database'>

const markOf = (keyFile: string): string => `${keyFile}.new`

/**
 * Whether the key file belongs to an earlier installation. Must be called before the keys are read, because a
 * concurrent first start may finish in between.
 */
export function hasHistory(settings: KeySettings): boolean {
  const keyFile = ownMasterKeyFile(settings)
  return keyFile !== null && existsSync(keyFile) && !existsSync(markOf(keyFile))
}

/**
 * Marks that keys may be created although a key file exists. Throws `KeyRingProblem` if the marker cannot be written.
 */
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

/** Removes the marker: the keys are in the database. */
export function endFounding(settings: KeySettings): void {
  const keyFile = ownMasterKeyFile(settings)
  if (keyFile !== null) rmSync(markOf(keyFile), { force: true })
}

/**
 * Called before a database is opened that may have to be created. Throws `KeyRingProblem` if it would be created beside
 * the key file of an earlier one, unless the operator confirmed that it is new.
 */
export function checkHistory(settings: KeySettings, isNew: boolean): void {
  const database = settings.database.url
  if (isNew) beginFounding(settings)
  if (database.kind !== 'sqlite' || !hasHistory(settings)) return
  const size = statSync(database.file, { throwIfNoEntry: false })?.size
  if (size === undefined) throw lostDatabase(settings, 'is missing')
  if (size === 0) throw lostDatabase(settings, 'is empty')
}

/** `what`: the state of the database, as part of the message. */
export function lostDatabase(settings: KeySettings, what: string): KeyRingProblem {
  const file = settings.database.url.kind === 'sqlite' ? settings.database.url.file : ''
  return new KeyRingProblem(
    `The master key ${ownMasterKeyFile(settings)} is that of an earlier database, but ${file} ${what}. ` +
      'Check Database:Url and that its volume is mounted, or restore a backup with: latchkey db restore FILE. ' +
      'To start over without users, clients and keys, run once: latchkey serve --new',
  )
}

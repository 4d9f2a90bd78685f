/** Loads the master key: from the settings, from a file that they name, or from a file beside the embedded database. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { decodeMasterKey } from '../settings/kinds.ts'
import type { Settings } from '../settings/settings.ts'

export type MasterKey = {
  /** 32 bytes. */
  readonly bytes: Uint8Array
  /** The setting or file it came from, for messages. */
  readonly source: string
  /** Sentences for the operator about what should be fixed. The key is usable nevertheless. */
  readonly warnings: readonly string[]
}

/** The key ring is unusable. The message is one line for the operator: the fault and the remedy. */
export class KeyRingProblem extends Error {
  override readonly name = 'KeyRingProblem'
}

/** Describes the last resort and its cost. */
export const lostMasterKeyAdvice =
  'If it is lost for good, run: latchkey keys rotate --lost-master-key ' +
  '(all users must then sign in again; accounts and passwords stay).'

const restoreAdvice = `Restore it from a backup. ${lostMasterKeyAdvice}`

type KeySettings = Pick<Settings, 'keys' | 'database'>

/** Returns the path of the file that is created when the settings give no key; null: none is created. */
export function ownMasterKeyFile({ keys, database }: KeySettings): string | null {
  const isGiven = keys.masterKey !== null || keys.masterKeyFile !== null
  const { url } = database
  return !isGiven && url.kind === 'sqlite' ? `${url.file}.key` : null
}

/**
 * Loads the master key. `mayCreate`: a missing file beside the embedded database may be created, because nothing in the
 * database depends on an earlier key. Rejects with `KeyRingProblem`.
 */
export async function loadMasterKey(
  settings: KeySettings,
  mayCreate: boolean,
  random: (bytes: number) => Uint8Array = randomBytes,
): Promise<MasterKey> {
  const { masterKey, masterKeyFile } = settings.keys
  if (masterKey !== null) return { bytes: masterKey, source: 'Keys:MasterKey', warnings: [] }
  if (masterKeyFile !== null) {
    // Advises creating a file only if no existing keys need the old one.
    const advice = mayCreate ? `Make it with: openssl rand -base64 32 > ${masterKeyFile}` : restoreAdvice
    return (await readKeyFile(masterKeyFile, advice)) ?? missing(`Keys:MasterKeyFile names ${masterKeyFile}`, advice)
  }
  const file = ownMasterKeyFile(settings)
  if (file === null) return { bytes: random(32), source: 'a passing key', warnings: [] }
  const found = await readKeyFile(file, restoreAdvice)
  if (found !== undefined) return found
  if (!mayCreate) {
    return missing(`The keys in the database were encrypted with the master key in ${file}`, restoreAdvice)
  }
  await createKeyFile(file, random(32))
  // Another process may have created it first, so the content of the file counts.
  return (await readKeyFile(file, '')) ?? missing(`The master key was just written to ${file}`, 'Start again.')
}

async function readKeyFile(file: string, advice: string): Promise<MasterKey | undefined> {
  let text: string
  let mode: number
  try {
    text = await readFile(file, 'utf8')
    mode = (await stat(file)).mode
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new KeyRingProblem(`The master key file ${file} cannot be read (${code}). Check its owner and permissions.`)
  }
  const bytes = decodeMasterKey(text.trim())
  if (bytes === undefined) throw new KeyRingProblem(`${file} does not hold 32 bytes in base64. ${advice}`.trim())
  const isPrivate = process.platform === 'win32' || (mode & 0o077) === 0
  const warning = `The master key file ${file} can be read by other accounts of this machine. Run: chmod 600 ${file}`
  return { bytes, source: file, warnings: isPrivate ? [] : [warning] }
}

function missing(what: string, advice: string): never {
  throw new KeyRingProblem(`${what}, but there is no such file. ${advice}`)
}

/**
 * Creates the file atomically and durably: readers see all of it or nothing, even after a power loss. Keeps an existing
 * file.
 */
async function createKeyFile(file: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(file)
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(folder, { recursive: true })
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(`${Buffer.from(bytes).toString('base64')}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    try {
      // Unlike a rename, a link never replaces an existing file.
      await link(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      await unlink(draft)
    }
    await syncFolder(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new KeyRingProblem(
      `The master key cannot be written to ${file} (${code}). Make ${folder} writable, or set Keys:MasterKey.`,
    )
  }
}

/** Makes the new directory entry durable. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * The two implementations of Argon2id (RFC 9106): the optional package `@node-rs/argon2`, and `node:crypto`. Both compute the
 * same bytes; the package needs less than half of the processor time.
 */
import { argon2Sync } from 'node:crypto'
import { createRequire } from 'node:module'

export type HashRequest = {
  /** Text of the password, normalised. */
  readonly message: string
  readonly nonce: Uint8Array
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  /** Bytes. */
  readonly tagLength: number
}

export type Argon2id = (request: HashRequest) => Uint8Array

export type Implementation =
  | { readonly name: '@node-rs/argon2' }
  /** `isFault`: the package is there and is of no use. Otherwise it is not installed. */
  | { readonly name: 'node:crypto'; readonly reason: string; readonly isFault: boolean }

const packageName = '@node-rs/argon2'

/** What is used of the package. Its own types are missing where it is not installed. */
type NativePackage = { hashRawSync(password: string, options: NativeOptions): Uint8Array }
type NativeOptions = {
  readonly algorithm: number
  readonly version: number
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
  readonly outputLen: number
  readonly salt: Uint8Array
}

/** Argon2id in the numbering of the package, and version 0x13. */
const algorithm = 2
const version = 1

/** What both must agree on: the parameters of new passwords, so that the same code and as much memory are tried. */
const vector: HashRequest = {
  message: 'pässword ✓',
  nonce: Uint8Array.from({ length: 16 }, (_, at) => at * 13),
  memory: 19_456,
  passes: 2,
  parallelism: 1,
  tagLength: 32,
}

export const nodeArgon2id: Argon2id = (request) => argon2Sync('argon2id', request)

/** The function of the package. Throws when it is not installed, or not for this platform. */
export function nativeArgon2id(load: () => unknown = () => createRequire(import.meta.url)(packageName)): Argon2id {
  const { hashRawSync } = load() as NativePackage
  return ({ message, nonce, memory, passes, parallelism, tagLength }) =>
    hashRawSync(message, {
      algorithm,
      version,
      memoryCost: memory,
      timeCost: passes,
      parallelism,
      outputLen: tagLength,
      salt: nonce,
    })
}

/** Decides for the package when it is installed and computes the vector as `node:crypto` does. Takes two hashes' time. */
export function chooseImplementation(load?: () => unknown): Implementation {
  const fallBack = (reason: string, isFault: boolean): Implementation => ({ name: 'node:crypto', reason, isFault })
  let native: Argon2id
  try {
    native = nativeArgon2id(load)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [reason = ''] = message.split('\n', 1)
    return code === 'MODULE_NOT_FOUND' && reason.includes(`'${packageName}'`)
      ? fallBack(`${packageName} is not installed`, false)
      : fallBack(`${packageName} cannot be loaded: ${reason}`, true)
  }
  try {
    const computed = native(vector)
    if (Buffer.compare(computed, nodeArgon2id(vector)) === 0) return { name: packageName }
    return fallBack(`${packageName} computes another hash than node:crypto`, true)
  } catch (error) {
    return fallBack(`${packageName} fails: ${(error as Error).message}`, true)
  }
}

/** The function of an implementation that was chosen before, in another thread of this process. */
export function argon2idOf({ name }: Implementation): Argon2id {
  if (name === 'node:crypto') return nodeArgon2id
  const native = nativeArgon2id()
  return (request) => {
    try {
      return native(request)
    } catch {
      // Imported hashes may have parameters that only one of the two accepts.
      return nodeArgon2id(request)
    }
  }
}

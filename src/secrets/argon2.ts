/**
 * The two implementations of Argon2id (RFC 9106): the optional package `@node-rs/argon2`, and `node:crypto`. Both
 * compute the same bytes. The package is faster (`docs/growing.md`).
 */
import { argon2Sync } from 'node:crypto'
import { createRequire } from 'node:module'

export type HashRequest = {
  /** The normalised password. */
  readonly message: string
  readonly nonce: Uint8Array
  /** In KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  /** In bytes. */
  readonly tagLength: number
}

export type Argon2id = (request: HashRequest) => Uint8Array

export type Implementation =
  | { readonly name: '@node-rs/argon2' }
  /** `isFault`: the package is installed but unusable. Otherwise it is not installed. */
  | { readonly name: 'node:crypto'; readonly reason: string; readonly isFault: boolean }

const packageName = '@node-rs/argon2'

/** The part of the package that is used. Its own types are missing if it is not installed. */
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

/** The package's constants for Argon2id and version 0x13. */
const algorithm = 2
const version = 1

/**
 * A test vector for both implementations. Uses the parameters of new passwords, to exercise the same code and memory.
 */
const vector: HashRequest = {
  message: 'pässword ✓',
  nonce: Uint8Array.from({ length: 16 }, (_, at) => at * 13),
  memory: 19_456,
  passes: 2,
  parallelism: 1,
  tagLength: 32,
}

export const nodeArgon2id: Argon2id = (request) => argon2Sync('argon2id', request)

/** Returns the package's function. Throws if the package is not installed or does not support this platform. */
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

/**
 * Chooses the package if it is installed and computes the test vector like `node:crypto`. Takes the time of two hashes.
 */
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

/** Returns the function of an implementation that another thread of this process chose. */
export function argon2idOf({ name }: Implementation): Argon2id {
  if (name === 'node:crypto') return nodeArgon2id
  const native = nativeArgon2id()
  return (request) => {
    try {
      return native(request)
    } catch {
      // The package refuses some parameters that imported hashes may have.
      return nodeArgon2id(request)
    }
  }
}

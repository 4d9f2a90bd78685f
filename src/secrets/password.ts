/**
 * Hashes of passwords: Argon2id (RFC 9106) in the PHC string format, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 *
 * A password is normalised to NFKC first (NIST SP 800-63B §5.1.1.2 asks for NFKC or NFKD), so that it does not matter
 * whether a keyboard sends composed or decomposed, full-width or ordinary characters.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { openSemaphore } from '../semaphore.ts'
import { hashInThread } from './hash-threads.ts'

/** Too many hashes are waiting already. Becomes 503 with `Retry-After`. */
export class PasswordHashingBusy extends Error {
  override readonly name = 'PasswordHashingBusy'
}

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number }

/** OWASP's first choice for servers: 19 MiB, two passes, one lane. */
const today: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** Longer passwords are refused before any work is done on them. Bytes of UTF-8. */
export const maxPasswordBytes = 1024

/** Hashes computed at once: each takes 19 MiB and a processor. */
export const hashesAtOnce = Math.min(availableParallelism(), 4)

// Sign-ins take turns before they come here (http/attempt-limiter.ts), so this is full only of other work.
const places = openSemaphore({
  running: hashesAtOnce,
  waiting: 100,
  refusal: () => new PasswordHashingBusy('too many requests are waiting for a password check'),
})

/** How many hashes are being computed in this process, and how many wait. */
export const passwordHashingLoad = places.load

/** Whether a password can be hashed at all: at most `maxPasswordBytes`, and well-formed Unicode. */
export function isHashable(password: string): boolean {
  return password.isWellFormed() && Buffer.byteLength(password) <= maxPasswordBytes
}

/**
 * The PHC string for a new password. Rejects with `PasswordHashingBusy` when too many hashes are waiting, and throws a RangeError
 * when the password is not hashable.
 */
export async function hashPassword(
  password: string,
  random: (bytes: number) => Uint8Array = randomBytes,
): Promise<string> {
  if (!isHashable(password)) throw new RangeError(`a password has at most ${maxPasswordBytes} bytes of valid text`)
  const salt = random(saltBytes)
  const hash = await derive(password, salt, today, hashBytes)
  const { memory, passes, parallelism } = today
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}

/**
 * Whether `password` is the one behind `phc`. `null` (no such user, or a user without a password) and a string that is
 * not a hash never match, and cost as much as a wrong password. Rejects with `PasswordHashingBusy` when too many hashes are waiting.
 */
export async function verifyPassword(phc: string | null, password: string): Promise<boolean> {
  // Depends on the input alone, so a quick answer tells nothing about the user.
  if (!isHashable(password)) return false
  const stored = phc === null ? undefined : parsePhc(phc)
  const { parameters, salt, hash } = stored ?? nobody
  const computed = await derive(password, salt, parameters, hash.length)
  return timingSafeEqual(computed, hash) && stored !== undefined
}

/** Whether a hash was made with other parameters than today's; replace it at the next successful sign-in. */
export function needsRehash(phc: string): boolean {
  const stored = parsePhc(phc)
  if (stored === undefined) return true
  const { memory, passes, parallelism } = stored.parameters
  const isToday = memory === today.memory && passes === today.passes && parallelism === today.parallelism
  return !isToday || stored.salt.length !== saltBytes || stored.hash.length !== hashBytes
}

type Stored = { readonly parameters: Parameters; readonly salt: Uint8Array; readonly hash: Uint8Array }

const nobody: Stored = { parameters: today, salt: new Uint8Array(saltBytes), hash: new Uint8Array(hashBytes) }

function derive(password: string, salt: Uint8Array, parameters: Parameters, tagLength: number): Promise<Uint8Array> {
  const message = password.normalize('NFKC')
  return places.run(() => hashInThread({ message, nonce: salt, tagLength, ...parameters }))
}

function parsePhc(phc: string): Stored | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc)
  if (match === null) return undefined
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const stored = { parameters, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
  // RFC 9106 §3.1: what the function itself would refuse.
  const isValid =
    parameters.passes >= 1 &&
    parameters.parallelism >= 1 &&
    parameters.memory >= 8 * parameters.parallelism &&
    stored.salt.length >= 8 &&
    stored.hash.length >= 4
  return isValid ? stored : undefined
}

/** The PHC format's base64: the standard alphabet without padding. */
function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

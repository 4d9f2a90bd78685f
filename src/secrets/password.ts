/**
 * Password hashes: Argon2id (RFC 9106) in the PHC string format, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 *
 * A new password is normalised to NFKC first (NIST SP 800-63B §5.1.1.2 recommends NFKC or NFKD), so that it does not
 * matter whether a keyboard sends composed or decomposed, full-width or ordinary characters. A stored hash may be of the
 * password as it was typed, because it was made elsewhere.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { openSemaphore } from '../semaphore.ts'
import { hashInThread } from './hash-threads.ts'

/** Too many hashes are waiting. Becomes 503 with `Retry-After`. */
export class PasswordHashingBusy extends Error {
  override readonly name = 'PasswordHashingBusy'
}

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number }

/** The first choice in OWASP's recommendations: 19 MiB, two passes, parallelism 1. */
const today: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** UTF-8 bytes. Longer passwords are refused before any work. */
export const maxPasswordBytes = 1024

/** Hashes computed in parallel. Each takes 19 MiB and a processor. */
export const hashesAtOnce = Math.min(availableParallelism(), 4)

// Sign-ins queue before they get here (http/attempt-limiter.ts), so only other work can fill this queue.
const places = openSemaphore({
  running: hashesAtOnce,
  waiting: 100,
  refusal: () => new PasswordHashingBusy('too many requests are waiting for a password check'),
})

/** Returns how many hashes this process is computing and how many wait. */
export const passwordHashingLoad = places.load

/** Whether a password can be hashed: at most `maxPasswordBytes`, and well-formed Unicode. */
export function isHashable(password: string): boolean {
  return password.isWellFormed() && Buffer.byteLength(password) <= maxPasswordBytes
}

/**
 * Returns the PHC string of a new password. Rejects with `PasswordHashingBusy` if too many hashes are waiting, and with
 * a RangeError if the password is not hashable.
 */
export async function hashPassword(
  password: string,
  random: (bytes: number) => Uint8Array = randomBytes,
): Promise<string> {
  if (!isHashable(password)) throw new RangeError(`a password has at most ${maxPasswordBytes} bytes of valid text`)
  const salt = random(saltBytes)
  const hash = await derive(password.normalize('NFKC'), salt, today, hashBytes)
  const { memory, passes, parallelism } = today
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`
}

/**
 * Whether `password` matches `phc`. Null (no such user, or a user without a password) and malformed strings never match
 * and cost as much as a wrong password. Rejects with `PasswordHashingBusy` if too many hashes are waiting.
 */
export async function verifyPassword(phc: string | null, password: string): Promise<boolean> {
  // Depends on the input only, so the quick answer reveals nothing about the user.
  if (!isHashable(password)) return false
  const stored = phc === null ? undefined : parsePhc(phc)
  const { parameters, salt, hash } = stored ?? nobody
  const normal = password.normalize('NFKC')
  // Whether there are two forms depends on the input only, and both are always tried.
  const forms = normal === password ? [normal] : [normal, password]
  const computed = await Promise.all(forms.map((form) => derive(form, salt, parameters, hash.length)))
  const matches = computed.map((one) => timingSafeEqual(one, hash))
  return matches.includes(true) && stored !== undefined
}

/** Whether a hash has outdated parameters and should be replaced at the next successful sign-in. */
export function needsRehash(phc: string): boolean {
  const stored = parsePhc(phc)
  if (stored === undefined) return true
  const { memory, passes, parallelism } = stored.parameters
  const isToday = memory === today.memory && passes === today.passes && parallelism === today.parallelism
  return !isToday || stored.salt.length !== saltBytes || stored.hash.length !== hashBytes
}

type Stored = { readonly parameters: Parameters; readonly salt: Uint8Array; readonly hash: Uint8Array }

const nobody: Stored = { parameters: today, salt: new Uint8Array(saltBytes), hash: new Uint8Array(hashBytes) }

function derive(message: string, salt: Uint8Array, parameters: Parameters, tagLength: number): Promise<Uint8Array> {
  return places.run(() => hashInThread({ message, nonce: salt, tagLength, ...parameters }))
}

function parsePhc(phc: string): Stored | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc)
  if (match === null) return undefined
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const stored = { parameters, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
  // Limits of the function itself (RFC 9106 §3.1).
  const isValid =
    parameters.passes >= 1 &&
    parameters.parallelism >= 1 &&
    parameters.memory >= 8 * parameters.parallelism &&
    stored.salt.length >= 8 &&
    stored.hash.length >= 4
  return isValid ? stored : undefined
}

/** Base64 of the PHC format: the standard alphabet without padding. */
function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

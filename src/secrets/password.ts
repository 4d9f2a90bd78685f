/**
 * Password hashes: Argon2id (RFC 9106) in the PHC string format, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 *
 * A new password is normalised to NFKC first (NIST SP 800-63B §5.1.1.2 recommends NFKC or NFKD), so that it does not
 * matter whether a keyboard sends composed or decomposed, full-width or ordinary characters. A stored hash may be of the
 * password as it was typed, because it was made elsewhere.
 *
 * A hash of another system (`foreign-hash.ts`) is stored as it is, or wrapped: `wrapped:`, its text without the hash, a
 * colon, and Argon2id of the hash that the text leads to.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { openSemaphore } from '../semaphore.ts'
import {
  canonicalForeign,
  type ForeignHash,
  foreignSetting,
  isWeakForeign,
  parseForeign,
  parseSetting,
  wrappedMark,
} from './foreign-hash.ts'
import { hashInThread } from './hash-threads.ts'

/** Too many hashes are waiting. Becomes 503 with `Retry-After`. */
export class PasswordHashingBusy extends Error {
  override readonly name = 'PasswordHashingBusy'
}

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number }

/** The first choice in OWASP's recommendations: 19 MiB, two passes, parallelism 1. */
const today: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
/** How every hash with them begins. */
export const todaysHash = `$argon2id$v=19$m=${today.memory},t=${today.passes},p=${today.parallelism}$`
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
  return hashText(password.normalize('NFKC'), random)
}

async function hashText(message: string, random: (bytes: number) => Uint8Array): Promise<string> {
  const salt = random(saltBytes)
  const hash = await derive(message, salt, today, hashBytes)
  return `${todaysHash}${base64(salt)}$${base64(hash)}`
}

/**
 * Whether `password` matches `stored`. Null (no such user, or a user without a password) and malformed strings never match
 * and cost as much as a wrong password. A foreign hash costs its own work on top, whether or not it is wrapped. Rejects
 * with `PasswordHashingBusy` if too many hashes are waiting.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  // Depends on the input only, so the quick answer reveals nothing about the user.
  if (!isHashable(password)) return false
  const parsed = stored === null ? undefined : parseStored(stored)
  const { parameters, salt, hash } = parsed?.own ?? nobody
  const normal = password.normalize('NFKC')
  // Whether there are two forms depends on the input only, and both are always tried.
  const forms = normal === password ? [normal] : [normal, password]
  const matches = await Promise.all(
    forms.map(async (form) => {
      const inner = parsed?.foreign && (await deriveForeign(parsed.foreign, form))
      const computed = await derive(inner === undefined ? form : wrappedMessage(inner), salt, parameters, hash.length)
      const isOwn = timingSafeEqual(computed, hash)
      return parsed?.own === undefined ? inner !== undefined && isEqual(inner, parsed?.foreign?.hash) : isOwn
    }),
  )
  return matches.includes(true) && parsed !== undefined
}

/**
 * Returns a hash that was made elsewhere as it is stored: one of ours, a wrapped one included, or the canonical form of a
 * foreign one. Undefined: it is neither.
 */
export function acceptHash(text: string): string | undefined {
  const isOwn = text.startsWith(wrappedMark) ? parseStored(text) !== undefined : parsePhc(text) !== undefined
  return isOwn ? text : canonicalForeign(text)
}

/** Whether a stored hash is a foreign one that is to be wrapped. */
export function isWeakHash(stored: string): boolean {
  const foreign = parseForeign(stored)
  return foreign !== undefined && isWeakForeign(foreign)
}

/** Returns a foreign hash wrapped. Undefined: it is not weak, or wrapped already. */
export async function wrapHash(
  stored: string,
  random: (bytes: number) => Uint8Array = randomBytes,
): Promise<string | undefined> {
  const foreign = parseForeign(stored)
  if (foreign === undefined || !isWeakForeign(foreign)) return undefined
  const outer = await hashText(wrappedMessage(foreign.hash), random)
  return `${wrappedMark}${foreignSetting(foreign)}:${outer}`
}

/** Whether `stored` is the hash that was checked, or was made of it by wrapping it since. */
export function provesStored(checked: string | null, stored: string | null): boolean {
  if (checked === stored) return true
  const foreign = checked === null ? undefined : parseForeign(checked)
  return foreign !== undefined && stored?.startsWith(`${wrappedMark}${foreignSetting(foreign)}:`) === true
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

function deriveForeign(foreign: ForeignHash, password: string): Promise<Uint8Array> {
  return places.run(() => hashInThread({ foreign, password }))
}

/** Text, because the optional package takes no other passwords. */
function wrappedMessage(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64')
}

/** `own` is what Argon2id must compute; without it, the foreign hash itself is compared. */
type Parsed =
  | { readonly own: Stored; readonly foreign?: ForeignHash }
  | { readonly own?: undefined; readonly foreign: ForeignHash }

function parseStored(text: string): Parsed | undefined {
  if (!text.startsWith(wrappedMark)) {
    const own = parsePhc(text)
    if (own !== undefined) return { own }
    const foreign = parseForeign(text)
    return foreign && { foreign }
  }
  const end = text.lastIndexOf(':')
  const own = parsePhc(text.slice(end + 1))
  const foreign = parseSetting(text.slice(wrappedMark.length, end))
  return own && foreign && { own, foreign }
}

function isEqual(computed: Uint8Array, hash: Uint8Array | undefined): boolean {
  return hash !== undefined && computed.length === hash.length && timingSafeEqual(computed, hash)
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

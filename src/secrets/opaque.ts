/**
 * Opaque values: a time-ordered record id followed by 256 random bits. The id finds the row; the secret part is
 * compared with a stored hash.
 *
 * Belongs here: hashing passwords, sealing and signing values, random values. Cryptography is that of `node:crypto`.
 * Belongs elsewhere: the keys themselves (`keys/`), and tokens (`tokens/`).
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

type Random = (bytes: number) => Uint8Array

const idBytes = 16
const secretBytes = 32

/** The parts of a well-formed value. Only the stored hash tells whether it is genuine. */
export type OpaqueParts = {
  /** UUIDv7 in its usual text form. */
  readonly id: string
  readonly secret: Uint8Array
  /** SHA-256 of the secret, base64url; the part that is stored. */
  readonly secretHash: string
}

/**
 * Returns a UUID of version 7 (RFC 9562 §5.7): its first 48 bits are `nowMs`, so that text order is the order of
 * creation.
 */
export function uuidv7(nowMs: number, random: Random = randomBytes): string {
  const bytes = Buffer.from(random(idBytes))
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return uuidText(bytes)
}

/** Returns a new value for the record `id`: 64 base64url characters. */
export function mintOpaque(id: string, random: Random = randomBytes): OpaqueParts & { readonly value: string } {
  const secret = random(secretBytes)
  const value = Buffer.concat([uuidBytes(id), secret]).toString('base64url')
  return { id, secret, secretHash: hashSecret(secret), value }
}

/** Parses a value from `mintOpaque`; undefined: malformed. */
export function parseOpaque(value: string): OpaqueParts | undefined {
  const bytes = decode(value, idBytes + secretBytes)
  return bytes && partsOf(bytes.subarray(0, idBytes), bytes.subarray(idBytes))
}

/** SHA-256, base64url (43 characters). A fast hash suffices, because 256 random bits cannot be guessed. */
export function hashSecret(secret: Uint8Array | string): string {
  return hash('sha256', secret, 'base64url')
}

/** Compares two hashes in constant time. */
export function secretMatches(hashA: string, hashB: string): boolean {
  const a = Buffer.from(hashA)
  const b = Buffer.from(hashB)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns a new secret of a client with its hash. RFC 6749 §10.10 demands at least 128 bits. */
export function mintClientSecret(random: Random = randomBytes): { readonly secret: string; readonly hash: string } {
  const secret = Buffer.from(random(secretBytes)).toString('base64url')
  return { secret, hash: hashSecret(secret) }
}

/** Whether the client presented the secret with this hash. Constant-time. */
export function clientSecretMatches(secret: string, secretHash: string): boolean {
  return secretMatches(hashSecret(secret), secretHash)
}

/** Whether the stored hash of a client's secret was made by another system (`client-secrets.ts`). */
export function isForeignSecret(secretHash: string): boolean {
  return secretHash.startsWith('$')
}

/**
 * Decodes canonical base64url (RFC 4648 §5) of exactly `length` bytes, so that each value has one spelling. The decoder skips other
 * characters, so a value with one differs from its encoding. Returns undefined for any other value.
 */
function decode(value: string, length: number): Buffer | undefined {
  if (value.length !== Math.ceil((length * 4) / 3)) return undefined
  const bytes = Buffer.from(value, 'base64url')
  return bytes.toString('base64url') === value ? bytes : undefined
}

/** Returns undefined if the id is not a UUIDv7. */
function partsOf(id: Uint8Array, secret: Uint8Array): OpaqueParts | undefined {
  const text = uuidText(Buffer.from(id))
  if (!/^.{14}7.{4}[89ab]/.test(text)) return undefined
  return { id: text, secret, secretHash: hashSecret(secret) }
}

/**
 * Returns the 16 bytes of a UUID. Throws a RangeError for anything else: ids are the service's own, never a client's.
 */
function uuidBytes(id: string): Buffer {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new RangeError('not a UUID')
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

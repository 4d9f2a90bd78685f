/** One-time codes of authenticator apps (RFC 6238: SHA-1, six digits, 30 seconds), and their secrets as they are stored. */
import { Secret, TOTP } from 'otpauth'
import type { KeyRing } from '../keys/key-ring.ts'
import { sealText, unsealText } from './sealed.ts'

const periodSeconds = 30
/** Steps before and after the present one whose codes are accepted, for clocks that differ. */
const stepsAround = 1
/** RFC 4226 §4 recommends 160 bits. */
const secretBytes = 20

/** Returns a new secret: 160 random bits in Base32, as apps accept it. */
export function mintTotpSecret(random: (bytes: number) => Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(random(secretBytes)).buffer }).base32
}

/** Returns the address that apps read from a picture. `issuer`: what the app calls the service. */
export function totpUri(secret: string, issuer: string, account: string): string {
  // A colon separates the two in the label.
  const plain = (text: string): string => text.replaceAll(':', ' ')
  return new TOTP({ secret, issuer: plain(issuer), label: plain(account), period: periodSeconds }).toString()
}

/**
 * Returns the time step (RFC 6238 §4.2) whose code this is, at most one away from the present; undefined: the code is
 * wrong. Blanks in the code are ignored. Compares in constant time.
 */
export function matchingStep(secret: string, code: string, nowMs: number): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = new TOTP({ secret, period: periodSeconds })
  const delta = totp.validate({ token, timestamp: nowMs, window: stepsAround })
  return delta === null ? undefined : stepAt(nowMs) + delta
}

function stepAt(nowMs: number): number {
  return Math.floor(nowMs / (periodSeconds * 1000))
}

const sealLabel = 'latchkey authenticator app v1'

/** Seals the secret of an authenticator app for storage. */
export function sealTotpSecret(keys: KeyRing, secret: string, random: (bytes: number) => Uint8Array): string {
  return sealText(keys, 'factor', sealLabel, secret, random)
}

/** Returns the secret; undefined: nothing that was sealed. */
export function unsealTotpSecret(keys: KeyRing, sealed: string): string | undefined {
  return unsealText(keys, 'factor', sealLabel, sealed)
}

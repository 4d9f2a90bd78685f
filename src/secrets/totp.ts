/**
 * One-time codes of authenticator apps (RFC 6238), and their secrets as they are stored. Those that are set up here have SHA-1, six digits
 * and 30 seconds; those of another system keep what they have.
 */
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

/** How an app makes codes. */
export type CodeForm = {
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512'
  readonly digits: 6 | 8
  /** Seconds. */
  readonly period: 30 | 60
}

const usualForm: CodeForm = { algorithm: 'SHA1', digits: 6, period: periodSeconds }

/** Returns the secret (Base32) with the form, as it is sealed: the secret alone where the form is the usual one. */
export function withForm(secret: string, form: CodeForm): string {
  const { algorithm, digits, period } = form
  const isUsual = algorithm === 'SHA1' && digits === 6 && period === periodSeconds
  return isUsual ? secret : `${secret} ${algorithm} ${digits} ${period}`
}

/** Reads what `withForm` returned. */
export function formOf(text: string): CodeForm & { readonly secret: string } {
  const [secret = '', algorithm, digits, period] = text.split(' ')
  if (algorithm === undefined) return { ...usualForm, secret }
  return { secret, algorithm, digits: Number(digits), period: Number(period) } as CodeForm & { readonly secret: string }
}

/**
 * Returns the time step (RFC 6238 §4.2) whose code this is, at most one away from the present; undefined: the code is
 * wrong. Blanks in the code are ignored. Compares in constant time. `sealed`: as `withForm` returns it.
 */
export function matchingStep(sealed: string, code: string, nowMs: number): number | undefined {
  const { secret, algorithm, digits, period } = formOf(sealed)
  const token = code.replaceAll(/\s/g, '')
  if (token.length !== digits || !/^\d+$/.test(token)) return undefined
  const totp = new TOTP({ secret, algorithm, digits, period })
  const delta = totp.validate({ token, timestamp: nowMs, window: stepsAround })
  return delta === null ? undefined : Math.floor(nowMs / (period * 1000)) + delta
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

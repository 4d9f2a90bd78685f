/** How other systems keep passwords and second factors. */
import { isObject } from '../protocol/json-value.ts'
import { type ForeignHash, foreignText } from '../secrets/foreign-hash.ts'
import { isStrongCode } from '../users/imported-person.ts'
import { UnreadableSource } from './source.ts'
import type { RowResult } from './source-table.ts'
import type { TableRow } from './tables.ts'

/** The authenticator app and recovery codes of ASP.NET Core Identity. A key that is not enabled waits for its first code. */
export function identityFactors(isEnabled: boolean, rows: unknown): RowResult {
  if (!isEnabled) return {}
  const own = (rows as readonly TableRow[]).filter(({ LoginProvider }) => LoginProvider === '[AspNetUserStore]')
  const tokens = new Map(own.map(({ Name, Value }) => [Name, Value]))
  const secret = tokens.get('AuthenticatorKey') ?? undefined
  // Codes by text message or mail: the person comes with the password alone.
  if (secret === undefined) return { notKept: ['TwoFactorEnabled'] }
  const all = (tokens.get('RecoveryCodes') ?? '').split(';').filter((code) => code !== '')
  // Earlier versions made codes of 32 bits.
  const codes = all.filter(isStrongCode)
  return {
    members: { totp_secret: secret, ...(codes.length > 0 && { recovery_codes: codes }) },
    notKept: codes.length < all.length ? ['RecoveryCodes'] : [],
  }
}

/** The authenticator app of Auth0. Other factors are reported. */
export function auth0Factors(factors: unknown): RowResult {
  const all: readonly unknown[] = Array.isArray(factors) ? factors : []
  const apps = all.flatMap((one) => (isObject(one) && isObject(one.totp) ? [one.totp] : []))
  return { members: { totp_secret: apps[0]?.secret }, notKept: apps.length < all.length ? ['mfa_factors'] : [] }
}

/** What the hashes of a project have in common. */
type FirebaseParameters = Omit<Extract<ForeignHash, { readonly kind: 'firebase' }>, 'kind' | 'salt' | 'hash'>

/** Reads the parameters as JSON, or as the console of Firebase shows them. Throws `UnreadableSource`. */
export function firebaseParameters(text: string): FirebaseParameters {
  const value = (name: string): string => new RegExp(`"?${name}"?\\s*[:=]\\s*"?([^",\\s}]+)`).exec(text)?.[1] ?? ''
  const [logN, r] = [Number(value('mem_cost')), Number(value('rounds'))]
  const signerKey = anyBase64(value('base64_signer_key'))
  const separator = anyBase64(value('base64_salt_separator'))
  if (!signerKey?.length || separator === undefined || !(logN > 0) || !(r > 0)) {
    const members = 'base64_signer_key, base64_salt_separator, rounds and mem_cost'
    throw new UnreadableSource(`The file of --hash-parameters must have ${members}.`)
  }
  // RFC 7914 §2, and 256 MiB for a check.
  const isBounded =
    Number.isInteger(logN) && Number.isInteger(r) && logN <= 24 && r <= 64 && 128 * r * 2 ** logN <= 2 ** 28
  if (!isBounded || signerKey.length > 256 || separator.length > 64) {
    throw new UnreadableSource('The parameters of --hash-parameters would take more than 256 MiB of memory to check.')
  }
  return { signerKey, separator, logN, r }
}

export function scryptOfFirebase(hashText: unknown, saltText: unknown, parameters: unknown): RowResult {
  const [hash, salt] = [anyBase64(hashText), anyBase64(saltText)]
  if (!hash?.length) return {}
  if (parameters === undefined) {
    return { fault: 'The password hash needs the parameters of the project (--hash-parameters).' }
  }
  if (salt === undefined) return {}
  const stored = foreignText({ kind: 'firebase', ...(parameters as FirebaseParameters), salt, hash })
  return { members: { password_hash: stored } }
}

/** Base64, of either alphabet. */
function anyBase64(text: unknown): Buffer | undefined {
  return typeof text === 'string' && /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

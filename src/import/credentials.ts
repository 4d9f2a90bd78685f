/** How other systems keep passwords and second factors. */
import type { JsonObject } from '../protocol/json-value.ts'
import { type ForeignHash, foreignText } from '../secrets/foreign-hash.ts'
import { emailFault } from '../users/email.ts'
import { isStrongCode } from '../users/imported-factors.ts'
import { commandOf } from './commands.ts'
import { type Note, UnreadableSource } from './source.ts'
import type { RowResult } from './source-table.ts'
import type { TableRow } from './tables.ts'

/**
 * The authenticator app, recovery codes and passkeys of ASP.NET Core Identity. A key of an app that is not enabled waits for its first code.
 * Codes by mail or text message have no key: the person is held, and never comes in with the password alone.
 */
export function identityFactors(
  isEnabled: boolean,
  rows: unknown,
  person: { readonly email: unknown; readonly name: unknown },
  { passkeys, notes }: { readonly passkeys: readonly JsonObject[]; readonly notes: readonly Note[] },
): RowResult {
  const all = rows as readonly TableRow[]
  const tokens = all
    .filter(({ LoginProvider }) => LoginProvider !== '[AspNetUserStore]')
    .map((row) => row.LoginProvider)
  const reason = 'Tokens that a provider gave do not come.'
  const lost = [...new Set(tokens)].map((provider) => ({ member: `AspNetUserTokens ${provider}`, reason }))
  const keys = passkeys.length > 0 ? { passkeys } : {}
  if (!isEnabled) return { members: keys, lost, notes }
  const own = new Map(
    all.filter(({ LoginProvider }) => LoginProvider === '[AspNetUserStore]').map(({ Name, Value }) => [Name, Value]),
  )
  const secret = own.get('AuthenticatorKey') ?? undefined
  if (secret === undefined) {
    const held = heldFactor(person, passkeys.length > 0)
    return { members: { ...keys, had_second_factor: true }, lost, notes: [...notes, held] }
  }
  const codes = (own.get('RecoveryCodes') ?? '').split(';').filter((code) => code !== '')
  // Earlier versions made codes of 32 bits.
  const kept = codes.filter(isStrongCode)
  const weak = { member: 'RecoveryCodes', reason: 'Recovery codes of earlier versions can be guessed.' }
  return {
    members: { ...keys, totp_secret: secret, ...(kept.length > 0 && { recovery_codes: kept }) },
    lost: kept.length < codes.length ? [...lost, weak] : lost,
    notes,
  }
}

/** `factor`: what it was, without an article. */
export function heldFactor(
  { email, name }: { readonly email: unknown; readonly name: unknown },
  hasPasskey: boolean,
  factor = 'codes by mail or text message',
): Note {
  const had = `${name} had a second factor without an authenticator app: ${factor}.`
  if (hasPasskey) {
    const reason = `${had} The next sign-in asks for a passkey after the password.`
    return { member: 'TwoFactorEnabled', severity: 'changed', reason }
  }
  const isMailed = typeof email === 'string' && email !== '' && emailFault(email) === undefined
  const then =
    'The next sign-in asks for a code by mail after the password, and then for an authenticator app or passkey.'
  const helped = 'There is no e-mail address for a code: an operator helps.'
  const note = { member: 'TwoFactorEnabled', severity: 'held', reason: `${had} ${isMailed ? then : helped}` } as const
  return isMailed ? note : { ...note, ...commandOf('user recover', name) }
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

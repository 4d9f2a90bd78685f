/** How other systems keep passwords and second factors. */
import { Secret } from 'otpauth'
import { isObject, type JsonObject } from '../protocol/json-value.ts'
import { type ForeignHash, foreignText } from '../secrets/foreign-hash.ts'
import { emailFault } from '../users/email.ts'
import { isStrongCode } from '../users/imported-person.ts'
import { commandOf } from './commands.ts'
import { jsonOf, type Note, UnreadableSource } from './source.ts'
import type { RowResult } from './source-table.ts'
import type { TableRow } from './tables.ts'

/** A type of credentials of Keycloak: the member here, how it reads, and why not. */
type Kept = readonly [
  to: string,
  read: (data: JsonObject, secret: JsonObject) => string | undefined,
  fault: (data: JsonObject) => string,
]

const hash: Kept = ['password_hash', keycloakHash, (data) => `The password hash (${data.algorithm}) is not supported.`]
const codesFault = 'The one-time codes must be TOTP with SHA-1, six digits and 30 seconds.'
const codes: Kept = ['totp_secret', keycloakSecret, () => codesFault]
const keycloakTypes = new Map<unknown, Kept>(Object.entries({ password: hash, otp: codes, totp: codes }))

/** Credentials have two members of JSON text; those of before version 8 have the members themselves. */
export function keycloakCredentials(list: unknown): RowResult {
  const members: Record<string, string> = {}
  const others = new Set<string>()
  for (const one of Array.isArray(list) ? list : []) {
    const kept = keycloakTypes.get(one?.type)
    if (kept === undefined) {
      others.add(`credentials.${String(one?.type)}`)
      continue
    }
    const [data, secret] = [objectIn(one.credentialData) ?? one, objectIn(one.secretData) ?? one]
    const [to, read, fault] = kept
    const text = read(data, secret)
    if (text === undefined) return { fault: fault(data) }
    members[to] = text
  }
  return { members, notKept: [...others] }
}

function keycloakHash(data: JsonObject, secret: JsonObject): string | undefined {
  const hash = base64(secret.value ?? secret.hashedSaltedValue)
  const salt = base64(secret.salt)
  const rounds = Number(data.hashIterations)
  if (hash === undefined || salt === undefined || !Number.isInteger(rounds)) return undefined
  if (data.algorithm === 'argon2') return argon2(data, salt, hash, rounds)
  const name = /^pbkdf2(?:-(sha256|sha512))?$/.exec(String(data.algorithm))
  if (name === null) return undefined
  const digest = (name[1] ?? 'sha1') as 'sha1' | 'sha256' | 'sha512'
  return foreignText({ kind: 'pbkdf2', digest, rounds, salt, hash })
}

function argon2(data: JsonObject, salt: Buffer, hash: Buffer, passes: number): string | undefined {
  const parameters = isObject(data.additionalParameters) ? data.additionalParameters : {}
  const value = (name: string) => String([parameters[name]].flat()[0])
  const type = value('type')
  if (!['id', 'i', 'd'].includes(type) || value('version') !== '1.3') return undefined
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const numbers = `m=${Number(value('memory'))},t=${passes},p=${Number(value('parallelism'))}`
  return `$argon2${type}$v=19$${numbers}$${text(salt)}$${text(hash)}`
}

/** Keycloak stores the bytes of the secret as text, or says that it is Base32. */
function keycloakSecret(data: JsonObject, { value }: JsonObject): string | undefined {
  const { subType = 'totp', digits = 6, period = 30, algorithm = 'HmacSHA1', secretEncoding } = data
  if (subType !== 'totp' || digits !== 6 || period !== 30 || algorithm !== 'HmacSHA1') return undefined
  if (typeof value !== 'string') return undefined
  return secretEncoding === 'BASE32' ? value : Secret.fromUTF8(value).base32
}

function objectIn(text: unknown): JsonObject | undefined {
  const value = typeof text === 'string' ? jsonOf(text) : undefined
  return isObject(value) ? value : undefined
}

function base64(text: unknown): Buffer | undefined {
  return typeof text === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/**
 * The authenticator app and recovery codes of ASP.NET Core Identity. A key that is not enabled waits for its first code. Codes by mail or
 * text message have no key: the person is held, and never comes in with the password alone.
 */
export function identityFactors(isEnabled: boolean, rows: unknown, email: unknown, name: unknown): RowResult {
  const all = rows as readonly TableRow[]
  const tokens = all
    .filter(({ LoginProvider }) => LoginProvider !== '[AspNetUserStore]')
    .map((row) => row.LoginProvider)
  const reason = 'Tokens that a provider gave do not come.'
  const lost = [...new Set(tokens)].map((provider) => ({ member: `AspNetUserTokens ${provider}`, reason }))
  if (!isEnabled) return { lost }
  const own = new Map(
    all.filter(({ LoginProvider }) => LoginProvider === '[AspNetUserStore]').map(({ Name, Value }) => [Name, Value]),
  )
  const secret = own.get('AuthenticatorKey') ?? undefined
  if (secret === undefined) return { members: { had_second_factor: true }, lost, notes: [heldFactor(email, name)] }
  const codes = (own.get('RecoveryCodes') ?? '').split(';').filter((code) => code !== '')
  // Earlier versions made codes of 32 bits.
  const kept = codes.filter(isStrongCode)
  const weak = { member: 'RecoveryCodes', reason: 'Recovery codes of earlier versions can be guessed.' }
  return {
    members: { totp_secret: secret, ...(kept.length > 0 && { recovery_codes: kept }) },
    lost: kept.length < codes.length ? [...lost, weak] : lost,
  }
}

function heldFactor(email: unknown, name: unknown): Note {
  const had = `${name} had a second factor without an authenticator app: codes by mail or text message.`
  const isMailed = typeof email === 'string' && email !== '' && emailFault(email) === undefined
  const then =
    'The next sign-in asks for a code by mail after the password, and then for an authenticator app or passkey.'
  const helped = 'There is no e-mail address for a code: an operator helps.'
  const note = { member: 'TwoFactorEnabled', severity: 'held', reason: `${had} ${isMailed ? then : helped}` } as const
  return isMailed ? note : { ...note, ...commandOf('user recover', name) }
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

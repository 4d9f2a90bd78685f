/** How Keycloak keeps passwords and second factors. */
import { Secret } from 'otpauth'
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import { foreignText } from '../../secrets/foreign-hash.ts'
import { foreignPrefix } from '../../secrets/recovery-codes.ts'
import { appForm, readSecret } from '../../users/imported-factors.ts'
import { keycloakPasskey, usablePasskeys } from '../passkeys.ts'
import { jsonOf, type Lost, type Note, type PasskeyFacts } from '../source.ts'
import { listIn } from './realm-file.ts'

type Credentials = {
  readonly members: JsonObject
  readonly lost: readonly Lost[]
  readonly notes: readonly Note[]
  /** Whether there was a second factor, and no authenticator app comes. */
  readonly isWithoutApp: boolean
  /** Whether there was a second factor, and nothing comes that could prove one. */
  readonly isHeld: boolean
  /** Whether an authenticator app comes, or a key that is asked for after the password. */
  readonly hasFactor: boolean
}

/** The hosts (relying party ids) of a realm; undefined: the export does not say them. */
export type PasskeyHosts = { readonly webauthn: string | undefined; readonly passwordless: string | undefined }
export type KeycloakPasskeys = { readonly facts: PasskeyFacts | undefined; readonly hosts: PasskeyHosts }

const codesReason =
  'Its one-time codes are not TOTP of SHA-1, SHA-256 or SHA-512 with six or eight digits every 30 or 60 seconds.'
const appsAtMost = 5

/** Credentials have two members of JSON text; those of before version 8 have the members themselves. */
export function keycloakCredentials(list: unknown, { facts, hosts }: KeycloakPasskeys): Credentials {
  const members: Record<string, unknown> = {}
  const lost: Lost[] = []
  const notes: Note[] = []
  const apps: JsonObject[] = []
  const keys: { member: string; record: JsonObject }[] = []
  let hasFactor = false
  for (const one of listIn(list)) {
    const [data, secret] = [objectIn(one.credentialData) ?? one, objectIn(one.secretData) ?? one]
    const member = `credentials.${one.type}`
    const label = typeof one.userLabel === 'string' && one.userLabel !== '' ? ` (${one.userLabel})` : ''
    switch (one.type) {
      case 'password': {
        const hash = hashOf(data, secret)
        if (hash !== undefined) members.password_hash = hash
        else
          notes.push({ member, severity: 'held', reason: `The password hash (${data.algorithm}) is not known here.` })
        break
      }
      case 'otp':
      case 'totp': {
        hasFactor = true
        const app = codesOf(data, secret)
        if (app === undefined)
          notes.push({ member, severity: 'lost', reason: `An authenticator app${label}: ${codesReason}` })
        else if (apps.length === appsAtMost)
          notes.push({ member, severity: 'lost', reason: `An authenticator app${label} is more than ${appsAtMost}.` })
        else apps.push({ ...app, ...(typeof one.userLabel === 'string' && { name: one.userLabel }) })
        break
      }
      // A second factor.
      case 'webauthn':
        hasFactor = true
        keys.push({ member, record: keycloakPasskey(one, data, hosts.webauthn) })
        break
      // Signs in by itself.
      case 'webauthn-passwordless':
        keys.push({ member, record: keycloakPasskey(one, data, hosts.passwordless) })
        break
      case 'recovery-authn-codes': {
        hasFactor = true
        const codes = recoveryHashes(data, secret)
        if (codes !== undefined) members.recovery_codes = codes
        else lost.push({ member, reason: 'These recovery codes are not hashed by SHA-512.' })
        break
      }
      case 'password-history':
        lost.push({ member, reason: 'Passwords of before are not remembered.' })
        break
      default:
        hasFactor = true
        lost.push({ member, reason: 'Latchkey does not know this kind of credential.' })
    }
  }
  if (apps.length > 0) members.authenticator_apps = apps
  const usable = usablePasskeys(keys, facts)
  notes.push(...usable.notes)
  if (usable.passkeys.length > 0) members.passkeys = usable.passkeys
  const isWithoutApp = hasFactor && apps.length === 0
  const isHeld = isWithoutApp && usable.passkeys.length === 0
  if (isHeld && members.recovery_codes !== undefined) {
    // They stand in for a factor, and are none.
    delete members.recovery_codes
    lost.push({ member: 'credentials.recovery-authn-codes', reason: 'Recovery codes end with the last other factor.' })
  }
  const hasSecondFactor = apps.length > 0 || usable.passkeys.some((one) => one.second_factor === true)
  return { members, lost, notes, isWithoutApp, isHeld, hasFactor: hasSecondFactor }
}

/** The unused codes; undefined: hashed in another way. Keycloak called SHA-512 by the name of a signature once. */
function recoveryHashes({ algorithm, hashIterations = 1 }: JsonObject, { codes }: JsonObject): string[] | undefined {
  if (!['SHA-512', 'RS512'].includes(String(algorithm)) || hashIterations !== 1) return undefined
  const hashes = listIn(codes).map(({ encodedHashedValue: hash }) => base64(hash))
  return hashes.every((hash) => hash?.length === 64)
    ? hashes.map((hash) => foreignPrefix + hash?.toString('base64'))
    : undefined
}

function hashOf(data: JsonObject, secret: JsonObject): string | undefined {
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
function codesOf(data: JsonObject, { value }: JsonObject): JsonObject | undefined {
  const { subType = 'totp', digits = 6, period = 30, algorithm = 'HmacSHA1', secretEncoding } = data
  const form = appForm(String(algorithm).replace(/^Hmac/, ''), digits, period)
  if (subType !== 'totp' || form === undefined || typeof value !== 'string') return undefined
  const secret = readSecret(secretEncoding === 'BASE32' ? value : Secret.fromUTF8(value).base32)
  return secret === undefined ? undefined : { secret, ...form }
}

function objectIn(text: unknown): JsonObject | undefined {
  const value = typeof text === 'string' ? jsonOf(text) : undefined
  return isObject(value) ? value : undefined
}

function base64(text: unknown): Buffer | undefined {
  return typeof text === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** Realm exports of Keycloak: one file, or one for the realm and others for its users. */

import { foreignText } from '../secrets/foreign-hash.ts'
import { claimsFrom, judgeClaims, namesRead, unread } from './claims.ts'
import { type JsonItem, jsonItems, tooLong } from './json-items.ts'
import { clientOf, scopeOf } from './keycloak-clients.ts'
import { isObject, present, type Reader, type SourceRecord } from './source.ts'
import { parsed } from './users-file.ts'

type Json = Readonly<Record<string, unknown>>

export const readKeycloak: Reader = async function* (files) {
  // Clients name scopes, which come after them in the file.
  for (const file of files) yield* recordsOf(file, { clientScopes: scopeOf })
  for (const file of files) {
    yield* recordsOf(file, { clients: clientOf, users: (line, user) => personOf(line, user) })
  }
}

type Convert = (line: number, json: Json) => SourceRecord | undefined

async function* recordsOf(file: string, converts: Readonly<Record<string, Convert>>): AsyncGenerator<SourceRecord> {
  for await (const item of jsonItems(file, Object.keys(converts))) {
    const { line, member } = item
    // The pass for people reports it.
    if (member === '' && !('users' in converts)) continue
    if (isWhole(item)) {
      yield { line, fault: 'This is not the export of one realm: export each realm by itself, with --realm NAME.' }
      return
    }
    const convert = converts[member]
    let isPassed = convert === undefined
    const record = parsed(item, (json) => {
      const converted = convert?.(line, json)
      isPassed = converted === undefined
      return converted ?? { line, fault: '' }
    })
    if (!isPassed || ('fault' in record && record.fault !== '')) yield record
  }
}

/** Whether an object is an item by itself, as realms in an array are. Text between objects is none. */
function isWhole({ member, text, fault }: JsonItem): boolean {
  return member === '' && (text !== '' || fault === tooLong)
}

const read = [
  ...['id', 'username', 'email', 'emailVerified', 'enabled', 'createdTimestamp', 'attributes'],
  ...['realmRoles', 'federatedIdentities', 'credentials', ...namesRead('keycloak')],
]
/** What a system notes for itself. */
const ownNotes = ['totp', 'notBefore', 'access', 'disableableCredentialTypes', 'self', 'userProfileMetadata']

/** Roles that every realm has. */
const builtInRoles = /^(?:offline_access|uma_authorization|default-roles-.*)$/

function personOf(line: number, user: Json): SourceRecord | undefined {
  // Of a client that acts for itself.
  if (user.serviceAccountClientId) return undefined
  const [password, otp, ...problems] = credentialsOf(user.credentials)
  const [problem] = problems
  if (problem !== undefined) return { line, fault: problem }
  const { firstName, lastName, realmRoles, federatedIdentities } = user
  const names = [firstName, lastName].filter((name) => typeof name === 'string' && name !== '')
  const roles = Array.isArray(realmRoles) ? realmRoles.filter((role) => !builtInRoles.test(String(role))) : undefined
  const logins = Array.isArray(federatedIdentities)
    ? federatedIdentities.map((one) => ({
        provider: String(one?.identityProvider),
        subject: one?.userId,
      }))
    : undefined
  const claims = judgeClaims({
    ...claimsFrom('keycloak', user),
    name: names.length > 0 ? names.join(' ') : undefined,
  })
  return {
    line,
    person: present({
      id: user.id,
      username: user.username,
      email: user.email,
      email_verified: user.emailVerified,
      disabled: user.enabled === false ? true : undefined,
      created_at: typeof user.createdTimestamp === 'number' ? new Date(user.createdTimestamp).toISOString() : undefined,
      ...claims.usable,
      roles,
      external_logins: logins,
      password_hash: password,
      totp_secret: otp,
    }),
    notKept: [
      ...claims.refused,
      ...unread(user, [...read, ...ownNotes]),
      ...unread(user.attributes, namesRead('keycloak', 'attributes'), 'attributes'),
      ...otherCredentials(user.credentials),
    ],
  }
}

/** Returns the password hash, the secret of the authenticator app, and why the person cannot be imported. */
function credentialsOf(credentials: unknown): [string | undefined, string | undefined, ...string[]] {
  let password: string | undefined
  let otp: string | undefined
  const problems: string[] = []
  for (const one of Array.isArray(credentials) ? credentials : []) {
    if (!isObject(one)) continue
    const [data, secret] = [textToObject(one.credentialData) ?? one, textToObject(one.secretData) ?? one]
    if (one.type === 'password') {
      password = passwordOf(data, secret)
      if (password === undefined) problems.push(`The password hash (${String(data.algorithm)}) is not supported.`)
    } else if (one.type === 'otp' || one.type === 'totp') {
      otp = otpOf(data, secret)
      if (otp === undefined) problems.push('The one-time codes must be TOTP with SHA-1, six digits and 30 seconds.')
    }
  }
  return [password, otp, ...problems]
}

function otherCredentials(credentials: unknown): string[] {
  const types = (Array.isArray(credentials) ? credentials : []).map((one) => String(one?.type))
  const others = types.filter((type) => !['password', 'otp', 'totp'].includes(type))
  return [...new Set(others)].map((type) => `credentials.${type}`)
}

/** Credentials have two members of JSON text; those of before version 8 have the members themselves. */
function passwordOf(data: Json, secret: Json): string | undefined {
  const hash = bytesOf(secret.value ?? secret.hashedSaltedValue)
  const salt = bytesOf(secret.salt)
  const rounds = Number(data.hashIterations)
  if (hash === undefined || salt === undefined || !Number.isInteger(rounds)) return undefined
  if (data.algorithm === 'argon2') return argon2Of(data, salt, hash, rounds)
  const digest = /^pbkdf2(?:-(sha256|sha512))?$/.exec(String(data.algorithm))
  if (digest === null) return undefined
  const named = (digest[1] ?? 'sha1') as 'sha1' | 'sha256' | 'sha512'
  return foreignText({ kind: 'pbkdf2', digest: named, rounds, salt, hash })
}

function argon2Of(data: Json, salt: Buffer, hash: Buffer, passes: number): string | undefined {
  const parameters = isObject(data.additionalParameters) ? data.additionalParameters : {}
  const value = (name: string) => String([parameters[name]].flat()[0])
  const type = value('type')
  if (!['id', 'i', 'd'].includes(type) || value('version') !== '1.3') return undefined
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const numbers = `m=${Number(value('memory'))},t=${passes},p=${Number(value('parallelism'))}`
  return `$argon2${type}$v=19$${numbers}$${text(salt)}$${text(hash)}`
}

/** Returns the secret in Base32. Keycloak stores its bytes as text, or says that it is Base32. */
function otpOf(data: Json, secret: Json): string | undefined {
  const { subType = 'totp', digits = 6, period = 30, algorithm = 'HmacSHA1', secretEncoding } = data
  if (subType !== 'totp' || digits !== 6 || period !== 30 || algorithm !== 'HmacSHA1') return undefined
  if (typeof secret.value !== 'string') return undefined
  return secretEncoding === 'BASE32' ? secret.value : base32(Buffer.from(secret.value, 'utf8'))
}

/** RFC 4648 §6, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function textToObject(text: unknown): Json | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function bytesOf(text: unknown): Buffer | undefined {
  return typeof text === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

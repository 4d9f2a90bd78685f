/** Exports of Firebase Authentication (`firebase auth:export people.json --format=json`). */
import { foreignText } from '../secrets/foreign-hash.ts'
import { claimsFrom, judgeClaims, namesRead, unread } from './claims.ts'
import { jsonItems } from './json-items.ts'
import { isObject, present, type Reader, type SourceRecord, UnreadableSource } from './source.ts'
import { parsed } from './users-file.ts'

type Json = Readonly<Record<string, unknown>>
type HashParameters = {
  readonly signerKey: Buffer
  readonly separator: Buffer
  readonly logN: number
  readonly r: number
}

export const readFirebase: Reader = async function* (files, { hashParameters }) {
  const parameters = hashParameters === undefined ? undefined : readParameters(String(hashParameters))
  for (const file of files) {
    for await (const item of jsonItems(file, ['users'])) {
      yield parsed(item, (user) => personOf(item.line, user, parameters))
    }
  }
}

/** Reads the parameters as JSON, or as the console of Firebase shows them. Throws `UnreadableSource`. */
export function readParameters(text: string): HashParameters {
  const value = (name: string): string => new RegExp(`"?${name}"?\\s*[:=]\\s*"?([^",\\s}]+)`).exec(text)?.[1] ?? ''
  const [logN, r] = [Number(value('mem_cost')), Number(value('rounds'))]
  const signerKey = bytesOf(value('base64_signer_key'))
  const separator = bytesOf(value('base64_salt_separator'))
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

const read = [
  ...['localId', 'email', 'emailVerified', 'passwordHash', 'salt', 'disabled'],
  ...['createdAt', 'providerUserInfo', ...namesRead('firebase')],
]
/** What a system notes for itself. */
const ownNotes = ['lastSignedInAt', 'lastLoginAt', 'lastRefreshAt', 'validSince', 'passwordUpdatedAt', 'version']

function personOf(line: number, user: Json, parameters: HashParameters | undefined): SourceRecord {
  const { email, passwordHash, salt, createdAt } = user
  const [hash, saltBytes] = [bytesOf(passwordHash), bytesOf(salt)]
  if (hash?.length && parameters === undefined) {
    return { line, fault: 'The password hash needs the parameters of the project (--hash-parameters).' }
  }
  const isHashed = hash !== undefined && hash.length > 0 && saltBytes !== undefined && parameters !== undefined
  const claims = judgeClaims(claimsFrom('firebase', user))
  return {
    line,
    person: present({
      id: user.localId,
      username: email,
      email,
      email_verified: user.emailVerified,
      disabled: user.disabled === true ? true : undefined,
      created_at: /^\d+$/.test(String(createdAt)) ? new Date(Number(createdAt)).toISOString() : undefined,
      ...claims.usable,
      password_hash: isHashed ? foreignText({ kind: 'firebase', ...parameters, salt: saltBytes, hash }) : undefined,
      external_logins: loginsOf(user.providerUserInfo),
    }),
    notKept: [...claims.refused, ...unread(user, [...read, ...ownNotes])],
  }
}

const providers = new Map([
  ['google.com', 'Google'],
  ['github.com', 'GitHub'],
  ['microsoft.com', 'Microsoft'],
  ['facebook.com', 'Facebook'],
  ['apple.com', 'Apple'],
])

function loginsOf(list: unknown): unknown {
  if (!Array.isArray(list)) return undefined
  const foreign = list.filter((one) => isObject(one) && one.providerId !== 'password' && one.providerId !== 'phone')
  const logins = foreign.map(({ providerId, rawId }) => ({
    provider: providers.get(String(providerId)) ?? String(providerId),
    subject: String(rawId),
  }))
  return logins.length > 0 ? logins : undefined
}

/** Base64, of either alphabet. */
function bytesOf(text: unknown): Buffer | undefined {
  return typeof text === 'string' && /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

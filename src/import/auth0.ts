/** Bulk exports of Auth0: its people, and the password hashes that its support gives out, as JSON lines. */
import { claimsFrom, judgeClaims, namesRead, unread } from './claims.ts'
import { jsonItems } from './json-items.ts'
import { isObject, present, type Reader, type SourceRecord } from './source.ts'
import { parsed } from './users-file.ts'

type Json = Readonly<Record<string, unknown>>

export const readAuth0: Reader = async function* (files) {
  for (const file of files) {
    for await (const item of jsonItems(file)) {
      yield parsed(item, (user) => personOf(item.line, user))
    }
  }
}

const read = [
  ...['user_id', '_id', 'email', 'email_verified', 'blocked', 'created_at', 'app_metadata'],
  ...['user_metadata', 'identities', 'mfa_factors', ...namesRead('auth0')],
  ...['passwordHash', 'password_hash', 'custom_password_hash'],
]
/** What a system notes for itself. */
const ownNotes = [
  ...['updated_at', 'last_login', 'last_ip', 'logins_count', 'last_password_reset', 'password_set_date', 'tenant'],
  ...['connection', '__v'],
]

function personOf(line: number, user: Json): SourceRecord {
  const { email, app_metadata: metadata } = user
  const claims = judgeClaims(claimsFrom('auth0', user))
  return {
    line,
    person: present({
      id: idOf(user),
      username: email,
      email,
      email_verified: user.email_verified,
      disabled: user.blocked === true ? true : undefined,
      created_at: timeOf(user.created_at),
      ...claims.usable,
      roles: isObject(metadata) && Array.isArray(metadata.roles) ? metadata.roles : undefined,
      password_hash: user.passwordHash ?? user.password_hash ?? customHash(user.custom_password_hash),
      totp_secret: totpOf(user.mfa_factors),
      external_logins: loginsOf(user.identities),
    }),
    notKept: [
      ...claims.refused,
      ...unread(user, [...read, ...ownNotes]),
      ...unread(user.user_metadata, namesRead('auth0', 'user_metadata'), 'user_metadata'),
      ...unread(metadata, ['roles', ...namesRead('auth0', 'app_metadata')], 'app_metadata'),
      ...(hasOtherFactors(user.mfa_factors) ? ['mfa_factors'] : []),
    ],
  }
}

/** An export of password hashes has the bare id of the database. */
function idOf({ user_id: id, _id: raw }: Json): unknown {
  if (typeof id === 'string') return /^[^|]+\|/.test(id) ? id : `auth0|${id}`
  return isObject(raw) && typeof raw.$oid === 'string' ? `auth0|${raw.$oid}` : undefined
}

function timeOf(time: unknown): unknown {
  return isObject(time) ? time.$date : time
}

/** The form of a bulk import: bcrypt, or a PHC string. */
function customHash(custom: unknown): unknown {
  return isObject(custom) && isObject(custom.hash) ? custom.hash.value : undefined
}

function totpOf(factors: unknown): unknown {
  const totp = Array.isArray(factors) ? factors.find((one) => isObject(one?.totp))?.totp : undefined
  return totp?.secret
}

function hasOtherFactors(factors: unknown): boolean {
  return Array.isArray(factors) && factors.some((one) => !isObject(one?.totp))
}

const providers = new Map([
  ['google-oauth2', 'Google'],
  ['github', 'GitHub'],
  ['windowslive', 'Microsoft'],
])

function loginsOf(identities: unknown): unknown {
  if (!Array.isArray(identities)) return undefined
  const foreign = identities.filter((one) => isObject(one) && one.provider !== 'auth0')
  const logins = foreign.map(({ provider, user_id: subject }) => ({
    provider: providers.get(String(provider)) ?? String(provider),
    subject: String(subject),
  }))
  return logins.length > 0 ? logins : undefined
}

/**
 * People as other systems export them. Who they are follows from their number, so that two runs write the same files. Their hashes have
 * the form and the costs of each system's defaults and belong to no password: an import reads them and computes none.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'

export const sourceNames = ['keycloak', 'aspnet-identity', 'auth0', 'firebase', 'users'] as const
export type Source = (typeof sourceNames)[number]

/** The files, and what follows the kind in the command. */
export type Written = { readonly paths: readonly string[]; readonly parameters: readonly string[] }

type Person = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly first: string
  readonly last: string
  /** One of five has a second factor, one of ten an account at a provider, one of three a role. */
  readonly secret: string | null
  readonly subject: string | null
  readonly role: string | null
  bytes(what: string, length: number): Buffer
}

const createdAtMs = Date.UTC(2026, 0, 1)
const iso = new Date(createdAtMs).toISOString()

function person(at: number): Person {
  const bytes = (what: string, length: number) =>
    createHash('shake256', { outputLength: length }).update(`${what} of ${at}`).digest()
  const hex = bytes('id', 16).toString('hex')
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  return {
    ...{
      id,
      name: `person-${at}`,
      email: `person-${at}@acme.example`,
      first: `First ${at}`,
      last: `Last ${at % 5000}`,
    },
    secret: at % 5 === 0 ? base32(bytes('secret', 20)) : null,
    subject: at % 10 === 0 ? String(1_000_000 + at) : null,
    role: at % 3 === 0 ? (['sales', 'support', 'editor'][(at % 9) / 3] ?? null) : null,
    bytes,
  }
}

/** RFC 4648 §6, of whole groups of five bytes. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replaceAll(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)] ?? '')
}

/** Writes the files of a source into the folder, which is made. */
export async function writeSource(source: Source, folder: string, people: number): Promise<Written> {
  mkdirSync(folder, { recursive: true })
  return writers[source](folder, people)
}

const writers: Readonly<Record<Source, (folder: string, people: number) => Promise<Written>>> = {
  async keycloak(folder, people) {
    const path = join(folder, 'realm.json')
    const roles = ['sales', 'support', 'editor'].map((name) => ({ name, composite: false, clientRole: false }))
    const realm = JSON.stringify({ realm: 'acme', enabled: true, roles: { realm: roles } }).slice(0, -1)
    await writeLines(path, people, (at) => JSON.stringify(ofKeycloak(person(at))), {
      ...{ before: `${realm},"users":[\n`, between: ',\n', after: '\n]}\n' },
    })
    return { paths: [path], parameters: [path] }
  },

  async 'aspnet-identity'(folder, people) {
    const below = join(folder, 'export')
    mkdirSync(below, { recursive: true })
    const write = async (name: string, heading: string, row: (one: Person) => string) => {
      const path = join(below, `${name}.csv`)
      await writeLines(path, people, (at) => row(person(at)), { before: `${heading}\n`, between: '', after: '' })
      return path
    }
    const paths = [
      await write('AspNetUsers', userColumns, ofIdentity),
      await write('AspNetRoles', 'Id,Name,NormalizedName,ConcurrencyStamp', ({ name }) =>
        name === 'person-0' ? roleNames.map((role) => `role-${role},${role},${role.toUpperCase()},\n`).join('') : '',
      ),
      await write('AspNetUserRoles', 'UserId,RoleId', ({ id, role }) => (role === null ? '' : `${id},role-${role}\n`)),
      await write('AspNetRoleClaims', 'Id,RoleId,ClaimType,ClaimValue', () => ''),
      await write('AspNetUserClaims', 'Id,UserId,ClaimType,ClaimValue', () => ''),
      await write('AspNetUserLogins', 'LoginProvider,ProviderKey,ProviderDisplayName,UserId', ({ id, subject }) =>
        subject === null ? '' : `Google,${subject},Google,${id}\n`,
      ),
      await write('AspNetUserTokens', 'UserId,LoginProvider,Name,Value', ({ id, secret }) =>
        secret === null ? '' : `${id},[AspNetUserStore],AuthenticatorKey,${secret}\n`,
      ),
    ]
    return { paths, parameters: [below] }
  },

  async auth0(folder, people) {
    const path = join(folder, 'users.json')
    await writeLines(path, people, (at) => `${JSON.stringify(ofAuth0(person(at)))}\n`)
    return { paths: [path], parameters: [path] }
  },

  async firebase(folder, people) {
    const [path, hashes] = [join(folder, 'people.json'), join(folder, 'parameters.txt')]
    await writeLines(path, people, (at) => JSON.stringify(ofFirebase(person(at))), {
      ...{ before: '{"users": [\n', between: ',\n', after: '\n]}\n' },
    })
    const key = Buffer.alloc(64, 1).toString('base64')
    const config = `hash_config {\n  algorithm: SCRYPT,\n  base64_signer_key: ${key},\n  base64_salt_separator: Bw==,\n  rounds: 8,\n  mem_cost: 14,\n}\n`
    await writeLines(hashes, 1, () => config)
    return { paths: [path], parameters: [path, '--hash-parameters', hashes] }
  },

  async users(folder, people) {
    const path = join(folder, 'people.jsonl')
    await writeLines(path, people, (at) => `${JSON.stringify(ofOurs(person(at)))}\n`)
    return { paths: [path], parameters: [path] }
  },
}

type Around = { readonly before: string; readonly between: string; readonly after: string }

async function writeLines(
  path: string,
  count: number,
  line: (at: number) => string,
  { before, between, after }: Around = { before: '', between: '', after: '' },
): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600 })
  file.write(before)
  for (let at = 0; at < count; at += 1) {
    const isTaken = file.write(at === 0 ? line(at) : between + line(at))
    if (!isTaken) await once(file, 'drain')
  }
  file.end(after)
  await once(file, 'close')
}

const roleNames = ['sales', 'support', 'editor']

function ofKeycloak({ id, name, email, first, last, secret, subject, role, bytes }: Person) {
  const cost = { hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] }
  const password = {
    ...{ id: `${id}-p`, type: 'password', createdDate: createdAtMs },
    secretData: JSON.stringify({
      value: bytes('hash', 32).toString('base64'),
      salt: bytes('salt', 16).toString('base64'),
      additionalParameters: {},
    }),
    credentialData: JSON.stringify({ hashIterations: 5, algorithm: 'argon2', additionalParameters: cost }),
  }
  const otp = {
    ...{ id: `${id}-o`, type: 'otp', createdDate: createdAtMs },
    secretData: JSON.stringify({ value: secret }),
    credentialData: JSON.stringify({
      ...{ subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1', secretEncoding: 'BASE32' },
    }),
  }
  return {
    ...{ id, username: name, firstName: first, lastName: last, email, emailVerified: true, enabled: true },
    createdTimestamp: createdAtMs,
    totp: secret !== null,
    credentials: secret === null ? [password] : [password, otp],
    ...(subject !== null && {
      federatedIdentities: [{ identityProvider: 'google', userId: subject, userName: email }],
    }),
    requiredActions: [],
    realmRoles: role === null ? [] : [role],
    groups: [],
  }
}

const userColumns =
  'Id,UserName,NormalizedUserName,Email,NormalizedEmail,EmailConfirmed,PasswordHash,SecurityStamp,ConcurrencyStamp,PhoneNumber,' +
  'PhoneNumberConfirmed,TwoFactorEnabled,LockoutEnd,LockoutEnabled,AccessFailedCount'

/** A hash of version 3: PBKDF2 with HMAC-SHA512 and 100,000 rounds. */
function ofIdentity({ id, name, email, secret, bytes }: Person): string {
  const head = Buffer.alloc(13)
  head[0] = 1
  for (const [index, value] of [2, 100_000, 16].entries()) head.writeUInt32BE(value, 1 + 4 * index)
  const hash = Buffer.concat([head, bytes('salt', 16), bytes('hash', 32)]).toString('base64')
  const twoFactor = secret === null ? 'f' : 't'
  const [upper, upperEmail] = [name.toUpperCase(), email.toUpperCase()]
  return `${id},${name},${upper},${email},${upperEmail},t,${hash},STAMP,${id},,f,${twoFactor},,t,0\n`
}

/** As the export of people and that of hashes have it, joined. */
function ofAuth0({ id, name, email, first, last, subject, role, bytes }: Person) {
  const database = { provider: 'auth0', user_id: id.replaceAll('-', '').slice(0, 24), connection: 'people' }
  const google = { provider: 'google-oauth2', user_id: subject, connection: 'google-oauth2' }
  const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  const letters = [...bytes('hash', 52)].map((byte) => alphabet[byte & 63]).join('')
  return {
    ...{ user_id: `auth0|${database.user_id}`, email, email_verified: true, nickname: name, created_at: iso },
    ...{ name: `${first} ${last}`, given_name: first, family_name: last },
    identities: subject === null ? [database] : [database, google],
    ...(role !== null && { app_metadata: { roles: [role] } }),
    passwordHash: `$2b$10$${letters}u`,
  }
}

function ofFirebase({ id, email, first, subject, bytes }: Person) {
  return {
    ...{ localId: id.replaceAll('-', '').slice(0, 28), email, emailVerified: true, displayName: first },
    passwordHash: bytes('hash', 64).toString('base64'),
    salt: bytes('salt', 12).toString('base64'),
    createdAt: String(createdAtMs),
    providerUserInfo: subject === null ? [] : [{ providerId: 'google.com', rawId: subject, email }],
  }
}

function ofOurs({ id, name, email, first, last, secret, subject, role, bytes }: Person) {
  const text = (what: string, length: number) => bytes(what, length).toString('base64').replaceAll('=', '')
  return {
    ...{ id, username: name, email, email_verified: true, given_name: first, family_name: last },
    password_hash: `$argon2id$v=19$m=19456,t=2,p=1$${text('salt', 16)}$${text('hash', 32)}`,
    ...(secret !== null && { totp_secret: secret }),
    ...(subject !== null && { external_logins: [{ provider: 'Google', subject }] }),
    roles: role === null ? [] : [role],
  }
}

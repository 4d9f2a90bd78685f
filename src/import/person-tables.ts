/** Where other systems have what belongs to a person: a table for each. */
import type { FieldName, importedMembers, MemberName } from '../person-fields.ts'
import { isObject, type JsonObject } from '../protocol/json-value.ts'
import { addressOf, identityClaims, isTrue, lockOf, namedRoles, nameOf } from './aspnet-members.ts'
import { auth0Factors } from './auth0-factors.ts'
import { identityFactors, scryptOfFirebase } from './credentials.ts'
import { first, keycloakPeople } from './keycloak/people.ts'
import { identityPasskeys } from './passkeys.ts'
import { isGiven, jsonOf, type PasskeyFacts } from './source.ts'
import type { RowResult, SourceTable } from './source-table.ts'

const auth0Providers = { 'google-oauth2': 'Google', github: 'GitHub', windowslive: 'Microsoft' }
const firebaseProviders = {
  ...{ 'google.com': 'Google', 'github.com': 'GitHub', 'microsoft.com': 'Microsoft' },
  ...{ 'facebook.com': 'Facebook', 'apple.com': 'Apple' },
}

export const personTables = {
  keycloak: {
    ...keycloakPeople,
    rows: [
      ...keycloakPeople.rows,
      ['attributes.middleName', 'middle_name', first],
      ['attributes.nickname', 'nickname', first],
      ['attributes.profile', 'profile', first],
      ['attributes.picture', 'picture', first],
      ['attributes.website', 'website', first],
      ['attributes.gender', 'gender', first],
      ['attributes.birthdate', 'birthdate', first],
      ['attributes.zoneinfo', 'zoneinfo', first],
      ['attributes.locale', 'locale', first],
      ['attributes.phoneNumber', 'phone_number', first],
      ['attributes.phoneNumberVerified', 'phone_number_verified', (value) => first(value) === 'true' || undefined],
    ],
  },

  // With the person's rows of other tables under their names, and the names of all roles by their id.
  'aspnet-identity': {
    rows: [
      ['Id', 'id'],
      ['UserName', nameOf],
      [['Email', 'EmailConfirmed', 'UserName'], addressOf],
      ['PasswordHash', 'password_hash', (hash) => (hash ? `aspnet:${hash}` : undefined)],
      ['PhoneNumber', 'phone_number'],
      ['PhoneNumberConfirmed', 'phone_number_verified', isTrue],
      [['LockoutEnd', 'LockoutEnabled', 'isDisabled', 'UserName'], lockOf],
      [
        ['TwoFactorEnabled', 'AspNetUserTokens', 'Email', 'UserName', 'AspNetUserPasskeys', 'passkeyFacts'],
        (enabled, tokens, email, name, passkeys, facts) =>
          identityFactors(
            isTrue(enabled),
            tokens,
            { email, name },
            identityPasskeys(passkeys, facts as PasskeyFacts | undefined),
          ),
      ],
      [['AspNetUserRoles', 'AspNetRoles'], namedRoles],
      [
        'AspNetUserLogins',
        'external_logins',
        (rows) => each(rows, (one) => ({ provider: one?.LoginProvider ?? '', subject: one?.ProviderKey ?? '' })),
      ],
      ['claimColumns', (claims) => ({ members: claims as JsonObject })],
      [['AspNetUserClaims', 'PhoneNumber', 'claimColumns'], identityClaims],
    ],
    hasOwnColumns: true,
    ownNotes: [
      ...['NormalizedUserName', 'NormalizedEmail', 'SecurityStamp', 'ConcurrencyStamp', 'AccessFailedCount'],
      'Discriminator',
    ],
  },

  // Its people, and the password hashes that its support gives out.
  auth0: {
    rows: [
      ['user_id', 'id', (id) => (typeof id === 'string' ? (/^[^|]+\|/.test(id) ? id : `auth0|${id}`) : undefined)],
      // An export of password hashes has the bare id of the database.
      ['_id', 'id', (id) => (isObject(id) && typeof id.$oid === 'string' ? `auth0|${id.$oid}` : undefined)],
      ['email', 'username'],
      ['email', 'email'],
      ['email_verified', 'email_verified'],
      ['blocked', 'disabled', (blocked) => blocked === true || undefined],
      ['created_at', 'created_at', (time) => (isObject(time) ? time.$date : time)],
      ['name', 'name'],
      ['given_name', 'given_name'],
      ['family_name', 'family_name'],
      ['nickname', 'nickname'],
      ['picture', 'picture'],
      ['locale', 'locale'],
      ['phone_number', 'phone_number'],
      ['app_metadata.roles', 'roles', (roles) => (Array.isArray(roles) ? roles : undefined)],
      ['passwordHash', 'password_hash'],
      ['password_hash', 'password_hash'],
      // The form of a bulk import: bcrypt, or a PHC string.
      [
        'custom_password_hash',
        'password_hash',
        (one) => (isObject(one) && isObject(one.hash) ? one.hash.value : undefined),
      ],
      [['mfa_factors', 'authentication_methods', 'multifactor', 'email', 'passkeyFacts'], auth0Factors],
      ['identities', 'external_logins', loginsOf('provider', 'user_id', ['auth0'], auth0Providers)],
    ],
    nested: ['user_metadata', 'app_metadata'],
    setByPeople: ['user_metadata'],
    ownNotes: [
      ...['updated_at', 'last_login', 'last_ip', 'logins_count', 'last_password_reset', 'password_set_date', 'tenant'],
      ...['connection', '__v'],
    ],
  },

  // With the parameters of the project's hashes, read, under `hashParameters`.
  firebase: {
    rows: [
      [['passwordHash', 'salt', 'hashParameters'], scryptOfFirebase],
      ['localId', 'id'],
      ['email', 'username'],
      ['email', 'email'],
      ['emailVerified', 'email_verified'],
      ['disabled', 'disabled', (disabled) => disabled === true || undefined],
      ['createdAt', 'created_at', (ms) => (/^\d+$/.test(String(ms)) ? fromMilliseconds(ms) : undefined)],
      ['displayName', 'name'],
      ['photoUrl', 'picture'],
      ['phoneNumber', 'phone_number'],
      ['customAttributes', firebaseClaims],
      [
        'providerUserInfo',
        'external_logins',
        loginsOf('providerId', 'rawId', ['password', 'phone'], firebaseProviders),
      ],
    ],
    ownNotes: ['lastSignedInAt', 'lastLoginAt', 'lastRefreshAt', 'validSince', 'passwordUpdatedAt', 'version'],
  },
} as const satisfies Readonly<
  Record<
    string,
    SourceTable<FieldName | MemberName | keyof typeof importedMembers | 'groups' | 'consents' | 'pairwise_subjects'>
  >
>

type Tables = typeof personTables
type Placed = Tables[keyof Tables]['rows'][number][1]

/** Fields that none of them has. The compiler names a field that is in no table, nor here. */
export const unplaced: Readonly<Record<Exclude<FieldName, Placed>, 'nowhere'>> = {
  ...{ middle_name: 'nowhere', preferred_username: 'nowhere', profile: 'nowhere', website: 'nowhere' },
  ...{ gender: 'nowhere', birthdate: 'nowhere', address: 'nowhere' },
}

const fromMilliseconds = (ms: unknown): string => new Date(Number(ms)).toISOString()

function each(list: unknown, read: (one: Readonly<Record<string, unknown>> | null) => object): unknown {
  return Array.isArray(list) ? list.map(read) : undefined
}

/** `own`: ways in of the system itself, which are no providers. `names`: those of providers that have another name here. */
function loginsOf(provider: string, subject: string, own: readonly unknown[], names: Readonly<Record<string, string>>) {
  return (list: unknown): unknown => {
    const all: readonly unknown[] = Array.isArray(list) ? list : []
    return all.filter(isObject).flatMap((one) => {
      const name = String(one[provider])
      if (own.includes(one[provider])) return []
      return { provider: Object.hasOwn(names, name) ? names[name] : name, subject: String(one[subject]) }
    })
  }
}

/** Claims that only the project's own servers set, as JSON text. */
function firebaseClaims(text: unknown): RowResult {
  const value = typeof text === 'string' ? jsonOf(text) : text
  if (!isObject(value)) return { notKept: isGiven(text) ? ['customAttributes'] : [] }
  const entries = Object.entries(value)
  return { fields: entries.map(([name, one]) => ({ member: `customAttributes.${name}`, name, value: one })) }
}

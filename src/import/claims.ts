/** Claims of other systems. What is no value of ours is left out: it must not keep a person from signing in. */
import { type FieldName, fieldEntries } from '../person-fields.ts'
import { claimFault, type SettableClaim } from '../users/user-claims.ts'
import { isObject } from './source.ts'

/** Systems that have fields of their own. */
type System = 'aspnet-identity' | 'keycloak' | 'auth0' | 'firebase'

/** Where each system has a field, if it does. `attributes.locale`: a member of a member. */
const places: Readonly<Record<FieldName, { readonly [Name in System]?: string }>> = {
  // Keycloak has the two parts of it alone.
  name: { auth0: 'name', firebase: 'displayName' },
  given_name: { keycloak: 'firstName', auth0: 'given_name' },
  family_name: { keycloak: 'lastName', auth0: 'family_name' },
  middle_name: {},
  nickname: { auth0: 'nickname' },
  preferred_username: {},
  profile: {},
  picture: { keycloak: 'attributes.picture', auth0: 'picture', firebase: 'photoUrl' },
  website: {},
  gender: {},
  birthdate: {},
  zoneinfo: { keycloak: 'attributes.zoneinfo' },
  locale: { keycloak: 'attributes.locale', auth0: 'locale' },
  phone_number: {
    keycloak: 'attributes.phoneNumber',
    auth0: 'phone_number',
    firebase: 'phoneNumber',
    'aspnet-identity': 'PhoneNumber',
  },
  // Whether a number was verified is a column beside it in ASP.NET Core Identity.
  phone_number_verified: {},
  address: {},
}

/** Returns the fields as a record of the system has them. */
export function claimsFrom(
  system: System,
  record: Readonly<Record<string, unknown>>,
): { readonly [Claim in FieldName]?: unknown } {
  return Object.fromEntries(fieldEntries.map(([name]) => [name, valueAt(record, places[name][system])]))
}

/** Of several values, the first is taken. */
function valueAt(record: Readonly<Record<string, unknown>>, place: string | undefined): unknown {
  if (place === undefined) return undefined
  const [member = '', below] = place.split('.')
  const value = record[member]
  if (below === undefined) return value
  return isObject(value) ? [value[below]].flat()[0] : undefined
}

/** Returns the names that `claimsFrom` reads, of the record or of one of its members. */
export function namesRead(system: System, within = ''): string[] {
  const all = fieldEntries.flatMap(([name]) => places[name][system] ?? [])
  const inside = all.filter((place) => (within === '' ? !place.includes('.') : place.startsWith(`${within}.`)))
  return inside.map((place) => place.slice(place.indexOf('.') + 1))
}

export type JudgedClaims = {
  /** Those whose values are accepted. */
  readonly usable: Record<string, unknown>
  /** The names of the others that have a value. */
  readonly refused: readonly string[]
}

export function judgeClaims(claims: { readonly [Claim in SettableClaim]?: unknown }): JudgedClaims {
  const given = Object.entries(claims).filter(([, value]) => isGiven(value))
  const isUsable = ([claim, value]: readonly [string, unknown]) =>
    claimFault(claim as SettableClaim, value) === undefined
  return {
    usable: Object.fromEntries(given.filter(isUsable)),
    refused: given.filter((one) => !isUsable(one)).map(([claim]) => claim),
  }
}

/** Adds that a number which is usable was verified. */
export function withVerifiedNumber({ usable, refused }: JudgedClaims, isVerified: boolean): JudgedClaims {
  return 'phone_number' in usable && isVerified
    ? { usable: { ...usable, phone_number_verified: true }, refused }
    : { usable, refused }
}

/** Returns the names of members that have a value and are not read. `within`: the member that they belong to. */
export function unread(members: unknown, read: readonly string[], within = ''): string[] {
  if (typeof members !== 'object' || members === null) return []
  const names = Object.entries(members).flatMap(([name, value]) =>
    read.includes(name) || !isGiven(value) ? [] : [name],
  )
  return names.map((name) => (within === '' ? name : `${within}.${name}`))
}

/** Whether there is anything to keep. */
function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/**
 * What changed in a source since its last import, and what changed here: each value that a source had is kept as a hash, and
 * compared with what the source has now and with what is stored.
 */
import { createHash } from 'node:crypto'
import { personFields } from '../person-fields.ts'
import { importedMark } from '../secrets/imported-password.ts'
import type { FindingKind, ImportedPerson, ImportOrigin } from '../storage/port/imports.ts'
import { noEndMs } from '../users/changes.ts'
import { appsIn } from '../users/imported-factors.ts'
import type { ImportedRecord } from '../users/imported-person.ts'
import { isLocked } from '../users/lockout.ts'
import { normalizeName, type User } from '../users/user.ts'
import { isoTime, userRecord } from '../users/user-record.ts'
import { appsValue, type Marks, totpSince } from './app-marks.ts'

/** Values by their names: members, `roles/NAME`, `attributes.NAME`, `external_logins/PROVIDER:SUBJECT`. None is empty. */
export type Values = ReadonlyMap<string, unknown>
/** Marks of a record that was not deleted here. */
export type KnownOrigin = ImportOrigin & { readonly marks: Marks }

const rolePrefix = 'roles/'
const attributePrefix = 'attributes.'
const loginPrefix = 'external_logins/'
const groupPrefix = 'groups/'
const sectorPrefix = 'pairwise_subjects/'
const consentPrefix = 'consents/'
/** The credential ids of passkeys that can be used here, which a later run names and leaves as they are. */
export const passkeysName = 'passkeys'
/** Among marks: that of the lock that an import set here. Another one is an operator's. */
export const lockSet = 'lock_set'

/** What a run compares records with. */
export type Syncing = {
  /** The kind of the source. */
  readonly origin: string
  /** Nothing changes: differences are what the run is for. */
  readonly isCompared: boolean
  /** Whether no import of the kind is remembered. */
  readonly isFirst: boolean
  /** Whether an earlier run remembered which consents came. */
  readonly remembersConsents: boolean
  /** When the run began first. */
  readonly sinceMs: number
  /** Whether the source says who has no password, second factor or link. Otherwise it may be silent about them. */
  readonly isWhole: boolean
  /** How many people and applications had come from the source before the run, at least. */
  readonly known: Readonly<Record<'person' | 'client', number>>
  readonly differences: Difference[]
  /** The keys of what the source has, by kind and key, and the ids of its people. Kept where nothing is stored. */
  readonly found: { readonly keys: Set<string>; readonly ids: Set<string> }
  readonly consents: OperatorConsents
}

/** What a source says of applications for which operators alone consent. */
export type OperatorConsents = {
  readonly clients: Set<string>
  /** The id of a client and of a person, by a blank. */
  readonly given: Set<string>
  /** Keys of consents that came before it was remembered which ones did, and are here as there. */
  readonly adopted: Set<string>
}

export type Difference = {
  readonly kind: FindingKind
  /** The name in the source: a user name, a client id. */
  readonly source: string
  /** Empty: the whole of it. */
  readonly member: string
  /** Absent: not there. Values of secrets are never said. */
  readonly there?: unknown
  readonly here?: unknown
}

/** Returns what identifies a person in the source. Without an id it is a hash of the user name, which may outlive the person here. */
export function keyOf({ id, username }: Pick<ImportedRecord, 'id' | 'username'>): string {
  return id ?? `name:${createHash('sha256').update(normalizeName(username.trim())).digest('base64url')}`
}

/** Returns the end of an operator's lock; null: there is none. A lockout after failed passwords is none. */
export function lockEndMs(user: User, nowMs: number): number | null {
  if (user.disabled) return noEndMs
  return user.lockoutBeganAtMs === null && isLocked(user, nowMs) ? (user.lockedUntilMs ?? noEndMs) : null
}

/** Returns what is stored of a person. */
export function storedValues(user: User, nowMs: number): Values {
  const { id: _, created_at: __, locked_until, disabled, ...rest } = userRecord(user, nowMs)
  const { roles, attributes = {}, ...members } = rest
  const lock = lockEndMs(user, nowMs)
  const all: readonly (readonly [string, unknown])[] = [
    ...Object.entries(members),
    ['lock', lock === null ? null : lock >= noEndMs ? 'without an end' : isoTime(lock)],
    ...roles.map((role) => [`${rolePrefix}${role}`, true] as const),
    ...Object.entries(attributes).map(([name, value]) => [`${attributePrefix}${name}`, value] as const),
    ...(user.groupIds ?? []).map((id) => [`${groupPrefix}${id}`, true] as const),
    ...Object.entries(user.pairwiseSubjects ?? {}).map(([sector, one]) => [`${sectorPrefix}${sector}`, one] as const),
  ]
  return new Map(all.filter(([, value]) => isThere(value)))
}

/** Returns what a source has of a person, who would be stored as `person`. Secrets are hashes. */
export function sourceValues(person: ImportedPerson, source: ImportedRecord, nowMs: number): Values {
  const { user, groupIds = [], pairwiseSubjects = {}, consents = [] } = person
  const { passwordHash, passkeys = [], logins } = source
  const values = new Map(storedValues({ ...user, groupIds, pairwiseSubjects }, nowMs))
  if (passwordHash !== undefined) values.set('password', importedMark(passwordHash))
  const apps = appsIn(source)
  if (apps.length > 0) values.set('totp_secret', appsValue(apps))
  if (passkeys.length > 0) values.set(passkeysName, passkeys.map(({ credentialId }) => credentialId).sort())
  for (const { provider, subject } of logins) values.set(loginName(provider, subject), true)
  for (const { clientId, scopes } of consents) values.set(`${consentPrefix}${clientId}`, scopes)
  return values
}

export const loginName = (provider: string, subject: string): string => `${loginPrefix}${provider}:${subject}`

const isThere = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0)

export function marksOf(values: Values): Marks {
  return Object.fromEntries([...values].map(([name, value]) => [name, markOf(value)]))
}

/** The first 64 bits: enough to see a change, which nobody chooses to hide. */
export function markOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, 8).toString('base64url')
}

/** Returns the names whose values the source changed since its last import. */
export function changedNames(there: Marks, last: Marks): readonly string[] {
  const names = new Set([...Object.keys(there), ...Object.keys(last)])
  return [...names].filter((name) => name !== totpSince && name !== lockSet && there[name] !== last[name]).sort()
}

/** What ends or changes a way to sign in. */
export const isSecret = (name: string): boolean =>
  name === 'password' || name === 'totp_secret' || name === passkeysName || name.startsWith(loginPrefix)
/** What is only ever added: nobody withdraws a consent for somebody, nor a name under which applications know them. */
export const isAdded = (name: string): boolean => name.startsWith(consentPrefix) || name.startsWith(sectorPrefix)
export const isRole = (name: string): boolean => name.startsWith(rolePrefix)
export const isGroup = (name: string): boolean => name.startsWith(groupPrefix)
export const isAttribute = (name: string): boolean => name.startsWith(attributePrefix)
export const isLogin = (name: string): boolean => name.startsWith(loginPrefix)
export const isConsent = (name: string): boolean => name.startsWith(consentPrefix)

/** Returns the names without the prefix of those that have it. */
function within(names: ReadonlySet<string>, prefix: string): string[] {
  return [...names].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

/** What an import adds to a person besides the record, and takes away. */
export type Placed = Pick<
  ImportedPerson,
  'groupIds' | 'leaves' | 'pairwiseSubjects' | 'consents' | 'unlinks' | 'passwordMark'
>

/** Returns what of the groups, subjects, consents and links changes. */
export function changedPlaces(judged: ImportedPerson, source: ImportedRecord, taken: ReadonlySet<string>): Placed {
  const groups = within(taken, groupPrefix)
  const given = new Set(judged.groupIds)
  const sectors = new Set(within(taken, sectorPrefix))
  const clients = new Set(within(taken, consentPrefix))
  const linked = new Set(source.logins.map(({ provider, subject }) => `${provider}:${subject}`))
  const unlinks = within(taken, loginPrefix).filter((name) => !linked.has(name))
  return {
    groupIds: groups.filter((id) => given.has(id)),
    leaves: groups.filter((id) => !given.has(id)),
    pairwiseSubjects: Object.fromEntries(
      Object.entries(judged.pairwiseSubjects ?? {}).filter(([sector]) => sectors.has(sector)),
    ),
    consents: (judged.consents ?? []).filter(({ clientId }) => clients.has(clientId)),
    unlinks: unlinks.map((name) => {
      const at = name.indexOf(':')
      return { provider: name.slice(0, at), subject: name.slice(at + 1) }
    }),
  }
}

/** Returns a record with the changed values alone; what a source no longer has is removed. `judged`: the person as it would be new. */
export function changedPart(
  source: ImportedRecord,
  judged: User,
  stored: User,
  taken: ReadonlySet<string>,
): ImportedRecord {
  const { members: given, logins: all } = source
  const members = given as Readonly<Record<string, unknown>>
  const changed = [...taken]
    .filter((name) => Object.hasOwn(personFields, name))
    .map((name) => [name, members[name] ?? null] as const)
  const roles = within(taken, rolePrefix)
  const has = new Set(source.roles)
  const attributes = within(taken, attributePrefix).map((name) => [name, source.attributes?.[name] ?? null] as const)
  const isEmailTaken = taken.has('email')
  const isSameAddress = normalizeName(source.email ?? '') === normalizeName(stored.email)
  const flags = {
    ...((taken.has('email_verified') || (isEmailTaken && !isSameAddress)) && { email_verified: judged.emailConfirmed }),
    ...(taken.has('required_actions') && { required_actions: judged.requiredActions ?? [] }),
    ...(taken.has('had_second_factor') && { had_second_factor: judged.hadSecondFactor === true }),
  }
  const { passwordHash, totpSecret, apps, recoveryCodes } = source
  return {
    ...(source.id !== undefined && { id: source.id }),
    username: taken.has('username') ? source.username : stored.name,
    ...(isEmailTaken && { email: source.email ?? null }),
    members: { ...Object.fromEntries(changed), ...flags } as ImportedRecord['members'],
    roles: [
      ...stored.roles.filter((role) => !roles.includes(role) || has.has(role)),
      ...roles.filter((role) => has.has(role) && !stored.roles.includes(role)),
    ].sort(),
    ...(taken.has('lock') && source.locked !== undefined && { locked: source.locked }),
    logins: all.filter(({ provider, subject }) => taken.has(loginName(provider, subject))),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...(taken.has('password') && passwordHash !== undefined && { passwordHash }),
    ...(taken.has('totp_secret') &&
      appsIn(source).length > 0 && {
        ...(totpSecret !== undefined && { totpSecret }),
        ...(apps !== undefined && { apps }),
        ...(recoveryCodes !== undefined && { recoveryCodes }),
      }),
  }
}

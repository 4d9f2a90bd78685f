/** Decides which people can be imported: the rules of new and changed users, on records by their names in JSON. */
import { importable, personFields } from '../person-fields.ts'
import { type Judged, judge, lineFault, type Problem, problem, type Rejection } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { type AttributeChanges, type AttributeRules, changeAttributes } from './attribute-changes.ts'
import { changeUser, lock, type UserMembers, unlock, withPassword } from './changes.ts'
import {
  appsRule,
  codesRule,
  type ImportedFactors,
  needsStandIn,
  readApps,
  readCodes,
  readSecret,
  secretRule,
} from './imported-factors.ts'
import { type PasskeyRules, passkeysRule, readPasskeys } from './imported-passkeys.ts'
import { bringUser } from './registration.ts'
import { readActions, withAsked } from './required-actions.ts'
import { roleProblems, sortedSet } from './roles.ts'
import { type ExternalLogin, isSubject, normalizeName, normalizeProvider, subjectRule, type User } from './user.ts'

/** A record that was read and judged on its own. Absent members were not given. */
export type ImportedRecord = {
  readonly id?: string
  readonly username: string
  /** Null: the person has none there. Absent: the record does not say. */
  readonly email?: string | null
  /** `email_verified`, `required_actions`, `had_second_factor` and claims. */
  readonly members: UserMembers
  readonly roles?: readonly string[]
  /** An operator's lock: its end, or `disabled` for none; null: not locked. */
  readonly locked?: { readonly untilMs: number } | 'disabled' | null
  readonly createdAtMs?: number
  /** As it is stored. */
  readonly passwordHash?: string
  /** Whether the person comes without the password of the source, because checking it would take too much. */
  readonly isTooDear?: true
  readonly logins: readonly Pick<ExternalLogin, 'provider' | 'subject'>[]
  /** Values of declared attributes; null removes one. */
  readonly attributes?: AttributeChanges
} & ImportedFactors

/**
 * What a system allowed that is not allowed here. `keepsName`: a name that nobody could choose. `sharesEmail`: an address that others
 * have, too, or as their name: it then finds nobody, and nobody proved it.
 */
export type Leniency = { readonly keepsName?: true; readonly sharesEmail?: true }

export type ImportRules = {
  readonly nowMs: number
  readonly judgeHash: (text: string) => JudgedHash
  /** Returns why a role may not be given, as the end of a sentence; undefined: it may. */
  readonly roleFault: (role: string) => string | undefined
  readonly attributes: AttributeRules
  /** Absent: no passkey is taken. */
  readonly passkeys?: PasskeyRules
}

/** A hash as it is stored, or why it is not accepted, or not checked here, as the end of a sentence. */
export type JudgedHash = { readonly stored: string } | { readonly fault: string } | { readonly tooDear: string }

const loginsAtMost = 20

/** Reads a record as commands and files have it. Returns all its problems. */
export function readImportedRecord(
  record: Readonly<Record<string, unknown>>,
  rules: ImportRules,
): Judged<ImportedRecord> {
  const problems: Problem[] = []
  const fault = (member: string, what: string): undefined => void problems.push(problem(member, member, what))
  for (const member of Object.keys(record)) {
    if (member !== 'attributes' && !Object.hasOwn(importable, member)) fault(member, 'is not a member of a person')
  }
  const given = <T>(member: string, read: (value: unknown) => T | undefined, expected: string): T | undefined => {
    const value = record[member]
    if (value === undefined || value === null) return undefined
    return read(value) ?? fault(member, expected)
  }
  const id = given('id', (value) => (typeof value === 'string' && isSubject(value) ? value : undefined), subjectRule)
  const username = given('username', readText, textRule) ?? ''
  const email = record.email === null || record.email === '' ? null : given('email', readText, textRule)
  const roles = given('roles', readTexts, 'must be a list of texts')
  const apps = given('authenticator_apps', readApps, appsRule)
  const recoveryCodes = given('recovery_codes', readCodes, codesRule)
  const totpSecret = given('totp_secret', readSecret, secretRule)
  const keys = given('passkeys', (value) => readPasskeys(value, rules.passkeys, rules.nowMs), passkeysRule)
  const factors: ImportedFactors = {
    ...(totpSecret !== undefined && { totpSecret }),
    ...(apps !== undefined && apps.length > 0 && { apps }),
    ...(recoveryCodes !== undefined && { recoveryCodes }),
    ...(keys && keys.passkeys.length > 0 && { passkeys: keys.passkeys }),
    ...(keys && keys.lost.length > 0 && { lostPasskeys: keys.lost }),
  }
  if (recoveryCodes !== undefined && (totpSecret ?? apps ?? keys) === undefined)
    fault('recovery_codes', 'need a totp_secret, authenticator_apps or passkeys')
  const hash = given('password_hash', readText, textRule)
  const judged = hash === undefined ? undefined : rules.judgeHash(hash)
  if (judged !== undefined && 'fault' in judged) fault('password_hash', judged.fault)
  for (const role of roles ?? []) {
    const reason = rules.roleFault(role)
    if (reason !== undefined) problems.push(problem('roles', `The role ${role}`, reason))
  }
  const createdAtMs = given('created_at', readTime, timeRule)
  if (createdAtMs !== undefined && createdAtMs > rules.nowMs) fault('created_at', 'is in the future')
  const logins = given('external_logins', readLogins, loginRule) ?? []
  const attributes = given('attributes', readValues, 'must be an object of values by the names of attributes')
  const emailVerified = given('email_verified', readFlag, 'must be true or false')
  const actions = given('required_actions', readTexts, 'must be a list of texts')
  const saysFactor = given('had_second_factor', readFlag, 'must be true or false')
  const hadFactor = needsStandIn(factors) ? true : saysFactor
  const read: ImportedRecord = {
    username,
    ...(email !== undefined && { email }),
    members: {
      ...claimsIn(record),
      ...(emailVerified !== undefined && { email_verified: emailVerified }),
      ...(actions !== undefined && { required_actions: actions }),
      ...(hadFactor !== undefined && { had_second_factor: hadFactor }),
    },
    logins,
    ...(attributes !== undefined && { attributes }),
    ...(id !== undefined && { id }),
    ...(roles !== undefined && { roles: sortedSet(roles) }),
    ...lockIn(
      record,
      given('disabled', readFlag, 'must be true or false'),
      given('locked_until', readTime, timeRule),
      rules,
    ),
    ...(createdAtMs !== undefined && { createdAtMs }),
    ...(judged !== undefined && 'stored' in judged && { passwordHash: judged.stored }),
    ...(judged !== undefined && 'tooDear' in judged && { isTooDear: true }),
    ...factors,
  }
  return judge(read, problems)
}

/** A new password, besides what the record asks for. */
const heldFor = ({ requiredActions = [] }: User) => readActions([...requiredActions, 'update_password'])

/** Returns the new user of a record. `id`: that of the record, or a new one. */
export function importedUser(
  record: ImportedRecord,
  id: string,
  rules: ImportRules,
  { sharesEmail }: Leniency = {},
): Judged<User> {
  const { nowMs } = rules
  const { username, email = null, members, roles = [], passwordHash = null, createdAtMs = nowMs } = record
  const emailConfirmed = email !== null && members.email_verified === true && sharesEmail !== true
  const registered = bringUser({ id, name: username, email, emailConfirmed, passwordHash, roles }, createdAtMs)
  if (isRefusal<User | Rejection>(registered)) return registered
  const changed = changeUser(registered, { ...members, email_verified: emailConfirmed }, nowMs)
  if (isRefusal<User | Rejection>(changed)) return changed
  // Somebody with this id may have been deleted here: what they left must not belong to the new account.
  const ended = record.id === undefined ? {} : { sessionsEndedAtMs: nowMs, grantsEndedAtMs: nowMs }
  const described = changeAttributes(changed, record.attributes ?? {}, 'source', rules.attributes, nowMs)
  if (isRefusal<User | Rejection>(described)) return described
  const shared = sharesEmail === true && email !== null ? { sharesEmail: true as const } : {}
  const held = record.isTooDear === true ? withAsked(described, heldFor(described), undefined, nowMs) : described
  return withLock({ ...held, ...shared, ...ended, createdAtMs, updatedAtMs: nowMs }, record, nowMs)
}

/**
 * Returns the stored user with what the record has; what it does not have stays. The id never changes. `isNewPassword`: whether
 * its password is another than the last import brought. Then sessions end; otherwise the stored one stays, whoever chose it.
 */
export function updatedUser(
  stored: User,
  record: ImportedRecord,
  isNewPassword: boolean,
  { nowMs, attributes }: ImportRules,
): Judged<User> {
  const { username, email, members, roles = stored.roles, passwordHash } = record
  const isShared =
    stored.sharesEmail === true && (email === undefined || normalizeName(email ?? '') === normalizeName(stored.email))
  // The source's word does not decide between several people with one address.
  const { email_verified: _, ...others } = members
  const given = isShared ? others : members
  const changed = changeUser(stored, { username, ...(email !== undefined && { email }), ...given }, nowMs)
  if (isRefusal<User | Rejection>(changed)) return changed
  const problems = record.roles === undefined ? [] : roleProblems(roles)
  if (problems.length > 0) return judge(changed, problems)
  const described = changeAttributes(changed, record.attributes ?? {}, 'source', attributes, nowMs)
  if (isRefusal<User | Rejection>(described)) return described
  const next = { ...described, roles }
  const isNew = isNewPassword && passwordHash !== undefined
  return withLock(isNew ? withPassword(next, passwordHash, nowMs) : next, record, nowMs)
}

function withLock(user: User, { locked }: ImportedRecord, nowMs: number): Judged<User> {
  if (locked === undefined) return user
  if (locked === null) return user.disabled || user.lockedUntilMs !== null ? unlock(user, nowMs) : user
  return lock(user, locked === 'disabled' ? null : locked.untilMs, nowMs)
}

function lockIn(
  record: Readonly<Record<string, unknown>>,
  disabled: boolean | undefined,
  untilMs: number | undefined,
  { nowMs }: ImportRules,
): Pick<ImportedRecord, 'locked'> {
  if (disabled === true) return { locked: 'disabled' }
  if (untilMs !== undefined && untilMs > nowMs) return { locked: { untilMs } }
  return disabled === false || 'locked_until' in record ? { locked: null } : {}
}

function claimsIn(record: Readonly<Record<string, unknown>>): UserMembers {
  const isGiven = ([name, value]: readonly [string, unknown]) =>
    value !== null && value !== undefined && Object.hasOwn(personFields, name)
  return Object.fromEntries(Object.entries(record).filter(isGiven)) as UserMembers
}

const textRule = 'must be a text'
const timeRule = 'must be a time such as 2030-01-31T12:00:00Z'
const loginRule = `must be a list of at most ${loginsAtMost} objects with provider and subject`

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const readFlag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

function readValues(value: unknown): AttributeChanges | undefined {
  return typeof value === 'object' && !Array.isArray(value) ? (value as AttributeChanges) : undefined
}

function readTexts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}

function readTime(value: unknown): number | undefined {
  try {
    return typeof value === 'string' ? Temporal.Instant.from(value).epochMilliseconds : undefined
  } catch {
    return undefined
  }
}

function readLogins(value: unknown): ImportedRecord['logins'] | undefined {
  if (!Array.isArray(value) || value.length > loginsAtMost) return undefined
  const isName = (text: unknown): text is string => typeof text === 'string' && lineFault(text, 255) === undefined
  const logins = value.map((one) => ({ provider: one?.provider, subject: one?.subject }))
  if (!logins.every(({ provider, subject }) => isName(provider) && isName(subject))) return undefined
  const named = logins.map(({ provider, subject }) => ({ provider: normalizeProvider(provider), subject }))
  // Another system may have had the same account under two spellings.
  const isFirst = ({ provider, subject }: ImportedRecord['logins'][number], at: number) =>
    named.findIndex((one) => one.provider === provider && one.subject === subject) === at
  return named.filter(isFirst)
}

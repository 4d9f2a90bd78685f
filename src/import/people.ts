/** Judges people of an import, and finds out whether they are stored already. */
import type { KeyRing } from '../keys/key-ring.ts'
import type { Rejection } from '../problem.ts'
import { isAdministrator } from '../protocol/scope/admin-scopes.ts'
import { isRefusal } from '../refusal.ts'
import { importedMark, isNewPassword } from '../secrets/imported-password.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { isWeakHash } from '../secrets/password.ts'
import { factorProtection } from '../secrets/protected-factors.ts'
import type { ImportedPerson } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { importedFactors } from '../users/imported-factors.ts'
import {
  type ImportedRecord,
  type ImportRules,
  importedUser,
  type Leniency,
  readImportedRecord,
  updatedUser,
} from '../users/imported-person.ts'
import type { PairwiseSubjects } from '../users/pairwise-subjects.ts'
import { conflictProblem } from '../users/registration.ts'
import type { SecondFactors } from '../users/second-factor.ts'
import type { ExternalLogin, User } from '../users/user.ts'
import { consentsOf, groupsOf, withRoles } from './placing.ts'
import type { SeenPeople } from './seen.ts'
import { firstWith, heldNotes, holderOf, type SharedEmails, sharing } from './shared-emails.ts'
import { type Fault, findingsOf, type Item, type Note, type OnConflict, type PersonEntry, sentence } from './source.ts'

export type PeopleJudge = {
  judge(
    record: Readonly<Record<string, unknown>>,
    leniency?: Leniency,
  ): Promise<
    { readonly entry: PersonEntry; readonly notKept: readonly string[]; readonly notes: readonly Note[] } | Fault
  >
  /** Decides on a person who may be stored already; returns other items as they are. */
  resolve(item: Item): Promise<Item>
}

export type PeopleContext = {
  readonly storage: Pick<Storage, 'users' | 'externalLogins' | 'imports' | 'secondFactors' | 'attributes' | 'catalogue'>
  readonly rules: ImportRules
  readonly onConflict: OnConflict
  /** Whether weak hashes are to be wrapped. */
  readonly isWrapped: boolean
  /** In a dry run: the people before. */
  readonly seen?: SeenPeople | undefined
  /** Opened for the first person with a second factor. A dry run opens none, which could make keys. */
  readonly keys: () => Promise<KeyRing>
  readonly random: (bytes: number) => Uint8Array
  /** Returns the id of the group at a path; undefined: there is none. */
  readonly groupAt?: (path: string) => Promise<string | undefined>
  /** The addresses of the people before, from a source in which several may have the same one; absent: none may. */
  readonly shared?: SharedEmails | undefined
}

/**
 * Why a person cannot be new, and the stored one who would change; or who has the address, which both may have; or that the name looks
 * like somebody else's, who keeps it.
 */
type Conflict =
  | { readonly reason: string; readonly stored: User | undefined }
  | { readonly holder: User }
  | { readonly isLookalike: true }

export function judgePeople(context: PeopleContext): PeopleJudge {
  const { storage, rules, onConflict, isWrapped, random } = context
  const { nowMs } = rules

  async function factorsOf(
    userId: string,
    source: ImportedRecord,
    before: SecondFactors | undefined,
  ): Promise<Pick<ImportedPerson, 'factors'>> {
    if (source.totpSecret === undefined || context.seen !== undefined) return {}
    const protection = factorProtection(await context.keys(), userId, random)
    const next = importedFactors(userId, source, before, protection, nowMs)
    return next === undefined ? {} : { factors: { next, before } }
  }

  const loginsOf = (userId: string, { logins }: ImportedRecord): ExternalLogin[] =>
    logins.map((login) => ({ ...login, userId, createdAtMs: nowMs }))

  const markOf = ({ passwordHash }: ImportedRecord): Pick<ImportedPerson, 'passwordMark'> =>
    passwordHash === undefined ? {} : { passwordMark: importedMark(passwordHash) }

  const isWeak = (user: User) => isWrapped && user.passwordHash !== null && isWeakHash(user.passwordHash)

  /** Returns why the person cannot be new, and the stored person who would change. */
  async function conflictOf({
    source,
    person: { user, logins },
    leniency,
  }: PersonEntry): Promise<Conflict | undefined> {
    const same = await storage.users.find(user.id)
    if (same !== undefined) return { reason: `There is a person with the id ${user.id} already.`, stored: same }
    const conflicts = await storage.users.conflicts(user)
    const isLookalike = leniency?.keepsName === true && conflicts.includes('name_confusable')
    const [conflict] = conflicts.filter((one) => !isLookalike || one !== 'name_confusable')
    const holder = conflict === 'email_taken' ? await holderOf(storage, context.shared, user) : undefined
    if (holder !== undefined) return { holder }
    if (conflict !== undefined) {
      const named = await storage.users.findByName(user.name)
      const stored = source.id === undefined ? named : undefined
      return { reason: conflictProblem(conflict, user).message, stored }
    }
    const [name, person] = (await takenValue(user)) ?? []
    if (name !== undefined) return { reason: `${person} has the same ${name}.`, stored: undefined }
    for (const { provider, subject } of logins) {
      const holder = await storage.users.findByExternalLogin(provider, subject)
      if (holder === undefined) continue
      return { reason: `The account ${subject} at ${provider} belongs to ${holder.name}.`, stored: undefined }
    }
    return isLookalike ? { isLookalike } : undefined
  }

  /** Returns the unique attribute whose value another person has, and that person's user name. */
  async function takenValue({ id, attributes }: User): Promise<readonly [string, string] | undefined> {
    for (const [name, value] of Object.entries(attributes)) {
      if (rules.attributes.declared.get(name)?.unique !== true || typeof value === 'object') continue
      const holders = await storage.attributes.holders(name, value)
      const other = holders?.find((one) => one.id !== id)
      if (other !== undefined) return [name, other.name]
    }
    return undefined
  }

  /** By the id of a group. */
  const groupFaults = new Map<string, Promise<string | undefined>>()

  function groupFault(id: string): Promise<string | undefined> {
    const known = groupFaults.get(id) ?? readGroupFault(id)
    groupFaults.set(id, known)
    return known
  }

  async function readGroupFault(id: string): Promise<string | undefined> {
    const { rolesOf } = await storage.catalogue.now()
    const barred = rolesOf({ roles: [], groupIds: [id] }).find((role) => rules.roleFault(role) !== undefined)
    return barred && `gives the role ${barred}, which ${rules.roleFault(barred)}`
  }

  async function update(source: ImportedRecord, stored: User): Promise<PersonEntry | string> {
    // A file must not take over or lock out an administrator.
    const { rolesOf } = await storage.catalogue.now()
    const held = rolesOf(stored)
    const barred = held.find((role) => rules.roleFault(role) !== undefined)
    if (barred !== undefined) return `${stored.name} has the role ${barred} and is changed with --allow-admin only.`
    const { passwordHash: hash } = source
    const hasNew =
      hash !== undefined && isNewPassword(hash, stored.passwordHash, await storage.imports.passwordMark(stored.id))
    const user = updatedUser(stored, source, hasNew, rules)
    if (isRefusal<User | Rejection>(user)) return sentence(user.problems)
    const administers = (person: User, roles: readonly string[]) => isAdministrator({ ...person, roles })
    const remains = administers(user, rolesOf(user)) && (user.emailConfirmed || !stored.emailConfirmed)
    if (administers(stored, held) && !remains) {
      return `${stored.name} would not administer this service any more, which no import decides: use latchkey user.`
    }
    const [name, holder] = (await takenValue(user)) ?? []
    if (name !== undefined) return `${holder} has the same ${name}.`
    const [before, present] = await Promise.all([
      source.totpSecret === undefined ? undefined : storage.secondFactors.find(stored.id),
      source.logins.length === 0 ? [] : storage.externalLogins.list(stored.id),
    ])
    const isNew = (login: ExternalLogin) =>
      !present.some(({ provider, subject }) => provider === login.provider && subject === login.subject)
    const logins = loginsOf(stored.id, source).filter(isNew)
    const person = {
      user,
      before: stored,
      logins,
      ...markOf(source),
      isWeak: isWeak(user),
      ...(await factorsOf(stored.id, source, before)),
    }
    return { person, source }
  }

  return {
    async judge(record, leniency = {}) {
      const { groups, consents, pairwise_subjects: pairwise, ...others } = record
      const { given, notes } = withRoles(others, rules)
      const source = readImportedRecord(given, rules)
      if (isRefusal<ImportedRecord | Rejection>(source)) return { fault: sentence(source.problems) }
      const id = source.id ?? uuidv7(source.createdAtMs ?? nowMs, random)
      const alone = importedUser(source, id, rules, leniency)
      if (isRefusal<User | Rejection>(alone)) return { fault: sentence(alone.problems) }
      const other = await firstWith(storage, context.shared, alone)
      const { user, notes: shared } = other === undefined ? { user: alone, notes: [] } : sharing(alone, other)
      const logins = loginsOf(id, source)
      const factors = await factorsOf(id, source, undefined)
      const placed = await groupsOf(groups, context.groupAt ?? (async () => undefined), groupFault)
      const known = pairwise === undefined ? {} : { pairwiseSubjects: pairwise as PairwiseSubjects }
      const more = { ...factors, ...placed.of, ...consentsOf(id, consents, { nowMs, random }), ...known }
      const person = { user, before: undefined, logins, ...markOf(source), isWeak: isWeak(user), ...more }
      // The person comes, and needs a new password.
      const notKept = source.isTooDear === true ? ['password_hash (too dear to check)'] : []
      const all = [...blankNotes(source), ...notes, ...placed.notes, ...shared, ...heldNotes(user, source)]
      return { entry: { source, person, leniency }, notKept, notes: all }
    },
    async resolve(item) {
      if (!('entry' in item)) return item
      const { source, person, leniency } = item.entry
      const { entry: _, ...at } = item
      if (person.before !== undefined) {
        const stored = await storage.users.find(person.before.id)
        const again = stored === undefined ? 'The person was deleted meanwhile.' : await update(source, stored)
        return typeof again === 'string' ? { ...at, fault: again } : { ...at, entry: again }
      }
      const conflict = await conflictOf(item.entry)
      if (conflict !== undefined && 'holder' in conflict) {
        const { user, notes } = sharing(person.user, conflict.holder.name)
        const findings = [...(item.findings ?? []), ...findingsOf('person', user.name, notes)]
        return { ...item, findings, entry: { ...item.entry, person: { ...person, user } } }
      }
      if (conflict === undefined || 'isLookalike' in conflict) {
        const isLookalike = conflict !== undefined && { isLookalike: true as const }
        const entry = { source, person: { ...person, ...isLookalike }, ...(leniency && { leniency }) }
        const before = context.seen?.add(entry)
        if (before === undefined) return { ...item, entry }
        if (onConflict === 'skip') return { ...at, done: 'skipped' }
        return onConflict === 'update' && before.isSame
          ? { ...at, done: 'updated' }
          : { ...at, fault: before.reason, ...(before.isSame && { isThere: true as const }) }
      }
      if (onConflict === 'skip') return { ...at, done: 'skipped' }
      if (onConflict === 'fail' || conflict.stored === undefined) {
        return { ...at, fault: conflict.reason, ...(conflict.stored !== undefined && { isThere: true as const }) }
      }
      const updated = await update(source, conflict.stored)
      return typeof updated === 'string' ? { ...at, fault: updated } : { ...at, entry: updated }
    },
  }
}

function blankNotes({ username }: ImportedRecord): Note[] {
  if (username === username.trim()) return []
  const reason = `${username.trim()}: The user name has blanks at its ends, which a sign-in does not send, and comes without them.`
  return [{ member: 'username', severity: 'changed', reason }]
}

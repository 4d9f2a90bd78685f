/** Judges people of an import, and finds out whether they are stored already. */
import type { KeyRing } from '../keys/key-ring.ts'
import type { Rejection } from '../problem.ts'
import { isAdministrator } from '../protocol/scope/admin-scopes.ts'
import { isRefusal } from '../refusal.ts'
import { importedMark, isNewPassword } from '../secrets/imported-password.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { isWeakHash } from '../secrets/password.ts'
import { factorProtection } from '../secrets/protected-factors.ts'
import type { ImportedPerson, ImportOrigin } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { appsIn, importedFactors } from '../users/imported-factors.ts'
import {
  type ImportedRecord,
  type ImportRules,
  importedUser,
  type Leniency,
  readImportedRecord,
  updatedUser,
} from '../users/imported-person.ts'
import type { PairwiseSubjects } from '../users/pairwise-subjects.ts'
import type { SecondFactors } from '../users/second-factor.ts'
import type { ExternalLogin, User } from '../users/user.ts'
import { keptMarks } from './app-marks.ts'
import { conflictsWith } from './conflicts.ts'
import { keepingOwnLock, lockAfter, replacedMarks, withLockSet } from './locks.ts'
import { appNotes, blankNotes, consentsOf, groupFaults, groupsOf, lockNote, withRoles } from './placing.ts'
import { passkeyNotes, passkeysOf, withoutTaken } from './placing-passkeys.ts'
import type { SeenPeople } from './seen.ts'
import { firstWith, heldNotes, type SharedEmails, sharing } from './shared-emails.ts'
import { type Fault, findingsOf, type Item, type Note, type OnConflict, type PersonEntry, sentence } from './source.ts'
import { keyOf, lockSet, marksOf, type Placed, type Syncing, sourceValues } from './sync.ts'
import { syncPeople } from './synced-people.ts'

export type PeopleJudge = {
  judge(
    record: Readonly<Record<string, unknown>>,
    leniency?: Leniency,
  ): Promise<
    | {
        readonly entry: PersonEntry
        readonly origin: ImportOrigin
        readonly notKept: readonly string[]
        readonly notes: readonly Note[]
      }
    | Fault
  >
  /** Decides on a person who may be stored already, after `turn`; returns other items as they are. */
  resolve(item: Item, turn?: Promise<unknown>): Promise<Item>
}

export type PeopleContext = {
  readonly storage: Pick<
    Storage,
    'users' | 'externalLogins' | 'imports' | 'secondFactors' | 'passkeys' | 'attributes' | 'catalogue'
  >
  /** The kind of the source. */
  readonly origin: string
  /** With `--sync` and `--compare`; absent: neither. */
  readonly syncing?: Syncing | undefined
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

export function judgePeople(context: PeopleContext): PeopleJudge {
  const { storage, rules, onConflict, isWrapped, random } = context
  const { nowMs } = rules

  async function factorsOf(
    userId: string,
    source: ImportedRecord,
    before: SecondFactors | undefined,
  ): Promise<Pick<ImportedPerson, 'factors'>> {
    if (!hasSecrets(source) || context.seen !== undefined) return {}
    const protection = factorProtection(await context.keys(), userId, random)
    const next = importedFactors(userId, source, before, protection, nowMs)
    return next === undefined ? {} : { factors: { next, before } }
  }

  const loginsOf = (userId: string, { logins }: ImportedRecord): ExternalLogin[] =>
    logins.map((login) => ({ ...login, userId, createdAtMs: nowMs }))

  const markOf = ({ passwordHash }: ImportedRecord): Pick<ImportedPerson, 'passwordMark'> =>
    passwordHash === undefined ? {} : { passwordMark: importedMark(passwordHash) }

  const isWeak = (user: User) => isWrapped && user.passwordHash !== null && isWeakHash(user.passwordHash)

  const { conflictOf, takenValue } = conflictsWith(context)

  const groupFault = groupFaults(storage, rules)

  async function update(source: ImportedRecord, stored: User, placed: Placed): Promise<PersonEntry | string> {
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
    const leaves = new Set(placed.leaves)
    const groupIds = [...(user.groupIds ?? []), ...(placed.groupIds ?? [])].filter((one) => !leaves.has(one))
    const remains = administers(user, rolesOf({ ...user, groupIds })) && (user.emailConfirmed || !stored.emailConfirmed)
    if (administers(stored, held) && !remains) {
      return `${stored.name} would not administer this service any more, which no import decides: use latchkey user.`
    }
    const [name, holder] = (await takenValue(user)) ?? []
    if (name !== undefined) return `${holder} has the same ${name}.`
    const [before, present] = await Promise.all([
      hasSecrets(source) ? storage.secondFactors.find(stored.id) : undefined,
      source.logins.length === 0 ? [] : storage.externalLogins.list(stored.id),
    ])
    const isNew = (login: ExternalLogin) =>
      !present.some(({ provider, subject }) => provider === login.provider && subject === login.subject)
    const logins = loginsOf(stored.id, source).filter(isNew)
    const person = {
      user,
      before: stored,
      logins,
      ...placed,
      ...markOf(source),
      isWeak: isWeak(user),
      ...(await factorsOf(stored.id, source, before)),
      ...passkeysOf(stored.id, source, { nowMs, random }),
    }
    return { person, source }
  }

  /** What comes with a person besides the record. */
  const placesOf = ({ groupIds = [], pairwiseSubjects = {}, consents = [] }: ImportedPerson): Placed => ({
    ...{ groupIds, pairwiseSubjects, consents },
  })

  const lastOf = async (key: string) => (await storage.imports.origins('person', context.origin, [key])).get(key)

  /** Changes a stored person to what the source has. A lock of an operator stays. */
  async function replace(item: Item & { readonly entry: PersonEntry }, stored: User): Promise<Item> {
    const { entry, origin: judged, ...at } = item
    const { source, person } = entry
    const last = (await lastOf(keyOf(source)))?.marks ?? {}
    const lock = keepingOwnLock(source, stored, last[lockSet], nowMs)
    const updated = await update(lock.source, stored, placesOf(person))
    if (typeof updated === 'string') return { ...at, fault: updated }
    const notes = lock.isKept ? [lockNote(stored)] : []
    const findings = [...(at.findings ?? []), ...findingsOf('person', source.username, notes)]
    const there = judged?.marks ?? {}
    const set = lockAfter(lock.source.locked !== undefined, there, stored, last, nowMs)
    const marks = replacedMarks(there, last, source.locked !== undefined, set)
    const origin = judged && { ...judged, id: stored.id, marks }
    return { ...at, findings, entry: updated, from: item, ...(origin && { origin }) }
  }

  async function resolveOne(item: Item, turn: Promise<unknown> | undefined): Promise<Item> {
    if (!('entry' in item)) return item
    const { source, person, leniency } = item.entry
    const { entry: _, origin: __, ...at } = item
    const conflict = await conflictOf(item.entry)
    await turn
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
    return replace(item, conflict.stored)
  }

  const { syncing } = context
  const isAdministrative = (role: string) => rules.roleFault(role) !== undefined
  const synced = syncing && syncPeople({ storage, nowMs, syncing, isAdministrative, update, create: resolveOne })

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
      const agreed = consentsOf(id, consents, { nowMs, random }, (await storage.catalogue.now()).scopes)
      const more = { ...factors, ...passkeysOf(id, source, { nowMs, random }), ...placed.of, ...agreed, ...known }
      const person = { user, before: undefined, logins, ...markOf(source), isWeak: isWeak(user), ...more }
      // The person comes, and needs a new password.
      const notKept = source.isTooDear === true ? ['password_hash (too dear to check)'] : []
      const said = [
        ...placed.notes,
        ...shared,
        ...heldNotes(user, source),
        ...appNotes(source),
        ...passkeyNotes(source),
      ]
      const all = [...blankNotes(source), ...notes, ...said]
      const there = marksOf(sourceValues(person, source, nowMs))
      const marks = withLockSet(keptMarks(there, undefined, appsIn(source).length, nowMs), there.lock)
      const origin = { kind: 'person', origin: context.origin, key: keyOf(source), id, marks, seenAtMs: nowMs } as const
      return { entry: { source, person, leniency }, origin, notKept, notes: all }
    },
    async resolve(given, turn) {
      const item = given.from ?? given
      const resolved = await (synced !== undefined && 'entry' in item ? synced(item, turn) : resolveOne(item, turn))
      if (!('entry' in resolved)) return resolved
      const { entry, notes: lost } = await withoutTaken(resolved.entry, storage, context.seen)
      const findings = [...(resolved.findings ?? []), ...findingsOf('person', entry.person.user.name, lost)]
      return { ...resolved, findings, entry }
    },
  }
}

const hasSecrets = (source: ImportedRecord): boolean =>
  appsIn(source).length > 0 || (source.recoveryCodes ?? []).length > 0

/** What becomes of a person with `--sync` and `--compare`. */
import { isNewPassword } from '../secrets/imported-password.ts'
import type { ImportOrigin } from '../storage/port/imports.ts'
import type { Storage } from '../storage/port/storage.ts'
import { appsIn } from '../users/imported-factors.ts'
import type { ImportedRecord } from '../users/imported-person.ts'
import { appsOf, removeTotp, type SecondFactors } from '../users/second-factor.ts'
import { endAtMs, type User } from '../users/user.ts'
import { areImportedApps, keptMarks, type Marks } from './app-marks.ts'
import { keepingOwnLock, lockAfter, withLockSet } from './locks.ts'
import { findingsOf, type Item, type Note, type PersonEntry } from './source.ts'
import {
  changedNames,
  changedPart,
  changedPlaces,
  type Difference,
  isAdded,
  isConsent,
  isLogin,
  isSecret,
  type KnownOrigin,
  keyOf,
  lockSet,
  loginName,
  marksOf,
  type Placed,
  passkeysName,
  type Syncing,
  sourceValues,
  storedValues,
  type Values,
} from './sync.ts'
import { choose } from './taking.ts'

export type SyncContext = {
  readonly storage: Pick<Storage, 'users' | 'externalLogins' | 'imports' | 'secondFactors' | 'passkeys' | 'catalogue'>
  readonly nowMs: number
  readonly syncing: Syncing
  /** Whether the role gives rights over this service. */
  readonly isAdministrative: (role: string) => boolean
  /** Returns the entry of a stored person who changes, or why they do not. */
  readonly update: (source: ImportedRecord, stored: User, placed: Placed) => Promise<PersonEntry | string>
  /** Decides on somebody who is not stored. */
  readonly create: (item: Item, turn: Promise<unknown> | undefined) => Promise<Item>
}

type PersonItem = Item & { readonly entry: PersonEntry }

export function syncPeople({ storage, nowMs, syncing, isAdministrative, update, create }: SyncContext) {
  const { origin, differences, found, isWhole } = syncing

  /** By the id that the last import gave, then by that of the record, and by name where nothing else can tell. */
  async function storedOf({ source, person }: PersonEntry, last: ImportOrigin | undefined): Promise<User | undefined> {
    const { users } = storage
    if (last !== undefined && last.marks !== null) return users.find(last.id)
    const isByName = source.id === undefined && last === undefined
    return (await users.find(person.user.id)) ?? (isByName ? users.findByName(person.user.name) : undefined)
  }

  /** Compares what is stored with the source, whatever was before. */
  async function compare(entry: PersonEntry, stored: User | undefined, there: Values): Promise<readonly Difference[]> {
    const at = { kind: 'person', source: entry.person.user.name } as const
    if (stored === undefined) return [{ ...at, member: '', there: true }]
    return (await differing(entry, stored, there)).map((name) => {
      const isSaid = !isSecret(name) || isLogin(name)
      const here = storedValues(stored, nowMs).get(name)
      const said = isSaid && { ...(there.has(name) && { there: there.get(name) }), ...(here !== undefined && { here }) }
      return { ...at, member: name, ...said }
    })
  }

  /** Returns the names of values that differ, without regard to what was before. */
  async function differing(entry: PersonEntry, stored: User, there: Values): Promise<readonly string[]> {
    const { source } = entry
    const isWhole = syncing.isWhole && entry.isPartial !== true
    const here = marksOf(storedValues(stored, nowMs))
    const marks = marksOf(there)
    const names = new Set([...Object.keys(marks), ...Object.keys(here)])
    const plain = [...names].filter((name) => !isSecret(name) && !isConsent(name) && marks[name] !== here[name])
    const [mark, factors, linked, isOwn, keys] = await Promise.all([
      storage.imports.passwordMark(stored.id),
      storage.secondFactors.find(stored.id),
      storage.externalLogins.list(stored.id),
      storage.imports.hasOwnPassword(stored.id),
      storage.passkeys.list(stored.id),
    ])
    const { passwordHash: hash, passkeys = [], logins } = source
    const isOther =
      hash === undefined
        ? isWhole && stored.passwordHash !== null
        : isOwn || stored.passwordHash === null || isNewPassword(hash, stored.passwordHash, mark)
    const hasApp = (factors?.totp ?? null) !== null
    const isOtherApp = appsIn(source).length === 0 ? isWhole && hasApp : !hasApp
    const idsOf = (all: readonly { readonly credentialId: string }[]) => new Set(all.map((one) => one.credentialId))
    const [those, these] = [idsOf(passkeys), idsOf(keys)]
    const hasOtherKeys = (isWhole ? those.symmetricDifference(these) : those.difference(these)).size > 0
    const known = new Set(linked.map(({ provider, subject }) => loginName(provider, subject)))
    const given = new Set(logins.map(({ provider, subject }) => loginName(provider, subject)))
    const links = [
      ...[...given].filter((name) => !known.has(name)),
      ...[...known].filter((name) => isWhole && !given.has(name)),
    ]
    return [
      ...plain,
      ...(isOther ? ['password'] : []),
      ...(isOtherApp ? ['totp_secret'] : []),
      ...(hasOtherKeys ? [passkeysName] : []),
      ...links,
    ].sort()
  }

  /** Whether nobody chose the password here that the person has, or that they have none. */
  async function hasBroughtPassword({ id, passwordHash }: User): Promise<boolean> {
    if (await storage.imports.hasOwnPassword(id)) return false
    return passwordHash === null || (await storage.imports.passwordMark(id)) !== undefined
  }

  /** Returns whether each of the names has here what the last import brought. Reads no more than they need. */
  async function unchangedHere(names: readonly string[], stored: User, last: Marks, factors?: SecondFactors) {
    const here = marksOf(storedValues(stored, nowMs))
    const isBrought = names.includes('password') && (await hasBroughtPassword(stored))
    const linked = names.some(isLogin) ? await storage.externalLogins.list(stored.id) : []
    const links = new Set(linked.map(({ provider, subject }) => loginName(provider, subject)))
    return (name: string): boolean => {
      if (isAdded(name)) return true
      if (name === 'password') return isBrought && (last.password !== undefined || stored.passwordHash === null)
      if (name === 'totp_secret') return areImportedApps(last, appsOf(factors))
      // They come with the first import, and are left to the person then.
      if (name === passkeysName) return false
      if (isLogin(name)) return links.has(name) === (last[name] !== undefined)
      return here[name] === last[name]
    }
  }

  /** The person without the ways to sign in that ended there. */
  async function without(
    entry: PersonEntry,
    ended: ReadonlySet<string>,
    factors: SecondFactors | undefined,
  ): Promise<PersonEntry> {
    const { person } = entry
    const keys = ended.has('totp_secret') ? await storage.passkeys.list(person.user.id) : []
    const sessionsEndedAtMs = endAtMs(nowMs, person.user.sessionsEndedAtMs)
    return {
      ...entry,
      person: {
        ...person,
        ...(ended.has('password') && {
          user: { ...person.user, passwordHash: null, sessionsEndedAtMs },
          passwordMark: '',
          isWeak: false,
        }),
        ...(ended.has('totp_secret') &&
          factors && { factors: { next: removeTotp(factors, keys.length > 0), before: factors } }),
      },
    }
  }

  async function changed(item: PersonItem, stored: User, last: KnownOrigin, there: Marks): Promise<Item> {
    const { entry, origin: _, ...at } = item
    const { source, person } = entry
    const here = marksOf(storedValues(stored, nowMs))
    const names = changedNames(there, last.marks).filter(
      (name) => isSecret(name) || isAdded(name) || there[name] !== here[name],
    )
    const seen = (silent: Marks = {}, newApps = 0, isLockTaken = false): ImportOrigin => ({
      ...{ kind: 'person', origin, key: keyOf(source), id: stored.id, seenAtMs: nowMs },
      marks: withLockSet(
        keptMarks({ ...there, ...silent }, last.marks, newApps, nowMs),
        lockAfter(isLockTaken, there, stored, last.marks, nowMs),
      ),
    })
    if (names.length === 0) return { ...at, findings: [], done: 'skipped', origin: seen() }
    const factors = names.includes('totp_secret') ? await storage.secondFactors.find(stored.id) : undefined
    const isUnchanged = await unchangedHere(names, stored, last.marks, factors)
    const lock = keepingOwnLock({ ...source, locked: source.locked ?? null }, stored, last.marks[lockSet], nowMs)
    const { taken, notes, silent } = choose({
      ...{ names, entry, stored, there, last: last.marks, isUnchanged, isLockKept: lock.isKept, isWhole },
    })
    const findings = findingsOf('person', source.username, notes)
    if (taken.size === 0) return { ...at, findings, done: 'skipped', origin: seen(silent) }
    const held = (await storage.catalogue.now()).rolesOf(stored).find(isAdministrative)
    if (held !== undefined) {
      const reason = `${stored.name} has the role ${held} and is changed with --allow-admin only: ${[...taken].join(', ')}.`
      const note = { member: '', severity: 'changed', reason } as const
      const all = [...findings, ...findingsOf('person', source.username, [note])]
      return { ...at, findings: all, done: 'skipped', origin: { ...last, seenAtMs: nowMs } }
    }
    const part = changedPart(lock.source, person.user, stored, taken)
    const updated = await update(part, stored, changedPlaces(person, source, taken))
    if (typeof updated === 'string') return { ...at, fault: updated }
    const ended = new Set([...taken].filter((name) => isSecret(name) && there[name] === undefined))
    const said = [...(at.findings ?? []), ...findings]
    return {
      ...at,
      findings: said,
      entry: await without(updated, ended, factors),
      from: item,
      origin: seen(silent, appsIn(part).length, taken.has('lock')),
    }
  }

  return async (item: PersonItem, turn: Promise<unknown> | undefined): Promise<Item> => {
    const { entry, origin: _, ...at } = item
    const { source, person } = entry
    const key = keyOf(source)
    const last = (await storage.imports.origins('person', origin, [key])).get(key)
    const values = sourceValues(person, source, nowMs)
    const there = marksOf(values)
    found.keys.add(`person ${key}`)
    if (!syncing.isCompared && isKnown(last) && changedNames(there, last.marks).length === 0) {
      found.ids.add(last.id)
      return { ...at, findings: [], done: 'skipped', origin: { ...last, seenAtMs: nowMs } }
    }
    const stored = await storedOf(entry, last)
    if (stored !== undefined) found.ids.add(stored.id)
    if (syncing.isCompared) {
      const differ = await compare(entry, stored, values)
      await turn
      differences.push(...differ)
      return { ...at, done: 'skipped' }
    }
    const leave = (note: Note, seen?: ImportOrigin): Item => {
      const findings = findingsOf('person', source.username, [note])
      return { ...at, findings, notes: [note], done: 'skipped', ...(seen && { origin: seen }) }
    }
    if (stored === undefined) {
      // Who left with an earlier run comes back with the source.
      if (last === undefined || last.seenAtMs === 0) return create(item, turn)
      const reason = `${source.username} was deleted here, and stays so. An import without --sync brings them back.`
      return leave({ member: '', severity: 'lost', reason }, { ...last, seenAtMs: nowMs })
    }
    if (isKnown(last)) return changed(item, stored, last, there)
    // That somebody of the same name came with an import is known by a password alone.
    const isStranger = !syncing.isFirst || (await storage.imports.passwordMark(stored.id)) === undefined
    if (source.id === undefined && isStranger) {
      const reason = `${stored.name} is here, and did not come from this source: nothing of them is changed.`
      return leave({ member: '', severity: 'changed', reason })
    }
    const names = await differing(entry, stored, values)
    const seen: ImportOrigin = { kind: 'person', id: stored.id, origin, key, marks: there, seenAtMs: nowMs }
    if (names.length === 0) return { ...at, findings: [], done: 'skipped', origin: seen }
    const reason = `${stored.name} came before it was remembered what a source had: ${names.join(', ')} stays as it is here. --on-conflict update takes what the source has.`
    return leave({ member: '', severity: 'changed', reason }, seen)
  }
}

export const isKnown = (last: ImportOrigin | undefined): last is KnownOrigin =>
  last !== undefined && last.marks !== null

/** Which of the values that a source changed are taken, and what is said of the others. */
import { normalizeName, type User } from '../users/user.ts'
import type { Marks } from './app-marks.ts'
import type { Note, PersonEntry } from './source.ts'
import { isAdded, isAttribute, isGroup, isRole, isSecret, passkeysName } from './sync.ts'
import { keptNote, leftNote } from './sync-notes.ts'

export type Choice = {
  /** Names of the values that change here. */
  readonly taken: ReadonlySet<string>
  readonly notes: readonly Note[]
  /** The marks of before of what the source may only be silent about. */
  readonly silent: Marks
}

type Changed = {
  readonly names: readonly string[]
  readonly entry: PersonEntry
  readonly stored: User
  readonly there: Marks
  readonly last: Marks
  readonly isUnchanged: (name: string) => boolean
  readonly isLockKept: boolean
  /** Whether the source says of everybody what they do not have. */
  readonly isWhole: boolean
}

export function choose(changed: Changed): Choice {
  const { names, entry, stored, there, last, isUnchanged, isLockKept, isWhole } = changed
  const { source, person } = entry
  const isLeft = (name: string) => there[name] === undefined && (isAdded(name) || !isSaid(name, entry, isWhole))
  const isSameAddress = normalizeName(source.email ?? '') === normalizeName(stored.email)
  const isEmailTaken = names.includes('email') && isUnchanged('email') && !isLeft('email')
  const isShared = person.user.sharesEmail === true || stored.sharesEmail === true

  /** A proof is one of an address. */
  function isVerificationTaken(): boolean {
    if (isLeft('email_verified')) return isUnchanged('email_verified')
    if (!isSameAddress) return isEmailTaken
    return isUnchanged('email_verified') && !(isShared && there.email_verified === undefined)
  }

  function isTaken(name: string): boolean {
    if (name === 'lock') return !isLockKept
    return name === 'email_verified' ? isVerificationTaken() : isUnchanged(name)
  }

  // They are never taken, which says nothing of what was done here.
  const isSilent = (name: string) => name === passkeysName && isLeft(name)
  const silent = names.filter((name) => isLeft(name) && !isAdded(name) && last[name] !== undefined)
  return {
    taken: new Set(names.filter((name) => isTaken(name) && !isLeft(name))),
    notes: [
      ...names.filter((name) => !isTaken(name) && !isSilent(name)).map((name) => keptNote(stored, name)),
      ...names
        .filter((name) => (isTaken(name) && isLeft(name)) || isSilent(name))
        .map((name) => leftNote(stored, name)),
    ],
    silent: Object.fromEntries(silent.map((name) => [name, last[name] ?? ''])),
  }
}

/** Whether the source says that the person does not have what it does not have of them. */
function isSaid(name: string, { source, person, isPartial }: PersonEntry, isWhole: boolean): boolean {
  if (isWhole) {
    if (isPartial !== true) return true
    if (isGroup(name)) return (person.groupIds ?? []).length > 0
    return isRole(name) ? (source.roles ?? []).length > 0 : !isSecret(name)
  }
  if (isSecret(name)) return false
  if (name === 'lock') return source.locked !== undefined
  if (name === 'email') return source.email !== undefined
  if (isRole(name)) return source.roles !== undefined
  if (isAttribute(name)) return source.attributes !== undefined
  return isGroup(name) || Object.hasOwn(source.members, name)
}

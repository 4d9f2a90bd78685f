/** People of an import with the same e-mail address, and with passwords that cannot be checked: they come, and are held back. */
import { DatabaseSync } from 'node:sqlite'
import type { Storage } from '../storage/port/storage.ts'
import type { ImportedRecord } from '../users/imported-person.ts'
import { hasOwnAddress, normalizeName, sharedKeys, type User } from '../users/user.ts'
import { commandOf } from './commands.ts'
import type { Note } from './source.ts'

type People = Pick<Storage, 'users'>

/** Kept on disk, so that memory does not grow with the file. */
export type SharedEmails = {
  /** Returns the user name of the first person with the address; undefined: this one is, and is remembered. */
  first(email: string, name: string): string | undefined
  close(): void
}

export function openSharedEmails(): SharedEmails {
  // A temporary database.
  const db = new DatabaseSync('')
  db.exec('create table seen (email text primary key, name text) without rowid; begin')
  const find = db.prepare('select name from seen where email = ?')
  const insert = db.prepare('insert into seen values (?, ?)')
  return {
    first(email, name) {
      const key = normalizeName(email)
      const found = find.get(key)
      if (found !== undefined) return String(found.name)
      insert.run(key, name)
      return undefined
    },
    close: () => db.close(),
  }
}

/** Returns the person as one of several with the address, and what is to be said of it. */
export function sharing(user: User, other: string): { readonly user: User; readonly notes: readonly Note[] } {
  const reason = `${user.name} and ${other} have the same e-mail address, ${user.email}: it is unconfirmed for both until one of them proves it.`
  const note: Note = { member: 'email', severity: 'held', reason, ...commandOf('user show', user.name) }
  return { user: { ...user, emailConfirmed: false, sharesEmail: true }, notes: [note] }
}

/** Returns the name of somebody else who came with the address of the person before. */
export async function firstWith(
  storage: People,
  shared: SharedEmails | undefined,
  { id, name, email }: User,
): Promise<string | undefined> {
  if (shared === undefined || email === '') return undefined
  const before = shared.first(email, name)
  if (before !== undefined && normalizeName(before) !== normalizeName(name)) return before
  const sharers = await storage.users.page('email', sharedKeys(email), '', 64)
  return sharers.find((one) => one.id !== id && normalizeName(one.name) !== normalizeName(name))?.name
}

/** Returns who has the address alone, where several people of this source may have it. */
export async function holderOf(
  storage: People,
  shared: SharedEmails | undefined,
  { email }: User,
): Promise<User | undefined> {
  return (
    shared &&
    (await storage.users.page('email', normalizeName(email), '', 64)).find(
      (one) => normalizeName(one.email) === normalizeName(email),
    )
  )
}

/** Returns what is said of a person whose password cannot be checked, and who cannot set another by mail. The others are counted. */
export function heldNotes(user: User, { isTooDear }: ImportedRecord): readonly Note[] {
  if (isTooDear !== true || hasOwnAddress(user)) return []
  const reason = `${user.name} comes without the password, whose hash would take too much to check (Accounts:Password:ForeignMaxCost), and has no e-mail address of their own by which to set another: an operator has to help.`
  return [{ member: 'password_hash', severity: 'held', reason, ...commandOf('user recover', user.name) }]
}

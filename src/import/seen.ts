/** The names and unique values of the people of a dry run, which stores nobody. Kept on disk, so that memory does not grow with the file. */
import { DatabaseSync } from 'node:sqlite'
import { keysOf } from '../users/attribute-values.ts'
import type { Attribute } from '../users/attributes.ts'
import { conflictProblem } from '../users/registration.ts'
import { skeletonOf } from '../users/skeleton.ts'
import { hasOwnAddress, normalizeName } from '../users/user.ts'
import type { PersonEntry } from './source.ts'

export type SeenPeople = {
  /**
   * Returns why the person conflicts with one before; undefined: not, and the person is remembered. `isSame`: it is the
   * same person, whom an import would change.
   */
  add(entry: PersonEntry): { readonly reason: string; readonly isSame: boolean } | undefined
  /** Returns the name of a person before who has a passkey of the id; undefined: nobody. */
  ownerOf(credentialId: string): string | undefined
  close(): void
}

/** `declared`: fields of people, of which some are unique. */
export function openSeenPeople(declared: ReadonlyMap<string, Attribute>): SeenPeople {
  // A temporary database.
  const db = new DatabaseSync('')
  db.exec('create table seen (key text primary key, name text) without rowid; begin')
  const find = db.prepare('select name from seen where key = ?')
  const insert = db.prepare('insert or ignore into seen values (?, ?)')
  const has = (key: string) => find.get(key) !== undefined
  return {
    ownerOf(credentialId) {
      const found = find.get(`passkey ${credentialId}`)
      return found === undefined ? undefined : String(found.name)
    },
    add({ source, person: { user, logins, passkeys = [] }, leniency }) {
      const other = (reason: string) => ({ reason, isSame: false })
      const name = normalizeName(user.name)
      // Who has none, or shares one, is found by no address.
      const email = hasOwnAddress(user) ? normalizeName(user.email) : undefined
      const look = `look ${skeletonOf(user.name)}`
      const unique = Object.entries(user.attributes).flatMap(([attribute, value]) =>
        declared.get(attribute)?.unique === true
          ? keysOf(value).map((key) => ({ attribute, key: `value ${attribute} ${key}` }))
          : [],
      )
      const bound = logins.map(({ provider, subject }) => `login ${JSON.stringify([provider, subject])}`)
      if (has(`id ${user.id}`)) return { reason: `There is a person with the id ${user.id} already.`, isSame: true }
      if (has(`name ${name}`)) {
        return { reason: conflictProblem('name_taken', user).message, isSame: source.id === undefined }
      }
      if (has(`email ${name}`)) return other(conflictProblem('name_taken', user, true).message)
      if (email !== undefined && has(`email ${email}`)) return other(conflictProblem('email_taken', user).message)
      if (email !== undefined && has(`name ${email}`)) return other(conflictProblem('email_taken', user, true).message)
      if (leniency?.keepsName !== true && has(look)) return other(conflictProblem('name_confusable', user).message)
      const same = unique.find(({ key }) => has(key))
      if (same !== undefined) return other(`${find.get(same.key)?.name} has the same ${same.attribute}.`)
      const taken = logins.find((_, at) => has(bound[at] ?? ''))
      if (taken !== undefined)
        return other(`The account ${taken.subject} at ${taken.provider} belongs to somebody else.`)
      const values = unique.map(({ key }) => key)
      const keys = [
        `id ${user.id}`,
        `name ${name}`,
        ...(email === undefined ? [] : [`email ${email}`]),
        look,
        ...values,
        ...bound,
        ...passkeys.map(({ credentialId }) => `passkey ${credentialId}`),
      ]
      for (const key of keys) insert.run(key, user.name)
      return undefined
    },
    close: () => db.close(),
  }
}

/** Why a person of an import cannot be new. */
import type { Storage } from '../storage/port/storage.ts'
import type { ImportRules } from '../users/imported-person.ts'
import { conflictProblem } from '../users/registration.ts'
import type { User } from '../users/user.ts'
import { holderOf, type SharedEmails } from './shared-emails.ts'
import type { PersonEntry } from './source.ts'

/**
 * Why a person cannot be new, and the stored one who would change; or who has the address, which both may have; or that the name looks
 * like somebody else's, who keeps it.
 */
export type Conflict =
  | { readonly reason: string; readonly stored: User | undefined }
  | { readonly holder: User }
  | { readonly isLookalike: true }

export type ConflictContext = {
  readonly storage: Pick<Storage, 'users' | 'attributes'>
  readonly rules: Pick<ImportRules, 'attributes'>
  readonly shared?: SharedEmails | undefined
}

export function conflictsWith({ storage, rules, shared }: ConflictContext) {
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
    const holder = conflict === 'email_taken' ? await holderOf(storage, shared, user) : undefined
    if (holder !== undefined) return { holder }
    if (conflict !== undefined) {
      const named = await storage.users.findByName(user.name)
      const stored = source.id === undefined ? named : undefined
      return { reason: conflictProblem(conflict, user).message, stored }
    }
    const [name, person] = (await takenValue(user)) ?? []
    if (name !== undefined) return { reason: `${person} has the same ${name}.`, stored: undefined }
    for (const { provider, subject } of logins) {
      const other = await storage.users.findByExternalLogin(provider, subject)
      if (other === undefined) continue
      return { reason: `The account ${subject} at ${provider} belongs to ${other.name}.`, stored: undefined }
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

  return { conflictOf, takenValue }
}

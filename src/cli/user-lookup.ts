/** The user that a command names: unknown and conflicting names, and the last administrator, who goes only with `--force`. */
import { Option } from 'commander'
import { Refused } from '../server/refused.ts'
import { ValueRefused } from '../storage/port/attributes.ts'
import type { Storage } from '../storage/port/storage.ts'
import { LastAdministrator } from '../storage/port/users.ts'
import { giversOf, isGiven } from '../users/effective-roles.ts'
import { conflictProblem, type NameConflict } from '../users/registration.ts'
import { normalizeName, type User } from '../users/user.ts'

export async function conflictRefusal(
  storage: Storage,
  conflict: NameConflict,
  names: Pick<User, 'name' | 'email'>,
): Promise<Refused> {
  const taken = conflict === 'email_taken' ? names.email : names.name
  const isName = (await storage.users.findByName(taken)) !== undefined
  return Refused.because([conflictProblem(conflict, names, isName === (conflict === 'email_taken'))])
}

export async function requireUser(storage: Storage, name: string): Promise<User> {
  const found = await storage.users.findByName(name)
  if (found === undefined) throw new Refused(unknownUser(name))
  return found
}

/** Returns the people who have the role in effect, by name. Reads all of them, page by page, where very many have it. */
export async function usersWith(storage: Storage, role: string): Promise<readonly User[]> {
  const givers = giversOf(role, await storage.catalogue.now())
  const few = await storage.userSearch.given(givers)
  const sortKey = ({ name }: User) => normalizeName(name)
  if (few !== undefined) return few.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const found: User[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: readonly User[] = await storage.users.page('name', '', after)
    found.push(...page.filter(({ roles, groupIds = [] }) => isGiven(givers, roles, groupIds)))
    const last = page.at(-1)
    after = last && sortKey(last)
  }
  return found
}

export function unknownUser(name: string): string {
  return `There is no user called ${name}. See: latchkey user list`
}

export const forceOption = () => new Option('--force', 'even if nobody else could administer the service any more')

/** Runs a change of the user. Throws `Refused` if it would take the last administrator away, or a value may not be. */
export async function keepingAdministrator<T>(name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof ValueRefused) throw new Refused(error.message)
    if (!(error instanceof LastAdministrator)) throw error
    throw new Refused(
      `${name} is the last person with the role latchkey-admin who can sign in. To proceed, add --force.`,
    )
  }
}

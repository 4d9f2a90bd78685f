/** Finds the user that a command names, and reports unknown and conflicting names. */
import { Refused } from '../server/refused.ts'
import type { Storage } from '../storage/port/storage.ts'
import { conflictProblem, type NameConflict } from '../users/registration.ts'
import type { User } from '../users/user.ts'

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

export function unknownUser(name: string): string {
  return `There is no user called ${name}. See: latchkey user list`
}

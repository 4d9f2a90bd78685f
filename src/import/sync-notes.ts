/** What is said of values that a run with `--sync` leaves as they are. */
import type { User } from '../users/user.ts'
import { commandOf } from './commands.ts'
import type { Note } from './source.ts'
import { isConsent, passkeysName } from './sync.ts'

export function keptNote({ name }: User, member: string): Note {
  const reason =
    member === passkeysName
      ? `The passkeys of ${name} changed there, and stay as they are here. --on-conflict update brings new ones.`
      : `${member} of ${name} was changed here as well, and stays as it is here.`
  return { member, severity: 'changed', reason }
}

/** What ended there and stays here is to be ended by somebody. */
export function leftNote({ name }: User, member: string): Note {
  const command = isConsent(member) ? commandOf('authorizations list --user', name) : commandOf('user show', name)
  return {
    member,
    severity: 'changed',
    reason: `${name} has no ${member} there any more, and keeps it here.`,
    ...command,
  }
}

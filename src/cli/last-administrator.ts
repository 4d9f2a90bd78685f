/** The last administrator goes only with `--force`. */
import { Option } from 'commander'
import { Refused } from '../server/refused.ts'
import { LastAdministrator } from '../storage/port/users.ts'

export const forceOption = () => new Option('--force', 'even if nobody else could administer the service any more')

/** Runs a change of the user. Throws `Refused` if it would take the last administrator away. */
export async function keepingAdministrator<T>(name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof LastAdministrator)) throw error
    throw new Refused(
      `${name} is the last person with the role latchkey-admin who can sign in. To proceed, add --force.`,
    )
  }
}

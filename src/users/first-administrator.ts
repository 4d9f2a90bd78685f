/** Decides the first administrator of a new installation. */
import type { Judged } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { accountName, type EnteredAccount } from './own-registration.ts'
import { registerUser } from './registration.ts'
import type { User } from './user.ts'

/**
 * Returns the account. `role`: the one that administers. `emailConfirmed`: whether the address counts as confirmed, which nobody has
 * proved. `locale`: the person's language; undefined: the service's.
 */
export function firstAdministrator(
  account: EnteredAccount & {
    readonly id: string
    readonly passwordHash: string | null
    readonly role: string
    readonly emailConfirmed: boolean
    readonly locale: string | undefined
  },
  nowMs: number,
): Judged<User> {
  const { id, email, emailConfirmed, passwordHash, role, locale } = account
  const name = accountName(account)
  const user = registerUser({ id, name, email, emailConfirmed, passwordHash, roles: [role] }, nowMs)
  return isRefusal(user) || locale === undefined ? user : { ...user, claims: { ...user.claims, locale } }
}

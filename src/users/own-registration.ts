/** Decides a person's own registration, as far as it shows without the lists of passwords. */
import type { Judged } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { isEmailAddress } from './email.ts'
import { nameProblems, registerUser } from './registration.ts'
import { normalizeName, type User } from './user.ts'
import type { AttributeValues } from './user-attributes.ts'

/** What was entered. `username` empty: the address serves as user name. */
export type EnteredAccount = { readonly email: string; readonly username: string }

export type AccountError = 'email_invalid' | 'username_invalid'

/** Returns the user name of the account. */
export function accountName({ email, username }: EnteredAccount): string {
  return username === '' ? email : username
}

/**
 * Returns what is wrong with address and user name; undefined: nothing. A user name is an address only if it is the
 * account's own: whether another address has an account is not said, and a taken user name is.
 */
export function accountFault(entered: EnteredAccount): AccountError | undefined {
  if (!isEmailAddress(entered.email)) return 'email_invalid'
  const name = accountName(entered)
  if (nameProblems(name).length > 0) return 'username_invalid'
  return name.includes('@') && !isOwnAddress(entered) ? 'username_invalid' : undefined
}

/** Whether the address is the user name, so that nothing about that name may be said. */
export function isOwnAddress(entered: EnteredAccount): boolean {
  return normalizeName(accountName(entered)) === normalizeName(entered.email)
}

/** Returns the account of a registration whose address was confirmed. `locale`: the person's language; undefined: the service's. */
export function registerConfirmed(
  account: EnteredAccount & {
    readonly id: string
    readonly passwordHash: string | null
    readonly roles: readonly string[]
    readonly locale: string | undefined
    readonly attributes: AttributeValues
  },
  nowMs: number,
): Judged<User> {
  const { id, email, passwordHash, roles, locale, attributes } = account
  const name = accountName(account)
  const user = registerUser({ id, name, email, emailConfirmed: true, passwordHash, roles }, nowMs)
  if (isRefusal(user)) return user
  return { ...user, attributes, ...(locale !== undefined && { claims: { ...user.claims, locale } }) }
}

/** What the record of a former system gives to a person who is here without a password (`Accounts:Legacy:Url`). */
import type { ImportedRecord } from './imported-person.ts'
import { normalizeName, type User } from './user.ts'
import { proofs } from './user-claims.ts'

/**
 * Returns what a typed name counts as while its password is asked of the former system, which may tell apart less than this service:
 * many databases compare without accents, width and blanks. Otherwise each spelling would have attempts of its own.
 */
export function attemptedName(typed: string): string {
  return normalizeName(typed.normalize('NFKD').replaceAll(/[\p{M}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/gu, ''))
}

/**
 * Whether a record of the former system may complete the person. Anyone can register a free name, also without a password, and
 * would keep access to the account. A person whom no import brought is completed in two cases: the address of the record was
 * confirmed here; or no address was confirmed, and there is no way to sign in. An address from an external provider counts as
 * unconfirmed until it is confirmed here.
 */
export function mayComplete(
  { email }: Pick<ImportedRecord, 'email'>,
  stored: User,
  { isImported, hasWayIn }: { readonly isImported: boolean; readonly hasWayIn: boolean },
): boolean {
  if (stored.isUnclaimed === true) return false
  if (isImported) return true
  const hasProven = stored.email !== '' && stored.emailConfirmed
  if (hasProven) return typeof email === 'string' && normalizeName(email) === normalizeName(stored.email)
  return !hasWayIn
}

/**
 * Returns the record without what the person has here, which may have changed since. It asks for no less at a sign-in, unlocks
 * nobody, and proves no address but the one that the person has.
 */
export function completing(record: ImportedRecord, stored: User): ImportedRecord {
  const { email, members, roles, locked, attributes, ...others } = record
  const { email_verified: isVerified, required_actions: asked = [], had_second_factor: had, ...claims } = members
  const { requiredActions = [], hadSecondFactor = false, claims: known } = stored
  const isMissing = (name: string): boolean => !Object.hasOwn(known, name)
  const isNew = ([name]: readonly [string, unknown]): boolean =>
    isMissing(name) && proofs.every(({ flag, proves }) => flag !== name || isMissing(proves))
  const hasAddress = stored.email !== ''
  const isSame = typeof email === 'string' && normalizeName(email) === normalizeName(stored.email)
  return {
    ...others,
    username: stored.name,
    ...(!hasAddress && email !== undefined && { email }),
    members: {
      ...Object.fromEntries(Object.entries(claims).filter(isNew)),
      ...(isVerified === true && (isSame || !hasAddress) && { email_verified: true }),
      required_actions: [...new Set([...requiredActions, ...asked])],
      had_second_factor: hadSecondFactor || had === true,
    },
    ...(roles !== undefined && stored.roles.length === 0 && { roles }),
    ...(locked !== undefined && locked !== null && { locked }),
    ...(attributes !== undefined && {
      attributes: Object.fromEntries(
        Object.entries(attributes).filter(([name]) => !Object.hasOwn(stored.attributes, name)),
      ),
    }),
  }
}

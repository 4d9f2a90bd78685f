/** Claims of other systems. What is no value of ours is left out: it must not keep a person from signing in. */
import { claimFault, type SettableClaim } from '../users/user-claims.ts'

export type JudgedClaims = {
  /** Those whose values are accepted. */
  readonly usable: Record<string, unknown>
  /** The names of the others that have a value. */
  readonly refused: readonly string[]
}

export function judgeClaims(claims: { readonly [Claim in SettableClaim]?: unknown }): JudgedClaims {
  const given = Object.entries(claims).filter(([, value]) => isGiven(value))
  const isUsable = ([claim, value]: readonly [string, unknown]) =>
    claimFault(claim as SettableClaim, value) === undefined
  return {
    usable: Object.fromEntries(given.filter(isUsable)),
    refused: given.filter((one) => !isUsable(one)).map(([claim]) => claim),
  }
}

/** Adds that a number which is usable was verified. */
export function withVerifiedNumber({ usable, refused }: JudgedClaims, isVerified: boolean): JudgedClaims {
  return 'phone_number' in usable && isVerified
    ? { usable: { ...usable, phone_number_verified: true }, refused }
    : { usable, refused }
}

/** Returns the names of members that have a value and are not read. `within`: the member that they belong to. */
export function unread(members: unknown, read: readonly string[], within = ''): string[] {
  if (typeof members !== 'object' || members === null) return []
  const names = Object.entries(members).flatMap(([name, value]) =>
    read.includes(name) || !isGiven(value) ? [] : [name],
  )
  return names.map((name) => (within === '' ? name : `${within}.${name}`))
}

/** Whether there is anything to keep. */
function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

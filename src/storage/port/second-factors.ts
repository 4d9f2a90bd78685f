/** Second factors of users. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Candidate } from '../../users/lockout.ts'
import type { SecondFactors } from '../../users/second-factor.ts'

export type SecondFactorStore = {
  find(userId: string): Promise<SecondFactors | undefined>
  /**
   * Runs `decide` on the user and the factors as stored and commits its result on exactly those versions. Retries after
   * a concurrent change, so `decide` must be pure. Changes nothing if the result has no factors and forgets nothing. Returns undefined if
   * there is no such user.
   */
  change<D extends FactorChange>(userId: string, decide: (stored: Candidate) => D): Promise<D | undefined>
}

export type FactorChange = {
  /** The next state; absent: unchanged. Recovery codes end with the last factor, whatever it says. */
  readonly factors?: SecondFactors
  /** No browser counts as remembered any more. They also end with the last factor. */
  readonly forgetsRemembered?: boolean
  readonly events?: AuditEvents
}

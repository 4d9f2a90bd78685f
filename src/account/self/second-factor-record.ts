/** The second factors of a person as JSON. */
import type { SecondFactors } from '../../users/second-factor.ts'
import { isoTime } from '../../users/user-record.ts'

/** What is switched on, for the account area. */
export function describeFactors(factors: SecondFactors | undefined) {
  return {
    totp: factors?.totp == null ? null : { created_at: isoTime(factors.totp.sinceMs) },
    recovery_codes: factors?.recoveryHashes.length ?? 0,
  }
}

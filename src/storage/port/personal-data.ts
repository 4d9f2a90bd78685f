/** Everything that is stored about one person. */
import type { PersonalData } from '../../users/personal-data.ts'
import type { User } from '../../users/user.ts'

export type PersonalDataStore = {
  /**
   * Reads what depends on the user, part by part: what changes meanwhile may be missing. At most the last 10,000 entries of
   * the audit trail.
   */
  read(user: User): Promise<PersonalData>
}

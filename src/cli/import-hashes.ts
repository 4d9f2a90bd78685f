/** Which password hashes an import takes. */
import { isTooLarge, referenceCostMs } from '../secrets/hash-cost.ts'
import { acceptHash } from '../secrets/password.ts'
import type { Settings } from '../settings/settings.ts'
import type { ImportRules } from '../users/imported-person.ts'

export function hashJudge(settings: Settings): ImportRules['judgeHash'] {
  const mostMs = settings.accounts.password.foreignMaxCost
  return (text) => {
    const stored = acceptHash(text)
    if (stored === undefined) return { fault: 'is no password hash that Latchkey knows' }
    if (isTooLarge(stored)) return { tooDear: 'would take more than 256 MiB of memory to check' }
    const ms = Math.ceil(referenceCostMs(stored))
    if (ms <= mostMs) return { stored }
    return { tooDear: `would take ${ms} ms to check, more than Accounts:Password:ForeignMaxCost (${mostMs})` }
  }
}

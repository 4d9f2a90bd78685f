/**
 * Values of a request that may be used once, such as the `jti` of a proof. The commit of the endpoint uses them up, so
 * that a request that is refused for another reason leaves them as they are.
 */
import type { Refusal } from '../protocol/refusals/index.ts'
import type { SpentBefore, SpentValue } from '../storage/port/grants.ts'

/** `refuse`: the answer if the value was used before. */
export type Spend = SpentValue & { refuse(): Refusal }

/** Returns the refusal of the value that lost the commit. */
export function refuseUsed(spends: readonly Spend[], { spentBefore }: SpentBefore): Refusal {
  const used = spends.find(({ id }) => id === spentBefore)
  if (used === undefined) throw new Error('a value was used before that is none of the request')
  return used.refuse()
}

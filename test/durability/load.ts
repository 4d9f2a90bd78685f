/** Visitors who use the service while something happens to it. */
import type { Visitor } from './visitor.ts'

/**
 * Runs `work` while the visitors go on without pause: at least sixty writes were acknowledged before it begins and after it
 * has ended. `work` may wait until so many more have been; it is refused once all visitors have left. Rejects when a visitor
 * met what must not happen.
 */
export async function underLoad(
  visitors: readonly Visitor[],
  work: (acknowledged: (more: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  let stopped = false
  let count = 0
  const waiting: { readonly at: number; readonly resolve: () => void }[] = []
  const onAcknowledged = (): void => {
    count += 1
    for (const { at, resolve } of waiting) if (count === at) resolve()
  }
  let haveLeft = false
  const uses = Promise.all(visitors.map((visitor) => visitor.use(() => stopped, onAcknowledged))).finally(() => {
    haveLeft = true
  })
  const acknowledged = async (more: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ at: count + more, resolve })
    // When a visitor fails, its failure is what counts.
    await Promise.race([promise, uses])
  }
  try {
    await acknowledged(60)
    await work((more) => {
      if (haveLeft) throw new Error('All visitors have left: they lost the service.')
      return acknowledged(more)
    })
    await acknowledged(60)
  } finally {
    stopped = true
    await uses
  }
}

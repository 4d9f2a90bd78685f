/** Makes the keys that registered clients need, before anything is signed with them. */
import type { Client } from '../protocol/client.ts'
import { algorithmsOf } from '../protocol/signing-algorithms.ts'
import type { CommandContext, Workspace } from './context.ts'

/**
 * Publishes a key for each algorithm that the clients registered for what the service signs. Without the master key, or
 * before the first start, the service makes the keys at their first use instead.
 */
export async function publishKeys(
  { clock, random }: CommandContext,
  { storage, settings }: Pick<Workspace, 'storage' | 'settings'>,
  clients: readonly Client[],
): Promise<void> {
  const needed = new Set(clients.flatMap(({ metadata }) => algorithmsOf(metadata, settings.oauth.postQuantum)))
  if (needed.size === 0) return
  const rows = await storage.keys.list()
  const missing = [...needed].filter((algorithm) => !rows.some((row) => row.algorithm === algorithm))
  if (rows.length === 0 || missing.length === 0) return
  const { openKeyRing } = await import('../keys/ring.ts')
  const { KeyRingProblem } = await import('../keys/problem.ts')
  try {
    const keys = await openKeyRing({ storage, settings, clock, random })
    for (const algorithm of missing) await keys.signer(algorithm)
  } catch (error) {
    if (!(error instanceof KeyRingProblem)) throw error
  }
}

/** Keeps the keys to what registered clients need. */
import type { Client } from '../protocol/client/client.ts'
import { algorithmsKeptFor } from '../protocol/client/client-algorithms.ts'
import { mintClientSecret } from '../secrets/opaque.ts'
import { type MintedSecret, methodIn, mintSecretFor } from '../secrets/sealed-secret.ts'
import { type CommandContext, currentActor, openKeys, type Workspace } from './context.ts'

type Place = Pick<Workspace, 'storage' | 'settings'>

/**
 * Publishes a key for each algorithm that the clients registered for what the service signs, before anything is signed with
 * it, and ends the keys that no client asks for any more. Without the master key, or before the first start, the service
 * makes the keys at their first use instead.
 */
export async function publishKeys(context: CommandContext, place: Place, clients: readonly Client[]): Promise<void> {
  const { clock, random } = context
  const { storage, settings } = place
  await endKeys(context, place)
  const needed = new Set(clients.flatMap(({ metadata }) => algorithmsKeptFor(metadata, settings.oauth.postQuantum)))
  if (needed.size === 0) return
  const rows = await storage.keys.list()
  const isThere = (algorithm: string) =>
    rows.some((row) => row.use === 'sign' && row.algorithm === algorithm && row.expiresAtMs === null)
  const missing = [...needed].filter((algorithm) => !isThere(algorithm))
  if (rows.length === 0 || missing.length === 0) return
  const { openKeyRing } = await import('../keys/ring.ts')
  const { KeyRingProblem } = await import('../keys/master-key.ts')
  try {
    const keys = await openKeyRing({ storage, settings, clock, random })
    for (const algorithm of missing) await keys.signer(algorithm)
  } catch (error) {
    if (!(error instanceof KeyRingProblem)) throw error
  }
}

/** Returns a new secret for a client that the changes make. The key ring is opened for one that is sealed alone. */
export function mintSecret(
  context: CommandContext,
  place: Place,
  changes: readonly { readonly member: string; readonly value: unknown }[],
): Promise<MintedSecret> {
  return mintSecretOf(context, place, methodIn(changes))
}

export async function mintSecretOf(context: CommandContext, place: Place, method: unknown): Promise<MintedSecret> {
  if (method === 'client_secret_jwt') return mintSecretFor(method, await openKeys(context, place), context.random)
  const { secret, hash } = mintClientSecret(context.random)
  return { secret, stored: hash }
}

/** Ends the keys that no client asks for any more. */
export async function endKeys({ clock }: CommandContext, { storage, settings }: Place): Promise<void> {
  const { endUncommon } = await import('../keys/unasked.ts')
  await endUncommon({ storage, settings, clock, actor: currentActor() })
}

/**
 * Ends the keys of algorithms that nobody asks for any more. A key of an uncommon type leaves the key set at once, because
 * some libraries refuse the whole set for it; its public half goes on to verify what it signed.
 */
import { eventBy } from '../audit/entry.ts'
import type { Client } from '../protocol/client/client.ts'
import { algorithmsKeptFor } from '../protocol/client/client-algorithms.ts'
import type { ClientAlgorithm } from '../protocol/client/client-metadata.ts'
import { isUncommon } from '../protocol/client/signing-algorithms.ts'
import type { Settings } from '../settings/settings.ts'
import type { KeyEnd, StoredKey } from '../storage/port/keys.ts'
import type { Storage } from '../storage/port/storage.ts'
import { dependenceMs, isForClients, isPublished } from './lifecycle.ts'
import { namesOf } from './missing.ts'
import type { KeyRingContext } from './ring.ts'

export type UnaskedContext = Omit<KeyRingContext, 'storage'> & { readonly storage: Pick<Storage, 'keys' | 'clients'> }

const isUncommonKey = ({ algorithm }: StoredKey): boolean => isUncommon(algorithm as ClientAlgorithm)

/** Whether the key leaves the key set as soon as nobody asks for it. Access tokens were never signed with it. */
const endsAtOnce = (key: StoredKey): boolean => key.isForClients && isUncommonKey(key)

/** Returns the keys whose algorithm neither the settings nor a client asks for, and that have to end, or to end earlier. */
export async function unaskedKeys(
  { storage: { clients }, settings }: Pick<UnaskedContext, 'storage' | 'settings'>,
  ring: readonly StoredKey[],
  nowMs: number,
): Promise<StoredKey[]> {
  const isFurther = isForClients(settings)
  const hasToEnd = (key: StoredKey) => key.expiresAtMs === null || (endsAtOnce(key) && isPublished(key, nowMs))
  const further = ring.filter((key) => key.use === 'sign' && isFurther(key) && hasToEnd(key))
  const algorithms = [...new Set(further.map(({ algorithm }) => algorithm))]
  const asked = await Promise.all(algorithms.map((algorithm) => isAsked(clients, algorithm, settings)))
  return further.filter(({ algorithm }) => !asked[algorithms.indexOf(algorithm)])
}

async function isAsked(clients: Storage['clients'], algorithm: string, settings: Settings): Promise<boolean> {
  const { postQuantum } = settings.oauth
  const asks = ({ metadata }: Client) => (algorithmsKeptFor(metadata, postQuantum) as string[]).includes(algorithm)
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Client[] = await clients.page(after, { algorithm })
    if (page.some(asks)) return true
    after = page.at(-1)?.id
  }
  return false
}

/** Returns the expiries of unasked keys, of which one that ever signed access tokens is kept until those have expired. */
export function endsOfUnasked(unasked: readonly StoredKey[], settings: Settings, nowMs: number): KeyEnd[] {
  return unasked.map((key) => {
    const afterMs = endsAtOnce(key) ? 0 : (dependenceMs(key.use, settings) ?? 0)
    return { id: key.id, fromMs: key.expiresAtMs, expiresAtMs: nowMs + afterMs }
  })
}

/**
 * Ends the keys with an uncommon type that nobody asks for. Several processes may do so at the same time. Resolves to the
 * keys that this call ended.
 */
export async function endUncommon(context: UnaskedContext): Promise<readonly StoredKey[]> {
  const { storage, settings, clock, actor = 'service' } = context
  const nowMs = clock()
  const unasked = await unaskedKeys(context, (await storage.keys.list()).filter(isUncommonKey), nowMs)
  if (unasked.length === 0) return []
  const details = { ended: namesOf(unasked) }
  const ends = endsOfUnasked(unasked, settings, nowMs)
  const isEnded = await storage.keys.rotate([], ends, [eventBy(actor, nowMs, 'keys_rotated', {}, details)])
  return isEnded ? unasked : []
}

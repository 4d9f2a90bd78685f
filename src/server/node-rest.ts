/**
 * What rests and comes back in a node: a process that shares a server database with others. At rest it is no server to the
 * others, sends no heartbeat and extends no lease. It answers and writes again only after it has looked at what they changed.
 */
import type { KeyRing } from '../keys/key-ring.ts'
import { StorageUnavailable } from '../storage/port/unavailable.ts'
import type { Lease } from './lease.ts'
import type { Presence } from './presence.ts'

export type NodeRest = {
  /** For `repeating`. `awaken`: called when a commit of this process ends the rest. */
  begin(awaken: () => void): () => void
  /**
   * Undefined: requests may be answered and changes be written. Otherwise the node has been at rest: resolves when it has read what
   * may be stale, one reading for all who ask; rejects with `StorageUnavailable` if the database was moved meanwhile.
   */
  ready(): Promise<void> | undefined
}

export function nodeRest(node: {
  readonly presence: Pick<Presence, 'leave' | 'comeBack'>
  readonly keys: Pick<KeyRing, 'refresh'>
  readonly lease: Pick<Lease, 'renew'>
}): NodeRest {
  const { presence, keys, lease } = node
  let isAway = false
  let returning: Promise<void> | undefined
  let awakenAll = () => {}

  async function comeBack(): Promise<void> {
    const [back] = await Promise.allSettled([presence.comeBack(), keys.refresh(0)])
    if (back.status === 'fulfilled' && back.value !== undefined) throw new StorageUnavailable(back.value.message)
    // Without an answer of the database it is as for a node that was awake: the next heartbeat registers it and looks.
    isAway = false
    // At rest it had no lease that others heed.
    void lease.renew().catch(() => {})
  }

  function ready(): Promise<void> | undefined {
    if (!isAway) return undefined
    returning ??= comeBack().finally(() => {
      returning = undefined
    })
    return returning
  }

  return {
    begin(awaken) {
      isAway = true
      awakenAll = awaken
      presence.leave().catch(() => {})
      return () => void ready()?.catch(() => {})
    },
    ready() {
      if (isAway) awakenAll()
      return ready()
    },
  }
}

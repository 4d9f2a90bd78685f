/**
 * The choices of the ring between two moments at which one of its keys begins or ends. They are made once for all
 * requests of that time, because a request asks for several keys.
 */

import type { ClientAlgorithm } from '../protocol/client/client-metadata.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { RingSecret, SecretUse, SigningKey } from './key-ring.ts'
import { activeKey, isPublished, type Purpose } from './lifecycle.ts'
import type { RingState } from './ring-state.ts'

export type SteadyRing = {
  /** Whether the choices hold for this content of the ring at this time. */
  isFor(state: RingState, nowMs: number): boolean
  /** Published keys by id. */
  readonly published: ReadonlyMap<string, StoredKey>
  /** Of signing keys without an end. */
  readonly algorithms: readonly ClientAlgorithm[]
  signingKey(purpose: Purpose): SigningKey | undefined
  secret(use: SecretUse): RingSecret | undefined
}

export function steadyRing(state: RingState, nowMs: number): SteadyRing {
  const { rows, signing, secrets } = state
  const moments = rows.flatMap(({ activeAtMs, expiresAtMs }) => [activeAtMs, expiresAtMs ?? activeAtMs])
  const fromMs = Math.max(...moments.filter((atMs) => atMs <= nowMs))
  const untilMs = Math.min(...moments.filter((atMs) => atMs > nowMs))
  const chosen = new Map<string, SigningKey>()
  const chosenSecrets = new Map<SecretUse, RingSecret>()
  const lasting = rows.filter(({ use, expiresAtMs }) => use === 'sign' && expiresAtMs === null)
  return {
    algorithms: [...new Set(lasting.map(({ algorithm }) => algorithm as ClientAlgorithm))],
    isFor: (other, atMs) => other === state && atMs >= fromMs && atMs < untilMs,
    published: new Map(rows.filter((row) => isPublished(row, nowMs)).map((row) => [row.id, row])),
    signingKey(purpose) {
      const name = `${purpose.use} ${purpose.algorithm}`
      const known = chosen.get(name)
      if (known !== undefined) return known
      // Considers only imported keys: after the clock was set back slightly, the choice must not fall on a dropped key.
      const imported = rows.filter(({ id }) => signing.has(id))
      const key = signing.get(activeKey(imported, purpose, nowMs)?.id ?? '')
      if (key !== undefined) chosen.set(name, key)
      return key
    },
    secret(use) {
      const known = chosenSecrets.get(use)
      if (known !== undefined) return known
      // As above: a secret that was dropped is published again when the clock was set back.
      const loaded = rows.filter(({ id }) => secrets.has(id))
      const secret = secrets.get(activeKey(loaded, { use, algorithm: 'secret' }, nowMs)?.id ?? '')
      if (secret !== undefined) chosenSecrets.set(use, secret)
      return secret
    },
  }
}

/**
 * Refresh tokens as text. Each names its grant and its generation in the chain, and carries a secret that is a keyed
 * hash of both and the chain's salt: so any node can make the live token again for a client that lost the answer, and
 * can tell a replaced token from an invented one, however old it is.
 */
import { createHmac } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Grant, RefreshChain } from '../protocol/grant.ts'
import { secretMatches } from '../secrets/opaque.ts'

/** A refresh token taken apart. Whether it was ever issued is another question. */
export type PresentedRefreshToken = {
  readonly grantId: string
  readonly generation: number
  /** 32 bytes in base64url, in their one canonical spelling. */
  readonly secret: string
}

/** UUID, generation in base 36, and 32 bytes in base64url: one canonical spelling for each token. */
const syntax =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.(0|[1-9a-z][0-9a-z]{0,9})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/

export function readRefreshToken(text: string): PresentedRefreshToken | undefined {
  const match = syntax.exec(text)
  if (match === null) return undefined
  const [, grantId = '', generation = '', secret = ''] = match
  return { grantId, generation: Number.parseInt(generation, 36), secret }
}

/** The state of a chain that begins now. */
export function newRefreshChain(
  keys: KeyRing,
  expiresAtMs: number,
  random: (bytes: number) => Uint8Array,
): RefreshChain {
  const salt = Buffer.from(random(16)).toString('base64url')
  return { generation: 0, salt, derivationKeyId: keys.secret('refresh').id, expiresAtMs, rotatedAtMs: [] }
}

/** The live token of the grant's chain; null: the grant has none. */
export function refreshTokenOf(grant: Grant, keys: KeyRing): string | null {
  const { refresh } = grant
  if (refresh === null) return null
  const secret = deriveSecret(keys, refresh.derivationKeyId, grant.id, refresh.salt, refresh.generation)
  if (secret === undefined) throw new Error(`the derivation secret ${refresh.derivationKeyId} is not in the key ring`)
  return `${grant.id}.${refresh.generation.toString(36)}.${secret}`
}

/**
 * The generation of a token that this grant's chain really had, or that it had in a later state than the stored one (after
 * a backup was restored, or a replica that lagged took over); undefined for an invented one.
 */
export function recogniseGeneration(
  presented: PresentedRefreshToken,
  grant: Grant | undefined,
  keys: KeyRing,
): number | undefined {
  if (grant?.refresh === null || grant?.refresh === undefined) return undefined
  const chain = grant.refresh
  const { generation, secret } = presented
  const isOf = (keyId: string): boolean => {
    const expected = deriveSecret(keys, keyId, grant.id, chain.salt, generation)
    return expected !== undefined && secretMatches(expected, secret)
  }
  if (isOf(chain.derivationKeyId) || otherSecrets(chain, generation, keys).some(isOf)) return generation
  return undefined
}

/**
 * Under which secrets beside its own a chain may have derived the tokens of a generation: older ones before it took on its
 * own, newer ones in a later state. So a secret that was replaced because it got out makes no token that is worth anything.
 */
function otherSecrets(chain: RefreshChain, generation: number, keys: KeyRing): readonly string[] {
  const isBefore = generation < (chain.derivedFrom ?? 0)
  if (!isBefore && generation <= chain.generation) return []
  const ids = keys.secretsOf('refresh').map(({ id }) => id)
  const own = ids.indexOf(chain.derivationKeyId)
  if (own === -1) return []
  return isBefore ? ids.slice(0, own).reverse() : ids.slice(own + 1)
}

/** The next state of a chain under the active derivation secret, unless that of the chain is newer. */
export function underActiveSecret(next: RefreshChain, keys: KeyRing): RefreshChain {
  const { id } = keys.secret('refresh')
  if (id === next.derivationKeyId) return next
  const ids = keys.secretsOf('refresh').map((secret) => secret.id)
  // A clock that is behind must not lead back.
  if (ids.indexOf(id) < ids.indexOf(next.derivationKeyId)) return next
  return { ...next, derivationKeyId: id, derivedFrom: next.generation }
}

/** HMAC-SHA-256 (RFC 2104), base64url. The parts have fixed alphabets without the separator, so they cannot be shifted. */
function deriveSecret(
  keys: KeyRing,
  keyId: string,
  grantId: string,
  salt: string,
  generation: number,
): string | undefined {
  const key = keys.secretById('refresh', keyId)
  if (key === undefined) return undefined
  const message = `latchkey refresh token v1\n${grantId}\n${generation}\n${salt}`
  return createHmac('sha256', key.bytes).update(message).digest('base64url')
}

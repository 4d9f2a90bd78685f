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
  const secret = deriveSecret(keys, grant.id, refresh, refresh.generation)
  if (secret === undefined) throw new Error(`the derivation secret ${refresh.derivationKeyId} is not in the key ring`)
  return `${grant.id}.${refresh.generation.toString(36)}.${secret}`
}

/** The generation of a token that this grant's chain really issued or will issue next; undefined for an invented one. */
export function recogniseGeneration(
  presented: PresentedRefreshToken,
  grant: Grant | undefined,
  keys: KeyRing,
): number | undefined {
  if (grant?.refresh === null || grant?.refresh === undefined) return undefined
  const expected = deriveSecret(keys, grant.id, grant.refresh, presented.generation)
  if (expected === undefined || !secretMatches(expected, presented.secret)) return undefined
  return presented.generation
}

/** HMAC-SHA-256 (RFC 2104), base64url. The parts have fixed alphabets without the separator, so they cannot be shifted. */
function deriveSecret(keys: KeyRing, grantId: string, chain: RefreshChain, generation: number): string | undefined {
  const key = keys.secretById('refresh', chain.derivationKeyId)
  if (key === undefined) return undefined
  const message = `latchkey refresh token v1\n${grantId}\n${generation}\n${chain.salt}`
  return createHmac('sha256', key.bytes).update(message).digest('base64url')
}

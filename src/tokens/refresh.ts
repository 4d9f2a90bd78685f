/**
 * Formats and parses refresh tokens. A token names its grant and its generation in the refresh chain, and carries a
 * keyed hash of both and the chain's salt. Any node can therefore derive the current token again for a client that lost
 * the answer, and can tell a replaced token from an invented one, however old it is.
 */
import { createHmac } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Grant, RefreshChain } from '../protocol/grant/grant.ts'
import type { RecognisedGeneration } from '../protocol/grant/refresh-token.ts'
import { secretMatches } from '../secrets/opaque.ts'

/** A parsed refresh token; not necessarily one that was issued. */
export type PresentedRefreshToken = {
  readonly grantId: string
  readonly generation: number
  /** 32 bytes in canonical base64url. */
  readonly secret: string
}

/** UUID, generation in base 36, and 32 bytes in base64url. Each token has exactly one spelling in either form. */
const syntax =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.(0|[1-9a-z][0-9a-z]{0,9})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/

export function readRefreshToken(text: string): PresentedRefreshToken | undefined {
  const match = syntax.exec(text.startsWith(jwtHeader) ? fromJwtForm(text) : text)
  if (match === null) return undefined
  const [, grantId = '', generation = '', secret = ''] = match
  return { grantId, generation: Number.parseInt(generation, 36), secret }
}

const base64url = (text: string): string => Buffer.from(text, 'latin1').toString('base64url')

/**
 * The beginning of the other form, for applications that read the payload of refresh tokens as that of a JWT, as keycloak-js does. No
 * more of it is one: its last part is the secret, which is no signature of the others.
 */
const jwtHeader = `${base64url('{"alg":"HS256","typ":"JWT"}')}.`

function toJwtForm(token: string): string {
  const end = token.lastIndexOf('.')
  return `${jwtHeader}${base64url(`{"typ":"Refresh","jti":"${token.slice(0, end)}"}`)}${token.slice(end)}`
}

/** Returns the token in the usual form; an empty text: it is none. */
function fromJwtForm(text: string): string {
  const [, payload = '', secret = ''] = text.split('.')
  const [, named = ''] = /"jti":"([^"]*)"/.exec(Buffer.from(payload, 'base64url').toString('latin1')) ?? []
  const token = `${named}.${secret}`
  return toJwtForm(token) === text ? token : ''
}

/** Returns the initial state of a chain. */
export function newRefreshChain(
  keys: KeyRing,
  expiresAtMs: number,
  random: (bytes: number) => Uint8Array,
): RefreshChain {
  const salt = Buffer.from(random(16)).toString('base64url')
  return { generation: 0, salt, derivationKeyId: keys.secret('refresh').id, expiresAtMs, rotatedAtMs: [] }
}

/**
 * Returns the current token of the grant's chain; null: the grant has none. `isRead`: whether the application reads its payload as that
 * of a JWT.
 */
export function refreshTokenOf(grant: Grant, keys: KeyRing, isRead = false): string | null {
  const { refresh } = grant
  if (refresh === null) return null
  const secret = deriveSecret(keys, refresh.derivationKeyId, grant.id, refresh.salt, refresh.generation)
  if (secret === undefined) throw new Error(`the derivation secret ${refresh.derivationKeyId} is not in the key ring`)
  const token = `${grant.id}.${refresh.generation.toString(36)}.${secret}`
  return isRead ? toJwtForm(token) : token
}

/**
 * Returns the generation of a token that this chain issued, or issued in a later state than the stored one (after
 * restoring a backup or promoting a lagging replica); undefined for an invented token.
 */
export function recogniseGeneration(
  presented: PresentedRefreshToken,
  grant: Pick<Grant, 'id' | 'refresh'> | undefined,
  keys: KeyRing,
): RecognisedGeneration | undefined {
  if (grant?.refresh === null || grant?.refresh === undefined) return undefined
  const chain = grant.refresh
  const { generation, secret } = presented
  const isOf = (keyId: string): boolean => {
    const expected = deriveSecret(keys, keyId, grant.id, chain.salt, generation)
    return expected !== undefined && secretMatches(expected, secret)
  }
  if (isOf(chain.derivationKeyId) || otherSecrets(chain, generation, keys).some(isOf))
    return generation as RecognisedGeneration
  return undefined
}

/**
 * Returns the other secrets that may have derived the tokens of a generation: older ones for generations before the
 * chain adopted its own, newer ones for a later state. A leaked secret that was replaced therefore derives no token
 * that is accepted as current.
 */
function otherSecrets(chain: RefreshChain, generation: number, keys: KeyRing): readonly string[] {
  const isBefore = generation < (chain.derivedFrom ?? 0)
  if (!isBefore && generation <= chain.generation) return []
  const ids = keys.secretsOf('refresh').map(({ id }) => id)
  const own = ids.indexOf(chain.derivationKeyId)
  if (own === -1) return []
  return isBefore ? ids.slice(0, own).reverse() : ids.slice(own + 1)
}

/** Returns the next state of a chain under the active derivation secret, unless the chain's own is newer. */
export function underActiveSecret(next: RefreshChain, keys: KeyRing): RefreshChain {
  const { id } = keys.secret('refresh')
  if (id === next.derivationKeyId) return next
  const ids = keys.secretsOf('refresh').map((secret) => secret.id)
  // A node whose clock is behind must not return to an older secret.
  if (ids.indexOf(id) < ids.indexOf(next.derivationKeyId)) return next
  return { ...next, derivationKeyId: id, derivedFrom: next.generation }
}

/**
 * HMAC-SHA-256 (RFC 2104), base64url. The alphabets of the parts exclude the separator, so field boundaries are
 * unambiguous.
 */
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

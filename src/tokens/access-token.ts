/**
 * Makes access tokens and opens them: JWTs (RFC 9068), or opaque ones for clients that registered
 * `access_token_format: opaque`. Both carry their content, so that nothing is stored for either.
 */
import type { KeyRing } from '../keys/key-ring.ts'
import type { ClaimsSet } from '../protocol/claims/claims.ts'
import { type IssuedRules, issuedAccessToken } from '../protocol/claims/issued-claims.ts'
import { withoutUser } from '../protocol/claims/shown-claims.ts'
import type { RequestingClient } from '../protocol/client/client.ts'
import { type AccessTokenType, accessTokenTypes, isOfAccessToken } from '../protocol/token/access-token-type.ts'
import { sealText, unsealText } from '../secrets/sealed.ts'
import type { Settings } from '../settings/settings.ts'
import { type StartedJwt, startJwt } from './sign.ts'
import { type OpenedClaims, verifyJwt } from './signature.ts'

export type Minting = {
  readonly settings: Settings
  readonly keys: KeyRing
  readonly random: (bytes: number) => Uint8Array
}

const noneFound: IssuedRules = { rules: undefined }

const label = 'latchkey access token v1'

/**
 * Returns the access token with `claims`, of this type if it is a JWT. An opaque one has no claims about the person: only this service opens it, and
 * reads them from the database.
 */
export function mintAccessToken(
  { settings, keys, random }: Minting,
  client: RequestingClient,
  claims: ClaimsSet,
  type: AccessTokenType,
  found: IssuedRules = noneFound,
): StartedJwt {
  if (client.metadata.access_token_format === 'opaque') {
    return sealText(keys, 'access', label, JSON.stringify(withoutUser(claims)), random)
  }
  const algorithm = settings.oauth.accessTokenAlgorithm
  return startJwt(keys.signingKey(algorithm), type, issuedAccessToken(claims, client, algorithm, found))
}

/**
 * Returns the claims of an access token of this issuer, expired or not; undefined: invalid. Other JWTs have a type or claims that no
 * access token has, so that an id token is never accepted as one (RFC 9068 §4).
 */
export function openAccessToken(token: string, keys: KeyRing, issuer: string): OpenedClaims | Promise<OpenedClaims> {
  if (!isSealed(token)) {
    const verified = verifyJwt(token, accessTokenTypes, keys, issuer)
    return verified instanceof Promise ? verified.then(ofAccessToken) : ofAccessToken(verified)
  }
  const text = unsealText(keys, 'access', label, token)
  const claims = text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>)
  return claims?.iss === issuer ? claims : undefined
}

const ofAccessToken = (claims: OpenedClaims): OpenedClaims =>
  claims !== undefined && isOfAccessToken(claims) ? claims : undefined

/** Whether the token has the form of an opaque one: two parts, of which a JWT has three (RFC 7515 §3.1). */
function isSealed(token: string): boolean {
  const dot = token.indexOf('.')
  return dot > 0 && token.indexOf('.', dot + 1) === -1
}

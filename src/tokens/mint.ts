/** Mints the token response (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
import { hash } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'
import { accessTokenClaims, idTokenClaims, type Subject } from '../protocol/claims.ts'
import type { Grant } from '../protocol/grant.ts'
import type { Settings, SigningAlgorithm } from '../settings.ts'
import { signJwt } from './sign.ts'

export type TokenResponse = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  /** Space-separated; absent when nothing was asked for. */
  readonly scope?: string
  readonly id_token?: string
  readonly refresh_token?: string
}

export type Minting = { readonly settings: Settings; readonly keys: KeyRing }

/**
 * Signs the tokens of `grant` for `scopes` (all that was granted, or a subset on refresh).
 * `refreshToken`: null when the grant has no refresh chain. `jti`: the access token's own id.
 */
export async function mintTokens(
  { settings, keys }: Minting,
  input: {
    readonly grant: Grant
    readonly scopes: readonly string[]
    readonly subject: Subject
    readonly refreshToken: string | null
    readonly jti: string
    readonly nowMs: number
  },
): Promise<TokenResponse> {
  const { issuer, accessTokenSeconds, identityTokenSeconds } = settings.oauth
  const { grant, subject, scopes } = input
  const nowSeconds = Math.floor(input.nowMs / 1000)
  const common = { issuer, grant, subject, nowSeconds }
  const accessToken = await signJwt(
    keys.signingKey(settings.oauth.accessTokenAlgorithm),
    'at+jwt',
    accessTokenClaims({ ...common, scopes, jti: input.jti, lifetimeSeconds: accessTokenSeconds }),
  )
  const response = {
    access_token: accessToken,
    token_type: 'Bearer' as const,
    expires_in: accessTokenSeconds,
    // RFC 6749 §3.3: never empty; a request without scopes got none.
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
  }
  const refresh = input.refreshToken === null ? {} : { refresh_token: input.refreshToken }
  if (!scopes.includes('openid')) return { ...response, ...refresh }
  const algorithm = settings.oauth.identityTokenAlgorithm
  const accessTokenHash = hashOfAccessToken(accessToken, algorithm)
  const claims = idTokenClaims({ ...common, accessTokenHash, lifetimeSeconds: identityTokenSeconds })
  return { ...response, id_token: await signJwt(keys.signingKey(algorithm), 'JWT', claims), ...refresh }
}

/** `at_hash` (OpenID Connect Core §3.1.3.6): the left half of the hash that the id token's algorithm uses. */
function hashOfAccessToken(accessToken: string, algorithm: SigningAlgorithm): string {
  const digest = hash(algorithm === 'EdDSA' ? 'sha512' : 'sha256', accessToken, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

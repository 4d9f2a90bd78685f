/** Recognises a token of this service that was sent where one of another kind belongs. */
import type { KeyRing } from '../keys/key-ring.ts'
import { openAccessToken } from './access-token.ts'
import { openCode } from './code.ts'
import { readRefreshToken } from './refresh.ts'
import { verifyIdTokenHint } from './verify.ts'

export type TokenKind = 'code' | 'refresh_token' | 'access_token' | 'id_token'

/**
 * Returns the kind of a token, expired or not; undefined: this service issued no such token. Of a refresh token only the
 * form is judged here: `refresh_token` says that it may be one.
 */
export async function kindOf(token: string, keys: KeyRing, issuer: string): Promise<TokenKind | undefined> {
  if (readRefreshToken(token) !== undefined) return 'refresh_token'
  if (openCode(token, keys) !== undefined) return 'code'
  if ((await openAccessToken(token, keys, issuer)) !== undefined) return 'access_token'
  return (await verifyIdTokenHint(token, keys, issuer)) === undefined ? undefined : 'id_token'
}

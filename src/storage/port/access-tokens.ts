/** Revoked access tokens. */
import type { AuditEvents } from '../../audit/entry.ts'

export type AccessTokens = {
  /** Remembers a revoked access token until it would have expired anyway. */
  revoke(jti: string, expiresAtMs: number, events?: AuditEvents): Promise<void>
  /** True when the token's own `jti` or its grant was revoked, or the grant has gone. */
  isRevoked(jti: string, grantId: string): Promise<boolean>
}

/** Revoked access tokens. */
import type { AuditEvents } from '../../audit/entry.ts'

export type AccessTokens = {
  /** Stores a revoked access token until its expiry. */
  revoke(jti: string, expiresAtMs: number, events?: AuditEvents): Promise<void>
  /** Whether the token or its grant was revoked, or the grant was deleted. */
  isRevoked(jti: string, grantId: string): Promise<boolean>
}

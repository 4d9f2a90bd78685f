/**
 * How old a sign-in may be for a client: the rule of the authorization endpoint (OpenID Connect Core §3.1.2.1) and of the
 * page for devices.
 */
import type { Client } from '../client/client.ts'

/** Returns the seconds after which a sign-in no longer counts; null: no limit. `requested`: `max_age`. */
export function effectiveMaxAge(requested: number | null, { metadata }: Pick<Client, 'metadata'>): number | null {
  const maxAge = requested ?? metadata.default_max_age
  const limit = metadata.session_lifetime_max
  if (limit === null) return maxAge
  return maxAge === null ? limit : Math.min(maxAge, limit)
}

/**
 * Whether a sign-in satisfies a request with this `max_age`. One after the request's challenge always does; returning from
 * the login page without signing in does not. `challengedAtMs`: when the request was sent to the login page, if it was.
 * A user who reads a page slowly is not asked twice.
 */
export function isRecentEnough(
  { authenticatedAtMs }: { readonly authenticatedAtMs: number },
  maxAgeSeconds: number | null,
  challengedAtMs: number | undefined,
  nowMs: number,
): boolean {
  if (challengedAtMs !== undefined && authenticatedAtMs > challengedAtMs) return true
  if (maxAgeSeconds === 0) return false
  // A sign-in of exactly the maximum age still counts.
  return maxAgeSeconds === null || nowMs - authenticatedAtMs <= maxAgeSeconds * 1000
}

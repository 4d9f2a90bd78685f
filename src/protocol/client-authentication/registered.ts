import type { SecretAuthentication } from './client-secret.ts'
import type { NoAuthentication } from './none.ts'

/** A signature or a TLS certificate, verified with what the client's metadata contains (OpenID Connect Core §9, RFC 8705). */
export type KeyAuthentication = {
  readonly method: 'private_key_jwt' | 'tls_client_auth' | 'self_signed_tls_client_auth'
}

/** How a client is registered to authenticate, as its record stores it. */
export type ClientAuthentication = NoAuthentication | SecretAuthentication | KeyAuthentication

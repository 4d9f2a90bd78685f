import type { SecretAuthentication } from './client-secret.ts'
import type { NoAuthentication } from './none.ts'

/** How a client is registered to authenticate: what its record holds for that. */
export type ClientAuthentication = NoAuthentication | SecretAuthentication

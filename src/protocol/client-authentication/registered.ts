import type { SecretAuthentication } from './client-secret.ts'
import type { NoAuthentication } from './none.ts'

/** How a client is registered to authenticate, as its record stores it. */
export type ClientAuthentication = NoAuthentication | SecretAuthentication

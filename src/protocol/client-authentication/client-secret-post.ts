import { type SecretAuthentication, type SecretCredentials, verifySecret } from './client-secret.ts'
import type { ClientAuthenticationMethod } from './method.ts'

/** Sends `client_id` and `client_secret` in the body (RFC 6749 §2.3.1). */
export const clientSecretPost: ClientAuthenticationMethod<SecretCredentials, SecretAuthentication> = {
  registeredAs: 'client_secret',
  read: ({ clientId, secret, authorization, assertion, assertionType }) =>
    clientId === null || secret === null || (authorization ?? assertion ?? assertionType ?? null) !== null
      ? undefined
      : { method: 'client_secret_post', clientId, secret },
  verify: verifySecret,
}

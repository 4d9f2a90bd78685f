import { refuse } from '../refusals/index.ts'
import type { AuthenticationRegistration, ClientAuthenticationMethod } from './method.ts'

/** A public client identifies itself without authenticating (RFC 6749 §2.1). */
export type NoAuthentication = { readonly method: 'none' }

export type NoCredentials = { readonly method: 'none'; readonly clientId: string }

export const none: ClientAuthenticationMethod<NoCredentials, NoAuthentication> = {
  registeredAs: 'none',
  read: ({ clientId, secret, authorization, assertion, assertionType }) =>
    clientId === null || (secret ?? authorization ?? assertion ?? assertionType ?? null) !== null
      ? undefined
      : { method: 'none', clientId },
}

export const publicClient: AuthenticationRegistration<NoAuthentication> = {
  register: () => ({ method: 'none' }),
  refuseOther: (detail) => refuse('client_secret_unexpected', 'client_secret', detail),
}

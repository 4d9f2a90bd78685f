/** The values of `token_endpoint_auth_method` that a client can register (RFC 7591 §2, OpenID Connect Core §9). */
import { type Client, clientType, type RequestingClient } from '../client/client.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { sharedSecret } from './client-secret.ts'
import { isSealed, sealedSecret } from './client-secret-jwt.ts'
import type { AuthenticationDetail, AuthenticationRegistration } from './method.ts'
import { publicClient } from './none.ts'
import type { ClientAuthentication, KeyAuthentication } from './registered.ts'

/** Stores nothing beyond the name: keys and certificate names are members of the metadata. */
const byKey = (method: KeyAuthentication['method']): AuthenticationRegistration<KeyAuthentication> => ({
  register: () => ({ method }),
  refuseOther: (detail) => refuse('client_method_unregistered', '', { ...detail, registeredMethod: method }),
})

/** By the registered name. A shared secret may be sent in the header and in the body, whichever of the two is registered. */
const registrations = {
  none: publicClient,
  client_secret_basic: sharedSecret,
  client_secret_post: sharedSecret,
  private_key_jwt: byKey('private_key_jwt'),
  client_secret_jwt: sealedSecret,
  tls_client_auth: byKey('tls_client_auth'),
  self_signed_tls_client_auth: byKey('self_signed_tls_client_auth'),
} as const

export type RegisteredMethod = keyof typeof registrations

export const registrableMethods = Object.keys(registrations) as readonly RegisteredMethod[]

/** Returns a client's `token_endpoint_auth_method`. */
export function registeredMethod({ authentication, metadata }: RequestingClient): RegisteredMethod {
  if (authentication.method !== 'client_secret') return authentication.method
  const { token_endpoint_auth_method: name } = metadata
  return name === 'client_secret_post' || name === 'client_secret_jwt' ? name : 'client_secret_basic'
}

/** Refuses credentials of a method that the client is not registered for. */
export function refuseOtherMethod(client: RequestingClient, detail: AuthenticationDetail): Refusal {
  return registrations[registeredMethod(client)].refuseOther(detail)
}

type Registered = Pick<Client, 'authentication'> & { readonly token_endpoint_auth_method: RegisteredMethod | null }

/**
 * Returns the authentication of a client registered with this `token_endpoint_auth_method`. `null`: the default of its
 * client type. Keeps an existing secret and uses the new one otherwise. Returns a text for an invalid name: the allowed
 * values, as the end of a sentence.
 */
export function registerMethod(name: unknown, before: Client, newSecretHash: string): Registered | string {
  const byDefault = clientType(before) === 'public' ? 'none' : 'client_secret_basic'
  const found = registrableMethods.find((one) => one === (name ?? byDefault))
  if (found === undefined) return `must be one of ${registrableMethods.join(', ')}`
  const registration: AuthenticationRegistration<ClientAuthentication> = registrations[found]
  const isKept = registrations[registeredMethod(before)].register === registration.register
  const authentication = registration.register(isKept ? before.authentication : undefined, newSecretHash)
  const isToSeal = authentication.method === 'client_secret' && found === 'client_secret_jwt'
  if (isToSeal && !isSealed(authentication.secretHash))
    return 'needs a secret that the service can seal: set it on its own'
  const isDefault = found === 'none' || found === 'client_secret_basic'
  return { authentication, token_endpoint_auth_method: isDefault ? null : found }
}

/** Reads the authentication of a confidential client from its metadata; undefined: a shared secret. */
export function keyAuthentication(name: string | null): ClientAuthentication | undefined {
  return name === 'private_key_jwt' || name === 'tls_client_auth' || name === 'self_signed_tls_client_auth'
    ? { method: name }
    : undefined
}

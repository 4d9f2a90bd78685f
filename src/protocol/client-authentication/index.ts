/**
 * The registry of client authentication methods (RFC 6749 §2.3). Discovery, registration, the token endpoint and the
 * revocation endpoint derive their lists from here. Pure: what verification needs from outside is an argument.
 *
 * Belongs here: one file for each method of client authentication, which reads its credentials from a request and
 * verifies them.
 * Belongs elsewhere: reading the request (`connect/`), and the other members of a client
 * (`protocol/client/client-members.ts`).
 */
import type { Proven } from '../../proof.ts'
import { isRefusal } from '../../refusal.ts'
import { clientType, type RequestingClient } from '../client/client.ts'
import type { ParameterReader } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import type { SecretCredentials } from './client-secret.ts'
import { clientSecretBasic, countingHeader } from './client-secret-basic.ts'
import { clientSecretJwt } from './client-secret-jwt.ts'
import { clientSecretPost } from './client-secret-post.ts'
import type { ClientAuthenticationMethod, PresentedClient, VerificationContext } from './method.ts'
import { type NoCredentials, none } from './none.ts'
import { type AssertionCredentials, privateKeyJwt, type SpentAssertion, spentByAssertion } from './private-key-jwt.ts'
import type { ClientAuthentication } from './registered.ts'
import { refuseOtherMethod, registeredMethod } from './registration.ts'
import { selfSignedTlsClientAuth } from './self-signed-tls-client-auth.ts'
import { type CertificateCredentials, tlsClientAuth } from './tls-client-auth.ts'

/** The credentials that a client presented. */
export type ClientCredentials = NoCredentials | SecretCredentials | AssertionCredentials | CertificateCredentials

type AnyMethod = ClientAuthenticationMethod<ClientCredentials, ClientAuthentication>

const methods: Readonly<Record<ClientCredentials['method'], AnyMethod>> = {
  none,
  client_secret_basic: clientSecretBasic,
  client_secret_post: clientSecretPost,
  private_key_jwt: privateKeyJwt,
  client_secret_jwt: clientSecretJwt,
  tls_client_auth: tlsClientAuth,
  self_signed_tls_client_auth: selfSignedTlsClientAuth,
}

const inOrder = Object.values(methods)

/**
 * Returns the list for `token_endpoint_auth_methods_supported`, because of which libraries may take the first that they
 * know. `certificates`: whether a proxy passes on certificates of clients.
 */
export function clientAuthenticationMethods(certificates: boolean): readonly string[] {
  return strongestFirst.filter((name) => certificates || !name.includes('tls_client_auth'))
}

/** A certificate binds the connection itself; a key never leaves the client; a secret that signs is not sent. */
const strongestFirst = [
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'private_key_jwt',
  'client_secret_jwt',
  'client_secret_basic',
  'client_secret_post',
  'none',
] as const satisfies readonly (keyof typeof methods)[]

/** Reads the credentials from the Authorization header or the body; both together are refused (RFC 6749 §2.3). */
export function readClientCredentials(
  reader: ParameterReader,
  authorization: string | undefined,
  refuseWithoutClient: () => Refusal,
): ClientCredentials | Refusal {
  const header = countingHeader(authorization, reader.optional('client_id'))
  if (isRefusal(header)) return reader.fault ?? header
  const presented: PresentedClient = {
    ...header,
    secret: reader.optional('client_secret'),
    assertion: reader.optional('client_assertion'),
    assertionType: reader.optional('client_assertion_type'),
  }
  if (reader.fault !== undefined) return reader.fault
  for (const method of inOrder) {
    const credentials = method.read(presented)
    if (credentials !== undefined) return credentials
  }
  return refuseWithoutClient()
}

/** A client that authenticated as registered. A public client is identified by its id only. */
export type AuthenticatedClient<Known extends RequestingClient = RequestingClient> = Proven<Known, 'authenticated'>

/**
 * Authenticates the client at the token endpoint and those that require the same (RFC 6749 §3.2.1). Returns a promise only
 * if the method has to wait.
 */
export function authenticateClient<Known extends RequestingClient>(
  received: ClientCredentials,
  client: Known | undefined,
  context: Omit<VerificationContext, 'metadata'>,
): AuthenticatedClient<Known> | Refusal | Promise<AuthenticatedClient<Known> | Refusal> {
  if (client === undefined) {
    return refuse('client_unknown_at_token', 'client_id', { received: received.clientId })
  }
  const { authentication, metadata } = client
  const registered = registeredMethod(client)
  const credentials = asRegistered(withCertificate(received, authentication), registered)
  const detail = { client: client.id, registeredAs: clientType(client), method: credentials.method }
  const method = methods[credentials.method]
  // FAPI 2.0 Security Profile §5.3.2.1: no method but the registered one, not even one with the same secret.
  // Nor does a secret that signs ever count where it is sent, or one that is sent where a signature is asked for.
  const isOneOfBoth = [registered, credentials.method].includes('client_secret_jwt')
  const isExact = (metadata.profile !== 'fapi2' && !isOneOfBoth) || credentials.method === registered
  if (!isExact || method.registeredAs !== authentication.method) return refuseOtherMethod(client, detail)
  const refusal = method.verify?.(credentials, authentication, detail, { ...context, metadata })
  const outcome = (found: Refusal | undefined) => found ?? (client as AuthenticatedClient<Known>)
  return refusal instanceof Promise ? refusal.then(outcome) : outcome(refusal)
}

/** A client that authenticates in TLS sends its id alone, like a public one (RFC 8705 §2). */
function withCertificate(received: ClientCredentials, { method }: ClientAuthentication): ClientCredentials {
  const isByCertificate = method === 'tls_client_auth' || method === 'self_signed_tls_client_auth'
  return received.method === 'none' && isByCertificate ? { method, clientId: received.clientId } : received
}

/** An assertion is judged by the method that is registered, whose algorithms it may not have. */
function asRegistered(received: ClientCredentials, registered: string): ClientCredentials {
  const isOfAssertions = registered === 'private_key_jwt' || registered === 'client_secret_jwt'
  return 'assertion' in received && isOfAssertions ? { ...received, method: registered } : received
}

/** Returns what valid credentials use up. */
export function spentByCredentials(credentials: ClientCredentials): SpentAssertion[] {
  return 'assertion' in credentials ? [spentByAssertion(credentials)] : []
}

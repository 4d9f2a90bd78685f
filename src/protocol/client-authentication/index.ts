/**
 * The registry of client authentication methods (RFC 6749 §2.3). Discovery, registration, the token endpoint and the
 * revocation endpoint derive their lists from here. Pure: what verification needs from outside is an argument.
 *
 * Belongs here: one file for each method of client authentication, which reads its credentials from a request and
 * verifies them.
 * Belongs elsewhere: reading the request (`connect/`), and the other members of a client
 * (`protocol/client-members.ts`).
 */
import type { Proven } from '../../proof.ts'
import { type Client, clientType } from '../client.ts'
import type { ParameterReader } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import type { SecretCredentials } from './client-secret.ts'
import { clientSecretBasic } from './client-secret-basic.ts'
import { clientSecretPost } from './client-secret-post.ts'
import type { ClientAuthenticationMethod, PresentedClient, VerificationContext } from './method.ts'
import { type NoCredentials, none } from './none.ts'
import type { ClientAuthentication } from './registered.ts'
import { refuseOtherMethod } from './registration.ts'

/** The credentials that a client presented. */
export type ClientCredentials = NoCredentials | SecretCredentials

type AnyMethod = ClientAuthenticationMethod<ClientCredentials, ClientAuthentication>

const methods: Readonly<Record<ClientCredentials['method'], AnyMethod>> = {
  none,
  client_secret_basic: clientSecretBasic,
  client_secret_post: clientSecretPost,
}

/** As listed in `token_endpoint_auth_methods_supported`. */
export const clientAuthenticationMethods: readonly string[] = Object.keys(methods)

/** Reads the credentials from the Authorization header or the body; both together are refused (RFC 6749 §2.3). */
export function readClientCredentials(
  reader: ParameterReader,
  authorization: string | undefined,
  refuseWithoutClient: () => Refusal,
): ClientCredentials | Refusal {
  const presented: PresentedClient = {
    clientId: reader.optional('client_id'),
    secret: reader.optional('client_secret'),
    authorization,
  }
  const assertion = reader.optional('client_assertion') ?? reader.optional('client_assertion_type')
  if (reader.fault !== undefined) return reader.fault
  if (assertion !== null) return refuse('client_assertion_unsupported', 'client_assertion')
  for (const method of Object.values(methods)) {
    const credentials = method.read(presented)
    if (credentials !== undefined) return credentials
  }
  return refuseWithoutClient()
}

/** A client that authenticated as registered. A public client is identified by its id only. */
export type AuthenticatedClient = Proven<Client, 'authenticated'>

/** Authenticates the client at the token and revocation endpoints (RFC 6749 §3.2.1). */
export async function authenticateClient(
  credentials: ClientCredentials,
  client: Client | undefined,
  context: VerificationContext,
): Promise<AuthenticatedClient | Refusal> {
  if (client === undefined) {
    return refuse('client_unknown_at_token', 'client_id', { received: credentials.clientId })
  }
  const { authentication } = client
  const detail = { client: client.id, registeredAs: clientType(client), method: credentials.method }
  const method = methods[credentials.method]
  if (method.registeredAs !== authentication.method) return refuseOtherMethod(client, detail)
  return (await method.verify(credentials, authentication, detail, context)) ?? (client as AuthenticatedClient)
}

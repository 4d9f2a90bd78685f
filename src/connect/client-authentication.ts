/** The client authentication step of the endpoints. Receives the client that was read with the other facts. */
import type { Request } from '../http/request.ts'
import type { Client } from '../protocol/client.ts'
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientCredentials,
  spentByCredentials,
} from '../protocol/client-authentication/index.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import { clientAlgorithms } from '../protocol/signing-algorithms.ts'
import { isRefusal } from '../refusal.ts'
import { clientSecretMatches } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { readClientCertificate } from '../tokens/client-certificate.ts'

/** Authenticates the client and uses up what its credentials allow to use once, in a commit of its own. */
export async function authenticate(
  service: Service,
  http: Request,
  credentials: ClientCredentials,
  client: Client | undefined,
): Promise<AuthenticatedClient | Refusal> {
  const authenticated = await verifyCredentials(service, http, credentials, client)
  if (isRefusal(authenticated)) return authenticated
  for (const { id, expiresAtMs, refuse } of spentByCredentials(credentials)) {
    if (!(await service.storage.spentValues.spend(id, expiresAtMs))) return refuse()
  }
  return authenticated
}

/**
 * Authenticates the client. For an endpoint whose own commit uses up what `spentByCredentials` returns: until then, the
 * same credentials may be in use elsewhere.
 */
export function verifyCredentials(
  { settings, clientKeys, clock }: Service,
  http: Request,
  credentials: ClientCredentials,
  client: Client | undefined,
): AuthenticatedClient | Refusal | Promise<AuthenticatedClient | Refusal> {
  const { issuer } = settings.oauth
  return authenticateClient(credentials, client, {
    issuer,
    endpoint: `${issuer}${http.path.slice(1)}`,
    algorithms: clientAlgorithms(settings.oauth.postQuantum),
    signatureFault: clientKeys.signatureFault,
    keyFault: clientKeys.keyFault,
    certificate: () => readClientCertificate(http.clientCertificate),
    secretMatches: clientSecretMatches,
    nowMs: clock(),
  })
}

/** The client authentication step of the endpoints. Receives the client that was read with the other facts. */
import type { Client } from '../protocol/client.ts'
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientCredentials,
} from '../protocol/client-authentication/index.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import { clientSecretMatches } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'

export function authenticate(
  service: Service,
  credentials: ClientCredentials,
  client: Client | undefined,
): Promise<AuthenticatedClient | Refusal> {
  return authenticateClient(credentials, client, { secretMatches: clientSecretMatches, nowMs: service.clock() })
}

/** How the clients of tests authenticate. */
import assert from 'node:assert/strict'
import type { Client } from '../../src/protocol/client/client.ts'
import type { SecretAuthentication } from '../../src/protocol/client-authentication/client-secret.ts'

/** A client with the secret of this hash. */
export function bySecret(
  secretHash: string,
  previousSecret: SecretAuthentication['previousSecret'] = null,
): SecretAuthentication {
  return { method: 'client_secret', secretHash, previousSecret }
}

/** What a confidential client authenticates with. */
export function secretOf(client: Client | undefined): SecretAuthentication {
  assert.ok(client?.authentication.method === 'client_secret')
  return client.authentication
}

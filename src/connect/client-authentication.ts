/** The client authentication step of the endpoints. Receives the client that was read with the other facts. */

import { auditEvent } from '../audit/request-events.ts'
import type { Request } from '../http/request.ts'
import type { Client, RequestingClient } from '../protocol/client/client.ts'
import { clientAlgorithms } from '../protocol/client/signing-algorithms.ts'
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientCredentials,
  spentByCredentials,
} from '../protocol/client-authentication/index.ts'
import { addressesOf } from '../protocol/discovery/endpoint-aliases.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { clientSecretMatches, hashSecret, isForeignSecret } from '../secrets/opaque.ts'
import { isSealedWithOld, sealClientSecret, unsealClientSecret } from '../secrets/sealed-secret.ts'
import type { Service } from '../service.ts'
import { readClientCertificate } from '../tokens/client-certificate.ts'
import { macFault } from '../tokens/client-mac.ts'
import { currentlyKnown } from './current-client.ts'

type Authenticated<Known extends RequestingClient> = AuthenticatedClient<Known> | Refusal

/**
 * Authenticates the client and uses up what its credentials allow to use once, in a commit of its own. Returns a promise
 * only if it has to wait.
 */
export function authenticate<Known extends RequestingClient>(
  service: Service,
  http: Request,
  credentials: ClientCredentials,
  client: Known | undefined,
): Authenticated<Known> | Promise<Authenticated<Known>> {
  const authenticated = verifyCredentials(service, http, credentials, client)
  const spends = spentByCredentials(credentials)
  return spends.length === 0 ? authenticated : spendOnce(service, authenticated, spends)
}

async function spendOnce<Known extends RequestingClient>(
  service: Service,
  verified: Authenticated<Known> | Promise<Authenticated<Known>>,
  spends: ReturnType<typeof spentByCredentials>,
): Promise<Authenticated<Known>> {
  const authenticated = await verified
  if (isRefusal(authenticated)) return authenticated
  for (const { id, expiresAtMs, refuse } of spends) {
    if (!(await service.storage.spentValues.spend(id, expiresAtMs))) return refuse()
  }
  return authenticated
}

/**
 * Authenticates the client as it is now, also one that is a document. For an endpoint whose own commit uses up what `spentByCredentials` returns: until then, the
 * same credentials may be in use elsewhere.
 */
export function verifyCredentials<Known extends RequestingClient>(
  service: Service,
  http: Request,
  credentials: ClientCredentials,
  known: Known | undefined,
): Authenticated<Known> | Promise<Authenticated<Known>> {
  const client = known && currentlyKnown(service, http, known)
  if (!(client instanceof Promise)) return verifyCurrent(service, http, credentials, client)
  return client.then((fetched) => verifyCurrent(service, http, credentials, fetched))
}

function verifyCurrent<Known extends RequestingClient>(
  service: Service,
  http: Request,
  credentials: ClientCredentials,
  client: Known | Refusal | undefined,
): Authenticated<Known> | Promise<Authenticated<Known>> {
  if (client !== undefined && 'reason' in client) {
    // RFC 6749 §5.2: a document that does not describe a client any more leaves none that could authenticate.
    const isEnded = client.reason !== 'client_documents_exhausted'
    return isEnded ? refuse('client_unknown_at_token', 'client_id', client.detail) : client
  }
  const { settings, clientKeys, keys, clock } = service
  const { oauth } = settings
  const { issuer } = oauth
  const authenticated = authenticateClient(credentials, client, {
    issuer,
    // RFC 7523 §3: the token endpoint, at each of its addresses, or the endpoint of the request.
    endpoints: () =>
      [`${baseOf(issuer)}connect/token`, `${baseOf(issuer)}${http.path.slice(1)}`].flatMap((address) =>
        addressesOf(address, oauth),
      ),
    algorithms: clientAlgorithms(oauth.postQuantum),
    signatureFault: (jws, algorithm, metadata) => clientKeys.signatureFault(jws, algorithm, metadata, client?.id),
    keyFault: (fulfils, metadata) => clientKeys.keyFault(fulfils, metadata, client?.id),
    certificate: () => readClientCertificate(http.clientCertificate),
    secretMatches: (secrets, hash) =>
      isForeignSecret(hash)
        ? slowMatch(secrets, hash)
        : secrets.map((secret) => clientSecretMatches(secret, hash)).includes(true),
    macFault: (jws, algorithm, leastBytes, stored) => {
      const secret = unsealClientSecret(keys, stored)
      return secret === undefined ? 'its secret cannot be unsealed' : macFault(jws, algorithm, leastBytes, secret)
    },
    nowMs: clock(),
  })
  if (credentials.method === 'client_secret_jwt') return withFreshSeal(service, http, authenticated)
  if (!(authenticated instanceof Promise) || !('secret' in credentials)) return authenticated
  const { secret, rawSecret } = credentials
  return withOwnHash(service, http, rawSecret === undefined ? [secret] : [secret, rawSecret], authenticated)
}

/** Seals the secret anew if the key that sealed it was replaced. */
async function withFreshSeal<Known extends RequestingClient>(
  { storage, keys, random, clock }: Service,
  http: Request,
  authenticating: Authenticated<Known> | Promise<Authenticated<Known>>,
): Promise<Authenticated<Known>> {
  const client = await authenticating
  if (isRefusal(client) || client.authentication.method !== 'client_secret') return client
  const { secretHash: old } = client.authentication
  const secret = isSealedWithOld(keys, old) ? unsealClientSecret(keys, old) : undefined
  if (secret === undefined) return client
  const secretHash = sealClientSecret(keys, secret, random)
  const event = auditEvent(http, clock(), 'client_changed', { clientId: client.id }, { change: 'secret_sealed' })
  const sealedAgain = (stored: Client): Client | undefined => {
    const { authentication } = stored
    if (authentication.method !== 'client_secret' || authentication.secretHash !== old) return undefined
    return { ...stored, authentication: { ...authentication, secretHash } }
  }
  await storage.clients.update(client.id, sealedAgain, [event])
  return client
}

async function slowMatch(secrets: readonly string[], secretHash: string): Promise<boolean> {
  const { matchingForeignSecret } = await import('../secrets/client-secrets.ts')
  return (await matchingForeignSecret(secrets, secretHash)) !== undefined
}

/** Stores the hash of a secret that was right anew, if another system made the stored one and the secret is long. */
async function withOwnHash<Known extends RequestingClient>(
  { storage, clock }: Service,
  http: Request,
  secrets: readonly string[],
  authenticating: Promise<AuthenticatedClient<Known> | Refusal>,
): Promise<AuthenticatedClient<Known> | Refusal> {
  const { isReplaced, SecretCheckBusy, matchingForeignSecret } = await import('../secrets/client-secrets.ts')
  let client: AuthenticatedClient<Known> | Refusal
  try {
    client = await authenticating
  } catch (error) {
    if (!(error instanceof SecretCheckBusy)) throw error
    return refuse('temporarily_unavailable', '', { rule: error.message })
  }
  if (isRefusal(client) || client.authentication.method !== 'client_secret') return client
  const { secretHash } = client.authentication
  // The secret may be the previous one, which ends by itself.
  const secret = isForeignSecret(secretHash) ? await matchingForeignSecret(secrets, secretHash) : undefined
  if (secret === undefined || !isReplaced(secret)) return client
  const event = auditEvent(http, clock(), 'client_changed', { clientId: client.id }, { change: 'secret_hashed' })
  const rehashed = (stored: Client): Client | undefined => {
    const { authentication } = stored
    if (authentication.method !== 'client_secret' || authentication.secretHash !== secretHash) return undefined
    return { ...stored, authentication: { ...authentication, secretHash: hashSecret(secret) } }
  }
  await storage.clients.update(client.id, rehashed, [event])
  return client
}

/** Who the client of a request is (RFC 6749 §2.3): reading and checking its credentials. */
import type { Client } from './client.ts'
import type { ParameterReader } from './parameters.ts'
import { type Refusal, refuse } from './refusals/index.ts'

/** How a client presented itself (RFC 6749 §2.3). */
export type ClientCredentials = {
  readonly clientId: string
  /** null: no secret was sent. */
  readonly secret: string | null
  /** As RFC 7591 §2 names it. */
  readonly method: AuthenticationMethod
}

export type AuthenticationMethod = 'none' | 'client_secret_basic' | 'client_secret_post'

/** Reads who the client says it is, from the Authorization header or the body, never from both (RFC 6749 §2.3). */
export function parseClientCredentials(
  reader: ParameterReader,
  authorization: string | undefined,
  missingClient: () => Refusal,
): ClientCredentials | Refusal {
  const bodyClientId = reader.optional('client_id')
  const bodySecret = reader.optional('client_secret')
  const assertion = reader.optional('client_assertion') ?? reader.optional('client_assertion_type')
  if (reader.fault !== undefined) return reader.fault
  if (assertion !== null) return refuse('client_assertion_unsupported', 'client_assertion')
  if (authorization === undefined) {
    if (bodyClientId === null) return missingClient()
    const method = bodySecret === null ? 'none' : 'client_secret_post'
    return { clientId: bodyClientId, secret: bodySecret, method }
  }
  const basic = parseBasic(authorization)
  if (basic === undefined) {
    // The word alone: what follows it may be a secret.
    const scheme = /^(?:Basic|Bearer|Digest|DPoP|Negotiate)(?= |$)/i.exec(authorization)?.[0]
    return refuse('credentials_malformed', 'Authorization', { scheme: scheme ?? 'not known', supported: 'Basic' })
  }
  if (bodySecret !== null || (bodyClientId !== null && bodyClientId !== basic.clientId)) {
    const rule =
      bodySecret === null ? 'header and body name different clients' : 'a secret in the body beside the header'
    return refuse('credentials_multiple', 'client_secret', { client: basic.clientId, rule })
  }
  return { ...basic, method: 'client_secret_basic' }
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined by a colon. */
function parseBasic(header: string): { clientId: string; secret: string } | undefined {
  const match = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)
  if (match?.[1] === undefined || header.length > 8192) return undefined
  const text = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  try {
    const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '))
    return { clientId: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) }
  } catch {
    return undefined
  }
}

/** Compares a presented secret with the stored hash in constant time. */
export type SecretMatches = (secret: string, secretHash: string) => boolean

/** Client authentication at the token and revocation endpoints (RFC 6749 §3.2.1). */
export function authenticateClient(
  credentials: ClientCredentials,
  client: Client | undefined,
  secretMatches: SecretMatches,
  nowMs: number,
): Client | Refusal {
  const { clientId, secret, method } = credentials
  if (client === undefined) return refuse('client_unknown_at_token', 'client_id', { received: clientId })
  const detail = { client: client.id, registeredAs: client.type, method }
  if (client.type === 'public') {
    return secret === null ? client : refuse('client_secret_unexpected', 'client_secret', detail)
  }
  if (secret === null) return refuse('client_secret_missing', 'client_secret', detail)
  const { secretHash, previousSecret } = client
  const hashes = [
    ...(secretHash === null ? [] : [secretHash]),
    ...(previousSecret !== null && nowMs < previousSecret.endsAtMs ? [previousSecret.hash] : []),
  ]
  // Each is compared, whichever matches: how long it takes must not say which one it was.
  const matches = hashes.map((hash) => secretMatches(secret, hash))
  return matches.includes(true) ? client : refuse('client_secret_wrong', 'client_secret', detail)
}

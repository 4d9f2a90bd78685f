/** Rules across several members of a client: what must be registered together, and what excludes one another. */
import { type Problem, problem } from '../../problem.ts'
import { registeredMethod } from '../client-authentication/registration.ts'
import { needsAuthentication } from '../grant/grant-types.ts'
import { type Client, clientType } from './client.ts'
import type { ClientAlgorithm, ClientMetadata } from './client-metadata.ts'
import { hmacAlgorithms } from './hmac-algorithms.ts'
import { type AlgorithmMember, metadataTable } from './member-table.ts'

/**
 * `faulty`: members with a problem of their own, which is not reported twice. `stored`: the client as it is; undefined: it is
 * new. `isImported`: whether another system's registration is brought in.
 */
export function protectionProblems(
  client: Client,
  faulty: ReadonlySet<string>,
  stored: Client | undefined,
  isImported: boolean,
): Problem[] {
  const { metadata } = client
  return [
    ...(faulty.has('jwks') || faulty.has('jwks_uri') ? [] : keyProblems(client)),
    ...certificateProblems(client),
    ...assertionProblems(client),
    ...(clientType(client) === 'public' ? publicProblems(client, stored, isImported) : []),
    ...(metadata.refresh_token_rotation || isBoundToClient(client) || metadata.profile === 'fapi2'
      ? []
      : [
          problem(
            'refresh_token_rotation',
            'refresh_token_rotation',
            'of a public client can be false only with sender-constrained tokens: set dpop_bound_access_tokens or tls_client_certificate_bound_access_tokens',
          ),
        ]),
    ...(metadata.profile === 'fapi2' ? fapi2Problems(client) : []),
  ]
}

function publicProblems(
  { grantTypes, requirePkce }: Client,
  stored: Client | undefined,
  isImported: boolean,
): Problem[] {
  const problems = grantTypes
    .filter(needsAuthentication)
    .map((type) =>
      problem(
        'grant_types',
        'grant_types',
        `of a public client cannot contain ${type}: set token_endpoint_auth_method to another method than none`,
      ),
    )
  if (requirePkce || mayDoWithoutPkce(stored, isImported)) return problems
  return [
    ...problems,
    problem('require_pkce', 'A public client', 'must use PKCE; require_pkce can be false for a confidential one alone'),
  ]
}

/**
 * Whether a public client may be registered without PKCE, against RFC 9700 §2.1.1: one that an import brought so. Other changes leave
 * that as it is, and once PKCE is required, nothing takes that back, an import included.
 */
function mayDoWithoutPkce(stored: Client | undefined, isImported: boolean): boolean {
  if (stored === undefined) return isImported
  return !stored.requirePkce && (isImported || clientType(stored) === 'public')
}

/** Whether a refresh token that leaked is of no use: to a key, or to a client that authenticates (RFC 9700 §4.14.2). */
const isBoundToClient = (client: Client): boolean =>
  clientType(client) === 'confidential' || isSenderConstrained(client.metadata)

/** Whether tokens are bound to a key (RFC 9449, RFC 8705 §3). */
export function isSenderConstrained(metadata: ClientMetadata): boolean {
  return metadata.dpop_bound_access_tokens || metadata.tls_client_certificate_bound_access_tokens
}

function keyProblems(client: Client): Problem[] {
  const { jwks, jwks_uri, require_signed_request_object } = client.metadata
  // RFC 7591 §2.
  if (jwks !== null && jwks_uri !== null) return [problem('jwks', 'A client', 'has either jwks or jwks_uri, not both')]
  if (jwks !== null || jwks_uri !== null) return []
  const method = registeredMethod(client)
  const needed = 'needs jwks or jwks_uri'
  const problems: Problem[] = []
  if (method === 'private_key_jwt' || method === 'self_signed_tls_client_auth') {
    problems.push(problem('token_endpoint_auth_method', `token_endpoint_auth_method ${method}`, needed))
  }
  if (require_signed_request_object) {
    problems.push(problem('require_signed_request_object', 'require_signed_request_object', needed))
  }
  return problems
}

/** An algorithm of keys signs nothing with a secret, and the other way round. */
function assertionProblems(client: Client): Problem[] {
  const { token_endpoint_auth_signing_alg: algorithm } = client.metadata
  if (algorithm === null) return []
  const isOfSecrets = (hmacAlgorithms as readonly string[]).includes(algorithm)
  if (isOfSecrets === (registeredMethod(client) === 'client_secret_jwt')) return []
  const fault = isOfSecrets
    ? `can be ${algorithm} with token_endpoint_auth_method client_secret_jwt alone`
    : `must be one of ${hmacAlgorithms.join(', ')} with token_endpoint_auth_method client_secret_jwt`
  return [problem('token_endpoint_auth_signing_alg', 'token_endpoint_auth_signing_alg', fault)]
}

const certificateNames = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const

/** RFC 8705 §2.1.2. */
function certificateProblems(client: Client): Problem[] {
  const names = certificateNames.filter((name) => client.metadata[name] !== null)
  if (registeredMethod(client) !== 'tls_client_auth' || names.length === 1) return []
  const fault = `needs exactly one of ${certificateNames.join(', ')}`
  return [problem(names[1] ?? 'token_endpoint_auth_method', 'token_endpoint_auth_method tls_client_auth', fault)]
}

const algorithmMembers = Object.entries(metadataTable).flatMap(([member, entry]) =>
  'rule' in entry && entry.rule.kind === 'algorithm' ? [member as AlgorithmMember] : [],
)

/** FAPI 2.0 Security Profile §5.4.1. */
const fapi2Algorithms: readonly ClientAlgorithm[] = ['PS256', 'ES256', 'EdDSA']

/**
 * What the FAPI 2.0 Security Profile requires where a registration leaves the choice open. An id token is signed with
 * the algorithm of the settings by default, which may be RS256.
 */
const fapi2Choices = {
  id_token_signed_response_alg: 'ES256',
  require_pushed_authorization_requests: true,
  refresh_token_rotation: false,
} as const satisfies Partial<ClientMetadata>

/** Completes a client that takes on a profile. `given`: the members that the registration sets itself. */
export function completeProfile(before: Client, after: Client, given: ReadonlySet<string>): Client {
  if (after.metadata.profile !== 'fapi2' || before.metadata.profile === 'fapi2') return after
  const open = Object.entries(fapi2Choices).filter(([member]) => !given.has(member))
  const isOpen = ([member]: [string, unknown]) =>
    member !== 'id_token_signed_response_alg' || after.metadata.id_token_signed_response_alg === null
  return { ...after, metadata: { ...after.metadata, ...Object.fromEntries(open.filter(isOpen)) } }
}

/** FAPI 2.0 Security Profile §5.3.2. */
function fapi2Problems(client: Client): Problem[] {
  const { metadata } = client
  const problems: Problem[] = []
  const forbid = (member: string, fault: string): void => {
    problems.push(problem(member, 'A client with the profile fapi2', fault))
  }
  if (client.authentication.method === 'none' || client.authentication.method === 'client_secret') {
    const methods = 'private_key_jwt, tls_client_auth or self_signed_tls_client_auth'
    forbid('token_endpoint_auth_method', `must authenticate with ${methods}: set token_endpoint_auth_method`)
  }
  if (!client.requirePkce) forbid('require_pkce', 'must use PKCE: set require_pkce to true')
  if (!isSenderConstrained(metadata)) {
    const fault =
      'needs sender-constrained tokens: set dpop_bound_access_tokens or tls_client_certificate_bound_access_tokens'
    forbid('dpop_bound_access_tokens', fault)
  }
  if (!metadata.require_pushed_authorization_requests) {
    forbid(
      'require_pushed_authorization_requests',
      'must push its authorization requests: set require_pushed_authorization_requests to true',
    )
  }
  if (metadata.refresh_token_rotation)
    forbid('refresh_token_rotation', 'must not rotate refresh tokens: set refresh_token_rotation to false')
  for (const member of algorithmMembers) {
    const algorithm: string | null = metadata[member]
    const isMissing = member === 'id_token_signed_response_alg' && algorithm === null
    if (isMissing || (algorithm !== null && !(fapi2Algorithms as readonly string[]).includes(algorithm))) {
      forbid(member, `must use one of ${fapi2Algorithms.join(', ')} for ${member}`)
    }
  }
  return problems
}

/** Notes when a client stops to authenticate. The current second counts as before. */
export function withPublicSince(before: Client, after: Client, nowMs: number): Client {
  const isPublic = clientType(after) === 'public'
  const isNew = isPublic && clientType(before) === 'confidential'
  const since = isNew ? Math.floor(nowMs / 1000) + 1 : isPublic ? before.metadata.public_since : null
  return since === after.metadata.public_since
    ? after
    : { ...after, metadata: { ...after.metadata, public_since: since } }
}

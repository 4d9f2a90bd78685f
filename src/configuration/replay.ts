/**
 * Decides recorded requests again, by the rules that depend on the configuration alone. The audit trail has what they
 * need: the client, the grant type, the scopes and the redirect URI.
 */
import type { AuditEntry } from '../audit/entry.ts'
import { isRegisteredRedirectUri } from '../protocol/authorization-request/redirect-uri.ts'
import { withoutValues } from '../protocol/authorization-request/uri-difference.ts'
import type { Client } from '../protocol/client/client.ts'
import { registeredMethod } from '../protocol/client-authentication/registration.ts'
import { deviceGrantType } from '../protocol/device/device-code.ts'
import { checkGrantType, findGrantType } from '../protocol/grant/grant-types.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import { checkScopes, type Scope } from '../protocol/scope/scope.ts'
import { isRefusal } from '../refusal.ts'

/** A request of the audit trail. Absent members: the trail does not say, or they do not matter. */
export type RecordedRequest = {
  readonly clientId: string
  /** The rule that refused it; undefined: it was answered. */
  readonly refusedBy: string | undefined
  readonly grantType?: string
  readonly scopes?: readonly string[]
  /** Without the values of its query, because a refusal is recorded so. */
  readonly redirectUri?: string
  readonly lacksChallenge?: boolean
}

/** The configuration as the rules see it. */
export type Configured = {
  readonly clients: ReadonlyMap<string, Client>
  readonly scopes: readonly Scope[]
}

/**
 * `accepted`, the name of the rule that refuses, or `unclear`: the record was cut short, or the rule depends on what is not
 * recorded, such as a secret.
 */
export type Verdict = string

type Details = AuditEntry['details']

/** Returns the request that an entry records; undefined: none that the configuration decides. */
export function recordedRequest({ kind, clientId, details }: AuditEntry): RecordedRequest | undefined {
  if (kind === 'tokens_issued') return issued(clientId, details)
  if (kind !== 'refusal') return undefined
  const refusedBy = String(details.reason)
  const of = facts[refusedBy]
  if (of === undefined) return undefined
  return { clientId: clientId ?? text(details.received) ?? '', refusedBy, ...of(details) }
}

function issued(clientId: string | null, details: Details): RecordedRequest {
  const scopes = Array.isArray(details.scopes) ? (details.scopes as readonly string[]) : undefined
  const redirectUri = text(details.redirectUri)
  return {
    clientId: clientId ?? '',
    refusedBy: undefined,
    ...(typeof details.type === 'string' && { grantType: details.type }),
    ...(scopes && { scopes }),
    ...(redirectUri !== undefined && { redirectUri: withoutValues(redirectUri) }),
    ...(details.pkce === false && { lacksChallenge: true }),
  }
}

type Facts = Omit<RecordedRequest, 'clientId' | 'refusedBy'>

/** The rules that the configuration decides, with what their refusals record. */
const facts: Readonly<Record<string, (details: Details) => Facts>> = {
  client_unknown: () => ({}),
  client_unknown_at_token: () => ({}),
  client_secret_unexpected: () => ({}),
  client_secret_missing: () => ({}),
  client_secret_wrong: () => ({}),
  client_method_unregistered: () => ({}),
  redirect_uri_unregistered: ({ received }) => (typeof received === 'string' ? { redirectUri: received } : {}),
  scope_unknown: requested,
  scope_not_permitted: requested,
  offline_access_not_permitted: requested,
  code_grant_not_permitted: () => ({ grantType: 'authorization_code' }),
  grant_type_not_permitted: ({ received }) => (typeof received === 'string' ? { grantType: received } : {}),
  client_credentials_missing: () => ({ grantType: 'client_credentials' }),
  device_grant_not_permitted: () => ({ grantType: deviceGrantType }),
  grant_type_confidential: ({ received }) => (typeof received === 'string' ? { grantType: received } : {}),
  code_challenge_missing: () => ({ lacksChallenge: true }),
}

function requested({ requested }: Details): Facts {
  return Array.isArray(requested) ? { scopes: requested as readonly string[] } : {}
}

/** Rules whose outcome depends on a secret. */
const bySecret: ReadonlySet<string> = new Set([
  'client_secret_unexpected',
  'client_secret_missing',
  'client_secret_wrong',
  'client_method_unregistered',
])

/** Returns what both configurations say of a request. Equal: the change does not matter to it. */
export function verdicts(
  request: RecordedRequest,
  before: Configured,
  after: Configured,
): readonly [before: Verdict, after: Verdict] {
  const [old, now] = [before.clients.get(request.clientId), after.clients.get(request.clientId)]
  const decided = verdict(request, after)
  if (decided !== 'accepted' || old === undefined || now === undefined) return [verdict(request, before), decided]
  if (request.refusedBy !== undefined && bySecret.has(request.refusedBy)) {
    return [request.refusedBy, isSameAuthentication(old, now) ? request.refusedBy : 'unclear']
  }
  const first = verdict(request, before)
  // Codes and refresh tokens are redeemed with the credentials that the application had then.
  if (first === 'accepted' && !isSameAuthentication(old, now)) return [first, authenticationFault(old, now)]
  return [first, decided]
}

function verdict(request: RecordedRequest, { clients, scopes }: Configured): Verdict {
  if (isCut(request)) return 'unclear'
  const { grantType, redirectUri, refusedBy } = request
  const client = clients.get(request.clientId)
  if (client === undefined) return refusedBy === 'client_unknown' ? refusedBy : 'client_unknown_at_token'
  const type = grantType === undefined ? undefined : findGrantType(grantType)
  const asks = type === undefined || type === 'authorization_code' || refusedBy !== undefined
  const fault: Refusal | undefined =
    (type !== undefined && !isRefusal(type) ? checkGrantType(type, client) : undefined) ??
    // A refresh is answered with the scopes of its grant.
    (request.scopes !== undefined && type !== 'refresh_token' ? checkScopes(request.scopes, client, scopes) : undefined)
  if (fault !== undefined) return refusedBy === 'code_grant_not_permitted' ? refusedBy : fault.reason
  const redirects = client.redirectUris.map(withoutValues)
  if (redirectUri !== undefined && !isRegisteredRedirectUri(redirectUri, { ...client, redirectUris: redirects })) {
    return 'redirect_uri_unregistered'
  }
  const needsChallenge = client.requirePkce || client.metadata.profile === 'fapi2'
  return asks && request.lacksChallenge === true && needsChallenge ? 'code_challenge_missing' : 'accepted'
}

/** Whether a value was shortened when it was recorded. */
function isCut({ scopes = [], redirectUri = '' }: RecordedRequest): boolean {
  return [...scopes, redirectUri].some((value) => /\.\.\. (?:\(\d+ characters\)|and \d+ more)$/.test(value))
}

function isSameAuthentication(before: Client, after: Client): boolean {
  return JSON.stringify(before.authentication) === JSON.stringify(after.authentication)
}

function authenticationFault(before: Client, after: Client): string {
  const method = registeredMethod(after)
  if (before.authentication.method !== after.authentication.method) {
    if (method === 'none') return 'client_secret_unexpected'
    return after.authentication.method === 'client_secret' ? 'client_secret_missing' : 'client_method_unregistered'
  }
  return 'client_secret_wrong'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Client metadata beyond the basic registration, by the names of RFC 7591 §2 and of the standards that extend it. */

/** Signature algorithms that a client can register (RFC 7518 §3.1, RFC 8037; ML-DSA-65 is opt-in). */
export type ClientAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'ML-DSA-65'

/** A JWK Set (RFC 7517 §5). */
export type JwkSet = { readonly keys: readonly Readonly<Record<string, unknown>>[] }

/** `null`: not registered. Members that RFC 7591 defines have its names; times are seconds. */
export type ClientMetadata = {
  readonly application_type: 'web' | 'native'
  /** The registered name of the method; null: `none` for a public client, `client_secret_basic` for a confidential one. */
  readonly token_endpoint_auth_method: string | null
  /** Null: any of those that the service supports. */
  readonly token_endpoint_auth_signing_alg: ClientAlgorithm | null
  /** Public keys only. */
  readonly jwks: JwkSet | null
  readonly jwks_uri: string | null
  /** RFC 8705 §2.1.2: exactly one is registered for `tls_client_auth`. */
  readonly tls_client_auth_subject_dn: string | null
  readonly tls_client_auth_san_dns: string | null
  readonly tls_client_auth_san_uri: string | null
  readonly tls_client_auth_san_ip: string | null
  readonly tls_client_auth_san_email: string | null

  /** Null: the algorithm of the settings. */
  readonly id_token_signed_response_alg: ClientAlgorithm | null
  /** Null: JSON that is not signed. */
  readonly userinfo_signed_response_alg: ClientAlgorithm | null
  /** Null: JSON that is not signed, unless the request asks for a JWT (RFC 9701 §4). */
  readonly introspection_signed_response_alg: ClientAlgorithm | null
  /** Null: the algorithm of id tokens. */
  readonly authorization_signed_response_alg: ClientAlgorithm | null
  /** Null: any of those that the service supports. */
  readonly request_object_signing_alg: ClientAlgorithm | null

  readonly require_pushed_authorization_requests: boolean
  readonly require_signed_request_object: boolean
  readonly dpop_bound_access_tokens: boolean
  readonly tls_client_certificate_bound_access_tokens: boolean

  readonly backchannel_logout_uri: string | null
  readonly backchannel_logout_session_required: boolean
  readonly frontchannel_logout_uri: string | null
  readonly frontchannel_logout_session_required: boolean
  readonly initiate_login_uri: string | null

  /** Applies to requests without `max_age`. */
  readonly default_max_age: number | null
  readonly require_auth_time: boolean
  readonly default_acr_values: readonly string[]

  readonly client_uri: string | null
  readonly logo_uri: string | null
  readonly policy_uri: string | null
  readonly tos_uri: string | null
  readonly contacts: readonly string[]
  /** Members with a language, such as `client_name#de` (RFC 7591 §2.2). */
  readonly localized: Readonly<Record<string, string>>

  /** scopes: the id token contains the claims of the scopes. requested: only what the `claims` parameter asks for. */
  readonly id_token_claims: 'scopes' | 'requested'
  readonly access_token_format: 'jwt' | 'opaque'
  /** array: JSON array. string: space-separated (RFC 9068 §2.2.3). */
  readonly access_token_scope: 'array' | 'string'
  /** minimal: without name, e-mail address and roles. */
  readonly access_token_claims: 'all' | 'minimal'
  /** Null: the lifetime of the settings. */
  readonly access_token_lifetime: number | null
  readonly refresh_token_lifetime: number | null
  readonly refresh_token_rotation: boolean
  /** Seconds since the authentication after which a session no longer suffices for this client; null: no limit. */
  readonly session_lifetime_max: number | null
  /** ignore: scopes that the client may not request are left out. refuse: they fail the request. */
  readonly unknown_scopes: 'refuse' | 'ignore'
  /** Identifiers of the resource servers that use this client to introspect tokens issued for them (RFC 8707 §2). */
  readonly resources: readonly string[]
  /** Clients whose tokens this client may exchange (RFC 8693). */
  readonly may_exchange: readonly string[]
  /** fapi2: FAPI 2.0 Security Profile. */
  readonly profile: 'default' | 'fapi2'
  /**
   * Who registered the client: an operator, somebody with an initial access token, anybody (RFC 7591 §3), or the document
   * at its id. Texts and addresses of the latter three are their own claims.
   */
  readonly registration: 'operator' | 'token' | 'open' | 'document'
  /**
   * Of a client that registered itself: the algorithms with an uncommon key type that an operator gave it. Their keys are
   * made and kept for it.
   */
  readonly granted_signing_algs: readonly ClientAlgorithm[]
  /** Epoch seconds until which the document at the client's id need not be fetched again; null: there is none. */
  readonly document_fresh_until: number | null
  /**
   * Epoch seconds from which the client, confidential before, is public; null: it always was, or is confidential. Refresh
   * tokens from before are of no use unless they are bound to a key.
   */
  readonly public_since: number | null
  /**
   * By member, what an operator set on a client that registered itself. Its own updates stay under that.
   */
  readonly set_by_operator: Readonly<Record<string, unknown>>
}

/** The metadata of a client that registers none of it: the behaviour that the specification describes. */
export const defaultClientMetadata: ClientMetadata = Object.freeze({
  application_type: 'web',
  token_endpoint_auth_method: null,
  token_endpoint_auth_signing_alg: null,
  jwks: null,
  jwks_uri: null,
  tls_client_auth_subject_dn: null,
  tls_client_auth_san_dns: null,
  tls_client_auth_san_uri: null,
  tls_client_auth_san_ip: null,
  tls_client_auth_san_email: null,
  id_token_signed_response_alg: null,
  userinfo_signed_response_alg: null,
  introspection_signed_response_alg: null,
  authorization_signed_response_alg: null,
  request_object_signing_alg: null,
  require_pushed_authorization_requests: false,
  require_signed_request_object: false,
  dpop_bound_access_tokens: false,
  tls_client_certificate_bound_access_tokens: false,
  backchannel_logout_uri: null,
  backchannel_logout_session_required: false,
  frontchannel_logout_uri: null,
  frontchannel_logout_session_required: false,
  initiate_login_uri: null,
  default_max_age: null,
  require_auth_time: false,
  default_acr_values: [],
  client_uri: null,
  logo_uri: null,
  policy_uri: null,
  tos_uri: null,
  contacts: [],
  localized: {},
  id_token_claims: 'scopes',
  access_token_format: 'jwt',
  access_token_scope: 'array',
  access_token_claims: 'all',
  access_token_lifetime: null,
  refresh_token_lifetime: null,
  refresh_token_rotation: true,
  session_lifetime_max: null,
  unknown_scopes: 'refuse',
  resources: [],
  may_exchange: [],
  profile: 'default',
  registration: 'operator',
  granted_signing_algs: [],
  document_fresh_until: null,
  public_since: null,
  set_by_operator: {},
})

/** Returns the members that differ from the defaults. */
export function differingMetadata(metadata: ClientMetadata): Partial<ClientMetadata> {
  if (metadata === defaultClientMetadata) return {}
  const defaults: Readonly<Record<string, unknown>> = defaultClientMetadata
  const differing = Object.entries(metadata).filter(
    ([member, value]) => JSON.stringify(value) !== JSON.stringify(defaults[member]),
  )
  return Object.fromEntries(differing)
}

/** Returns the members that differ from the defaults, for storage; null: none. */
export function metadataToText(metadata: ClientMetadata): string | null {
  const differing = differingMetadata(metadata)
  return Object.keys(differing).length === 0 ? null : JSON.stringify(differing)
}

/**
 * Keeps members that only a newer version knows. Cached by the text, because nearly every request reads that of the same
 * few clients.
 */
export function textToMetadata(text: string | null): ClientMetadata {
  if (text === null) return defaultClientMetadata
  const known = parsed.get(text)
  if (known !== undefined) return known
  const metadata: ClientMetadata = Object.freeze({ ...defaultClientMetadata, ...JSON.parse(text) })
  if (text.length > rememberedLength) return metadata
  if (parsed.size >= rememberedTexts) parsed.clear()
  parsed.set(text, metadata)
  return metadata
}

const parsed = new Map<string, ClientMetadata>()
const rememberedTexts = 250
/** Longer ones are mostly keys, and would take the memory of many others. */
const rememberedLength = 4000

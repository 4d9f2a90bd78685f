/**
 * The table of the members of a client (RFC 7591 §2), each declared once. Derived from it are the types `ClientMetadata` and
 * `Client`, defaults, what is stored, what registration, files, command line and admin API read and show, who may set a
 * member, and the table in `docs/client-members.md`.
 */
import type { ClaimRule } from '../claims/claim-rules.ts'
import { readRules } from '../claims/rule-reading.ts'
import { claimShapes } from '../claims/shapes.ts'
import { defaultGrantTypes } from '../grant/grant-types.ts'
import { resourceFault } from '../scope/resource-name.ts'
import { accessTokenTypes } from '../token/access-token-type.ts'
import { type HmacAlgorithm, hmacAlgorithms } from './hmac-algorithms.ts'
import { readJwkSet } from './jwk-set.ts'
import {
  calledUri,
  fetchedUri,
  flag,
  line,
  listOf,
  type MemberKind,
  type MemberRule,
  oneOf,
  pictureUri,
  seconds,
  webUri,
} from './member-kinds.ts'
import { type ClientAlgorithm, clientAlgorithms } from './signing-algorithms.ts'
import { webOrigin } from './web-origins.ts'

/** What the settings say about lifetimes. In seconds. */
export type LifetimeLimits = {
  readonly accessTokenLifetimeSeconds: number
  readonly refreshTokenLifetimeSeconds: number
  readonly identityTokenLifetimeSeconds: number
}

export type About = {
  /**
   * `client`: anybody who may register or change the client. `operator`: a client cannot set it for itself, and keeps what
   * an operator set. `atMost`: a client can set it for itself up to that value of the settings.
   */
  readonly setBy: 'client' | 'operator' | { readonly atMost: keyof LifetimeLimits }
  /** The values that the schema of the admin API names. */
  readonly listed?: readonly string[]
  /** It may have a language, as in `client_name#de` (RFC 7591 §2.2); the values in one. */
  readonly localized?: MemberRule<string>
  /** The value, for `docs/client-members.md`. */
  readonly about: string
  /** The default, where it is not simply `default`. */
  readonly unset?: string
}

const tenYears = 315_360_000

const algorithm: MemberRule<ClientAlgorithm> = {
  kind: 'algorithm',
  read(given, { isPostQuantum }) {
    const allowed = clientAlgorithms(isPostQuantum)
    const found = allowed.find((name) => name === given)
    if (found !== undefined) return { value: found }
    const advice = given === 'ML-DSA-65' ? ' (ML-DSA-65 needs the setting OAuth:PostQuantum)' : ''
    return { fault: `must be one of ${allowed.join(', ')}${advice}` }
  },
}

/** Those of keys, and of secrets (RFC 7518 §3.2). */
const assertionAlgorithm: MemberRule<ClientAlgorithm | HmacAlgorithm> = {
  kind: 'algorithm',
  read: (given, context) => {
    const found = hmacAlgorithms.find((name) => name === given)
    return found === undefined ? algorithm.read(given, context) : { value: found }
  },
}

/** A `client_id`, of the characters of RFC 6749 Appendix A.1 without the space. */
const clientId: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given) ? { value: given } : { fault: 'is no client id' },
}

/** As it is, or with a space inside, as an import may bring one. `*` is one, too. */
const roleClient: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    typeof given === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/.test(given)
      ? { value: given }
      : { fault: 'is no client id' },
}

/** OpenID Connect Core §2: `sub` has at most 255 characters of ASCII. */
const accountSubject: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given)
      ? { value: given }
      : { fault: 'must have 1 to 255 characters of ASCII, no spaces' },
}

/** `acr` values are sent separated by spaces. */
const acrValue: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given)
      ? { value: given }
      : { fault: 'must have 1 to 200 characters of ASCII, no spaces' },
}

/** A scope-token (RFC 6749 §3.3). Whether the client is permitted it is judged with the others. */
const scopeName: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    typeof given === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(given)
      ? { value: given }
      : { fault: 'is no name of a scope' },
}

/** The id of a template (`protocol/templates/`), also of one that another version of the service has. */
const templateId: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    typeof given === 'string' && /^[a-z0-9-]{1,60}$/.test(given)
      ? { value: given }
      : { fault: 'is no id of a template' },
}

/** The identifier of a resource server: a URI (RFC 8707 §2), or a name. */
const resource: MemberRule<string> = {
  kind: 'text',
  read(given) {
    const fault = typeof given === 'string' ? resourceFault(given, 500) : 'must be a text'
    return fault === undefined ? { value: String(given) } : { fault }
  },
}

/** A member with a default value. */
function member<const T, const A extends About>(rule: MemberRule<T>, byDefault: NoInfer<T>, about: A) {
  return { rule, default: byDefault, ...about }
}

/** A member that is null where it is not registered. */
function optional<const T, const A extends About>(rule: MemberRule<T>, about: A) {
  return { rule, default: null as T | null, ...about }
}

/** `why`: the end of a sentence that says why it cannot be set. `keptBy`: whose replacements of the client leave it as it is. */
function following<T>(byDefault: T, why: string, ...keptBy: ('client' | 'operator')[]) {
  return { default: byDefault, why, keptBy }
}

/** Of the metadata, but set by a member of the record. */
function inner<T>(byDefault: T) {
  return { default: byDefault }
}

const byClient = { setBy: 'client' } as const
const certificate =
  'the name in its certificate (RFC 8705 §2.1.2), as in RFC 4514; exactly one of the five for `tls_client_auth`'

/** Members that are stored together. The order is that of every record. */
export const metadataTable = {
  application_type: member(oneOf(['web', 'native']), 'web', {
    ...byClient,
    about:
      '`web` or `native`: the port of loopback redirect URIs may differ (RFC 8252 §7.3), of `localhost` as well as of `127.0.0.1` and `[::1]`',
  }),
  /** The registered name of the method; null: `none` for a public client, `client_secret_basic` for a confidential one. */
  token_endpoint_auth_method: inner<string | null>(null),
  /** Null: any of those that the service supports. */
  token_endpoint_auth_signing_alg: optional(assertionAlgorithm, {
    ...byClient,
    about: 'the algorithm of its assertions; for `client_secret_jwt` `HS256`, `HS384` or `HS512`',
    unset: 'any',
  }),
  /** Public keys only. */
  jwks: optional(
    { kind: 'object', read: readJwkSet },
    { ...byClient, about: 'at most 20 public keys; not together with `jwks_uri`' },
  ),
  jwks_uri: optional(fetchedUri, { ...byClient, about: 'the address of its public keys' }),
  /** RFC 8705 §2.1.2: exactly one is registered for `tls_client_auth`. */
  tls_client_auth_subject_dn: optional(line(1000), { ...byClient, about: certificate }),
  tls_client_auth_san_dns: optional(line(300), { ...byClient, about: 'the same' }),
  tls_client_auth_san_uri: optional(line(2048), { ...byClient, about: 'the same' }),
  tls_client_auth_san_ip: optional(line(64), { ...byClient, about: 'the same' }),
  tls_client_auth_san_email: optional(line(320), { ...byClient, about: 'the same' }),
  /** Null: the algorithm of the settings. */
  id_token_signed_response_alg: optional(algorithm, {
    ...byClient,
    about: 'the algorithm of id tokens',
    unset: '`OAuth:IdentityTokenAlgorithm`',
  }),
  /** Null: JSON that is not signed. */
  userinfo_signed_response_alg: optional(algorithm, {
    ...byClient,
    about: 'signs answers of userinfo',
    unset: 'not signed',
  }),
  /** Null: JSON that is not signed, unless the request asks for a JWT (RFC 9701 §4). */
  introspection_signed_response_alg: optional(algorithm, {
    ...byClient,
    about: 'signs answers of introspection',
    unset: 'not signed',
  }),
  /** Null: the algorithm of id tokens. */
  authorization_signed_response_alg: optional(algorithm, {
    ...byClient,
    about: 'the algorithm of authorization responses as JWT',
    unset: 'that of id tokens',
  }),
  /** Null: any of those that the service supports. */
  request_object_signing_alg: optional(algorithm, {
    ...byClient,
    about: 'the algorithm of its request objects',
    unset: 'any',
  }),
  require_pushed_authorization_requests: member(flag, false, {
    ...byClient,
    about: 'only pushed requests (RFC 9126 §6)',
  }),
  require_signed_request_object: member(flag, false, {
    ...byClient,
    about: 'only signed request objects (RFC 9101 §10.5); needs keys',
  }),
  dpop_bound_access_tokens: member(flag, false, {
    ...byClient,
    about: 'token requests need a DPoP proof (RFC 9449 §5.2)',
  }),
  tls_client_certificate_bound_access_tokens: member(flag, false, {
    ...byClient,
    about: 'tokens are bound to its certificate (RFC 8705 §3.4)',
  }),
  backchannel_logout_uri: optional(fetchedUri, { ...byClient, about: 'where logout tokens are sent' }),
  backchannel_logout_session_required: member(flag, false, {
    ...byClient,
    about: 'no effect: logout tokens always have `sid`',
  }),
  frontchannel_logout_uri: optional(calledUri, {
    ...byClient,
    about:
      'a page loaded in a frame after a sign-out, at the origin of a redirect URI (otherwise operators are warned, self-registered clients refused)',
  }),
  frontchannel_logout_session_required: member(flag, false, {
    ...byClient,
    about: 'no effect: the page is always told `iss` and `sid`',
  }),
  /** hint: a sign-out with an id token of this client for the person who is signed in ends the session at once. */
  logout_confirmation: member(oneOf(['always', 'hint']), 'always', {
    setBy: 'operator',
    about:
      '`always`: the person is asked before a sign-out; `hint`: not with a valid `id_token_hint` of this client for the person who is signed in',
  }),
  initiate_login_uri: optional(calledUri, { ...byClient, about: 'where another party can start a sign-in' }),
  /** Applies to requests without `max_age`. */
  default_max_age: optional(seconds(0, tenYears), { ...byClient, about: 'seconds, for requests without `max_age`' }),
  require_auth_time: member(flag, false, { ...byClient, about: 'no effect: id tokens always have `auth_time`' }),
  default_acr_values: member(listOf(20, acrValue), [], {
    ...byClient,
    about: 'requests `acr`, as `acr_values` does',
  }),
  client_uri: optional(webUri, {
    ...byClient,
    localized: webUri,
    about: 'its home page; see [what users see](clients.md#what-users-see)',
  }),
  logo_uri: optional(pictureUri, {
    ...byClient,
    localized: pictureUri,
    about: 'its logo; see [what users see](clients.md#what-users-see)',
  }),
  policy_uri: optional(webUri, {
    ...byClient,
    localized: webUri,
    about: 'its privacy policy; see [what users see](clients.md#what-users-see)',
  }),
  tos_uri: optional(webUri, {
    ...byClient,
    localized: webUri,
    about: 'its terms of service; see [what users see](clients.md#what-users-see)',
  }),
  contacts: member(listOf(20, line(320)), [], { ...byClient, about: 'e-mail addresses, shown on the consent page' }),
  /** Members with a language, such as `client_name#de` (RFC 7591 §2.2). */
  localized: inner<Readonly<Record<string, string>>>({}),
  /** scopes: the id token contains the claims of the scopes. requested: only what the `claims` parameter asks for. */
  id_token_claims: member(oneOf(['scopes', 'requested']), 'scopes', {
    ...byClient,
    about: '`scopes`, or `requested`: only what the `claims` parameter asks for ([claims.md](claims.md))',
  }),
  access_token_format: member(oneOf(['jwt', 'opaque']), 'jwt', { ...byClient, about: '`jwt` or `opaque`' }),
  /** In the header of access tokens that are JWTs. */
  access_token_type: member(oneOf(accessTokenTypes), 'at+jwt', {
    ...byClient,
    about:
      '`at+jwt`, or `JWT`: `typ` of its access tokens, for [APIs that refuse `at+jwt`](guide.md#apis-that-refuse-atjwt). What a scope says of its resources wins',
  }),
  /** array: JSON array. string: space-separated (RFC 9068 §2.2.3). */
  access_token_scope: member(oneOf(['array', 'string']), 'array', {
    ...byClient,
    about:
      '`array`, or `string` with spaces (RFC 9068 §2.2.3). After a change to `array`, userinfo and the sample API refuse tokens with a text',
    unset: '`array`; of new clients `OAuth:AccessTokenScope`',
  }),
  /** minimal: without name, e-mail address and roles. */
  access_token_claims: member(oneOf(['all', 'minimal']), 'all', {
    ...byClient,
    about:
      "`all`, or `minimal`: without name, address and roles. A self-registered client's tokens have what its scopes ask for",
  }),
  // A retired signing key stays published for at least a day.
  /** Null: the lifetime of the settings. */
  access_token_lifetime: optional(seconds(1, 86_400), {
    setBy: { atMost: 'accessTokenLifetimeSeconds' },
    about: 'seconds, at most 86,400',
    unset: 'settings',
  }),
  /** Null: the lifetime of the settings. */
  refresh_token_lifetime: optional(seconds(1, tenYears), {
    setBy: { atMost: 'refreshTokenLifetimeSeconds' },
    about: 'seconds',
    unset: 'settings',
  }),
  refresh_token_rotation: member(flag, true, {
    ...byClient,
    about:
      '`false` only for confidential clients, or with tokens bound to a key (RFC 9700 §4.14.2); using the token extends its lifetime once less than half remains',
  }),
  refresh_token_scope: member(oneOf(['offline_access', 'openid']), 'offline_access', {
    setBy: 'operator',
    about:
      'what has to be granted for a refresh token: `offline_access`, or `openid`; people are told of the lasting access either way. Without `offline_access`, refresh tokens end with the session: with a sign-out, the sign-in of another person in the browser, or its end in the account area or the admin API; then those of sessions that are gone end as well. A new password (unless it ends refresh tokens, too), `latchkey user end-sessions` and the expiry of a session end sessions alone',
  }),
  // A retired signing key stays published for at least a day.
  /** Null: the lifetime of the settings. */
  id_token_lifetime: optional(seconds(1, 86_400), {
    setBy: { atMost: 'identityTokenLifetimeSeconds' },
    about: 'seconds, at most 86,400',
    unset: 'settings',
  }),
  /** Seconds since the authentication after which a session no longer suffices for this client; null: no limit. */
  session_lifetime_max: optional(seconds(1, tenYears), {
    ...byClient,
    about: 'seconds after a sign-in until it must be repeated for this client',
    unset: 'no limit',
  }),
  /** ignore: scopes that the client may not request are left out. refuse: they fail the request. */
  unknown_scopes: member(oneOf(['refuse', 'ignore']), 'refuse', {
    ...byClient,
    about:
      '`refuse` requests with scopes that are not permitted, or `ignore` those scopes; for client credentials also `openid` and `offline_access`',
  }),
  /** Scopes that count as requested whenever `openid` is, and for a token of the client itself where it asks for none. */
  default_scopes: member(listOf(100, scopeName), [], {
    setBy: 'operator',
    about:
      'scopes that count as requested whenever `openid` is, and for a token of its own where it asks for no scope; it must be permitted them (`scope`)',
  }),
  /** Identifiers of the resource servers that use this client to introspect tokens issued for them (RFC 8707 §2). */
  resources: member(listOf(10, resource), [], {
    setBy: 'operator',
    about: 'identifiers of the APIs that use this client for [introspection](guide.md#introspection)',
  }),
  /** Clients whose tokens this client may exchange (RFC 8693). */
  may_exchange: member(listOf(100, clientId), [], {
    setBy: 'operator',
    about: 'clients whose tokens it may exchange (RFC 8693)',
  }),
  /** Clients whose roles are in its tokens beside its own. */
  role_clients: member(listOf(100, roleClient), [], {
    setBy: 'operator',
    about:
      'clients whose [roles](clients.md#roles-of-an-application) are in its tokens beside its own; its access tokens are for those of them of which the person has one (`aud`). `*`: every client',
  }),
  /** `sub` of the tokens that it gets for itself; null: its id. */
  service_account_subject: optional(accountSubject, {
    setBy: 'operator',
    about:
      '`sub` of the access tokens that it gets for itself ([service accounts](clients.md#service-accounts)), at most 255 characters. It must be the id of nobody else: neither of a person nor of another client',
    unset: 'its id',
  }),
  /** Roles of the tokens that it gets for itself. */
  service_account_roles: member(listOf(50, line(100)), [], {
    setBy: 'operator',
    about:
      'roles of the access tokens that it gets for itself, with those that they include. Those that give rights over the whole service need `--allow-admin`, and are not given by the admin API',
  }),
  /** Rules that put claims into its tokens, whatever their scopes. */
  claims: member<readonly ClaimRule[], About>({ kind: 'rules', read: (given) => readRules(given) }, [], {
    setBy: 'operator',
    about: '[rules](claims.md#rules) that put claims into its tokens, whatever their scopes',
  }),
  /** `+`: the origins of its redirect addresses. */
  web_origins: member(listOf(50, webOrigin), [], {
    setBy: 'operator',
    about:
      '[origins](guide.md#a-client-in-the-browser) whose scripts may read answers to its requests, beside `Cors:Origins`; `+`: those of its redirect addresses',
  }),
  /** What its tokens look like to applications that were written for another system. */
  claim_shape: member(oneOf(claimShapes), 'plain', {
    setBy: 'operator',
    about:
      '`plain`, or the [shape of another system](recipes.md#shapes-of-other-systems): `keycloak`, `aspnet`. `keycloak` wins over `access_token_scope`',
  }),
  /** What people are called in its tokens (OpenID Connect Core §8). */
  subject_type: member(oneOf(['public', 'pairwise']), 'public', {
    ...byClient,
    listed: ['public', 'pairwise'],
    about:
      '`public`: `sub` is the same for all clients. `pairwise`: [another one in each sector](clients.md#pairwise-subject-identifiers)',
  }),
  /** Fetched when it is registered. */
  sector_identifier_uri: optional(fetchedUri, {
    ...byClient,
    about:
      'the address of a JSON array with all its redirect addresses (OpenID Connect Core §8.1); its host is the sector. It is fetched when it or a redirect address is registered',
  }),
  /** Null: it was registered without one. */
  template: optional(templateId, {
    setBy: 'operator',
    about: 'the template that it was registered for, whose settings its set-up shows; changes no other member',
  }),
  /** fapi2: FAPI 2.0 Security Profile. */
  profile: member(oneOf(['default', 'fapi2']), 'default', {
    ...byClient,
    about: '`fapi2`: FAPI 2.0 Security Profile',
  }),
  /**
   * Who registered the client: an operator, somebody with an initial access token, anybody (RFC 7591 §3), or the document
   * at its id. Texts and addresses of the latter three are their own claims.
   */
  registration: following<'operator' | 'token' | 'open' | 'document'>('operator', 'never changes', 'operator'),
  /**
   * Of a client that registered itself: the algorithms with an uncommon key type that an operator gave it. Their keys are
   * made and kept for it.
   */
  granted_signing_algs: following<readonly ClientAlgorithm[]>(
    [],
    'follows from the algorithms that an operator sets',
    'client',
  ),
  /** Epoch seconds until which the document at the client's id need not be fetched again; null: there is none. */
  document_fresh_until: following<number | null>(null, 'follows from its document', 'operator'),
  /**
   * Epoch seconds from which the client, confidential before, is public; null: it always was, or is confidential. Refresh
   * tokens from before are of no use unless they are bound to a key.
   */
  public_since: following<number | null>(null, 'follows from token_endpoint_auth_method', 'client', 'operator'),
  /** Origins that `web_origins` comes to, which tokens of the shape `keycloak` have. */
  allowed_origins: following<readonly string[]>([], 'follows from web_origins and redirect_uris'),
  /** Those of its redirect addresses that end in `*` and mean every path below (`wildcard-uri.ts`). */
  wildcard_uris: following<readonly string[]>([], 'comes from an import with --allow-wildcards', 'client', 'operator'),
  /** The sector of a pairwise client: a host; null: the client is one by itself, or is public. */
  sector_identifier: following<string | null>(
    null,
    'follows from subject_type, sector_identifier_uri and redirect_uris',
  ),
  /** By member, what an operator set on a client that registered itself. Its own updates stay under that. */
  set_by_operator: following<Readonly<Record<string, unknown>>>({}, 'follows from the changes of operators', 'client'),
} as const

const none: readonly string[] = []

export const consentKinds = ['explicit', 'always', 'implicit', 'external'] as const

/** A list in the record; of what a client may use, so that it may leave some out of what an operator gave it. */
function list<P extends string, T extends string, const A extends About>(
  property: P,
  kind: 'list' | 'words',
  byDefault: readonly T[],
  about: A,
) {
  return { form: 'list', property, kind, default: byDefault, ...about } as const
}

function value<P extends string, const T, const A extends About>(
  property: P,
  rule: MemberRule<T>,
  byDefault: NoInfer<T>,
  about: A,
) {
  return { form: 'value', property, rule, kind: rule.kind, default: byDefault, ...about } as const
}

/** A member whose effect is in `client-members.ts`. */
function own<K extends MemberKind, const A extends About>(kind: K, about: A) {
  return { form: 'own', kind, ...about } as const
}

/** Members that every record has, and that have columns, because statements read them. The others need none. */
export const recordTable = {
  client_name: own('text', {
    ...byClient,
    localized: line(200),
    about: 'its name; see [what users see](clients.md#what-users-see)',
    unset: 'the client id',
  }),
  redirect_uris: list('redirectUris', 'list', none, {
    ...byClient,
    about:
      'compared character by character; needed by grant types that redirect. See [redirect addresses](clients.md#redirect-addresses)',
  }),
  post_logout_redirect_uris: list('postLogoutRedirectUris', 'list', none, {
    ...byClient,
    about: 'addresses after a sign-out, compared in the same way',
  }),
  scope: list('scopes', 'words', none, {
    ...byClient,
    about: 'scopes that it may request, separated by spaces; `openid` is always permitted',
    unset: '`openid`',
  }),
  grant_types: list('grantTypes', 'list', defaultGrantTypes, {
    ...byClient,
    about:
      '`authorization_code`, `refresh_token` (with the scope of `refresh_token_scope`), `client_credentials`, `urn:ietf:params:oauth:grant-type:device_code`, `urn:ietf:params:oauth:grant-type:token-exchange`. `client_credentials` and token exchange need a confidential client',
  }),
  response_types: own('list', { ...byClient, about: '`["code"]` only', unset: '`["code"]`' }),
  consent: value('consent', oneOf(consentKinds), 'explicit', {
    setBy: 'operator',
    listed: consentKinds,
    about:
      '`explicit`: asked once; `always`: asked each time, nothing is remembered; `implicit`: never asked, for your own applications; `external`: [only people for whom an operator stored a consent](clients.md#consents)',
  }),
  require_pkce: value('requirePkce', flag, true, {
    ...byClient,
    about:
      '`false` only for confidential clients. Of a public one it comes from an [import](clients.md#redirect-addresses) alone',
  }),
  token_endpoint_auth_method: own('enum', {
    ...byClient,
    about:
      '`none` (public), `client_secret_basic`, `client_secret_post` (either works), `private_key_jwt`, `client_secret_jwt` (the secret signs, and is kept sealed), `tls_client_auth`, `self_signed_tls_client_auth`. A confidential client that becomes public (`public_since`) loses refresh tokens that are bound to no key',
    unset: '`none`; of a confidential client `client_secret_basic`',
  }),
} as const

type MetadataTable = typeof metadataTable
type RecordTable = typeof recordTable
type Valued<E> = E extends { readonly default: infer T } ? T : never
type Keys<Table, Form> = { [M in keyof Table]: Table[M] extends Form ? M : never }[keyof Table]

/** `null`: not registered. Members that RFC 7591 defines have its names; times are seconds. */
export type ClientMetadata = { readonly [M in keyof MetadataTable]: Valued<MetadataTable[M]> }

/** Members of the record, by their names in a `Client`. */
export type RecordValues = {
  readonly [M in Keys<RecordTable, { readonly property: string }> as RecordTable[M]['property']]: Valued<RecordTable[M]>
}

export type RecordMember = keyof RecordTable
export type ListMember = Keys<RecordTable, { readonly form: 'list' }>
export type ValueMember = Keys<RecordTable, { readonly form: 'value' }>

/** Members of the metadata that can be set by their names. */
export type SettableMetadata = Keys<MetadataTable, { readonly rule: unknown }>
/** Those that follow from others. */
export type FollowingMetadata = Keys<MetadataTable, { readonly why: string }>
/** Members that can be set, apart from those with a language. */
export type SettableMember = RecordMember | SettableMetadata
/** Those with one of the algorithms of `signing-algorithms.ts`. */
export type AlgorithmMember = Keys<MetadataTable, { readonly rule: MemberRule<ClientAlgorithm> }>
export type LocalizedMember =
  | Keys<MetadataTable, { readonly localized: unknown }>
  | Keys<RecordTable, { readonly localized: unknown }>

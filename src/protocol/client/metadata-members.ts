/** The values that each member of `ClientMetadata` may have. */
import { type ClientAlgorithm, type ClientMetadata, defaultClientMetadata } from './client-metadata.ts'
import { readJwkSet } from './jwk-set.ts'
import {
  calledUri,
  flag,
  line,
  listOf,
  type MemberContext,
  type MemberKind,
  type MemberRule,
  oneOf,
  type Read,
  seconds,
  webUri,
} from './member-kinds.ts'
import { clientAlgorithms } from './signing-algorithms.ts'

const tenYears = 315_360_000
export const localizedAtMost = 50

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

/** A `client_id`, of the characters of RFC 6749 Appendix A.1 without the space. */
const clientId: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given) ? { value: given } : { fault: 'is no client id' },
}

/** `acr` values are sent separated by spaces. */
const acrValue: MemberRule<string> = {
  kind: 'text',
  read: (given) =>
    typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given)
      ? { value: given }
      : { fault: 'must have 1 to 200 characters of ASCII, no spaces' },
}

/** RFC 8707 §2: the identifier of a resource server. */
const resource: MemberRule<string> = {
  kind: 'uri',
  read: (given) =>
    typeof given === 'string' && given.length <= 500 && URL.canParse(given) && !/[#\s]/.test(given)
      ? { value: given }
      : { fault: 'must be an absolute URI of at most 500 characters without a fragment' },
}

type Settable = Omit<
  ClientMetadata,
  | 'localized'
  | 'token_endpoint_auth_method'
  | 'registration'
  | 'granted_signing_algs'
  | 'document_fresh_until'
  | 'public_since'
  | 'set_by_operator'
>

/** `token_endpoint_auth_method` and members with a language are read elsewhere. */
export const metadataMembers: { readonly [Member in keyof Settable]: MemberRule<NonNullable<Settable[Member]>> } = {
  application_type: oneOf(['web', 'native']),
  token_endpoint_auth_signing_alg: algorithm,
  jwks: { kind: 'object', read: readJwkSet },
  jwks_uri: calledUri,
  tls_client_auth_subject_dn: line(1000),
  tls_client_auth_san_dns: line(300),
  tls_client_auth_san_uri: line(2048),
  tls_client_auth_san_ip: line(64),
  tls_client_auth_san_email: line(320),
  id_token_signed_response_alg: algorithm,
  userinfo_signed_response_alg: algorithm,
  introspection_signed_response_alg: algorithm,
  authorization_signed_response_alg: algorithm,
  request_object_signing_alg: algorithm,
  require_pushed_authorization_requests: flag,
  require_signed_request_object: flag,
  dpop_bound_access_tokens: flag,
  tls_client_certificate_bound_access_tokens: flag,
  backchannel_logout_uri: calledUri,
  backchannel_logout_session_required: flag,
  frontchannel_logout_uri: calledUri,
  frontchannel_logout_session_required: flag,
  initiate_login_uri: calledUri,
  default_max_age: seconds(0, tenYears),
  require_auth_time: flag,
  default_acr_values: listOf(20, acrValue),
  client_uri: webUri,
  logo_uri: webUri,
  policy_uri: webUri,
  tos_uri: webUri,
  contacts: listOf(20, line(320)),
  id_token_claims: oneOf(['scopes', 'requested']),
  access_token_format: oneOf(['jwt', 'opaque']),
  access_token_scope: oneOf(['array', 'string']),
  access_token_claims: oneOf(['all', 'minimal']),
  // A retired signing key stays published for at least a day.
  access_token_lifetime: seconds(1, 86_400),
  refresh_token_lifetime: seconds(1, tenYears),
  refresh_token_rotation: flag,
  session_lifetime_max: seconds(1, tenYears),
  unknown_scopes: oneOf(['refuse', 'ignore']),
  resources: listOf(10, resource),
  may_exchange: listOf(100, clientId),
  profile: oneOf(['default', 'fapi2']),
}

/** Members that may have a language, as in `client_name#de` (RFC 7591 §2.2). */
const localizable: Readonly<Record<string, MemberRule<string>>> = {
  client_name: line(200),
  client_uri: webUri,
  logo_uri: webUri,
  policy_uri: webUri,
  tos_uri: webUri,
}

const withTag = /^(\w+)#([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,5})$/

/** Whether there are more members with a language than a client can have, seen before any of them is read. */
export function hasTooManyLanguages(members: readonly string[]): boolean {
  const languages = members.filter((member) => Object.hasOwn(localizable, withTag.exec(member)?.[1] ?? ''))
  return languages.length > localizedAtMost
}

/** Splits a member with a language into the rule of its values and its canonical name; undefined: it is none. */
export function localizedMember(member: string): { rule: MemberRule<string>; name: string } | undefined {
  if (!member.includes('#')) return undefined
  const [, base = '', tag = ''] = withTag.exec(member) ?? []
  const rule = Object.hasOwn(localizable, base) ? localizable[base] : undefined
  if (rule === undefined) return undefined
  try {
    return { rule, name: `${base}#${Intl.getCanonicalLocales(tag)[0] ?? tag}` }
  } catch {
    return undefined
  }
}

type MetadataRule = MemberRule<ClientMetadata[keyof ClientMetadata]>

export function isMetadataMember(member: string): member is keyof typeof metadataMembers {
  return Object.hasOwn(metadataMembers, member)
}

/** Returns the metadata with the member set to the given JSON value; null: to its default. */
export function withMember(
  metadata: ClientMetadata,
  member: keyof typeof metadataMembers,
  given: unknown,
  context: MemberContext,
): Read<ClientMetadata> {
  if (given === null) return { value: { ...metadata, [member]: defaultClientMetadata[member] } }
  const rule: MetadataRule = metadataMembers[member]
  const read = rule.read(given, context)
  return 'fault' in read ? read : { value: { ...metadata, [member]: read.value } }
}

/** Returns the metadata with the text of one language; null removes it. */
export function withLanguage(
  metadata: ClientMetadata,
  { rule, name }: { readonly rule: MemberRule<string>; readonly name: string },
  given: unknown,
  context: MemberContext,
): Read<ClientMetadata> {
  const { [name]: _replaced, ...others } = metadata.localized
  if (given === null) return { value: { ...metadata, localized: others } }
  const read = rule.read(given, context)
  if ('fault' in read) return read
  if (Object.keys(others).length >= localizedAtMost) return { fault: `is one of more than ${localizedAtMost}` }
  return { value: { ...metadata, localized: { ...others, [name]: read.value } } }
}

/** The kind of each member, for interfaces that take text. */
export const metadataKinds: Readonly<Record<string, MemberKind>> = Object.fromEntries(
  Object.entries(metadataMembers).map(([member, { kind }]) => [member, kind]),
)

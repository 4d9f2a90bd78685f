/** Applications of Keycloak: what they are here, and what is to be said of each. */
import { isObject, type JsonObject } from '../../protocol/json-value.ts'
import { commandOf } from '../commands.ts'
import { unkept } from '../members.ts'
import { findingsOf, type Note, present, type SourceRecord } from '../source.ts'
import { absolute, logoutUris, redirectUris, takesAnyPort } from './client-addresses.ts'
import { authenticationOf } from './client-authentication.ts'
import { clientMembers } from './client-members.ts'
import { lifetimesOf, refreshOf, tokensOf } from './client-tokens.ts'
import { isOwnClient, type RealmFacts } from './facts.ts'
import { mapperRules } from './mappers.ts'
import { textsIn } from './realm-file.ts'
import { permittedScopes } from './scopes.ts'

/** What the source calls members, by their names here. */
const names: Readonly<Record<string, string>> = {
  ...{ client_name: 'name', redirect_uris: 'redirectUris', web_origins: 'webOrigins', client_uri: 'baseUrl' },
  ...{ post_logout_redirect_uris: 'attributes.post.logout.redirect.uris', scope: 'optionalClientScopes' },
  ...{ default_scopes: 'defaultClientScopes', role_clients: 'fullScopeAllowed', claims: 'protocolMappers' },
  ...{ require_pkce: 'attributes.pkce.code.challenge.method', grant_types: 'standardFlowEnabled' },
  ...{ backchannel_logout_uri: 'attributes.backchannel.logout.url', client_id: 'clientId' },
  ...{
    frontchannel_logout_uri: 'attributes.frontchannel.logout.url',
    token_endpoint_auth_method: 'clientAuthenticatorType',
  },
  ...{
    access_token_lifetime: 'attributes.access.token.lifespan',
    id_token_lifetime: 'attributes.access.token.lifespan',
  },
  ...{ refresh_token_lifetime: 'attributes.client.session.idle.timeout', subject_type: 'protocolMappers' },
  ...{
    session_lifetime_max: 'attributes.client.session.max.lifespan',
    refresh_token_scope: 'attributes.use.refresh.tokens',
  },
  ...{ service_account_subject: 'serviceAccountsEnabled', service_account_roles: 'serviceAccountsEnabled' },
  ...{
    logout_confirmation: 'attributes.logout.confirmation.enabled',
    default_acr_values: 'attributes.default.acr.values',
  },
  ...{ jwks: 'attributes.jwks.string', jwks_uri: 'attributes.jwks.url', consent: 'consentRequired' },
  ...{ tls_client_auth_subject_dn: 'attributes.x509.subjectdn' },
}

/** Returns undefined for Keycloak's own clients. */
export function keycloakClient(line: number, client: JsonObject, facts: RealmFacts): SourceRecord | undefined {
  if (isOwnClient(client)) return undefined
  const id = String(client.clientId)
  const left = (member: string, fault: string) => ({ line, fault, of: { kind: 'client', source: id, member } as const })
  if (client.protocol !== undefined && client.protocol !== 'openid-connect') {
    return left('protocol', `${id} is an application of ${client.protocol}, which Latchkey does not serve.`)
  }
  if (client.enabled === false) return left('enabled', `The client ${id} is disabled.`)
  const attributes = isObject(client.attributes) ? client.attributes : {}
  const notes: Note[] = unkept(clientMembers, client)
  const acts = actsForItself(client, facts, notes)
  const authentication = authenticationOf(client, attributes)
  if ('fault' in authentication) return left(authentication.member, authentication.fault)
  const redirects = redirectUris(client, facts)
  const grants = grantsOf(client, attributes, redirects.uris, acts, notes)
  if (grants.length === 0) {
    notes.push(...redirects.notes)
    return {
      ...left('standardFlowEnabled', `${id} keeps no way to sign in: ${whyNone(notes)}`),
      findings: findingsOf('client', id, notes),
    }
  }
  const logout = logoutUris(client, attributes['post.logout.redirect.uris'], redirects.uris, facts)
  notes.push(...redirects.notes, ...logout.notes, ...authentication.notes)
  const mapped = mapperRules('client', id, client.protocolMappers)
  const members = {
    ...described(client, attributes, notes),
    ...authentication.members,
    application_type: takesAnyPort(redirects.uris) ? 'native' : undefined,
    redirect_uris: redirects.uris,
    post_logout_redirect_uris: logout.uris,
    grant_types: grants,
    ...(client.bearerOnly === true ? { resources: [id] } : permittedScopes(client)),
    ...protectionOf(client, attributes, notes),
    ...lifetimesOf(attributes, facts.realm),
    ...refreshOf(client, attributes, facts.realm, grants, notes),
    ...tokensOf(client, attributes, facts, mapped.isPairwise, notes),
    claims: mapped.rules,
    web_origins: originsOf(client.webOrigins, notes),
    logout_confirmation: attributes['logout.confirmation.enabled'] === 'true' ? 'always' : 'hint',
    consent: client.consentRequired === true ? 'explicit' : 'implicit',
    unknown_scopes: 'ignore',
  }
  const findings = [...findingsOf('client', id, notes), ...mapped.findings]
  return { line, client: { id, ...authentication.secrets, members: given(members), names }, findings }
}

/** Without members that say nothing. */
function given(members: JsonObject): JsonObject {
  const entries = Object.entries(present(members))
  return Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value) || value.length > 0))
}

function whyNone(notes: readonly Note[]): string {
  return notes.length === 0 ? 'all flows are switched off.' : notes.map(({ reason }) => reason).join(' ')
}

/** A service account that is locked got no tokens there. */
function actsForItself(client: JsonObject, { serviceAccounts }: RealmFacts, notes: Note[]): boolean {
  if (client.serviceAccountsEnabled !== true) return false
  if (serviceAccounts.get(String(client.clientId))?.isDisabled !== true) return true
  const reason = 'Its service account is disabled there: it gets no tokens for itself.'
  notes.push({ member: 'serviceAccountsEnabled', severity: 'lost', reason })
  return false
}

/** An application without a redirect address could send nobody anywhere: it acts for itself alone. */
function grantsOf(
  client: JsonObject,
  attributes: JsonObject,
  uris: readonly string[],
  acts: boolean,
  notes: Note[],
): string[] {
  const lost = (member: string, reason: string) => notes.push({ member, severity: 'lost', reason })
  if (client.implicitFlowEnabled === true) {
    lost(
      'implicitFlowEnabled',
      'The implicit grant is not served (RFC 9700, section 2.1.2): use the authorization code with PKCE.',
    )
  }
  if (client.directAccessGrantsEnabled === true) {
    lost('directAccessGrantsEnabled', 'The password grant is not served (RFC 9700, section 2.4).')
  }
  const isStandard = client.standardFlowEnabled !== false && client.bearerOnly !== true
  if (isStandard && uris.length === 0 && acts) {
    const reason = 'Without a redirect address it signs nobody in. It comes as an application that acts for itself.'
    notes.push({ member: 'standardFlowEnabled', severity: 'changed', reason })
  }
  if (client.bearerOnly === true) {
    const reason =
      'An API, which only asks what tokens are. Every application has a grant here: it may also have tokens for itself, without scopes.'
    notes.push({ member: 'bearerOnly', severity: 'changed', reason })
  }
  const isForDevices = attributes['oauth2.device.authorization.grant.enabled'] === 'true'
  const signsIn = (isStandard && uris.length > 0) || isForDevices
  const isExchanging = attributes['standard.token.exchange.enabled'] === 'true'
  if (isExchanging) {
    const reason = 'It exchanges tokens that name it in may_exchange alone; there it took those whose aud has it.'
    const command = commandOf('client set', client.clientId, 'may_exchange=["CLIENT"]')
    notes.push({ member: 'attributes.standard.token.exchange.enabled', severity: 'changed', reason, ...command })
  }
  return [
    ...(isStandard && uris.length > 0 ? ['authorization_code'] : []),
    ...(signsIn && attributes['use.refresh.tokens'] !== 'false' ? ['refresh_token'] : []),
    ...(acts || client.bearerOnly === true ? ['client_credentials'] : []),
    ...(isForDevices ? ['urn:ietf:params:oauth:grant-type:device_code'] : []),
    ...(isExchanging ? ['urn:ietf:params:oauth:grant-type:token-exchange'] : []),
  ]
}

function described(client: JsonObject, attributes: JsonObject, notes: Note[]): JsonObject {
  const { name, baseUrl, rootUrl, adminUrl } = client
  const isKey = typeof name === 'string' && name.startsWith('${')
  if (isKey) notes.push({ member: 'name', severity: 'lost', reason: `Its name, ${name}, is a text of that system.` })
  if (typeof adminUrl === 'string' && adminUrl !== '' && adminUrl !== rootUrl) {
    const reason = 'Applications are told of a sign-out at attributes.backchannel.logout.url alone.'
    notes.push({ member: 'adminUrl', severity: 'lost', reason })
  }
  const home = typeof baseUrl === 'string' && baseUrl !== '' ? absolute(baseUrl, rootUrl) : undefined
  return {
    client_name: isKey ? undefined : name,
    client_uri: home,
    ...{ logo_uri: attributes.logoUri, policy_uri: attributes.policyUri, tos_uri: attributes.tosUri },
  }
}

const flag = (value: unknown): true | undefined => (value === 'true' ? true : undefined)

/** What makes requests and tokens of the client harder to misuse: none of it is lowered. */
function protectionOf(client: JsonObject, attributes: JsonObject, notes: Note[]): JsonObject {
  const challenge = attributes['pkce.code.challenge.method']
  const needsPkce = typeof challenge === 'string' && challenge !== ''
  if (challenge === 'plain') {
    const reason = 'PKCE takes S256 alone here: the application has to send that method.'
    notes.push({ member: 'attributes.pkce.code.challenge.method', severity: 'changed', reason })
  }
  const required = attributes['request.object.required']
  const acr = attributes['default.acr.values']
  // There every token names a class; here one that is asked for.
  const usualAcr = textsIn(client.defaultClientScopes).includes('acr') ? ['1'] : undefined
  return {
    // Of a client without codes it says nothing.
    require_pkce: needsPkce || client.standardFlowEnabled === false,
    require_pushed_authorization_requests: flag(attributes['require.pushed.authorization.requests']),
    require_signed_request_object: typeof required === 'string' && required.startsWith('request') ? true : undefined,
    dpop_bound_access_tokens: flag(attributes['dpop.bound.access.tokens']),
    tls_client_certificate_bound_access_tokens: flag(attributes['tls.client.certificate.bound.access.tokens']),
    default_acr_values: typeof acr === 'string' && acr !== '' ? acr.split('##') : usualAcr,
    ...algorithmsOf(attributes, notes),
    backchannel_logout_uri: client.frontchannelLogout === true ? undefined : attributes['backchannel.logout.url'],
    frontchannel_logout_uri: client.frontchannelLogout === true ? attributes['frontchannel.logout.url'] : undefined,
  }
}

/** Algorithms that Latchkey has. Another one does not come: the application would refuse what it gets, and is told. */
const known = ['RS256', 'PS256', 'ES256', 'EdDSA']
const algorithms = [
  ['id.token.signed.response.alg', 'id_token_signed_response_alg'],
  ['user.info.response.signature.alg', 'userinfo_signed_response_alg'],
  ['authorization.signed.response.alg', 'authorization_signed_response_alg'],
  ['introspection.response.signature.alg', 'introspection_signed_response_alg'],
  ['request.object.signature.alg', 'request_object_signing_alg'],
] as const

function algorithmsOf(attributes: JsonObject, notes: Note[]): JsonObject {
  return Object.fromEntries(
    algorithms.flatMap(([from, to]) => {
      const value = attributes[from]
      if (typeof value !== 'string' || ['', 'any', 'none', 'unsigned'].includes(value)) return []
      if (known.includes(value)) return [[to, value]]
      const reason = `${value} is none of ${known.join(', ')}: the algorithm is that of the settings.`
      const severity = to === 'request_object_signing_alg' ? 'risk' : 'changed'
      notes.push({ member: `attributes.${from}`, severity, reason })
      return []
    }),
  )
}

function originsOf(value: unknown, notes: Note[]): string[] {
  const all = textsIn(value).filter((origin) => origin !== '')
  if (!all.includes('*')) return all
  const reason = 'Any origin could read its answers. List the origins: latchkey client set ID web_origins=ORIGIN.'
  notes.push({ member: 'webOrigins', severity: 'lost', reason })
  return all.filter((origin) => origin !== '*')
}

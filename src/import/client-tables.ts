/** Where other systems have what belongs to a client, and which clients and scopes cannot come. */
import type { SettableMember } from '../protocol/client/member-table.ts'
import type { JsonObject } from '../protocol/json-value.ts'
import { present, type SourceRecord } from './source.ts'
import { type Row, readRows } from './source-table.ts'

type ClientRow = Row<SettableMember>

const keycloakRows: readonly ClientRow[] = [
  ['name', 'client_name'],
  [['redirectUris', 'rootUrl'], 'redirect_uris', absoluteUris],
  [['attributes.post.logout.redirect.uris', 'redirectUris', 'rootUrl'], 'post_logout_redirect_uris', logoutUris],
  [['defaultClientScopes', 'optionalClientScopes'], 'scope', requestableScopes],
  [
    ['standardFlowEnabled', 'serviceAccountsEnabled', 'attributes.oauth2.device.authorization.grant.enabled'],
    'grant_types',
    grantsOfFlows,
  ],
  ['publicClient', 'token_endpoint_auth_method', (isPublic) => (isPublic === true ? 'none' : 'client_secret_basic')],
  ['consentRequired', 'consent', (isRequired) => (isRequired === true ? 'explicit' : 'implicit')],
  [
    ['publicClient', 'attributes.pkce.code.challenge.method'],
    'require_pkce',
    (isPublic, method) => isPublic === true || method === 'S256',
  ],
  ['attributes.backchannel.logout.url', 'backchannel_logout_uri'],
]

/** Clients that every realm has. */
const builtInClients = /^(?:account|account-console|admin-cli|broker|realm-management|security-admin-console|.+-realm)$/
const builtInScopes: readonly unknown[] = [
  ...['acr', 'address', 'basic', 'email', 'microprofile-jwt', 'offline_access', 'organization', 'phone', 'profile'],
  ...['role_list', 'roles', 'saml_organization', 'service_account', 'web-origins'],
]
/** Those of them that clients may request here as well. */
const sharedScopes: readonly unknown[] = ['address', 'email', 'offline_access', 'phone', 'profile', 'roles']

export function keycloakScope(line: number, scope: JsonObject): SourceRecord | undefined {
  if (scope.protocol !== 'openid-connect' || builtInScopes.includes(scope.name)) return undefined
  const { 'consent.screen.text': consentText } = (scope.attributes ?? {}) as JsonObject
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
  // A text such as ${profileScopeConsentText} names one of Keycloak's own.
  const displayName = typeof consentText === 'string' && !consentText.startsWith('${') ? text(consentText) : null
  const description = text(scope.description)
  return { line, scope: { name: String(scope.name), displayName, description, resources: [] } }
}

/** Returns undefined for what is no application of its own: clients of Keycloak itself, and APIs. */
export function keycloakClient(line: number, client: JsonObject): SourceRecord | undefined {
  const { secret } = client
  const id = String(client.clientId)
  const isForeign = client.protocol !== undefined && client.protocol !== 'openid-connect'
  if (builtInClients.test(id) || client.bearerOnly === true || isForeign) return undefined
  if (client.enabled === false) return { line, fault: `The client ${id} is disabled.` }
  const isPublic = client.publicClient === true
  const isBySecret = (client.clientAuthenticatorType ?? 'client-secret') === 'client-secret'
  const hasSecret = typeof secret === 'string' && secret !== '' && !/^\*+$/.test(secret)
  if (!isPublic && !(isBySecret && hasSecret)) {
    return { line, fault: `The secret of the client ${id} is not in the export.` }
  }
  const wildcard = absoluteUris(client.redirectUris, client.rootUrl).find((uri) => uri.includes('*'))
  if (wildcard !== undefined) {
    return { line, fault: `The client ${id} has a redirect address with a wildcard (${wildcard}): list the addresses.` }
  }
  const members = present(readRows(keycloakRows, client).members)
  return { line, client: { id, ...(!isPublic && { secret: { text: String(secret) } }), members } }
}

function absoluteUris(uris: unknown, rootUrl: unknown): string[] {
  const root = typeof rootUrl === 'string' ? rootUrl.replace(/\/$/, '') : ''
  return textsIn(uris).map((uri) => (uri.startsWith('/') ? `${root}${uri}` : uri))
}

/** A plus sign stands for the redirect addresses. */
function logoutUris(text: unknown, redirectUris: unknown, rootUrl: unknown): string[] {
  if (typeof text !== 'string') return []
  const one = (uri: string) => (uri === '' || uri === '-' ? [] : [uri])
  return text.split('##').flatMap((uri) => (uri === '+' ? absoluteUris(redirectUris, rootUrl) : one(uri)))
}

function requestableScopes(...lists: readonly unknown[]): string {
  const all = lists.flatMap(textsIn)
  return all.filter((scope) => !builtInScopes.includes(scope) || sharedScopes.includes(scope)).join(' ')
}

function grantsOfFlows(standard: unknown, serviceAccounts: unknown, device: unknown): string[] {
  return [
    ...(standard === false ? [] : ['authorization_code', 'refresh_token']),
    ...(serviceAccounts === true ? ['client_credentials'] : []),
    ...(device === 'true' ? ['urn:ietf:params:oauth:grant-type:device_code'] : []),
  ]
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

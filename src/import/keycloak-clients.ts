import { present, type SourceRecord } from './source.ts'

type Json = Readonly<Record<string, unknown>>

/** Those that every realm has. */
const builtInClients = /^(?:account|account-console|admin-cli|broker|realm-management|security-admin-console|.+-realm)$/
const builtInScopes: readonly unknown[] = [
  ...['acr', 'address', 'basic', 'email', 'microprofile-jwt', 'offline_access', 'organization', 'phone', 'profile'],
  ...['role_list', 'roles', 'saml_organization', 'service_account', 'web-origins'],
]
/** Those of them that clients may request here as well. */
const sharedScopes: readonly unknown[] = ['address', 'email', 'offline_access', 'phone', 'profile', 'roles']

export function scopeOf(line: number, scope: Json): SourceRecord | undefined {
  if (scope.protocol !== 'openid-connect' || builtInScopes.includes(scope.name)) return undefined
  const attributes = (scope.attributes ?? {}) as Json
  const { 'consent.screen.text': consentText } = attributes
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
  // A text such as ${profileScopeConsentText} names one of Keycloak's own.
  const displayName = typeof consentText === 'string' && !consentText.startsWith('${') ? text(consentText) : null
  return {
    line,
    scope: { name: String(scope.name), displayName, description: text(scope.description), resources: [] },
  }
}

/** Returns undefined for what is no application of its own: clients of Keycloak itself, and APIs. */
export function clientOf(line: number, client: Json): SourceRecord | undefined {
  const { clientId, publicClient, secret } = client
  const id = String(clientId)
  const isForeign = client.protocol !== undefined && client.protocol !== 'openid-connect'
  if (builtInClients.test(id) || client.bearerOnly === true || isForeign) return undefined
  if (client.enabled === false) return { line, fault: `The client ${id} is disabled.` }
  const isPublic = publicClient === true
  const isBySecret = (client.clientAuthenticatorType ?? 'client-secret') === 'client-secret'
  const hasSecret = typeof secret === 'string' && secret !== '' && !/^\*+$/.test(secret)
  if (!isPublic && !(isBySecret && hasSecret)) {
    return { line, fault: `The secret of the client ${id} is not in the export.` }
  }
  const attributes = (client.attributes ?? {}) as Json
  const redirectUris = textsIn(client.redirectUris).map((uri) => absolute(uri, client.rootUrl))
  const wildcard = redirectUris.find((uri) => uri.includes('*'))
  if (wildcard !== undefined) {
    return { line, fault: `The client ${id} has a redirect address with a wildcard (${wildcard}): list the addresses.` }
  }
  const scopes = [...textsIn(client.defaultClientScopes), ...textsIn(client.optionalClientScopes)]
  const grants = grantsOf(client)
  return {
    line,
    client: {
      id,
      ...(!isPublic && { secret: { text: String(secret) } }),
      members: present({
        client_name: client.name,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: logoutUris(attributes['post.logout.redirect.uris'], redirectUris),
        scope: scopes.filter((scope) => !builtInScopes.includes(scope) || sharedScopes.includes(scope)).join(' '),
        grant_types: grants,
        token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
        consent: client.consentRequired === true ? 'explicit' : 'implicit',
        require_pkce: isPublic || attributes['pkce.code.challenge.method'] === 'S256',
        backchannel_logout_uri: attributes['backchannel.logout.url'],
      }),
    },
  }
}

function grantsOf(client: Json): string[] {
  const attributes = (client.attributes ?? {}) as Json
  const grants = client.standardFlowEnabled === false ? [] : ['authorization_code', 'refresh_token']
  if (client.serviceAccountsEnabled === true) grants.push('client_credentials')
  if (attributes['oauth2.device.authorization.grant.enabled'] === 'true') {
    grants.push('urn:ietf:params:oauth:grant-type:device_code')
  }
  return grants
}

/** A plus sign stands for the redirect addresses. */
function logoutUris(text: unknown, redirectUris: readonly string[]): string[] {
  if (typeof text !== 'string') return []
  return text.split('##').flatMap((uri) => (uri === '+' ? redirectUris : uri === '' || uri === '-' ? [] : [uri]))
}

function absolute(uri: string, rootUrl: unknown): string {
  return uri.startsWith('/') && typeof rootUrl === 'string' ? `${rootUrl.replace(/\/$/, '')}${uri}` : uri
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

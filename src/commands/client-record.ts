/** Clients as the command line takes them in and prints them. */
import type { Client } from '../protocol/client.ts'
import { checkRedirectUriSyntax } from '../protocol/redirect-uri.ts'
import { isLoopbackHost } from '../settings/loopback.ts'
import { Refused } from './context.ts'
import { isoTime, lineFault, record } from './text.ts'

/** Schemes that a browser runs or opens itself instead of handing them to an application. */
const dangerousSchemes = [
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'mailto:',
  'tel:',
  'sms:',
  'intent:',
  'ws:',
  'wss:',
  'ftp:',
  'filesystem:',
  'view-source:',
]

/** Redirect URIs, post-logout redirect URIs and scopes of one client, each. */
const itemsAtMost = 100
/** As long as the parameter of a request may be: a longer address could never be asked for. */
const addressLengthAtMost = 2048

/** Throws `Refused` when a client has too many of something; `what` in the plural. */
export function checkItems(items: readonly string[], what: string): void {
  if (items.length > itemsAtMost) throw new Refused(`A client has at most ${itemsAtMost} ${what}.`)
}

/** Throws `Refused`. The characters are those of RFC 6749 Appendix A.1, without the space. */
export function checkClientId(id: string): void {
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) {
    throw new Refused('The client id must have 1 to 200 characters: letters, digits and signs of ASCII, no spaces.')
  }
}

export function checkClientName(name: string): void {
  const fault = lineFault(name, 200)
  if (fault !== undefined) throw new Refused(`The client's name ${fault}.`)
}

/**
 * Throws `Refused` for an address that answers must never be sent to. `parameter`: `redirect_uri` or
 * `post_logout_redirect_uri`.
 */
export function checkRegisteredUri(uri: string, parameter: string): void {
  if (uri.length > addressLengthAtMost) {
    throw new Refused(`A ${parameter} must have at most ${addressLengthAtMost} characters; one has ${uri.length}.`)
  }
  const refused = (why: string) => new Refused(`The ${parameter} ${JSON.stringify(uri)} ${why}.`)
  switch (checkRedirectUriSyntax(uri, parameter)?.reason) {
    case undefined:
      break
    case 'redirect_uri_fragment':
      throw refused('must not have a fragment (#…)')
    case 'redirect_uri_iss':
      throw refused('must not carry an iss parameter of its own (RFC 9207)')
    default:
      throw refused('must be an absolute URI such as https://app.example.com/callback')
  }
  const { protocol, hostname, username, password } = new URL(uri)
  if (dangerousSchemes.includes(protocol)) throw refused(`must not have the scheme ${protocol}`)
  // RFC 9700 §4.1.1: patterns are not supported, and one that nothing can ever match only misleads.
  if (hostname.includes('*'))
    throw refused('must name its host: it is compared character by character, without patterns')
  if (username !== '' || password !== '') throw refused('must not contain a user name or password')
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    throw refused('must start with https:// (http:// is for loopback addresses alone)')
  }
}

/** Client metadata by the names of RFC 7591 §2, with our own members beside it. */
export function clientJson(client: Client) {
  const isPublic = client.type === 'public'
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAtMs / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    // `openid` is every client's, registered or not.
    scope: ['openid', ...client.scopes].join(' '),
    grant_types: ['authorization_code', ...(client.scopes.includes('offline_access') ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    consent: client.consent,
    require_pkce: client.requirePkce,
  }
}

export const clientHeadings = ['CLIENT ID', 'NAME', 'TYPE', 'CONSENT', 'SCOPES']

export function clientRow({ id, name, type, consent, scopes }: Client): string[] {
  return [id, name, type, consent, ['openid', ...scopes].join(' ')]
}

export function clientText(client: Client): string {
  return record([
    ['client id', client.id],
    ['name', client.name],
    ['type', client.type],
    ['consent', client.consent],
    ['PKCE', client.requirePkce ? 'required' : 'optional'],
    ['scopes', ['openid', ...client.scopes].join(' ')],
    ['redirect URIs', client.redirectUris],
    ['post-logout redirect URIs', client.postLogoutRedirectUris],
    ['created', isoTime(client.createdAtMs)],
  ])
}

/** Prints clients for people. */
import { type Client, clientType, replacedSecretEndsAtMs } from '../protocol/client.ts'
import { usableGrantTypes } from '../protocol/grant-types.ts'
import { isoTime } from '../text.ts'
import { record } from './text.ts'

export const clientHeadings = ['CLIENT ID', 'NAME', 'TYPE', 'CONSENT', 'SCOPES']

export function clientRow(client: Client): string[] {
  const { id, name, consent, scopes } = client
  return [id, name, clientType(client), consent, ['openid', ...scopes].join(' ')]
}

export function clientText(client: Client, nowMs: number): string {
  const replacedEndsAtMs = replacedSecretEndsAtMs(client, nowMs)
  return record([
    ['client id', client.id],
    ['name', client.name],
    ['type', clientType(client)],
    ['grant types', usableGrantTypes(client.grantTypes, client.scopes).join(' ')],
    ['consent', client.consent],
    ['PKCE', client.requirePkce ? 'required' : 'optional'],
    ['scopes', ['openid', ...client.scopes].join(' ')],
    ['redirect URIs', client.redirectUris],
    ['post-logout redirect URIs', client.postLogoutRedirectUris],
    ...(replacedEndsAtMs === undefined
      ? []
      : ([['replaced secret', `works until ${isoTime(replacedEndsAtMs)}`]] as const)),
    ['created', isoTime(client.createdAtMs)],
  ])
}

export function unknownClient(id: string): string {
  return `There is no client with the id ${id}. See: latchkey client list`
}

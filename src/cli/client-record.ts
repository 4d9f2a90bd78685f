/** Prints clients for people. */
import { type Client, clientType, replacedSecretEndsAtMs } from '../protocol/client/client.ts'
import { registeredMetadata } from '../protocol/client/records.ts'
import { registeredMethod } from '../protocol/client-authentication/registration.ts'
import { usableGrantTypes } from '../protocol/grant/grant-types.ts'
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
    ['authentication', registeredMethod(client)],
    ['grant types', usableGrantTypes(client).join(' ')],
    ['consent', client.consent],
    ['PKCE', client.requirePkce ? 'required' : 'optional'],
    ['scopes', ['openid', ...client.scopes].join(' ')],
    ['redirect URIs', client.redirectUris],
    ['post-logout redirect URIs', client.postLogoutRedirectUris],
    ...Object.entries(registeredMetadata(client.metadata)).map(([member, value]) => [member, shown(value)] as const),
    ...(replacedEndsAtMs === undefined
      ? []
      : ([['replaced secret', `works until ${isoTime(replacedEndsAtMs)}`]] as const)),
    ['created', isoTime(client.createdAtMs)],
  ])
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function unknownClient(id: string): string {
  return `There is no client with the id ${id}. See: latchkey client list`
}

/** Clients as the command line prints them for people. */
import type { Client } from '../protocol/client.ts'
import { isoTime } from '../text.ts'
import { record } from './text.ts'

export const clientHeadings = ['CLIENT ID', 'NAME', 'TYPE', 'CONSENT', 'SCOPES']

export function clientRow({ id, name, type, consent, scopes }: Client): string[] {
  return [id, name, type, consent, ['openid', ...scopes].join(' ')]
}

export function clientText(client: Client, nowMs: number): string {
  const { previousSecret } = client
  const isOverlapping = previousSecret !== null && nowMs < previousSecret.endsAtMs
  return record([
    ['client id', client.id],
    ['name', client.name],
    ['type', client.type],
    ['consent', client.consent],
    ['PKCE', client.requirePkce ? 'required' : 'optional'],
    ['scopes', ['openid', ...client.scopes].join(' ')],
    ['redirect URIs', client.redirectUris],
    ['post-logout redirect URIs', client.postLogoutRedirectUris],
    ...(isOverlapping ? ([['replaced secret', `works until ${isoTime(previousSecret.endsAtMs)}`]] as const) : []),
    ['created', isoTime(client.createdAtMs)],
  ])
}

export function unknownClient(id: string): string {
  return `There is no client with the id ${id}. See: latchkey client list`
}

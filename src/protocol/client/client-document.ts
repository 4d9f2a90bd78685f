/** Clients whose id is the address of their metadata (OAuth Client ID Metadata Documents). */
import type { Client } from './client.ts'

/** How long a client is used on when its document cannot be fetched. In milliseconds. */
const staleAtMostMs = 86_400_000

/**
 * Whether a client id is the address of a document: `https` with a path, no fragment, no user name, and spelled in the
 * only way, so that no two ids name one document.
 */
export function isDocumentId(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > 200 || !URL.canParse(clientId)) return false
  const { href, pathname, username, password } = new URL(clientId)
  return href === clientId && pathname !== '/' && !clientId.includes('#') && username === '' && password === ''
}

export function isFresh({ metadata }: Pick<Client, 'metadata'>, nowMs: number): boolean {
  return nowMs < (metadata.document_fresh_until ?? 0) * 1000
}

/** Whether the client may still be used although its document cannot be fetched. */
export function mayStay({ metadata }: Pick<Client, 'metadata'>, nowMs: number): boolean {
  return nowMs < (metadata.document_fresh_until ?? 0) * 1000 + staleAtMostMs
}

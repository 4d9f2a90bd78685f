/** Whether a session is still the one that a client knows (OpenID Connect Session Management 1.0 §3, §4). */
import type { Client } from '../client/client.ts'
import { framableBy } from '../client/frame-origins.ts'

export type SessionStatus = 'unchanged' | 'changed' | 'error'

/**
 * `origin`: that of the page that asks. `state`: what the client was told, empty if nobody was signed in. `current`: what it would be told
 * now; null: nobody is signed in. An origin that is none of the client's learns nothing (`error`).
 */
export function sessionStatus(
  client: Pick<Client, 'metadata'> | undefined,
  origin: string,
  state: string,
  current: string | null,
): SessionStatus {
  if (client === undefined || !framableBy(client.metadata.allowed_origins).includes(origin)) return 'error'
  return state === (current ?? '') ? 'unchanged' : 'changed'
}

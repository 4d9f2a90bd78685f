/** Initial access tokens, and the clients that registered themselves (RFC 7591, RFC 7592). */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { ClientRegistration, InitialAccessToken } from '../../protocol/client/registration-record.ts'

export type Registrations = {
  addToken(token: InitialAccessToken, events?: AuditEvents): Promise<void>
  /** Returns it whether used up and expired or not, until the sweeper removes it. */
  findToken(id: string): Promise<InitialAccessToken | undefined>
  /**
   * Creates the client with its registration, and takes one use of the initial access token `tokenId`; null: none is
   * needed. Returns false, and stores nothing, if the token has no use left at `nowMs`.
   */
  register(
    client: Client,
    registration: ClientRegistration,
    tokenId: string | null,
    nowMs: number,
    events?: AuditEvents,
  ): Promise<boolean>
  find(id: string): Promise<{ readonly registration: ClientRegistration; readonly client: Client } | undefined>
  /**
   * Replaces the client, decided on `client.version`, and the secret of its registration. Returns false, and changes
   * nothing, if either changed since it was read.
   */
  replace(client: Client, registration: ClientRegistration, secretHash: string, events?: AuditEvents): Promise<boolean>
  /** Keeps a client that would be removed if it stayed unused. */
  keep(clientId: string): Promise<void>
  /** Deletes the client as `clients.delete` does. Returns false if the registration changed since it was read. */
  delete(registration: ClientRegistration, events?: AuditEvents): Promise<boolean>
}

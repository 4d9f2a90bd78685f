/** Stored consents, and the facts for authorization requests. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { Authorization } from '../../protocol/grant/grant.ts'
import type { Scope } from '../../protocol/scope/scope.ts'
import type { StoredSession } from '../../users/session.ts'

export type Authorizations = {
  /** `sessionId` null: the request has no session cookie. */
  findForRequest(query: {
    readonly clientId: string
    readonly scopes: readonly string[]
    readonly sessionId: string | null
  }): Promise<AuthorizeFacts>
  /**
   * Stores a consent. Resolves to the stored one for this user, client and scope set, whether new or existing. 'gone':
   * the user or client was deleted meanwhile. `completing`: the pushed request that the same commit completes;
   * 'completed': it was completed before, and nothing was stored.
   */
  store(
    authorization: Authorization,
    events?: AuditEvents,
    completing?: { readonly pushedRequestId: string; readonly nowMs: number },
  ): Promise<Authorization | 'gone' | 'completed'>
  /** Oldest first. */
  list(userId: string): Promise<Authorization[]>
  /** Deletes the consent, which invalidates the grants based on it. Returns false if there was none. */
  revoke(id: string, events?: AuditEvents): Promise<boolean>
}

/** All facts for a decision of `/connect/authorize`, read in one round trip. */
export type AuthorizeFacts = {
  readonly client: Client | undefined
  /** The requested scopes that are registered. */
  readonly scopes: readonly Scope[]
  readonly signedIn: StoredSession | undefined
  /** The user's consent to this client for exactly the requested scope set. */
  readonly authorization: Authorization | undefined
}

/** Consents that people gave, and what an authorization request is decided on. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client.ts'
import type { Authorization } from '../../protocol/grant.ts'
import type { Scope } from '../../protocol/scope.ts'
import type { Session } from '../../users/session.ts'
import type { User } from '../../users/user.ts'

export type Authorizations = {
  /** `sessionId` null: no session cookie came. */
  findForRequest(query: {
    readonly clientId: string
    readonly scopes: readonly string[]
    readonly sessionId: string | null
  }): Promise<AuthorizeFacts>
  /**
   * Stores a consent; resolves to the one that stands for this user, client and scope set, be it this or an earlier one.
   * 'gone': the user or the client was deleted meanwhile.
   */
  store(authorization: Authorization, events?: AuditEvents): Promise<Authorization | 'gone'>
  /** Oldest first. */
  list(userId: string): Promise<Authorization[]>
  /** Forgets the consent; grants that rest on it are dead from then on. False: there was none. */
  revoke(id: string, events?: AuditEvents): Promise<boolean>
}

/** Everything that `/connect/authorize` decides on, read in one round trip. */
export type AuthorizeFacts = {
  readonly client: Client | undefined
  /** The registered ones among the requested scopes. */
  readonly scopes: readonly Scope[]
  readonly signedIn: { readonly session: Session; readonly user: User } | undefined
  /** The consent of this user to this client for exactly the requested scope set. */
  readonly authorization: Authorization | undefined
}

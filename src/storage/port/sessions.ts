/** Sessions in storage. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { Session, StoredSession } from '../../users/session.ts'

export type Sessions = {
  /** Returns the session with its user, whatever their state: whether it is alive is decided by a rule. */
  find(id: string): Promise<StoredSession | undefined>
  /** Returns the sessions of a user, ascending by id, whatever their state. */
  ofUser(userId: string): Promise<Session[]>
  /** Extends the expiry. Does nothing if the session was deleted. */
  renew(id: string, expiresAtMs: number, lastSeenAtMs: number): Promise<void>
  /** Deletes a session that no client was told of yet, and what was begun in it but invitations. */
  delete(session: Pick<Session, 'id' | 'userId'>, events?: AuditEvents): Promise<void>
  /** Like `find`, with the clients that registered a logout address and signed in in the session, in one round trip. */
  findToEnd(id: string): Promise<(StoredSession & { readonly clients: readonly SessionClient[] }) | undefined>
  /**
   * Deletes the session with what was begun in it (`Confirmation.begunBy`), and queues a notice to each of its clients that
   * has a back-channel logout address. `isSignOut`: the person signs out, and invitations stay.
   */
  end(
    session: Pick<Session, 'id' | 'userId'>,
    events?: AuditEvents,
    options?: { readonly isSignOut?: boolean },
  ): Promise<void>
  /** Ends all sessions of the user but one with what was begun in them, and tells their clients. Returns how many. */
  endOthers(userId: string, keptId: string, events?: AuditEvents): Promise<number>
  /**
   * Deletes the session because the same browser signed in again as `next`. Its clients, and what was begun in it, belong
   * to `next` if the user is the same; otherwise it ends as by a sign-out.
   */
  replace(
    session: Pick<Session, 'id' | 'userId'>,
    next: Pick<Session, 'id' | 'userId'>,
    events?: AuditEvents,
  ): Promise<void>
}

/** A client of a session, and the session as its id tokens name it. */
export type SessionClient = { readonly client: Client; readonly sid: string }

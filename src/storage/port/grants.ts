/** Grants and their refresh chains. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client.ts'
import type { Grant, RefreshChain } from '../../protocol/grant.ts'
import type { User } from '../../users/user.ts'

export type Grants = {
  /** For a code: by its id and the client, user and consent that are sealed in it. */
  findForExchange(query: {
    readonly grantId: string
    readonly clientId: string
    readonly userId: string
    readonly authorizationId: string | null
  }): Promise<ExchangeFacts>
  /** For a refresh token: by the grant id in front of it. `clientId` is the client that asks, which may be another one. */
  findForRefresh(grantId: string, clientId: string): Promise<ExchangeFacts>
  /**
   * Redeems a code: stores the grant under the code's id. True for exactly one caller, however many race
   * (RFC 6749 §4.1.2). False also when the user, client or consent has gone meanwhile.
   */
  redeem(grant: Grant, events?: AuditEvents, underWay?: UnderWay): Promise<boolean>
  /**
   * Moves the chain on from `fromGeneration`. True for exactly one caller, and never once the grant was revoked
   * (RFC 9700 §4.14.2).
   */
  rotate(
    grantId: string,
    fromGeneration: number,
    next: RefreshChain,
    grantExpiresAtMs: number,
    events?: AuditEvents,
    underWay?: UnderWay,
  ): Promise<boolean>
  /** Ends the grant and all that hangs on it. The first time stands; does nothing for an unknown grant. */
  revoke(grantId: string, nowMs: number, events?: AuditEvents): Promise<void>
}

/** Everything that the token endpoint decides on, read in one round trip. */
export type ExchangeFacts = {
  readonly client: Client | undefined
  readonly user: User | undefined
  /** Present: the code was redeemed before. */
  readonly grant: Grant | undefined
  /** False when the consent that the grant would rest on was revoked; true when it stands or none is needed. */
  readonly authorizationStands: boolean
}

/**
 * Called at most once, when the commit is on its way to the disk: time for work that does not depend on the outcome. An
 * engine that has nothing to gain from it does not call. Must not throw.
 */
export type UnderWay = () => void

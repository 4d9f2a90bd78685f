/** Grants and their refresh chains. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { RequestingClient } from '../../protocol/client/client.ts'
import type { Grant, RefreshChain } from '../../protocol/grant/grant.ts'
import type { Eligible } from '../../users/eligibility.ts'
import type { SessionSpan } from '../../users/session.ts'
import type { Described, User } from '../../users/user.ts'
import type { SpentBefore, SpentValue } from './spent-values.ts'

export type Grants = {
  /** Reads the facts for a code: by its id, and the client, user and consent sealed in it. */
  findForExchange(query: {
    readonly grantId: string
    readonly clientId: string
    readonly userId: string
    readonly authorizationId: string | null
  }): Promise<ExchangeFacts>
  /**
   * Reads the facts for a refresh token, by the grant id in it. `clientId`: the requesting client, which may differ
   * from the grant's.
   */
  findForRefresh(grantId: string, clientId: string): Promise<ExchangeFacts>
  /**
   * Redeems a code by storing the grant under the code's id. True for exactly one of any number of racing callers (RFC
   * 6749 §4.1.2). Also false if the user, client or consent was deleted meanwhile. `spends`: values that the request
   * uses up in the same commit. `sid`: the session as the client knows it, if the client is told when the session ends;
   * if it has ended already, the commit queues the notice.
   */
  redeem(
    grant: Grant,
    events?: AuditEvents,
    underWay?: UnderWay,
    spends?: readonly SpentValue[],
    sid?: string | null,
  ): Promise<IssueOutcome>
  /**
   * Rotates the chain from `fromGeneration`; with that generation in `next`, only moves its end. True for exactly one caller, and never after the grant was revoked (RFC
   * 9700 §4.14.2). `spends`: as above.
   */
  rotate(
    grantId: string,
    fromGeneration: number,
    next: RefreshChain,
    grantExpiresAtMs: number,
    events?: AuditEvents,
    underWay?: UnderWay,
    spends?: readonly SpentValue[],
  ): Promise<IssueOutcome>
  /** Revokes the grant and all its tokens. Idempotent: the first time stands. Does nothing for an unknown grant. */
  revoke(grantId: string, nowMs: number, events?: AuditEvents): Promise<void>
}

/**
 * True: stored. False: another request redeemed or rotated the grant, or it may not be used any more. Nothing was
 * stored unless true: no value is used up without a token.
 */
export type IssueOutcome = boolean | SpentBefore

/** What decides whether a user gets tokens, and what these say about the user. */
export type ExchangeUser = Eligible & Described & Pick<User, 'grantsEndedAtMs'>

/** All facts for a decision of the token endpoint, read in one round trip. */
export type ExchangeFacts = {
  readonly client: RequestingClient | undefined
  readonly user: ExchangeUser | undefined
  /** Present if the code was redeemed before. */
  readonly grant: Grant | undefined
  /** Whether the grant's consent is still stored, or none is needed. */
  readonly authorizationStands: boolean
  /** The session of the grant, where its tokens end with it; undefined: it is gone, they do not, or it was not read. */
  readonly session?: SessionSpan | undefined
}

/**
 * Called at most once, when the commit is on its way to the disk, so that independent work can overlap with it. Engines
 * that would not benefit do not call it. Must not throw.
 */
export type UnderWay = () => void

/** Revoked access tokens. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { AuthenticationMethods } from '../../protocol/claims/authentication-methods.ts'
import type { RequestedClaims } from '../../protocol/claims/claims-request.ts'
import type { ClientMetadata } from '../../protocol/client/client-metadata.ts'
import type { IntrospectedGrant } from '../../protocol/grant/grant.ts'
import type { Eligible } from '../../users/eligibility.ts'
import type { SessionSpan } from '../../users/session.ts'
import type { User } from '../../users/user.ts'
import type { ExchangeFacts, UnderWay } from './grants.ts'
import type { SpentBefore, SpentValue } from './spent-values.ts'

/** Whose token it is, and what it was issued for. Times are epoch milliseconds. */
export type TokenHolder = {
  readonly user: User
  /** When the user authenticated, and when the grant was made. */
  readonly authenticatedAtMs: number
  /** How the user authenticated. */
  readonly methods: AuthenticationMethods
  readonly grantedAtMs: number
  /** The client of the grant: of an exchanged token not the one that it was issued to. */
  readonly grantClientId: string
  /** The session in which the grant was given; null: not recorded. */
  readonly sessionId: string | null
  /** The session of the grant, where its tokens end with it; undefined: it is gone, or they do not. */
  readonly session: SessionSpan | undefined
  /** Claims that the grant's request asked for one by one; null: none. */
  readonly claims: RequestedClaims | null
  /** Metadata of the client that the token was issued to. */
  readonly metadata: ClientMetadata
}

/** The facts for an introspection, read in one round trip. `client`: the one that asks. */
export type IntrospectionFacts = Omit<ExchangeFacts, 'user' | 'grant'> & {
  readonly grant: IntrospectedGrant | undefined
  readonly user: (Eligible & Pick<User, 'name' | 'grantsEndedAtMs'>) | undefined
  /** Whether the access token was revoked by itself. */
  readonly isRevoked: boolean
  /** When the client was registered that the access token was issued to, in epoch milliseconds; undefined: deleted. */
  readonly tokenClientSinceMs: number | undefined
}

export type AccessTokens = {
  /**
   * Records the issue of tokens that neither redeems nor rotates a grant, and uses up `spends` in the same commit.
   * Nothing was stored unless true.
   */
  issue(events: AuditEvents, underWay?: UnderWay, spends?: readonly SpentValue[]): Promise<true | SpentBefore>
  /** Stores a revoked access token until its expiry. */
  revoke(jti: string, expiresAtMs: number, events?: AuditEvents): Promise<void>
  /** Whether the token or its grant was revoked, or the grant was deleted. */
  isRevoked(jti: string, grantId: string): Promise<boolean>
  /**
   * The same for tokens that depend on a client instead of a grant: whether one of them was revoked or the client
   * deleted. A client that was registered after `issuedBeforeMs` under the id of a deleted one has no tokens from before.
   */
  isClientTokenRevoked(jtis: readonly string[], clientId: string, issuedBeforeMs: number): Promise<boolean>
  /** Returns the user and grant of a token; undefined where `isRevoked` is true. */
  findHolder(jti: string, grantId: string): Promise<TokenHolder | undefined>
  /** Reads the facts about a token, also about an unknown one. An absent id is an empty text. */
  findForIntrospection(query: {
    readonly askingClientId: string
    readonly tokenClientId: string
    readonly grantId: string
    readonly jti: string
  }): Promise<IntrospectionFacts>
}

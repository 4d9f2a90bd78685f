/** What decisions on authorization, grants and tokens are made on, and how their commit ended. */
import type { AuthenticationMethods } from '../../protocol/claims/authentication-methods.ts'
import type { RequestedClaims } from '../../protocol/claims/claims-request.ts'
import type { Client, RequestingClient } from '../../protocol/client/client.ts'
import type { ClientMetadata } from '../../protocol/client/client-metadata.ts'
import type { DeviceCode } from '../../protocol/device/device-code.ts'
import type { Authorization, Grant, IntrospectedGrant } from '../../protocol/grant/grant.ts'
import type { Scope } from '../../protocol/scope/scope.ts'
import type { Eligible } from '../../users/eligibility.ts'
import type { RequestingSession, SessionSpan } from '../../users/session.ts'
import type { Described, User } from '../../users/user.ts'

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
  /** The version of the catalogue that says what the user's groups give. */
  readonly catalogueVersion: number
  /** The session of the grant, where its tokens end with it; undefined: it is gone, they do not, or it was not read. */
  readonly session?: SessionSpan | undefined
}

/**
 * Called at most once, when the commit is on its way to the disk, so that independent work can overlap with it. Engines
 * that would not benefit do not call it. Must not throw.
 */
export type UnderWay = () => void

/** Whose token it is, and what it was issued for. Times are epoch milliseconds. */
export type TokenHolder = {
  readonly user: ExchangeUser
  /** The version of the catalogue that says what the user's groups give. */
  readonly catalogueVersion: number
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
export type IntrospectionFacts = Omit<ExchangeFacts, 'grant'> & {
  readonly grant: IntrospectedGrant | undefined
  /** Whether the access token was revoked by itself. */
  readonly isRevoked: boolean
  /** When the client was registered that the access token was issued to, in epoch milliseconds; undefined: deleted. */
  readonly tokenClientSinceMs: number | undefined
  /** Metadata of that client. */
  readonly tokenClientMetadata: ClientMetadata
}

/** All facts for a decision of `/connect/authorize`, read in one round trip. */
export type AuthorizeFacts = {
  readonly client: Client | undefined
  /** The requested scopes that are registered. */
  readonly scopes: readonly Scope[]
  readonly signedIn: RequestingSession | undefined
  /** The user's consent to this client for exactly the requested scope set. */
  readonly authorization: Authorization | undefined
  /** The version of the catalogue that says what the user has to fill in. */
  readonly catalogueVersion: number
}

/** All facts for a poll, read in one round trip. `user`: the one that approved. */
export type DevicePollFacts = ExchangeFacts & { readonly code: DeviceCode | undefined }

/** What the user is asked about. `scopes`: the requested ones that are registered. */
export type DeviceRequestFacts = {
  readonly code: DeviceCode
  readonly client: Client
  readonly scopes: readonly Scope[]
}

/** A value that may be used once, such as the `jti` of an assertion. */
export type SpentValue = {
  /** Begins with the kind of the value, so that values of different kinds never collide. */
  readonly id: string
  /** When the value itself expires. */
  readonly expiresAtMs: number
}

/** The id of a value that was used before. */
export type SpentBefore = { readonly spentBefore: string }

/**
 * The record of a client.
 *
 * Belongs here: what a client is, its metadata (RFC 7591), and who may register or change which member.
 * Belongs elsewhere: how it authenticates (`client-authentication/`), and the addresses of one request
 * (`authorization-request/redirect-uri.ts`).
 */
import type { ClientAuthentication } from '../client-authentication/registered.ts'
import type { ClientMetadata, RecordValues } from './member-table.ts'

/** A registered application (RFC 6749 §2). Times are epoch milliseconds. */
export type Client = RecordValues & {
  /** `client_id`, chosen at registration. */
  readonly id: string
  /** Displayed on the consent page. */
  readonly name: string
  readonly authentication: ClientAuthentication
  readonly metadata: ClientMetadata
  readonly createdAtMs: number
  /** Incremented by every change. A change commits only on the version it was decided on. */
  readonly version: number
}

/** What token requests and introspections need of a client. Most of the rest is long text that pages and redirects use. */
export type RequestingClient = Omit<Client, 'name' | 'redirectUris' | 'postLogoutRedirectUris' | 'version'>

/** Returns the client type of RFC 6749 §2.1: a client that can authenticate is confidential. */
export function clientType({ authentication }: Pick<Client, 'authentication'>): 'public' | 'confidential' {
  return authentication.method === 'none' ? 'public' : 'confidential'
}

/** Returns when the previous secret ends; undefined: there is none. */
export function replacedSecretEndsAtMs({ authentication }: Client, nowMs: number): number | undefined {
  if (authentication.method !== 'client_secret' || authentication.previousSecret === null) return undefined
  const { endsAtMs } = authentication.previousSecret
  return nowMs < endsAtMs ? endsAtMs : undefined
}

/** Whether anybody could have registered it: its texts and addresses are its own claims. */
export function isSelfRegistered({ metadata }: Pick<Client, 'metadata'>): boolean {
  return addressesBy(metadata) === 'anybody'
}

/** Who chose the addresses of the client: an operator, the holder of an initial access token, or anybody. */
export function addressesBy({ registration }: Pick<ClientMetadata, 'registration'>): 'operator' | 'token' | 'anybody' {
  return registration === 'open' || registration === 'document' ? 'anybody' : registration
}

/** The client id of the console, which the service registers itself. */
export const consoleClientId = 'latchkey-console'

/**
 * Whether the tokens of a client end with the session in which they were granted: those of the console, which is a part of
 * the service. Other applications learn of a sign-out by a logout token, and may act while nobody is signed in.
 */
export function endsWithSession(clientId: string): boolean {
  return clientId === consoleClientId
}

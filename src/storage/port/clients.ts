/** What is read of clients, and of what they have a part in. */
import type { Client } from '../../protocol/client/client.ts'

/** Clients of a page. */
export const clientPageRows = 500
/** Those of a page for who needs only the first ones. */
export const fewClientRows = 64
export type ClientRows = typeof clientPageRows | typeof fewClientRows

/** What clients can be listed by, beside their id, however many there are: descending where it begins with `-`. */
export const clientOrders = ['name', '-name', 'created_at', '-created_at'] as const
export type ClientOrder = (typeof clientOrders)[number]
/** What tells where a client is in each order. */
export type ClientPlace = Pick<Client, 'id' | 'name' | 'createdAtMs'>

/** As every database does it: the case of other letters is theirs. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Clients that are counted, and put in an order that no index has. */
export const clientsCountedTo = 2000

export type ClientFilter = {
  /** A part of the id or the name. The database compares the longest run of ASCII in it, whatever the case. */
  readonly text?: string | undefined
  readonly scope?: string | undefined
  /** Named anywhere in the metadata. */
  readonly algorithm?: string | undefined
}

/** A client of a session, and the session as its id tokens name it. */
export type SessionClient = { readonly client: Client; readonly sid: string }

/** The end of a session, to be told to one client. */
export type LogoutNotice = {
  readonly id: string
  readonly clientId: string
  /** Undefined: deleted meanwhile. */
  readonly client: Client | undefined
  readonly userId: string
  /** The session as the client's id tokens name it. */
  readonly sid: string
  /** Attempts that began. */
  readonly attempts: number
}

/** Times are epoch milliseconds. */
export type Application = {
  readonly client: Client
  /** Sorted, without duplicates: of all consents and open grants. */
  readonly scopes: readonly string[]
  /** The first of its consents and open grants. */
  readonly createdAtMs: number
  /** When tokens were last issued under an open grant; null: no grant is open. */
  readonly lastUsedAtMs: number | null
}

/** Rejection: roles belong to the client that its deletion did not name. They would become plain roles, told to everybody. */
export class ClientHasRoles extends Error {
  override readonly name = 'ClientHasRoles'
  readonly roles: readonly string[]

  /** All of them. */
  constructor(id: string, roles: readonly string[]) {
    super(`The client ${id} has roles that were not named: ${roles.join(', ')}.`)
    this.roles = roles
  }
}

/** Consents and grants of a client. `isExact` false: there are at least so many. */
export type FewDependents = { readonly consents: number; readonly grants: number; readonly isExact: boolean }

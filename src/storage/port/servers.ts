/** The processes that serve from a database, and whether the database was moved. */
import type { AuditEvents } from '../../audit/entry.ts'

/** A serving process. */
export type Server = {
  /** Random; new at each start. */
  readonly id: string
  /** The name of its machine, and its process id there. */
  readonly host: string
  readonly pid: number
  readonly startedAtMs: number
  /** Its last heartbeat, by its own clock. */
  readonly seenAtMs: number
}

/** A move of the database to another place, which serves from then on. */
export type Move = {
  /** Names the other database, without user name and password. */
  readonly to: string
  readonly atMs: number
  /** False while checking whether the database is in use: running servers continue, and new ones do not start. */
  readonly isSettled: boolean
  /** False until the last row is in the other database. */
  readonly isCopied: boolean
}

/** A copy into this database that has not ended. */
export type Arrival = {
  /** Names the other database, without user name and password. */
  readonly from: string
  readonly atMs: number
}

/**
 * A server sends its first heartbeat before it checks for a move, and a move marks the database before it checks for
 * servers. At least one of the two therefore detects the other.
 */
export type Servers = {
  /** Returns the servers that have not left, oldest first. Includes servers that were killed. */
  list(): Promise<Server[]>
  /** Records a heartbeat. The first one registers the server. */
  beat(server: Server): Promise<void>
  leave(id: string): Promise<void>
  /** Deletes servers whose last heartbeat is older. */
  forgetBefore(seenAtMs: number): Promise<void>
  /** Undefined: the database was not moved. */
  findMove(): Promise<Move | undefined>
  /** Marks the database with an unsettled move. Returns false if it is marked already. */
  markMoved(move: Pick<Move, 'to' | 'atMs'>, events?: AuditEvents): Promise<boolean>
  /** Settles the move: no process serves from the database. Does nothing without a mark. */
  settleMove(): Promise<void>
  /** Every row is in the other database. Returns false if the mark is not that of a copy under way any more. */
  endMove(): Promise<boolean>
  /** Removes the mark. Returns false if there was none. */
  reopen(events?: AuditEvents): Promise<boolean>
  /** Undefined: no copy into the database is under way. `RowWriter` marks one. */
  findArrival(): Promise<Arrival | undefined>
  /** The copy into the database, or only this one, has ended or is given up. */
  endArrival(only?: Arrival): Promise<void>
}

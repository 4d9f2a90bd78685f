/** The processes that serve from a database, and whether it is still the one to serve from. */
import type { AuditEvents } from '../../audit/entry.ts'

/** One process that serves. */
export type Server = {
  /** Random; another one after each start. */
  readonly id: string
  /** The name of its machine, and its number there. */
  readonly host: string
  readonly pid: number
  readonly startedAtMs: number
  /** Its last sign of life, by its own clock. */
  readonly seenAtMs: number
}

/** A database that was copied to another place, from which people are served from then on. */
export type Move = {
  /** Names the other database, without user and password. */
  readonly to: string
  readonly atMs: number
  /** False while it is found out whether somebody serves from the database: running servers go on, and none starts. */
  readonly isSettled: boolean
}

/**
 * A server gives its first sign of life before it looks for a move, and whoever moves a database marks it before looking
 * for servers: of the two, at least one finds the other.
 */
export type Servers = {
  /** Those that gave a sign of life and did not leave, the oldest first. One that was killed stays among them. */
  list(): Promise<Server[]>
  /** A sign of life; the first one adds the server. */
  beat(server: Server): Promise<void>
  leave(id: string): Promise<void>
  /** Forgets those whose last sign of life is older than this. */
  forgetBefore(seenAtMs: number): Promise<void>
  /** Undefined: the database was not moved. */
  findMove(): Promise<Move | undefined>
  /** Marks the database; the move is not settled yet. False: it is marked already. */
  markMoved(move: Omit<Move, 'isSettled'>, events?: AuditEvents): Promise<boolean>
  /** Nobody serves from the database. Does nothing without a mark. */
  settleMove(): Promise<void>
  /** Takes the mark away. False: there was none. */
  reopen(events?: AuditEvents): Promise<boolean>
}

/** Serving processes, and where the database is. */
import type { Uptime } from '../../protocol/grant/leeway.ts'

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

/** A period in which one process was able to answer. `id` is a UUIDv7. Kept for as long as a leeway may reach back. */
export type StoredUptime = Uptime & { readonly id: string }

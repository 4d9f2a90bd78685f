/** What the leeway of a rotation asks of the database: when the service could answer. Part of the port. */
import type { Uptime } from '../../protocol/leeway.ts'

/** A time in which one process could answer. `id` is a UUIDv7. Kept for as long as a leeway may reach back. */
export type StoredUptime = Uptime & { readonly id: string }

export type Uptimes = {
  /** Stores each under its id, or moves the end of one that is there. */
  record(uptimes: readonly StoredUptime[]): Promise<void>
  /** Those that lasted beyond that instant, in no particular order. */
  since(afterMs: number): Promise<StoredUptime[]>
}

/** When the service was able to answer, which the leeway of a rotation takes into account. */
import type { Uptime } from '../../protocol/grant/leeway.ts'

/** A period in which one process was able to answer. `id` is a UUIDv7. Kept for as long as a leeway may reach back. */
export type StoredUptime = Uptime & { readonly id: string }

export type Uptimes = {
  /** Inserts each by its id, or updates the end of an existing one. */
  record(uptimes: readonly StoredUptime[]): Promise<void>
  /** Returns those that lasted beyond `afterMs`, in no particular order. */
  since(afterMs: number): Promise<StoredUptime[]>
}

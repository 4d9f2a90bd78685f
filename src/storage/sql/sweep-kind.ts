import type { Statement } from './statement.ts'

export type Window = { after: string; rows: number }
export type WindowRow = { id: string; expires_at_ms: number; derivation_key_id?: string | null }
export type Removal = { ids: string; now_ms: number }

/**
 * A kind of row that accumulates. These tables have no index on their expiry, because every rotation would have to
 * write it. The sweeper walks them along the primary key instead, a window at a time, and continues where it stopped.
 * The cost of a call is bounded, whatever the size of the table.
 */
export type Kind = {
  window(values: Window): Statement<WindowRow>
  /** Checks the expiry again: a row that was renewed meanwhile stays. */
  remove(values: Removal): Statement
  /** Comes before the removal in the same commit. */
  first?(values: Removal): Statement[]
}

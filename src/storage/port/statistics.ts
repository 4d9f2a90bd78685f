export type TotalKind = 'people' | 'clients' | 'sessions' | 'grants'

export type Totals = Readonly<Record<TotalKind, number>> & {
  /** False: there are at least so many; a later call knows all. */
  readonly isExact: boolean
  /** When counting began, in epoch milliseconds. */
  readonly atMs: number
}

/** Counts of hours are kept for this time. */
export const activityKeptMs = 401 * 86_400_000

/** What a client did since a day. */
export type ClientUse = {
  readonly clientId: string
  readonly signIns: number
  readonly tokens: number
  /** When it last got tokens, in epoch milliseconds. */
  readonly lastAtMs: number
}

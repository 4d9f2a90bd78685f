/** What a listener learns from two series of times. */

/** Chance that one of `one` is later than one of `other` (Mann and Whitney); 0.5: the series tell nothing. */
export function chanceOfLater(one: readonly number[], other: readonly number[]): number {
  const later = one.map(
    (ms) => other.filter((than) => ms > than).length + other.filter((than) => ms === than).length / 2,
  )
  return later.reduce((sum, count) => sum + count, 0) / (one.length * other.length)
}

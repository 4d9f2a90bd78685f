/** Keeps what follows from lists of names: many people have the same. */

/** More are forgotten together. A list of 20 roles takes about a kilobyte. */
const keptAtMost = 2000

/** Parts of the key of two lists. Neither is in a name or an id. */
const [between, after] = ['\0', '\x01']

/** Returns `work`, which must be pure, with its last results. */
export function remembered<Result>(
  work: (one: readonly string[], other: readonly string[]) => Result,
): (one: readonly string[], other: readonly string[]) => Result {
  const kept = new Map<string, Result>()
  return (one, other) => {
    const key = `${one.join(between)}${after}${other.join(between)}`
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size >= keptAtMost) kept.clear()
    const result = work(one, other)
    kept.set(key, result)
    return result
  }
}

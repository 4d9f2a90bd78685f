/** Keeps what follows from texts and lists of names: many people have the same, and one person is asked about again and again. */

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

/** A longer text is worked on each time, so that what is kept of 2,000 stays below a few megabytes. */
const keptTextAtMost = 1000

/** Returns `work`, which must be pure, with its last results for texts. A result is shared and must not be changed. */
export function rememberedText<Result>(work: (text: string) => Result): (text: string) => Result {
  const kept = new Map<string, Result>()
  return (text) => {
    if (text.length > keptTextAtMost) return work(text)
    const known = kept.get(text)
    if (known !== undefined) return known
    if (kept.size >= keptAtMost) kept.clear()
    const result = work(text)
    kept.set(text, result)
    return result
  }
}

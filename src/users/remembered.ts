/** Keeps what follows from texts and lists of names: many people have the same, and one person is asked about again and again. */

/** More are forgotten together. A list of 20 roles takes about a kilobyte. */
const keptAtMost = 2000

/** Parts of the key of two lists. Neither is in a name or an id. */
const [between, after] = ['\0', '\x01']

/**
 * Returns `work`, which must be pure, with its last results. Lists must not change afterwards: two that rows share, as most are, are
 * found without being read.
 */
export function remembered<Result>(
  work: (one: readonly string[], other: readonly string[]) => Result,
): (one: readonly string[], other: readonly string[]) => Result {
  const kept = new Map<string, Result>()
  const byText = (one: readonly string[], other: readonly string[]): Result => {
    const key = `${one.join(between)}${after}${other.join(between)}`
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size >= keptAtMost) kept.clear()
    const result = work(one, other)
    kept.set(key, result)
    return result
  }
  const byFirst = rememberedOf((one: readonly string[]) =>
    rememberedOf((other: readonly string[]) => byText(one, other)),
  )
  return (one, other) => byFirst(one)(other)
}

/** Returns `work`, which must be pure, with its results for as long as their objects live. An object must not change afterwards. */
export function rememberedOf<Of extends object, Result>(work: (of: Of) => Result): (of: Of) => Result {
  const kept = new WeakMap<Of, Result>()
  return (of) => {
    const known = kept.get(of)
    if (known !== undefined) return known
    const result = work(of)
    kept.set(of, result)
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

/** The candidate that was most likely meant by `name`, or undefined when none is close. Case does not count. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined
  // A third of the letters wrong is still a typing error; more is a different word.
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, deletions and replacements that turn `a` into `b` (Levenshtein), one row of the table at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current[column] = Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

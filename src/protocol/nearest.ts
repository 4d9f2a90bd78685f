/**
 * Returns the candidate most similar to `name`, ignoring case; undefined: none is close. `atMost`: the letters that may differ. Beyond
 * a third of them it is a different word.
 */
export function nearest(
  name: string,
  candidates: readonly string[],
  atMost = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let best: string | undefined
  let bestDistance = atMost + 1
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Levenshtein distance, one row of the table at a time. */
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

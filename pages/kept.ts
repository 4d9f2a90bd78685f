/** What the browser keeps for this site over its windows. Where it keeps nothing, or has no room, the page goes on without. */

/** Null: it is not there, or cannot be read. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Null: forgets it. */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // Then it holds for this page alone.
  }
}

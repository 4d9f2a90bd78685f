/** The first pages of lists that were shown, by what was asked: shown again until the answer is there. */
type Shown = { items: unknown[] | null; next: string | null }

const lists = new Map<string, Shown>()
const listsAtMost = 20

export function shownBefore<T>(key: string): { items: T[] | null; next: string | null } {
  const { items, next } = lists.get(key) ?? { items: null, next: null }
  return { items: items as T[] | null, next }
}

export function keepShown(key: string, list: Shown): void {
  lists.delete(key)
  lists.set(key, list)
  for (const oldest of [...lists.keys()].slice(0, -listsAtMost)) lists.delete(oldest)
}

/** A change makes any of them wrong. */
export const forgetShown = (): void => lists.clear()

/** What the browser keeps for this site. Where it keeps nothing, or has no room, the page goes on without. */

// Reading the property of the window already fails where the browser forbids it.
const ofSite = (): Storage => localStorage
const ofTab = (): Storage => sessionStorage

/** Returns what is kept over windows. Null: it is not there, or cannot be read. */
export const kept = (name: string): string | null => read(ofSite, name)

/** Keeps a value over windows. Null: forgets it. */
export const keep = (name: string, value: string | null): void => write(ofSite, name, value)

/** Keeps a value for this tab, over its pages. Null: forgets it. */
export const keepInTab = (name: string, value: string | null): void => write(ofTab, name, value)

/** Returns what is kept for this tab, and forgets it. Null: it is not there, or cannot be read. */
export function takeFromTab(name: string): string | null {
  const value = read(ofTab, name)
  keepInTab(name, null)
  return value
}

function read(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name)
  } catch {
    return null
  }
}

function write(storage: () => Storage, name: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(name)
    else storage().setItem(name, value)
  } catch {
    // Then it holds for this page alone.
  }
}

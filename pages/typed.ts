import { recall, remember } from './tab-memory.ts'

let kept: Record<string, string> = {}

/** What was typed into a field before the service asked again; null: nothing. */
export const typed = (name: string): string | null => kept[name] ?? null

/**
 * Takes what a person typed out of the address bar and the history. The service sends it back in parameters of the
 * address (specification 4.6), `names` in lower case. The tab remembers it under the address that is left, where a
 * reload finds it.
 * True: the page is being replaced by the one of that address, and has nothing more to do. A browser that is redirected
 * leaves the first address out of what its history shows, which `history.replaceState` does for the back button alone.
 */
export function takeTypedFromAddress(...names: string[]): boolean {
  const others: string[] = []
  for (const pair of location.search.slice(1).split('&')) {
    const [name = '', value = ''] = [...new URLSearchParams(pair)][0] ?? []
    if (names.includes(name.toLowerCase())) kept = { [name.toLowerCase()]: value, ...kept }
    else others.push(pair)
  }
  const address = location.pathname + (others[0] ? `?${others.join('&')}` : '')
  if (!Object.keys(kept).length) {
    const [page, memory] = recall('typed')?.split('\n') ?? []
    if (page === address && memory) kept = JSON.parse(memory)
    // A page that was opened for something else begins empty.
    else remember('typed', '')
    return false
  }
  const remembered = rememberTyped(kept, address)
  if (remembered) location.replace(address + location.hash)
  // Without session storage a reload loses what was typed; the back button does not lead to it all the same.
  else history.replaceState(null, '', address + location.hash)
  return remembered
}

/** Keeps what was typed for the next time that this tab shows the address. False: the browser stores nothing. */
export function rememberTyped(values: Record<string, string>, address = location.pathname + location.search): boolean {
  const memory = `${address}\n${JSON.stringify(values)}`
  remember('typed', memory)
  return recall('typed') === memory
}

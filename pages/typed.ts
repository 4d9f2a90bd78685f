import { recall, remember } from './tab-memory.ts'

/** The parameter in which the service sends back what was typed into the form of a page. */
const typedParameter: Record<string, string> = {
  '/account/login': 'username',
  '/account/externalloginconfirm': 'email',
}

/** What was typed before the service asked again; null: nothing. */
export let typed: string | null = null

/**
 * Takes what a person typed out of the address bar and the history. The service sends it back in the address
 * (specification 4.6). The tab remembers it under the address that is left, where a reload finds it.
 * True: the page is being replaced by the one of that address, and has nothing more to do. A browser that is redirected
 * leaves the first address out of what its history shows, which `history.replaceState` does for the back button alone.
 */
export function takeTypedFromAddress(path: string): boolean {
  const name = typedParameter[path]
  if (!name) return false
  const kept: string[] = []
  for (const pair of location.search.slice(1).split('&')) {
    const [entry] = new URLSearchParams(pair)
    if (entry?.[0].toLowerCase() !== name) kept.push(pair)
    else typed ??= entry[1]
  }
  const address = location.pathname + (kept[0] ? `?${kept.join('&')}` : '')
  const memory = recall('typed') ?? ''
  if (typed === null) {
    if (memory.startsWith(`${address}\n`)) typed = memory.slice(address.length + 1)
    // A page that was opened for something else begins empty.
    else if (memory) remember('typed', '')
    return false
  }
  const next = `${address}\n${typed}`
  remember('typed', next)
  const remembered = recall('typed') === next
  if (remembered) location.replace(address + location.hash)
  // Without session storage a reload loses what was typed; the back button does not lead to it all the same.
  else history.replaceState(null, '', address + location.hash)
  return remembered
}

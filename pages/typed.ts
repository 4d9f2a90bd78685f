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
 * (specification 4.6). The tab remembers it under the address that is left, so that a reload finds it.
 */
export function takeTypedFromAddress(path: string): void {
  const name = typedParameter[path]
  if (!name) return
  const kept: string[] = []
  for (const pair of location.search.slice(1).split('&')) {
    const [entry] = new URLSearchParams(pair)
    if (entry?.[0].toLowerCase() !== name) kept.push(pair)
    else typed ??= entry[1]
  }
  const address = location.pathname + (kept[0] ? `?${kept.join('&')}` : '')
  if (typed !== null) {
    remember('typed', `${address}\n${typed}`)
    history.replaceState(history.state, '', address + location.hash)
    return
  }
  const memory = recall('typed') ?? ''
  if (memory.startsWith(`${address}\n`)) typed = memory.slice(address.length + 1)
  // A page that was opened for something else begins empty.
  else if (memory) remember('typed', '')
}

import { recall, remember } from '../tab-memory.ts'

let held: string | null = null

/** The token of the link that opened this page; null: no link did. */
export const linkToken = (): string | null => held

/**
 * Takes the token of a link out of the address, where it stands in the fragment. The tab remembers it under the address
 * that is left, where a reload finds it.
 */
export function takeLinkToken(): void {
  const address = location.pathname + location.search
  const sent = new URLSearchParams(location.hash.slice(1)).get('token')
  if (sent) {
    held = sent
    remember('link', `${address}\n${sent}`)
    history.replaceState(null, '', address)
  } else {
    const [page, memory] = recall('link')?.split('\n') ?? []
    held = page === address && memory ? memory : null
  }
  // A second link whose address differs in the fragment alone loads no page.
  addEventListener('hashchange', () => location.reload())
}

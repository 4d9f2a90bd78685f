import { useEffect, useState } from 'preact/hooks'
import { clearCalls } from './api.ts'

/** The address within the console: the segments after `/admin`, and the query. */
export type Place = { segments: string[]; query: URLSearchParams }

export function placeOf({ pathname, search }: { pathname: string; search: string }): Place {
  const segments = pathname.split('/').filter((part) => part !== '')
  return { segments: segments.slice(1).map(decode), query: new URLSearchParams(search) }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The address of a page of the console. */
export function at(...segments: readonly string[]): string {
  return ['/admin', ...segments.map((one) => encodeURIComponent(one))].join('/')
}

/**
 * Goes to a page of the console without loading it anew. `replace`: without an entry in the history. `asks`: somebody wants
 * to go there, who is asked first if something typed would be lost.
 */
export function go(address: string, { replace = false, asks = false } = {}): void {
  const isOther = new URL(address, location.href).pathname !== location.pathname
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  if (isOther) {
    clearCalls()
    scrollTo(0, 0)
  }
  isAsked = asks
  dispatchEvent(new PopStateEvent('popstate'))
  isAsked = true
}

/** Goes there by a key: the focus goes along, from wherever it was. */
export function goByKey(address: string): void {
  go(address, { asks: true })
  document.querySelector<HTMLElement>('main h1')?.focus()
}

/** Sets parameters of the address, such as filters; an empty value removes one. */
export function setQuery(change: Record<string, string>): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(change)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  go(location.pathname + (text === '' ? '' : `?${text}`), { replace: true })
}

/** Whether the console may go to the address that the browser shows now. */
let mayLeave = (_isAsked: boolean): boolean => true
/** False while the console itself goes on, after something was done. */
let isAsked = true

/** Sets who is asked before a page is left; it puts the former address back where the answer is no. Null: nobody. */
export function askBeforeLeaving(ask: ((isAsked: boolean) => boolean) | null): void {
  mayLeave = ask ?? (() => true)
}

export function usePlace(): Place {
  const [place, setPlace] = useState(placeOf(location))
  useEffect(() => {
    const update = () => {
      if (mayLeave(isAsked)) setPlace(placeOf(location))
    }
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.('a')
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!link || !isPlain || event.defaultPrevented || link.target !== '' || link.hasAttribute('download')) return
      if (link.origin !== location.origin || !/^\/admin(?:\/|$)/.test(link.pathname) || link.hash !== '') return
      event.preventDefault()
      go(link.pathname + link.search, { asks: true })
    }
    addEventListener('popstate', update)
    document.addEventListener('click', onClick)
    return () => {
      removeEventListener('popstate', update)
      document.removeEventListener('click', onClick)
    }
  }, [])
  return place
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { fetchToken, type HeldToken, isFresh, isOutdated } from './antiforgery.ts'
import type { Answer, AntiforgeryToken, Problem } from './api.ts'

/**
 * What stands between the visitor and a working form. `changed`: the facts are no longer those that the visitor saw
 * before they were renewed. `cookies`: the browser keeps none, so the service could not recognise the form.
 */
export type Trouble =
  | { kind: 'unreachable' }
  | { kind: 'changed' }
  | { kind: 'cookies' }
  | { kind: 'refused'; status: number; problem: Problem }

type Snapshot<T> = {
  /** Null until they first arrive. */
  facts: T | null
  antiforgery: HeldToken | null
  trouble: Trouble | null
}

export type PageData<T> = Snapshot<T> & {
  /** Loads again at the visitor's wish: 'Try again'. */
  retry(): void
  /** Says that the service does not answer; the form stays. */
  giveUp(): void
  /** The form may go out with the token that it has. */
  isFresh(): boolean
  /**
   * Loads anew for a submit: what was good a moment ago need not be so now, and the cookie cannot be looked at. The
   * token, when the facts are still the ones on the screen; otherwise null.
   */
  renewForSubmit(): Promise<AntiforgeryToken | null>
}

/** By then the form of another tab has been answered. */
const ANSWERED_AFTER_S = 2

/** `next`, marked as changed when its facts differ from those that were on the screen. */
function markChange<T>(seen: Snapshot<T>, next: Snapshot<T>): Snapshot<T> {
  const changed = !next.trouble && seen.facts !== null && JSON.stringify(seen.facts) !== JSON.stringify(next.facts)
  return changed ? { ...next, trouble: { kind: 'changed' } } : next
}

/**
 * Loads what a form depends on: the anti-forgery token and the facts that the page shows. The token is bound to the
 * signed-in user, so both are always renewed together: a button never acts for a user that the page does not show. They are
 * renewed when the page becomes visible after a while, and when it returns from the back/forward cache. `watchesTabs`:
 * also a moment after another tab has sent a form, while this page is in view.
 */
export function usePageData<T>(loadFacts: () => Promise<Answer<T>>, watchesTabs = false): PageData<T> {
  const [snapshot, setSnapshot] = useState<Snapshot<T>>({ facts: null, antiforgery: null, trouble: null })
  const latest = useRef(snapshot)
  const underWay = useRef<Promise<Snapshot<T>> | null>(null)

  function show(next: Snapshot<T>) {
    latest.current = next
    setSnapshot(next)
  }

  function load(): Promise<Snapshot<T>> {
    underWay.current ??= fetchSnapshot().finally(() => {
      underWay.current = null
    })
    return underWay.current
  }

  async function fetchSnapshot(): Promise<Snapshot<T>> {
    const antiforgeryUnderWay = fetchToken()
    const facts = await loadFacts()
    // The page need not wait for the token: a submit does.
    if (facts.kind === 'ok' && !latest.current.facts) show({ ...latest.current, facts: facts.value })
    const antiforgery = await antiforgeryUnderWay
    const before = latest.current
    if (facts.kind !== 'ok') return { ...before, trouble: facts }
    if (antiforgery.kind !== 'ok') return { ...before, facts: facts.value, trouble: { kind: 'unreachable' } }
    const trouble: Trouble | null = navigator.cookieEnabled ? null : { kind: 'cookies' }
    return { facts: facts.value, antiforgery: antiforgery.value, trouble }
  }

  const holdsFreshToken = () => latest.current.antiforgery !== null && isFresh(latest.current.antiforgery)

  async function renewQuietly() {
    const next = await load()
    // A failed background renewal does not remove a form in use: the submit tries again.
    if (next.trouble?.kind === 'unreachable' && latest.current.antiforgery) return
    show(markChange(latest.current, next))
  }

  async function retry() {
    if (!latest.current.facts) show({ ...latest.current, trouble: null })
    show(await load())
  }

  function giveUp() {
    show({ ...latest.current, trouble: { kind: 'unreachable' } })
  }

  async function renewForSubmit() {
    const seen = latest.current
    let next = await load()
    // What was under way already may have been asked for before another tab's form was answered.
    if (next.antiforgery && !isFresh(next.antiforgery)) next = await load()
    const marked = markChange(seen, next)
    show(marked)
    return marked.trouble ? null : marked.antiforgery
  }

  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === 'visible' && !holdsFreshToken()) void renewQuietly()
    }
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) void renewQuietly()
    }
    void load().then(show)
    document.addEventListener('visibilitychange', onReturn)
    addEventListener('focus', onReturn)
    addEventListener('pageshow', onShow)
    return () => {
      document.removeEventListener('visibilitychange', onReturn)
      removeEventListener('focus', onReturn)
      removeEventListener('pageshow', onShow)
    }
  }, [])

  useEffect(() => {
    if (!watchesTabs) return
    let seconds = 0
    const timer = setInterval(() => {
      const { antiforgery } = latest.current
      const isBehind = antiforgery !== null && isOutdated(antiforgery) && document.visibilityState === 'visible'
      seconds = isBehind ? seconds + 1 : 0
      if (seconds === ANSWERED_AFTER_S) void renewQuietly()
    }, 1000)
    return () => clearInterval(timer)
  }, [])

  return { ...snapshot, retry, giveUp, isFresh: holdsFreshToken, renewForSubmit }
}

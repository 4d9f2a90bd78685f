import { keep, keepInTab, kept, takeFromTab } from '../kept.ts'

/** The answer of a test sign-in, which came to this window in its address. */
const answerKey = 'latchkey.console.test'
/** The same, for as long as the page is there: all that is left where the browser keeps nothing. */
let cameHere: string | null = null

/** Takes the answer out of the address, so that it is in no history, and the console does not take it for its own. */
export function keepTestAnswer(): void {
  if (!/^\/admin\/applications\/[^/]+\/test\/?$/.test(location.pathname) || location.search === '') return
  cameHere = location.search
  keepInTab(answerKey, cameHere)
  history.replaceState(null, '', location.pathname)
}

/** Returns it once. It is kept until then because the console may have to sign in first. */
export function takeTestAnswer(): URLSearchParams | undefined {
  const search = takeFromTab(answerKey) ?? cameHere
  cameHere = null
  return search === null ? undefined : new URLSearchParams(search)
}

/** The `state` of the last tests that were begun here. A test runs in a tab of its own. */
const begunKey = 'latchkey.console.tests'

/** A list of at most ten. */
function begunTests(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(kept(begunKey) ?? '[]')
    return Array.isArray(stored) ? stored.map(String) : []
  } catch {
    return []
  }
}

export function rememberTest(state: string): void {
  keep(begunKey, JSON.stringify([...begunTests().slice(-9), state]))
}

/** Whether the answer belongs to a test that was begun in this browser. True once. */
export function takeBegunTest(state: string): boolean {
  const begun = begunTests()
  keep(begunKey, JSON.stringify(begun.filter((one) => one !== state)))
  return begun.includes(state)
}

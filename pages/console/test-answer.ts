/** The answer of a test sign-in, which came to this window in its address. */
const answerKey = 'latchkey.console.test'

/** Takes the answer out of the address, so that it is in no history, and the console does not take it for its own. */
export function keepTestAnswer(): void {
  if (!/^\/admin\/applications\/[^/]+\/test\/?$/.test(location.pathname) || location.search === '') return
  sessionStorage.setItem(answerKey, location.search)
  history.replaceState(null, '', location.pathname)
}

/** Returns it once. It is kept until then because the console may have to sign in first. */
export function takeTestAnswer(): URLSearchParams | undefined {
  const search = sessionStorage.getItem(answerKey)
  sessionStorage.removeItem(answerKey)
  return search === null ? undefined : new URLSearchParams(search)
}

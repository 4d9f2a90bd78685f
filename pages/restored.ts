/**
 * A page that the browser kept as it was, to show it again with its Back button, has what only its first reader may see:
 * an access token, secrets, recovery codes. It is emptied on leaving, and loaded again where it is shown.
 */
export function loadAgainWhenRestored(): void {
  const root = document.documentElement
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) root.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

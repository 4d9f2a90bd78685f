/** Signing in again in a window beside the page, which keeps what was typed. */
import { requestBeside, seesBeside } from './session.ts'

/** The channel on which the window beside hands over the answer to its request. */
const channelName = 'latchkey.console'

/**
 * Opens the login page in a window of its own, and waits until somebody has signed in there, or the window is closed.
 * `blocked`: the browser opens none. `failed`: the answer is of no use.
 */
export async function signInBeside(): Promise<'signed-in' | 'blocked' | 'closed' | 'failed'> {
  // Opened before anything is awaited: popup blockers refuse a window that is opened later.
  const beside = open('about:blank', 'latchkey-sign-in', 'width=480,height=720')
  if (beside === null) return 'blocked'
  const channel = new BroadcastChannel(channelName)
  let timer: ReturnType<typeof setInterval> | undefined
  try {
    const { address, state, finish } = await requestBeside()
    // The setter, unlike `assign`, may be used while another origin's page is still there.
    beside.location.href = address.href
    const answer = await new Promise<URL | null>((resolve) => {
      channel.onmessage = ({ data }: MessageEvent<string>) => {
        const url = URL.parse(data)
        if (url?.searchParams.get('state') === state) resolve(url)
      }
      // No event tells that another window was closed. The answer of one that closed itself may still be on its way.
      if (seesBeside)
        timer = setInterval(() => {
          if (beside.closed) setTimeout(() => resolve(null), 500)
        }, 500)
    })
    if (answer === null) return 'closed'
    await finish(answer)
    return 'signed-in'
  } catch {
    return 'failed'
  } finally {
    clearInterval(timer)
    channel.close()
    beside.close()
  }
}

/** Hands the answer of this window, which was opened beside a page, over to that page. */
export function tellSignedIn(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(location.href)
  channel.close()
  // Keeps the code out of the history.
  history.replaceState(null, '', location.pathname)
  close()
}

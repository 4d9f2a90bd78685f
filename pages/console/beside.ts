/** Signing in again in a window beside the page, which keeps what was typed. */
import { requestBeside, seesBeside } from './session.ts'

/** The channel on which the window beside hands over the answer to its request. */
const channelName = 'latchkey.console'

/**
 * Opens the login page in a window of its own, and waits until somebody has signed in there, or the window is closed.
 * `blocked`: the browser opens none. `failed`: the answer is of no use.
 */
export async function signInBeside(): Promise<'signed-in' | 'blocked' | 'closed' | 'failed'> {
  // Opened by the press itself: after a wait, browsers take a window for an advertisement.
  const beside = open('about:blank', 'latchkey-sign-in', 'width=480,height=720')
  if (beside === null) return 'blocked'
  const channel = new BroadcastChannel(channelName)
  let timer: ReturnType<typeof setInterval> | undefined
  try {
    const { address, state, finish } = await requestBeside()
    beside.location.assign(address)
    const answer = await new Promise<URL | null>((resolve) => {
      channel.onmessage = ({ data }: MessageEvent<string>) => {
        const url = new URL(data)
        if (url.searchParams.get('state') === state) resolve(url)
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

/** Called in the window beside, when its sign-in is done. */
export function tellSignedIn(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(location.href)
  channel.close()
  // The code is of no use to anybody else; still it need not stand there.
  history.replaceState(null, '', location.pathname)
  close()
}

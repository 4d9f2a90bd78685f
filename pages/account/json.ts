import { fetchToken } from '../antiforgery.ts'
import { type Answer, askForJson, getJson } from '../api.ts'
import { remember } from '../tab-memory.ts'
import { rememberBegun } from './begun.ts'
import { whenCodesAreGone } from './unsaved-codes.ts'

type Change = 'POST' | 'PATCH' | 'DELETE'

/** Answers on their way to a page whose script has not come yet, by address. */
const ahead = new Map<string, Promise<Answer<unknown>>>()

/** Requests what the page reads first, before its script has loaded. The answer, also a refusal, goes to the page's own `read`. */
export function askAhead(address: string): void {
  ahead.set(address, getJson(address))
}

/**
 * Reads JSON of the account area. A visitor whose session has ended, or is too old for it, is sent to the login page and
 * back; `doing` is what `begun` has then.
 */
export async function read<T>(address: string, doing: Record<string, string> = {}): Promise<Answer<T>> {
  const sent = ahead.get(address) as Promise<Answer<T>> | undefined
  ahead.delete(address)
  const answer = await (sent ?? getJson<T>(address))
  if (address === '/Account/Self' && answer.kind === 'ok') shown = (answer.value as { username: string }).username
  if (isRefused(answer, 401)) return signInFirst(doing)
  if (isRefused(answer, 403, 'reauthentication_required')) return signInFirst(doing, true)
  return answer
}

/** Whose account the page shows; null: that is not known yet. */
let shown: string | null = null

/** Whether somebody else has signed in since, in another tab. */
async function isSomebodyElse(): Promise<boolean> {
  if (shown === null) return false
  const answer = await getJson<{ user: { name: string } | null }>('/Account/Session')
  return answer.kind === 'ok' && answer.value.user !== null && answer.value.user.name !== shown
}

/**
 * Changes something, with a new anti-forgery token. What is to be deleted and is gone already counts as deleted. If somebody
 * else has signed in, nothing is changed, and the page is loaded again, which says so. `undefined`: an answer without a body (204). Where a recent sign-in
 * is asked for (403 `reauthentication_required`), the person is sent to the login page and back; `doing` is what `begun`
 * has then. The answer never comes in that case.
 */
export async function change<T = undefined>(
  method: Change,
  address: string,
  body?: unknown,
  doing: Record<string, string> = {},
): Promise<Answer<T>> {
  ahead.clear()
  const token = await fetchToken()
  if (token.kind !== 'ok') return token
  if (await isSomebodyElse()) {
    remember('changed', 'true')
    location.reload()
    return new Promise(() => {})
  }
  const headers = {
    RequestVerificationToken: token.value.token,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const answer = await askForJson<T>(address, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (isRefused(answer, 401)) return signInFirst(doing)
  if (isRefused(answer, 403, 'reauthentication_required')) return signInFirst(doing, true)
  if (method === 'DELETE' && isRefused(answer, 404)) return { kind: 'ok', value: undefined as T }
  return answer
}

function isRefused(answer: Answer<unknown>, status: number, error?: string): boolean {
  return answer.kind === 'refused' && answer.status === status && (!error || answer.problem.error === error)
}

/** This page is being left: answers that arrive meanwhile must not begin the navigation anew. */
let isLeaving = false
// The back button may show it again as it was.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) isLeaving = false
})

/**
 * Leaves for the login page, which leads back here. `again`: although somebody is signed in. Recovery codes on the screen stay
 * there until the person goes on.
 */
export async function signInFirst(doing: Record<string, string> = {}, again = false): Promise<never> {
  if (!isLeaving) {
    isLeaving = true
    await whenCodesAreGone()
    rememberBegun(doing)
    const here = encodeURIComponent(location.pathname + location.search)
    location.assign(`/Account/Login?ReturnUrl=${here}${again ? '&reauthenticate=true' : ''}`)
  }
  return new Promise(() => {})
}

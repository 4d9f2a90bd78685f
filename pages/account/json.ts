import { fetchToken } from '../antiforgery.ts'
import { type Answer, askForJson, getJson } from '../api.ts'
import { rememberBegun } from './begun.ts'

type Change = 'POST' | 'PATCH' | 'DELETE'

/**
 * Reads JSON of the account area. A visitor whose session has ended, or is too old for it, is sent to the login page and
 * back; `doing` is what `begun` has then.
 */
export async function read<T>(address: string, doing: Record<string, string> = {}): Promise<Answer<T>> {
  const answer = await getJson<T>(address)
  if (isRefused(answer, 401)) return signInFirst(doing)
  if (isRefused(answer, 403, 'reauthentication_required')) return signInFirst(doing, true)
  return answer
}

/**
 * Changes something, with a new anti-forgery token. `undefined`: an answer without a body (204). Where a recent sign-in
 * is asked for (403 `reauthentication_required`), the person is sent to the login page and back; `doing` is what `begun`
 * has then. The answer never comes in that case.
 */
export async function change<T = undefined>(
  method: Change,
  address: string,
  body?: unknown,
  doing: Record<string, string> = {},
): Promise<Answer<T>> {
  const token = await fetchToken()
  if (token.kind !== 'ok') return token
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

/** Leaves for the login page, which leads back here. `again`: although somebody is signed in. */
export function signInFirst(doing: Record<string, string> = {}, again = false): Promise<never> {
  if (!isLeaving) {
    isLeaving = true
    rememberBegun(doing)
    const here = encodeURIComponent(location.pathname + location.search)
    location.assign(`/Account/Login?ReturnUrl=${here}${again ? '&reauthenticate=true' : ''}`)
  }
  return new Promise(() => {})
}

import { fetchToken } from '../antiforgery.ts'
import { type Answer, askForJson, getJson } from '../api.ts'
import { rememberTyped } from '../typed.ts'

type Change = 'POST' | 'PATCH' | 'DELETE'

/** Reads JSON of the account area. A visitor whose session has ended is sent to the login page and back. */
export async function read<T>(address: string): Promise<Answer<T>> {
  const answer = await getJson<T>(address)
  if (isRefused(answer, 401)) return signInFirst()
  return answer
}

/**
 * Changes something, with a new anti-forgery token. `undefined`: an answer without a body (204). Where a recent sign-in
 * is asked for (403 `reauthentication_required`), the person is sent to the login page and back; `typed` is what this
 * page finds in `typed()` then. The answer never comes in that case.
 */
export async function change<T = undefined>(
  method: Change,
  address: string,
  body?: unknown,
  typed: Record<string, string> = {},
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
  if (isRefused(answer, 401)) return signInFirst(typed)
  if (isRefused(answer, 403, 'reauthentication_required')) return signInFirst(typed, true)
  return answer
}

function isRefused(answer: Answer<unknown>, status: number, error?: string): boolean {
  return answer.kind === 'refused' && answer.status === status && (!error || answer.problem.error === error)
}

/** Leaves for the login page, which leads back here. `again`: although somebody is signed in. */
export function signInFirst(typed: Record<string, string> = {}, again = false): Promise<never> {
  if (Object.keys(typed).length) rememberTyped(typed)
  const here = encodeURIComponent(location.pathname + location.search)
  location.assign(`/Account/Login?ReturnUrl=${here}${again ? '&reauthenticate=true' : ''}`)
  return new Promise(() => {})
}

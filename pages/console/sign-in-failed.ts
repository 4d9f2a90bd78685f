import * as oauth from 'oauth4webapi'

/** Whether a call failed on its way: `fetch` rejects with a `TypeError` then. */
export const isNetworkFailure = (error: unknown): boolean => error instanceof TypeError

/** Why nobody could be signed in: `error` is a code of RFC 6749 §4.1.2.1, or 'unreachable'. */
export class SignInFailed extends Error {
  override name = 'SignInFailed'
  readonly error: string | undefined

  constructor(message: string, error?: string) {
    super(message)
    this.error = error
  }
}

/** What kept somebody from signing in. */
export function signInFailure(error: unknown): SignInFailed {
  if (error instanceof SignInFailed) return error
  if (isNetworkFailure(error)) return new SignInFailed('', 'unreachable')
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return new SignInFailed(error.error_description ?? '', error.error)
  const { message = '', cause } = error as Error
  return new SignInFailed(cause instanceof Response ? `${cause.status} ${cause.statusText}`.trim() : message)
}

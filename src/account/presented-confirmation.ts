import { type Answer, redirect } from '../http/answer.ts'
import type { Confirmation, ConfirmationPurpose } from '../users/confirmation.ts'
import { type LocalUrl, localUrlOrRoot } from '../users/local-url.ts'
import type { SignedIn } from '../users/session.ts'
import type { User } from '../users/user.ts'
import { accountPage } from './form-fields.ts'

/** A confirmation whose code or link was presented, and that is pending as far as was read. */
export type Presented = {
  readonly confirmation: Confirmation
  readonly user: User | undefined
  /** Whether this browser asked for it. */
  readonly isAskingBrowser: boolean
  /** Who is signed in at this browser. */
  readonly former: SignedIn | undefined
  readonly returnUrl: LocalUrl
}

/** What a stranger can ask for with somebody else's address. */
const askedByAnybody: readonly ConfirmationPurpose[] = ['register', 'reset', 'undo']

/**
 * Returns where the person continues. Where the request came from is followed in the browser that asked alone: whoever asks
 * with somebody else's address would steer them, and a request of an application is of no use in another browser.
 */
export function continuesFor({ purpose, details }: Confirmation, isAskingBrowser: boolean, sent: LocalUrl): LocalUrl {
  if (isAskingBrowser) return sent === '/' ? localUrlOrRoot(details.returnUrl) : sent
  return askedByAnybody.includes(purpose) ? localUrlOrRoot('/Account') : sent
}

/** Answers as for a wrong code: it was used, replaced or removed meanwhile. */
export function tooLate({ confirmation: { purpose }, returnUrl }: Presented): Answer {
  return redirect(accountPage('Confirm', { purpose, error: 'code_invalid' }, returnUrl))
}

import { type Answer, redirect } from '../http/answer.ts'
import type { Confirmation } from '../users/confirmation.ts'
import type { LocalUrl } from '../users/local-url.ts'
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

/** Answers as for a wrong code: it was used, replaced or removed meanwhile. */
export function tooLate({ confirmation: { purpose }, returnUrl }: Presented): Answer {
  return redirect(accountPage('Confirm', { purpose, error: 'code_invalid' }, returnUrl))
}

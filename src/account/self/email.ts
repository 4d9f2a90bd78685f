/** `POST /Account/Self/email`: asks the new address to confirm. Nothing changes before it did. */
import { withCookies } from '../../http/answer.ts'
import type { Endpoint } from '../../http/request.ts'
import { isRefusal } from '../../refusal.ts'
import type { Service } from '../../service.ts'
import { withConfirmedEmail } from '../../users/changes.ts'
import { isEmailAddress } from '../../users/email.ts'
import { countOfPerson } from '../confirmation-budget.ts'
import { askToChangeEmail } from '../confirmation-mail.ts'
import { done, fault, selfChange } from './endpoint.ts'
import { text } from './members.ts'

const invalid = fault('email', 'email_invalid', 'The e-mail address must look like name@host.')
const unfit = fault('email', 'email_invalid', 'The e-mail address must have characters that a user name can have.')

/** `email`: the new address. The answer is the same if it belongs to another account, whose owner is told. */
export function changeEmail(service: Service): Endpoint {
  return selfChange(
    service,
    { recent: true, members: { email: text(1024) } },
    async ({ request, signedIn, nowMs, body }) => {
      const email = body.email.trim()
      const { user } = signedIn
      if (!isEmailAddress(email)) return invalid
      // A user name that is the address follows it.
      if (isRefusal(withConfirmedEmail(user, email, nowMs))) return unfit
      const surplus = countOfPerson(service, request, user.id)
      if (isRefusal(surplus)) return surplus
      return withCookies(done, [await askToChangeEmail(service, request, signedIn, { email })])
    },
  )
}

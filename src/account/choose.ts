/** `POST /Account/Choose`: the answer to `prompt=select_account` (OpenID Connect Core §3.1.2.1). */
import { markChoice } from '../connect/authorize-step.ts'
import { redirect, withCookies } from '../http/answer.ts'
import { fieldIgnoringCase, withQuery } from '../http/parameters.ts'
import type { Endpoint } from '../http/request.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { isLocalUrl, maxReturnUrlLength } from '../users/local-url.ts'
import { authorizationRequestIn } from './login-context.ts'
import { readPostedForm } from './posted-form.ts'

/**
 * `account`: `current` goes on with the person who is signed in; anything else leads to the login page. Without a session
 * that is the way, too.
 */
export function chooseAccount(service: Service): Endpoint {
  const { answers, settings } = service
  return async (request) => {
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const { form, signedIn } = posted
    const sent = fieldIgnoringCase(form, 'ReturnUrl') ?? ''
    if (sent.length > maxReturnUrlLength) {
      const detail = { length: sent.length, limit: maxReturnUrlLength }
      return answers.refuseReadably(request, refuse('parameter_too_long', 'ReturnUrl', detail))
    }
    const returnUrl = isLocalUrl(sent) ? sent : '/'
    if (fieldIgnoringCase(form, 'account') !== 'current' || signedIn === undefined) {
      const another: (readonly [string, string])[] = signedIn === undefined ? [] : [['another', 'true']]
      return redirect(withQuery(settings.oauth.loginPageUrl, [['ReturnUrl', returnUrl], ...another]))
    }
    const asked = authorizationRequestIn(returnUrl)
    return withCookies(redirect(returnUrl), asked ? markChoice(service, request, asked, signedIn.user.id) : [])
  }
}

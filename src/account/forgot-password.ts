/** `POST /Account/ForgotPassword`: sends a code and a link to the owner of an account, if there is one. */
import { redirect, withCookies } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { keptReturnUrl } from '../users/confirmation.ts'
import { refuseSurplus } from './confirmation-budget.ts'
import { askToReset, whoForgot } from './confirmation-mail.ts'
import { accountPage, notFound, readFields } from './form-fields.ts'
import { readPostedForm } from './posted-form.ts'

/** The answer is the same for every name and address. Absent without `Mail:Url`. */
export function forgotPassword(service: Service): Endpoint {
  const { answers, mail } = service
  return async (request) => {
    if (!mail.enabled) return notFound(service, request)
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const fields = readFields(posted.form, ['email'])
    if (isRefusal(fields)) return answers.refuseReadably(request, fields)
    // A device cookie is signed, so that strangers without one cause no reading here.
    const knownHere = async () =>
      service.device.browserIds(request).length === 0
        ? undefined
        : (await whoForgot(service, request, fields.text('email'))).browserId
    const surplus = await refuseSurplus(service, request, knownHere)
    if (surplus !== undefined) return surplus
    const returnUrl = keptReturnUrl(fields.returnUrl)
    const cookie = await askToReset(service, request, {
      entered: fields.text('email'),
      ...(returnUrl !== undefined && { returnUrl }),
    })
    return withCookies(redirect(accountPage('Confirm', { purpose: 'reset' }, fields.returnUrl)), [cookie])
  }
}

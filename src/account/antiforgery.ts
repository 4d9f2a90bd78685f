/** `GET /Account/Antiforgery`: issues the anti-forgery pair for a page with a form. */

import { antiforgeryField } from '../browser/antiforgery.ts'
import { json, withCookies } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import type { Service } from '../service.ts'

export function antiforgery(service: Service): Endpoint {
  return async (request) => {
    const signedIn = await service.sessions.current(request)
    const { token, cookie } = service.antiforgery.issue(request, signedIn?.user.id ?? null)
    return withCookies(json({ token, formFieldName: antiforgeryField }), [cookie])
  }
}

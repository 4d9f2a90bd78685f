/** Forms posted from this service's own pages. */
import { readForm } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { SignedIn } from '../users/session.ts'

export type PostedForm = { readonly form: Parameters; readonly signedIn: SignedIn | undefined }

/**
 * Reads a form with its anti-forgery token and session. Refusals are answered silently, because only a forged or
 * damaged form causes them.
 */
export async function readPostedForm(
  { antiforgery, sessions }: Service,
  request: Request,
): Promise<PostedForm | Refusal> {
  const form = readForm(request)
  if (isRefusal(form)) return form
  const signedIn = await sessions.current(request)
  return antiforgery.check(request, form, signedIn?.user.id ?? null) ?? { form, signedIn }
}

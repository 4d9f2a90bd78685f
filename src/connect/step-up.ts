/** The second half of sign-ins, and the step from one factor to two within a session. */
import { type Answer, redirect, withCookies } from '../http/answer.ts'
import { withQuery } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import type { HalfSignIn } from '../users/second-factor-sign-in.ts'
import type { RequestingSession, SignedIn } from '../users/session.ts'
import { askingNobody, reachOf } from '../users/sign-in-steps.ts'

export const secondFactorPage = '/Account/SecondFactor'

/** Returns the authentication class that the signed-in user can reach. */
export async function reachIn({ sessions, storage }: Service, { user }: SignedIn<RequestingSession>) {
  const candidate = await storage.users.findForSignIn({ userId: user.id }, [])
  return candidate && reachOf(candidate, sessions.rules.secondFactor ?? askingNobody)
}

/** Asks the signed-in user for a second factor that reaches the class, and returns to the request. */
export function stepUp(
  service: Service,
  request: Request,
  parameters: Parameters,
  { session }: SignedIn<RequestingSession>,
  acr: string,
): Answer {
  const nowMs = service.clock()
  return askSecondFactor(service, request, {
    id: uuidv7(nowMs, service.random),
    userId: session.userId,
    purpose: 'step_up',
    methods: session.methods,
    authenticatedAtMs: session.authenticatedAtMs,
    startedAtMs: nowMs,
    persistent: session.persistent,
    byMail: false,
    sessionId: session.id,
    acr,
    returnUrl: withQuery('/connect/authorize', parameters),
  })
}

/** Sends the browser to the page of the second factor, or of another step, with the half-finished sign-in in a cookie. */
export function askSecondFactor(service: Service, request: Request, half: HalfSignIn, page = secondFactorPage): Answer {
  const mailCounts = service.sessions.rules.secondFactor?.email === true
  const cookies = service.halfSignIns.make(request, { ...half, mailCounts })
  if (cookies !== undefined) return withCookies(redirect(page), cookies)
  const detail = { length: half.returnUrl.length }
  return service.answers.refuseReadably(request, refuse('parameter_too_long', 'ReturnUrl', detail))
}

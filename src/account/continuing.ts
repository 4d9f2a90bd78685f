/** Goes on with a sign-in that has more to do before there is a session: the next step, or the session. */
import { askSecondFactor } from '../connect/step-up.ts'
import { type Answer, withCookies } from '../http/answer.ts'
import { withQuery } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import type { SignInOutcome } from '../storage/port/users.ts'
import type { Candidate } from '../users/lockout.ts'
import {
  decideHeld,
  type FollowingStep,
  type HalfSignIn,
  type SecondFactorSignIn,
} from '../users/second-factor-sign-in.ts'
import { beganAtMs } from '../users/user.ts'
import { askToVerify } from './confirmation-mail.ts'
import { findHalf, onceFor, startAgain, withSession } from './half-finished.ts'
import { withBrowserNotice } from './notices.ts'
import { goOnward } from './onward.ts'
import { mailSecondFactorCode } from './second-factor-mail.ts'
import { heldEvents } from './sign-in-events.ts'

/** The pages of required actions say with this that they are opened in the middle of a sign-in. */
const pages: Readonly<Partial<Record<FollowingStep, string>>> = {
  signin_code: '/Account/Confirm?purpose=signin',
  update_password: '/Account/ResetPassword?step=update_password',
  verify_email: '/Account/Confirm?purpose=email&step=verify_email',
}

/**
 * Sends the browser to the next step. It is a half-finished sign-in of its own, with ten minutes: what proved the step before
 * counts no more. Mails what the step asks for.
 */
export async function continueWith(
  service: Service,
  request: Request,
  half: HalfSignIn,
  step: FollowingStep,
): Promise<Answer> {
  const { clock, device, random, storage } = service
  const candidate = await storage.users.findForSignIn({ userId: half.userId }, device.browserIds(request))
  if (candidate === undefined) return startAgain(service, request, half.returnUrl)
  const nowMs = clock()
  const next: HalfSignIn = {
    ...half,
    id: uuidv7(nowMs, random),
    purpose: step === 'second_factor' ? 'sign_in' : step,
    startedAtMs: Math.max(half.startedAtMs, nowMs),
    // Nobody sets up a second factor who has not proved what stands in for the former one.
    ...(step === 'enrolment' && { standIn: true }),
  }
  const answer = askSecondFactor(service, request, next, pages[step])
  if (step === 'signin_code') await mailSecondFactorCode(service, request, next, candidate)
  if (step !== 'verify_email') return answer
  return withCookies(answer, [await askToVerify(service, request, candidate, half.returnUrl)])
}

/** Goes on after a step of a sign-in was done: decides on the person as stored, commits and answers. */
export async function goOn(service: Service, request: Request, half: HalfSignIn): Promise<Answer> {
  const { clock, device, sessions, storage } = service
  const candidate = await storage.users.findForSignIn({ userId: half.userId }, device.browserIds(request))
  if (candidate === undefined) return startAgain(service, request, half.returnUrl)
  const former = await sessions.current(request)
  const prepared = sessions.prepare(request, half)
  const decide = (stored: Candidate): SecondFactorSignIn & Pick<SignInOutcome, 'events'> => {
    const nowMs = clock()
    const decision = decideHeld(stored, half, prepared, { rules: sessions.rules, nowMs })
    const judged = heldEvents(service, request, nowMs, stored, half, decision)
    return { ...decision, events: withBrowserNotice(service, request, stored, prepared, decision, judged) }
  }
  const decided = await storage.users.completeSignIn(candidate, decide, [onceFor(half)])
  if (decided === undefined || decided === 'spent') return startAgain(service, request, half.returnUrl)
  if (decided.outcome === 'continues') return continueWith(service, request, half, decided.step)
  if (decided.outcome !== 'signed_in') return startAgain(service, request, half.returnUrl)
  service.metrics.signIn('second_factor', 'signed_in')
  const onward = await goOnward(service, half.userId, half.returnUrl)
  return withSession(service, request, decided, prepared.cookieValue, former, onward)
}

/** Goes on with the sign-in of this browser that waits for the address of this person, if there is one. */
export async function goOnAfterVerifying(
  service: Service,
  request: Request,
  userId: string,
): Promise<Answer | undefined> {
  const found = await findHalf(service, request)
  if (found?.half.purpose !== 'verify_email' || found.half.userId !== userId) return undefined
  return goOn(service, request, found.half)
}

/** Returns the sign-in after a change that ended every sign-in before it. */
export function startedAfter(half: HalfSignIn, endedAtMs: number | null, nowMs: number): HalfSignIn {
  return { ...half, startedAtMs: beganAtMs(nowMs, endedAtMs) }
}

/** The page of a code that stands in for a second factor. */
export function signInCodePage(...query: readonly (readonly [string, string])[]): string {
  return withQuery('/Account/Confirm', [['purpose', 'signin'], ...query])
}

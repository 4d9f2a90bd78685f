/** `POST /Account/Confirm` with `purpose=signin`: the code by mail in place of a second factor that could not come with an import. */
import { type Answer, redirect } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import type { Service } from '../service.ts'
import type { SignInOutcome } from '../storage/port/users.ts'
import type { Candidate } from '../users/lockout.ts'
import { decideSecondFactor, type SecondFactorSignIn } from '../users/second-factor-sign-in.ts'
import { continueWith, signInCodePage } from './continuing.ts'
import { accountPage, type Fields } from './form-fields.ts'
import { findHalf, onceFor, startAgain } from './half-finished.ts'
import { secondFactorEvents } from './second-factor-events.ts'
import { mailSecondFactorCode, proveMailCode } from './second-factor-mail.ts'

/** With blanks and dashes. */
const longestCode = 64

/** A browser in which no sign-in waits for such a code is led to the page of the second factor. */
export async function confirmSignIn(service: Service, request: Request, fields: Fields): Promise<Answer> {
  // gather
  const found = await findHalf(service, request)
  if (found?.half.purpose !== 'signin_code') return redirect(accountPage('SecondFactor', {}, fields.returnUrl))
  const { half, candidate } = found
  if (fields.has('resend')) {
    await mailSecondFactorCode(service, request, half, candidate)
    return redirect(signInCodePage(['sent', 'true']))
  }

  // decide and commit
  const { clock, metrics, sessions, storage } = service
  const proof = proveMailCode(service, half, fields.text('code').slice(0, longestCode))
  const prepared = sessions.prepare(request, half)
  const decide = (stored: Candidate): SecondFactorSignIn & Pick<SignInOutcome, 'events' | 'spends'> => {
    const nowMs = clock()
    const context = { rules: sessions.rules, remember: false, meetsRequest: () => true, nowMs }
    const decision = decideSecondFactor(stored, half, proof, prepared, context)
    const events = secondFactorEvents(service, request, nowMs, stored, half, proof.method, decision)
    return { ...decision, events, ...(decision.outcome === 'continues' && { spends: true }) }
  }
  const decided = await storage.users.completeSignIn(candidate, decide, [onceFor(half)])

  // answer
  if (decided === undefined || decided === 'spent') return startAgain(service, request, half.returnUrl)
  switch (decided.outcome) {
    case 'continues':
      return continueWith(
        service,
        request,
        { ...half, methods: [...half.methods, ...decided.amr], standIn: true },
        decided.step,
      )
    case 'wrong_code':
      metrics.signIn('second_factor', 'wrong_code')
      return redirect(signInCodePage(['error', 'code_invalid']))
    case 'paused':
      metrics.signIn('second_factor', 'locked')
      return redirect(signInCodePage(['error', 'too_many_attempts']))
    default:
      return startAgain(service, request, half.returnUrl)
  }
}

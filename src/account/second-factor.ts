/** `/Account/SecondFactor`: the step between the first factor and the session. */

import type { AuditEvents } from '../audit/entry.ts'
import { secondFactorPage } from '../connect/step-up.ts'
import { json, redirect } from '../http/answer.ts'
import { fieldIgnoringCase, withQuery } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { acrOf, meetsClass } from '../protocol/claims/authentication-methods.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { SignInOutcome } from '../storage/port/users.ts'
import type { Candidate } from '../users/lockout.ts'
import { type SecondFactorMethod, secondFactorMethods } from '../users/second-factor.ts'
import {
  decideSecondFactor,
  factorRulesOf,
  type HalfSignIn,
  type SecondFactorSignIn,
} from '../users/second-factor-sign-in.ts'
import { offeredMethods, withSecondFactor } from '../users/sign-in-steps.ts'
import type { User } from '../users/user.ts'
import { continueWith } from './continuing.ts'
import { factorProofs } from './factor-proofs.ts'
import { readFields } from './form-fields.ts'
import { findHalf, isOfSession, onceFor, startAgain, withSession } from './half-finished.ts'
import { withBrowserNotice, withNotice } from './notices.ts'
import { goOnward } from './onward.ts'
import { readPostedForm } from './posted-form.ts'
import { secondFactorEvents } from './second-factor-events.ts'
import { mailSecondFactorCode } from './second-factor-mail.ts'

/** With blanks and dashes. */
const longestCode = 64

/**
 * `GET /Account/SecondFactorContext`: returns `{ step, methods, user, returnUrl }` of the sign-in that was begun in this
 * browser. `step`: `second_factor`, `enrolment`, `signin_code`, `update_password` or `verify_email`. Without one, or when it counts no more: 401 `login_required`.
 */
export function secondFactorContext(service: Service): Endpoint {
  const { answers, sessions } = service
  return async (request) => {
    const found = await findHalf(service, request)
    if (found === undefined) return answers.refuseAsJson(request, refuse('login_required'), 401)
    const { half, candidate } = found
    const isFactor = half.purpose === 'sign_in' || half.purpose === 'step_up'
    const methods = offeredMethods(candidate, factorRulesOf(half, sessions.rules), half.byMail, half.acr ?? undefined)
    return json({
      step: isFactor ? 'second_factor' : half.purpose,
      methods: !isFactor ? [] : methods.filter((method) => factorProofs[method] !== undefined),
      user: { name: candidate.user.name },
      returnUrl: half.returnUrl,
    })
  }
}

/**
 * `POST /Account/SecondFactor`: fields `method`, `code` or `credential`, and `rememberBrowser`. Leads to where the sign-in
 * was to lead, or back to the page with `error`: `code_invalid`, `too_many_attempts`. The method `email` without a code
 * mails one, and leads back to the page with `sent`.
 */
export function secondFactor(service: Service): Endpoint {
  const { answers, metrics, sessions, storage } = service
  return async (request) => {
    // gather
    const posted = await readPostedForm(service, request)
    if (isRefusal(posted)) return answers.refuseSilently(request, posted)
    const fields = readFactorFields(posted.form)
    if (isRefusal(fields)) return answers.refuseReadably(request, fields)
    const found = await findHalf(service, request)
    if (found === undefined) return startAgain(service, request, fields.returnUrl)
    const { half, candidate } = found
    if (!isOfSession(half, posted.signedIn)) return startAgain(service, request, fields.returnUrl)
    const prove = fields.method === undefined ? undefined : factorProofs[fields.method]
    if (fields.method === undefined || prove === undefined) return redirect(pageWith('code_invalid', fields.method))
    if (fields.method === 'email' && fields.code === '' && factorRulesOf(half, sessions.rules).email) {
      await mailSecondFactorCode(service, request, half, candidate)
      return redirect(
        withQuery(secondFactorPage, [
          ['method', 'email'],
          ['sent', 'true'],
        ]),
      )
    }
    const proof = await prove({ service, request, half, candidate, ...fields })

    // decide and commit
    const input = { userId: half.userId, methods: half.methods, persistent: half.persistent }
    const prepared = sessions.prepare(request, input)
    const decide = (stored: Candidate): SecondFactorSignIn & Pick<SignInOutcome, 'events' | 'passkey' | 'spends'> => {
      const nowMs = service.clock()
      const { remember } = fields
      const context = { rules: sessions.rules, remember, meetsRequest: meets(half), nowMs }
      const decision = decideSecondFactor(stored, half, proof, prepared, context)
      const judged = secondFactorEvents(service, request, nowMs, stored, half, proof.method, decision)
      const told = judged.map((event) => withMail(service, request, event, stored.user))
      const events = withBrowserNotice(service, request, stored, prepared, decision, told)
      const spends = decision.outcome === 'continues' && { spends: true as const }
      return { ...decision, events, ...spends, ...(proof.passkey && { passkey: proof.passkey }) }
    }
    const once = [onceFor(half), ...(proof.challenge === undefined ? [] : [proof.challenge])]
    const decided = await storage.users.completeSignIn(candidate, decide, once)

    // answer
    if (decided === undefined || decided === 'spent' || decided.outcome === 'ended') {
      return startAgain(service, request, fields.returnUrl)
    }
    if (decided.outcome === 'continues') {
      const methods = withSecondFactor(half.methods, decided.amr)
      return continueWith(service, request, { ...half, methods, second: true }, decided.step)
    }
    metrics.signIn('second_factor', decided.outcome === 'paused' ? 'locked' : decided.outcome)
    if (decided.outcome !== 'signed_in') {
      request.log.refused({ signIn: { outcome: decided.outcome, user: half.userId } }, 'second factor refused')
      if (decided.outcome === 'wrong_code') return redirect(pageWith('code_invalid', proof.method))
      const paused = pageWith('too_many_attempts', proof.method)
      return redirect(decided.forToday ? withQuery(paused, [['wait', 'day']]) : paused)
    }
    return withSession(
      service,
      request,
      decided,
      prepared.cookieValue,
      posted.signedIn,
      await goOnward(service, half.userId, half.returnUrl),
    )
  }
}

function meets({ acr }: HalfSignIn): (methods: readonly string[]) => boolean {
  return (methods) => acr === null || meetsClass(acrOf(methods), acr)
}

/** The owner hears of a used recovery code. */
function withMail(service: Service, request: Request, event: AuditEvents[number], user: User): AuditEvents[number] {
  if (event.details.change !== 'recovery_code_used') return event
  const data = { left: String(event.details.left) }
  return withNotice(service, request, event, user, { purpose: 'recovery_code_used', data })
}

function readFactorFields(form: Parameters) {
  const fields = readFields(form, ['method', 'code', 'credential', 'rememberBrowser'])
  if (isRefusal(fields)) return fields
  return {
    method: secondFactorMethods.find((known) => known === fields.text('method')),
    code: fields.text('code').slice(0, longestCode),
    credential: fieldIgnoringCase(form, 'credential') ?? '',
    remember: !['', 'false'].includes(fields.text('rememberBrowser')),
    returnUrl: fields.returnUrl,
  }
}

function pageWith(error: string, method: SecondFactorMethod | undefined): string {
  return withQuery(secondFactorPage, [
    ['error', error],
    ...(method === undefined ? [] : ([['method', method]] as const)),
  ])
}

/** A code by mail as the second factor (`Accounts:SecondFactor:Email`). */
import { createHmac } from 'node:crypto'
import { auditEvent } from '../audit/request-events.ts'
import type { Request } from '../http/request.ts'
import { mintCode } from '../secrets/confirmation-secrets.ts'
import { secretMatches } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { isKnown } from '../users/known-browser.ts'
import type { Candidate } from '../users/lockout.ts'
import { isPaused, noSecondFactors } from '../users/second-factor.ts'
import { factorRulesOf, type HalfSignIn, halfSignInMs, stepOf } from '../users/second-factor-sign-in.ts'
import { type FactorProof, offeredMethods } from '../users/sign-in-steps.ts'
import { mailLanguage } from './notices.ts'

/**
 * Mails a new code for the sign-in, which ends an earlier one. Over the limits of mails, during a pause, and for people
 * who cannot prove a second factor in this way, no mail leaves.
 */
export async function mailSecondFactorCode(
  service: Service,
  request: Request,
  half: HalfSignIn,
  { user, browser }: Candidate,
): Promise<void> {
  const { clock, mail, random, sessions, storage } = service
  const rules = factorRulesOf(half, sessions.rules)
  const code = mintCode(random)
  const hash = hashCode(service, half.id, code)
  const untilMs = half.startedAtMs + halfSignInMs
  const nowMs = clock()
  const browserId = browser && isKnown(browser, user, nowMs) ? browser.id : undefined
  if (!(await mail.mayAsk(user.email, { by: 'half_sign_in', userId: user.id, browserId }))) return
  const event = auditEvent(
    request,
    nowMs,
    'second_factor_asked',
    { userId: user.id },
    { method: 'email', next: 'code' },
  )
  const told = mail.withMail(event, {
    to: user.email,
    language: mailLanguage(service, request, user),
    purpose: 'signin',
    data: { username: user.name },
    code,
    validSeconds: Math.max(1, Math.floor((untilMs - nowMs) / 1000)),
  })
  await storage.secondFactors.change(user.id, (stored) => {
    const factors = stored.factors ?? noSecondFactors(user.id)
    const offered = offeredMethods(stored, rules, half.byMail, half.acr ?? undefined)
    const isDue =
      half.purpose === 'signin_code'
        ? stepOf(half, stored, sessions.rules, nowMs) === 'signin_code'
        : offered.includes('email')
    if (isPaused(factors, nowMs) || !isDue) return {}
    return { factors: { ...factors, mailCode: { hash, signInId: half.id, untilMs } }, events: [told] }
  })
}

/** Checks a mailed code. It counts in the sign-in that asked for it. */
export function proveMailCode(service: Service, half: HalfSignIn, code: string): FactorProof {
  const nowMs = service.clock()
  const entered = code.replaceAll(/\s/g, '')
  return {
    method: 'email',
    judge({ mailCode }) {
      if (mailCode === null || mailCode.signInId !== half.id || nowMs >= mailCode.untilMs) return undefined
      const [keyId = ''] = mailCode.hash.split('.', 1)
      return secretMatches(hashCode(service, half.id, entered, keyId), mailCode.hash) ? { amr: ['otp'] } : undefined
    },
  }
}

/** Keyed: a million codes are tried in a moment, and the database alone must not reveal the code. */
function hashCode({ keys }: Service, signInId: string, code: string, keyId = keys.secret('factor').id): string {
  const key = keys.secretById('factor', keyId)?.bytes
  if (key === undefined) return ''
  const text = ['latchkey second factor by mail v1', signInId, code].join('\n')
  return `${keyId}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

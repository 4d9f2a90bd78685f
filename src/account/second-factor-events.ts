/** Audit events of second factors. */
import type { AuditEvents } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import type { Request } from '../http/request.ts'
import type { Service } from '../service.ts'
import type { Candidate } from '../users/lockout.ts'
import type { SecondFactorMethod } from '../users/second-factor.ts'
import type { HalfSignIn, SecondFactorSignIn } from '../users/second-factor-sign-in.ts'
import { askedEvent, signInEvents } from './sign-in-events.ts'

/** Events of a second factor that was judged on the user and factors as stored. */
export function secondFactorEvents(
  service: Pick<Service, 'catalogue'>,
  request: Request,
  atMs: number,
  { user, factors }: Candidate,
  half: HalfSignIn,
  method: SecondFactorMethod,
  decided: SecondFactorSignIn,
): AuditEvents {
  const by = { userId: half.userId }
  const failed = (reason: string) => auditEvent(request, atMs, 'sign_in_failed', by, { method, reason })
  switch (decided.outcome) {
    case 'signed_in': {
      const [first = ''] = half.methods
      const { returnUrl } = half
      const signedIn = signInEvents(service, request, atMs, { user, returnUrl }, first, decided, method)
      if (method !== 'recovery') return signedIn
      const details = { change: 'recovery_code_used', left: decided.factors.recoveryHashes.length }
      return [...signedIn, auditEvent(request, atMs, 'user_changed', by, details)]
    }
    case 'continues': {
      const asked = askedEvent(request, atMs, by, method, decided.step)
      if (method !== 'recovery') return [asked]
      const details = { change: 'recovery_code_used', left: decided.factors.recoveryHashes.length }
      return [asked, auditEvent(request, atMs, 'user_changed', by, details)]
    }
    case 'wrong_code': {
      const { pausedUntilMs } = decided.factors
      if (pausedUntilMs === null || pausedUntilMs === factors?.pausedUntilMs) return [failed('wrong_code')]
      const details = { untilMs: pausedUntilMs, budget: 'second_factor' }
      return [failed('wrong_code'), auditEvent(request, atMs, 'locked_out', by, details)]
    }
    case 'paused':
      return [failed('too_many_attempts')]
    case 'ended':
      return [failed('sign_in_expired')]
  }
}

/** `/Account/Self/totp` and `/Account/Self/recovery-codes`: the second factors of the signed-in person. */
import type { AuditEvents } from '../../audit/entry.ts'
import { auditEvent } from '../../audit/request-events.ts'
import { json } from '../../http/answer.ts'
import type { Endpoint, Request } from '../../http/request.ts'
import { type Refusal, refuse } from '../../protocol/refusals/index.ts'
import { isRefusal } from '../../refusal.ts'
import { hashRecoveryCode, mintRecoveryCode } from '../../secrets/recovery-codes.ts'
import { mintTotpSecret, sealTotpSecret, totpUri } from '../../secrets/totp.ts'
import type { Service } from '../../service.ts'
import type { FactorChange } from '../../storage/port/users.ts'
import type { Candidate } from '../../users/lockout.ts'
import { beginTotp, noSecondFactors, recoveryCodeCount, removeTotp } from '../../users/second-factor.ts'
import { hasSameSessions, type User } from '../../users/user.ts'
import { proveNewTotp } from '../factor-proofs.ts'
import { withNotice } from '../notices.ts'
import { done, fault, selfChange, type Visit } from './endpoint.ts'
import { enrolling } from './enrolling.ts'
import { text } from './members.ts'
import { describeFactors } from './sign-in-ways.ts'

const longestCode = 64
const wrongCode = fault('code', 'code_invalid', 'This code is wrong, has expired or was used before.')

/**
 * `POST …/totp`: answers `{ secret, uri }` of a new authenticator app, which counts once a code of it was entered. The
 * secret is in Base32, the address as apps read it from a picture. Also answers within a sign-in that has to set up a
 * second factor.
 */
export function startTotp(service: Service): Endpoint {
  const { storage } = service
  const begin = async (user: User, isEnrolment: boolean) => {
    const secret = mintTotpSecret(service.random)
    const sealed = sealTotpSecret(service.keys, secret, service.random)
    const started = await storage.secondFactors.change(user.id, ({ factors = noSecondFactors(user.id) }) =>
      // A password alone never touches the factors of somebody who has some.
      isEnrolment && factors.totp !== null ? {} : { factors: beginTotp(factors, sealed, service.clock()) },
    )
    if (started?.factors === undefined) return refuse('self_session_missing')
    return json({ secret, uri: totpUri(secret, service.brand.name(), user.name) })
  }
  const own = selfChange(service, { recent: true }, ({ signedIn }) => begin(signedIn.user, false))
  return enrolling(service, own, {}, ({ candidate }) => begin(candidate.user, true))
}

/**
 * `POST …/totp/confirm`: `code`, the first one of the new app. Answers what is switched on. Within a sign-in that had to
 * set up a second factor it completes the sign-in: the answer has its cookies and `return_url`.
 */
export function confirmNewTotp(service: Service): Endpoint {
  const members = { code: text(longestCode) }
  const own = selfChange(service, { recent: true, members }, async ({ request, signedIn, body }) => {
    const candidate = await service.storage.users.findForSignIn({ userId: signedIn.user.id }, [])
    if (candidate === undefined) return refuse('self_session_missing')
    const proof = proveNewTotp(service, candidate, body.code)
    const changed = await service.storage.secondFactors.change(signedIn.user.id, ({ user, factors }) => {
      // A new password that came in between ended the session of this request.
      const proved = factors && hasSameSessions(user, signedIn.user) ? proof.judge(factors) : undefined
      return proved === undefined
        ? { events: [] }
        : { ...proved, events: [switchedOn(service, request, signedIn.user)] }
    })
    return changed && 'factors' in changed ? json(describeFactors(changed.factors)) : wrongCode
  })
  return enrolling(service, own, members, async ({ enter, candidate, request, body }) => {
    const proof = proveNewTotp(service, candidate, body.code)
    const entered = await enter(proof, [switchedOn(service, request, candidate.user)])
    switch (entered.outcome) {
      case 'signed_in':
        return entered.answer(describeFactors(entered.factors))
      case 'wrong_code':
        return wrongCode
      case 'paused':
        return refuse('second_factor_paused')
      default:
        return refuse('self_session_missing')
    }
  })
}

/** `DELETE …/totp`: switches the authenticator app off. Recovery codes end with the last factor that they stand in for. */
export function deleteTotp(service: Service): Endpoint {
  return selfChange(service, { recent: true }, async (visit) => {
    const decide = switchingOff(service, visit)
    await service.storage.secondFactors.change(visit.signedIn.user.id, decide)
    return done
  })
}

/** Returns a function that decides on the factors as stored: without authenticator apps. */
export function switchingOff(
  service: Service,
  { request, signedIn, nowMs }: Visit,
): (stored: Candidate) => FactorChange {
  const { user } = signedIn
  const event = changed(request, nowMs, user, 'totp_off')
  const told = withNotice(service, request, event, user, { purpose: 'second_factor_off', data: {} })
  const { accounts } = service.settings
  return ({ factors, passkeys = 0 }) => {
    if (factors === undefined || (factors.totp === null && factors.pendingTotp === null)) return {}
    const hasPasskeys = passkeys > 0 && accounts.passkeys === 'on'
    const next = removeTotp(factors, hasPasskeys)
    return factors.totp === null
      ? { factors: next }
      : { factors: next, forgetsRemembered: !hasPasskeys, events: [told] }
  }
}

/** `POST …/recovery-codes`: answers `{ codes }`, ten new ones, shown this once. The old ones end. */
export function replaceRecoveryCodes(service: Service): Endpoint {
  return selfChange(service, { recent: true }, async ({ request, signedIn, nowMs }) => {
    const { user } = signedIn
    const codes = Array.from({ length: recoveryCodeCount }, () => mintRecoveryCode(service.random))
    const recoveryHashes = codes.map((code) => hashRecoveryCode(service.keys, user.id, code))
    const event = changed(request, nowMs, user, 'recovery_codes_made')
    const told = withNotice(service, request, event, user, { purpose: 'recovery_codes_replaced', data: {} })
    const outcome = await service.storage.secondFactors.change(user.id, (stored) =>
      hasFactor(service, stored) && hasSameSessions(stored.user, user)
        ? {
            factors: { ...(stored.factors ?? noSecondFactors(user.id)), recoveryHashes, recoverySinceMs: nowMs },
            events: [told],
          }
        : {},
    )
    const refusal: Refusal | undefined = outcome?.factors === undefined ? refuse('second_factor_missing') : undefined
    return isRefusal(refusal) ? refusal : json({ codes })
  })
}

/** Whether there is a factor that recovery codes can stand in for. */
function hasFactor({ settings }: Service, { factors, passkeys = 0 }: Candidate): boolean {
  return (passkeys > 0 && settings.accounts.passkeys === 'on') || (factors !== undefined && factors.totp !== null)
}

function switchedOn(service: Service, request: Request, user: User): AuditEvents[number] {
  const event = changed(request, service.clock(), user, 'totp_on')
  return withNotice(service, request, event, user, { purpose: 'second_factor_on', data: {} })
}

export function changed(request: Request, atMs: number, { id }: User, change: string) {
  return auditEvent(request, atMs, 'user_changed', { userId: id }, { change })
}

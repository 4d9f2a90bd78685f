/** Judges and hashes passwords that people choose, in the queue of sign-ins. */
import type { Answer } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isBreachedPassword } from '../secrets/breached-passwords.ts'
import { isCommonPassword } from '../secrets/frequent-passwords.ts'
import { hashPassword, PasswordHashingBusy } from '../secrets/password.ts'
import type { Service } from '../service.ts'
import { newPasswordError } from '../users/new-password.ts'
import type { PasswordError } from '../users/password-rules.ts'

/** Returns why the person may not choose the password; undefined: they may. */
export function judgePassword(
  { brand, settings }: Service,
  password: string,
  owner: { readonly name: string; readonly email: string },
): Promise<PasswordError | undefined> {
  const { minLength, breachCheck } = settings.accounts.password
  const names = { username: owner.name, email: owner.email, service: brand.name() }
  return newPasswordError(password, names, {
    minLength,
    isCommon: isCommonPassword,
    isBreached: async (text) => breachCheck !== null && isBreachedPassword(breachCheck, text, settings.outbound),
  })
}

/** Why nothing was hashed. */
export type Busy = { readonly busy: (request: Request) => Answer }

/**
 * Hashes a password when it is the turn of this address and account, as a sign-in would be checked. `account`: its id, or
 * the address of one that does not exist yet.
 */
export async function hashInTurn(
  service: Service,
  request: Request,
  password: string,
  account: string,
): Promise<{ readonly hash: string } | Busy> {
  const attempt = await service.attempts.take(request.address, { account })
  if (!attempt.allowed) return busy(service, attempt.exhausted, attempt.retryAfterSeconds)
  try {
    return { hash: await hashPassword(password, service.random) }
  } catch (error) {
    if (!(error instanceof PasswordHashingBusy)) throw error
    return busy(service, false, 2)
  } finally {
    attempt.settle('not_failed')
  }
}

function busy({ answers, settings }: Service, exhausted: boolean, retryAfterSeconds: number): Busy {
  return {
    busy(request) {
      const refusal = exhausted
        ? refuse('too_many_requests', '', {
            address: request.address,
            failuresPerMinute: settings.rateLimit.loginPerMinute,
          })
        : refuse('temporarily_unavailable', '', { rule: 'too many passwords are waiting to be hashed' })
      return answers.fail(request, refusal, retryAfterSeconds)
    },
  }
}

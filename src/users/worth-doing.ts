/** What people are advised to do about their account. */
import { fewRecoveryCodes } from './second-factor.ts'
import type { User } from './user.ts'

export type Enrolled = { readonly hasPasskey: boolean; readonly hasTotp: boolean; readonly recoveryCodes: number }

/** What the service offers. */
export type Offered = { readonly mail: boolean; readonly passkeys: boolean }

export type Advice = 'confirm_email' | 'add_passkey' | 'set_up_totp' | 'renew_recovery_codes'

/** Returns the most useful first. A passkey alone counts as two factors, so that its owner needs no app. */
export function worthDoing(user: User, { hasPasskey, hasTotp, recoveryCodes }: Enrolled, offered: Offered): Advice[] {
  const advice: readonly (readonly [boolean, Advice])[] = [
    [hasTotp && recoveryCodes <= fewRecoveryCodes, 'renew_recovery_codes'],
    [!user.emailConfirmed && offered.mail, 'confirm_email'],
    [!hasPasskey && offered.passkeys, 'add_passkey'],
    [!hasTotp && !hasPasskey && user.passwordHash !== null, 'set_up_totp'],
  ]
  return advice.flatMap(([applies, one]) => (applies ? [one] : []))
}

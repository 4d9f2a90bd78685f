/** What people may change about themselves, and are advised to do. */
import { type FieldsWith, fieldsWith } from '../person-fields.ts'
import { type Judged, judge, type Problem, problem } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { changeUser } from './changes.ts'
import { fewRecoveryCodes } from './second-factor.ts'
import type { User } from './user.ts'
import type { ClaimChanges } from './user-claims.ts'

/** The claims that people set for themselves. */
export const ownClaims = fieldsWith({ editedBy: 'person' })

export type OwnClaims = Pick<ClaimChanges, FieldsWith<{ readonly editedBy: 'person' }>>

/**
 * Sets claims; `null` removes one. `languages`: the tags that the pages have, one of which `locale` must be. Returns the
 * user itself if nothing changes.
 */
export function changeOwnProfile(
  user: User,
  changes: OwnClaims,
  languages: readonly string[],
  nowMs: number,
): Judged<User> {
  const { locale } = changes
  const isKnown = locale === undefined || locale === null || languages.includes(locale)
  const unknown: Problem[] = isKnown ? [] : [problem('locale', 'locale', `must be one of ${languages.join(', ')}`)]
  const changed = changeUser(user, changes, nowMs)
  if (isRefusal(changed)) {
    const others = changed.problems.filter(({ member }) => isKnown || member !== 'locale')
    return judge(user, [...unknown, ...others])
  }
  return judge(changed.claims === user.claims ? user : changed, unknown)
}

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

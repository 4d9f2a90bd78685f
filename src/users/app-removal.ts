/** One authenticator app of a person is taken away by an operator. */
import type { Candidate } from './lockout.ts'
import { type AuthenticatorApp, appsOf, removeTotp, type SecondFactors, withApps } from './second-factor.ts'

export type AppRemoval = {
  readonly factors: SecondFactors
  /** Whether it was the last one: what depends on apps ends with it. */
  readonly isLast: boolean
}

/** `hasPasskeys`: whether a second factor is left without any app. Returns undefined if there is no such app. */
export function removeApp(
  factors: Candidate['factors'],
  isRemoved: (app: AuthenticatorApp) => boolean,
  hasPasskeys: boolean,
): AppRemoval | undefined {
  const apps = appsOf(factors)
  const rest = apps.filter((app) => !isRemoved(app))
  if (factors === undefined || rest.length === apps.length) return undefined
  const isLast = rest.length === 0
  return { factors: isLast ? removeTotp(factors, hasPasskeys) : withApps(factors, rest), isLast }
}

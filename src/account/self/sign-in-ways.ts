/** What people can sign in with, and with what besides. */
import { appId } from '../../secrets/app-id.ts'
import type { Service } from '../../service.ts'
import type { UsableWays } from '../../storage/port/users.ts'
import { appsOf, type SecondFactors } from '../../users/second-factor.ts'
import { normalizeProvider } from '../../users/user.ts'
import { isoTime } from '../../users/user-record.ts'

/** Returns what people can sign in with beside a password: a way that the settings took away is none. */
export function usableWays({ providers, settings }: Service): UsableWays {
  return {
    passkeys: settings.accounts.passkeys === 'on',
    providers: providers.list.map(({ name }) => normalizeProvider(name)),
  }
}

/** Returns the second factors that are switched on, for the account area. */
export function describeFactors(factors: SecondFactors | undefined) {
  return {
    totp: factors?.totp == null ? null : { created_at: isoTime(factors.totp.sinceMs) },
    apps: appsOf(factors).map((app) => ({ id: appId(app), name: app.name ?? null, created_at: isoTime(app.sinceMs) })),
    recovery_codes: factors?.recoveryHashes.length ?? 0,
  }
}

import type { Service } from '../../service.ts'
import type { UsableWays } from '../../storage/port/users.ts'
import { normalizeProvider } from '../../users/user.ts'

/** Returns what people can sign in with beside a password: a way that the settings took away is none. */
export function usableWays({ providers, settings }: Service): UsableWays {
  return {
    passkeys: settings.accounts.passkeys === 'on',
    providers: providers.list.map(({ name }) => normalizeProvider(name)),
  }
}

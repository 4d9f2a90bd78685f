/**
 * How many addresses an account at a provider may ask about by registering with them. The answer has to say that an address
 * is in use (specification 4.7), so that each account at a provider learns it of a few addresses a day, and of none once it
 * made an account.
 */
import { limitKey, type MailLimit } from './mail-limits.ts'
import { type ExternalLogin, normalizeName, normalizeProvider } from './user.ts'

export const addressesPerIdentity = 5
const dayMs = 24 * 3_600_000

/** `identity`: one place for each address. `address`: taken once it was asked about, however often it comes again. */
export function registrationLimits(
  { provider, subject }: Pick<ExternalLogin, 'provider' | 'subject'>,
  email: string,
): { readonly identity: MailLimit; readonly address: MailLimit } {
  const who = JSON.stringify([normalizeProvider(provider), subject])
  const about = JSON.stringify([who, normalizeName(email)])
  return {
    identity: { key: limitKey('external-by', who), places: addressesPerIdentity, lastsMs: dayMs },
    address: { key: limitKey('external-about', about), places: 1, lastsMs: dayMs },
  }
}

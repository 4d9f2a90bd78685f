/** What the pages are told about this service, in every shell. */
import type { Service } from '../service.ts'
import type { SiteFacts } from './shells.ts'

export function siteFacts({ accounts, brand, mail }: Service['settings']): SiteFacts {
  return {
    name: brand.name,
    ...(brand.supportUrl !== null && { support: brand.supportUrl }),
    ...(brand.termsUrl !== null && { terms: brand.termsUrl }),
    ...(brand.privacyUrl !== null && { privacy: brand.privacyUrl }),
    ...(accounts.registration === 'open' && { registration: true }),
    ...(mail.url !== null && { mail: true }),
    ...(accounts.passkeys === 'on' && { passkeys: true }),
  }
}

/** What the pages are told about this service, in every shell. */
import type { Brand, BrandSettings } from './brand.ts'
import type { SiteFacts } from './shells.ts'

/** The settings that the pages show something of. */
export type SiteSettings = {
  readonly brand: BrandSettings
  readonly accounts: { readonly registration: string; readonly passkeys: string }
  readonly mail: { readonly url: unknown }
  readonly pages: { readonly defaultLanguage: string }
}

export function siteFacts({ accounts, brand, mail }: SiteSettings, { logo }: Brand): SiteFacts {
  return {
    name: brand.name,
    ...(logo && { logo }),
    ...(brand.supportUrl !== null && { support: brand.supportUrl }),
    ...(brand.termsUrl !== null && { terms: brand.termsUrl }),
    ...(brand.privacyUrl !== null && { privacy: brand.privacyUrl }),
    ...(accounts.registration === 'open' && { registration: true }),
    ...(mail.url !== null && { mail: true }),
    ...(accounts.passkeys === 'on' && { passkeys: true }),
  }
}

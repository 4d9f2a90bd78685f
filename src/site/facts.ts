/** What the pages are told about this service, in every shell. */
import type { Brand, BrandSettings } from './brand.ts'
import type { SiteFacts } from './shells.ts'

/** The settings that the pages show something of. */
export type SiteSettings = {
  readonly brand: BrandSettings
  readonly accounts: { readonly registration: string; readonly passkeys: string }
  readonly mail: { readonly url: unknown }
  readonly pages: { readonly defaultLanguage: string }
  readonly oauth: { readonly issuer: string }
  readonly admin: { readonly port: number | null }
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

/** What the console is told besides: where people sign in, if that is not at its own address. */
export function consoleFacts({ oauth, admin }: SiteSettings): { readonly issuer?: string } {
  return admin.port === null ? {} : { issuer: oauth.issuer }
}

/** The brand as far as settings have it: `Brand:*`, with the files that they name. */
import { readFile } from 'node:fs/promises'
import type { BrandMember, BrandMembers } from '../protocol/branding/brand.ts'
import { brandImage, fileLogoBytes, isForMail, notForMail, urlOfImage } from '../protocol/branding/brand-image.ts'
import { settingSources } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'

/** Members that no setting has are absent. */
export type FixedBrand = Partial<BrandMembers>

/** The setting of each member. */
export const brandSettings: Readonly<Record<BrandMember, string>> = {
  name: 'Brand:Name',
  accent_color: 'Brand:AccentColor',
  accent_color_dark: 'Brand:AccentColorDark',
  corner_radius: 'Brand:CornerRadius',
  background: 'Brand:Background',
  logo: 'Brand:LogoFile',
  logo_dark: 'Brand:LogoDarkFile',
  logo_mail: 'Brand:LogoMailFile',
  logo_mail_dark: 'Brand:LogoMailDarkFile',
  show_name: 'Brand:ShowName',
  support_url: 'Brand:SupportUrl',
  terms_url: 'Brand:TermsUrl',
  privacy_url: 'Brand:PrivacyUrl',
  imprint_url: 'Brand:ImprintUrl',
}

/** The file of a logo cannot be used. The message is one line for the operator. */
export class UnusableLogo extends Error {
  override readonly name = 'UnusableLogo'
}

/** Reads the files of logos. Rejects with `UnusableLogo`. */
export async function readFixedBrand(settings: Pick<Settings, 'brand' | 'oauth'>): Promise<FixedBrand> {
  const { brand } = settings
  const isNamed = settingSources(settings).some(
    ({ name, source }) => name === brandSettings.name && source !== 'default',
  )
  const [logo, logoDark, logoMail, logoMailDark] = await Promise.all([
    readLogo('Brand:LogoFile', brand.logoFile),
    readLogo('Brand:LogoDarkFile', brand.logoDarkFile),
    readLogo('Brand:LogoMailFile', brand.logoMailFile, true),
    readLogo('Brand:LogoMailDarkFile', brand.logoMailDarkFile, true),
  ])
  const members: BrandMembers = {
    name: isNamed ? brand.name : null,
    accent_color: brand.accentColor,
    accent_color_dark: brand.accentColorDark,
    corner_radius: brand.cornerRadius,
    background: brand.background,
    logo,
    logo_dark: logoDark,
    logo_mail: logoMail,
    logo_mail_dark: logoMailDark,
    show_name: brand.showName,
    support_url: brand.supportUrl,
    terms_url: brand.termsUrl,
    privacy_url: brand.privacyUrl,
    imprint_url: brand.imprintUrl,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

async function readLogo(setting: string, path: string | null, isMailed = false): Promise<string | null> {
  if (path === null) return null
  const bytes = await readFile(path).catch(() => {
    throw new UnusableLogo(`${setting}: ${path} cannot be read.`)
  })
  const image = brandImage(bytes, fileLogoBytes)
  if (typeof image === 'string') throw new UnusableLogo(`${setting}: ${path} ${image}.`)
  if (isMailed && !isForMail(image)) throw new UnusableLogo(`${setting}: ${path} ${notForMail}.`)
  return urlOfImage(image)
}

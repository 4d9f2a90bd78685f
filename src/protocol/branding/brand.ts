/**
 * The brand of an installation: name, colours, logo and links of its pages and mails.
 *
 * Belongs here: what a brand is, what is refused, and the design tokens that follow from it.
 * Belongs elsewhere: its settings (`settings/`), its record (`storage/`), and the pages (`site/`).
 */
import type { Colour } from '../contrast.ts'

/** What stands behind the card: a light of the accent colour, nothing, or a hint of it. */
export const backgrounds = ['glow', 'plain', 'tinted'] as const

export type Background = (typeof backgrounds)[number]

/** Names of members as in the API and in files. Null: the default. */
export type BrandMembers = {
  readonly name: string | null
  readonly accent_color: Colour | null
  /** Of the dark theme; null: `accent_color`. */
  readonly accent_color_dark: Colour | null
  /** In CSS pixels, of fields and buttons. That of cards and small parts follows from it. */
  readonly corner_radius: number | null
  readonly background: Background | null
  /** A `data:` URL. Its media type is that of its content. */
  readonly logo: string | null
  /** Of the dark theme; null: `logo` on white. */
  readonly logo_dark: string | null
  /** A PNG for mails, few of whose programs show anything else; null: `logo`, if it is one. */
  readonly logo_mail: string | null
  /** Of mails in the dark theme; null: `logo_dark`, if it is a PNG, otherwise that of the light theme on white. */
  readonly logo_mail_dark: string | null
  /** Whether the name stands beside a logo; null: it does. */
  readonly show_name: boolean | null
  readonly support_url: string | null
  readonly terms_url: string | null
  readonly privacy_url: string | null
  readonly imprint_url: string | null
}

export type BrandMember = keyof BrandMembers

export const noBrand: BrandMembers = {
  name: null,
  accent_color: null,
  accent_color_dark: null,
  corner_radius: null,
  background: null,
  logo: null,
  logo_dark: null,
  logo_mail: null,
  logo_mail_dark: null,
  show_name: null,
  support_url: null,
  terms_url: null,
  privacy_url: null,
  imprint_url: null,
}

export const brandMembers = Object.keys(noBrand) as readonly BrandMember[]

/** Members that are pictures. */
export const pictureMembers = [
  'logo',
  'logo_dark',
  'logo_mail',
  'logo_mail_dark',
] as const satisfies readonly BrandMember[]

/** `version`: 0 if nothing was stored yet. */
export type StoredBrand = { readonly version: number; readonly members: BrandMembers }

/** By member, the setting that fixes it, such as `Brand:Name`. */
export type FixedMembers = ReadonlyMap<BrandMember, string>

export const defaultName = 'Latchkey'
export const defaultRadius = 10
export const radiusAtMost = 24
export const nameAtMost = 60

/** Returns the brand in force: members of settings come before those that are stored. */
export function brandOf(settings: Partial<BrandMembers>, stored: BrandMembers): BrandMembers {
  const fixed = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined)
  return { ...stored, ...Object.fromEntries(fixed) }
}

/** Whether the name is only read out, because the logo has it. */
export function isLogoAlone({ logo, logo_dark: ofDark, show_name: isShown }: BrandMembers): boolean {
  return isShown === false && (logo ?? ofDark) !== null
}

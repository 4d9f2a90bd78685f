/** The design tokens that follow from a brand, for the pages, the preview and mails. */
import { type ThemeName, themesOf, tintedPage } from '../contrast.ts'
import { tokens } from '../design-tokens.generated.ts'
import { type BrandMembers, defaultName, defaultRadius } from './brand.ts'

export type Tokens = Readonly<Record<string, string>>

/** Custom properties without their hyphens. */
export type Looks = { readonly light: Tokens; readonly dark: Tokens }

type Drawn = Pick<BrandMembers, 'accent_color' | 'accent_color_dark' | 'corner_radius' | 'background'>

export const accentMembers = ['accent_color', 'accent_color_dark'] as const

export type AccentMember = (typeof accentMembers)[number]

/** Returns the themes in which the colour of the member is shown. */
export function themesWith(
  member: AccentMember,
  { accent_color_dark }: Pick<BrandMembers, AccentMember>,
): readonly ThemeName[] {
  if (member === 'accent_color_dark') return ['dark']
  return accent_color_dark === null ? ['light', 'dark'] : ['light']
}

/** Returns the tokens that differ from the default ones. */
export function looksOf(brand: Drawn): Looks {
  const accents = accentsOf(brand)
  const themes =
    brand.accent_color === null && brand.accent_color_dark === null ? undefined : themesOf(accents.light, accents.dark)
  const backgroundOf = (theme: ThemeName): Tokens => {
    const { background } = brand
    if (background === 'plain') return { glow: tokens[theme].page }
    if (background !== 'tinted') return {}
    const page = tintedPage(accents[theme], theme)
    return { page, glow: page }
  }
  return {
    light: { ...themes?.light, ...backgroundOf('light'), ...radii(brand.corner_radius) },
    dark: { ...themes?.dark, ...backgroundOf('dark') },
  }
}

/** Returns every token of a theme, for a part of a page that shows another theme than the page. */
export function allTokens(brand: Drawn, theme: ThemeName): Tokens {
  const accent = accentsOf(brand)[theme]
  const corners = radii(brand.corner_radius ?? defaultRadius)
  return { ...tokens[theme], link: accent, ...corners, ...looksOf(brand)[theme] }
}

export function accentsOf({ accent_color, accent_color_dark }: Drawn): Readonly<Record<ThemeName, string>> {
  return {
    light: accent_color ?? tokens.light.accent,
    dark: accent_color_dark ?? accent_color ?? tokens.dark.accent,
  }
}

/** The colours of text on the accents. */
export function textOnAccents(brand: Drawn): Readonly<Record<ThemeName, string>> {
  const { light, dark } = looksOf(brand)
  return {
    light: light['on-accent'] ?? tokens.light['on-accent'],
    dark: dark['on-accent'] ?? tokens.dark['on-accent'],
  }
}

/** Returns the letter that stands for a name; undefined: it is ours, and so is the mark. */
export function letterOf(name: string | null): string | undefined {
  if (name === null || name === defaultName) return undefined
  const [first] = new Intl.Segmenter().segment(name)
  return first?.segment.toLocaleUpperCase()
}

/** The same for a place that a logo has, if there is one. */
export function initialOf({
  name,
  logo,
  logo_dark,
}: Pick<BrandMembers, 'name' | 'logo' | 'logo_dark'>): string | undefined {
  return logo === null && logo_dark === null ? letterOf(name) : undefined
}

/** In the proportions of the default ones. */
function radii(pixels: number | null): Tokens {
  if (pixels === null) return {}
  const rem = (share: number): string => `${Math.round((pixels * share * 1000) / 16) / 1000}rem`
  return { 'radius-s': rem(0.6), 'radius-m': rem(1), 'radius-l': rem(1.6) }
}

/** Returns a style sheet; empty: the tokens are the default ones. */
export function styleSheetOf(brand: Drawn): string {
  const { light, dark } = looksOf(brand)
  const rule = (of: Tokens): string => {
    const declared = Object.entries(of).map(([token, value]) => `--${token}:${value}`)
    return declared.length === 0 ? '' : `:root{${declared.join(';')}}`
  }
  const inDark = rule(dark)
  return rule(light) + (inDark === '' ? '' : `@media(prefers-color-scheme:dark){${inDark}}`)
}

/** The contrast of colours (WCAG 2.2, relative luminance and contrast ratio), and the colours that a brand colour gives. */
import { tokens } from './design-tokens.generated.ts'

/** `#rrggbb`. */
export type Colour = string

/** The colours of the pages, whose backgrounds count here. */
const { light, dark } = tokens

const withText = 4.5
const withPage = 3

/** The colours of one theme, by the names of their custom properties. */
export type Theme = Readonly<Record<'accent' | 'accent-strong' | 'on-accent' | 'link' | 'tint' | 'glow', Colour>>

export type ThemeName = 'light' | 'dark'

/** Both themes: those of a brand with one colour. */
const bothThemes: readonly ThemeName[] = ['light', 'dark']

const pages = { light: light.page, dark: dark.page }

/** Whether the colour is told from the page in the themes. The text on it is black or white, whichever is readable. */
export function isReadableAccent(colour: Colour, themes: readonly ThemeName[] = bothThemes): boolean {
  return (
    contrast(colour, textOn(colour)) >= withText && themes.every((theme) => contrast(colour, pages[theme]) >= withPage)
  )
}

/** Returns the nearest lighter or darker colour that is readable in the themes; the colour itself if it is. */
export function nearestReadableAccent(colour: Colour, themes: readonly ThemeName[] = bothThemes): Colour {
  const isTooLight = themes.includes('light') && contrast(colour, light.page) < withPage
  return firstMix(colour, isTooLight ? '#000000' : '#ffffff', (one) => isReadableAccent(one, themes))
}

/** `ofDark`: the accent of the dark theme, if it is another. */
export function themesOf(accent: Colour, ofDark = accent): { readonly light: Theme; readonly dark: Theme } {
  return { light: themeOf(accent, light, '#000000'), dark: themeOf(ofDark, dark, '#ffffff') }
}

/**
 * Returns the page in a hint of the accent, in which the accent is told from it, and grey text on it can be read, as on
 * the page itself.
 */
export function tintedPage(accent: Colour, theme: ThemeName): Colour {
  const { page, muted } = theme === 'light' ? light : dark
  const suits = (one: Colour): boolean => contrast(accent, one) >= withPage && contrast(muted, one) >= withText
  for (let share = 8; share > 0; share -= 1) {
    const mixed = mix(page, accent, share / 100)
    if (suits(mixed)) return mixed
  }
  return page
}

function themeOf(accent: Colour, { page, card }: Readonly<Record<'page' | 'card', Colour>>, towards: Colour): Theme {
  const onAccent = textOn(accent)
  const tint = mix(card, accent, 0.07)
  const backgrounds = [page, card, tint]
  return {
    accent,
    'accent-strong': mix(accent, onAccent === '#ffffff' ? '#000000' : '#ffffff', 0.15),
    'on-accent': onAccent,
    link: firstMix(accent, towards, (one) => backgrounds.every((each) => contrast(one, each) >= withText)),
    tint,
    glow: mix(page, accent, 0.1),
  }
}

/** The contrast ratio, from 1 to 21. */
export function contrast(a: Colour, b: Colour): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((one, other) => other - one)
  return (high + 0.05) / (low + 0.05)
}

/** Returns white where it can be read on the colour, otherwise black. */
export function textOn(colour: Colour): Colour {
  return contrast(colour, '#ffffff') >= withText ? '#ffffff' : '#000000'
}

function firstMix(colour: Colour, other: Colour, suits: (one: Colour) => boolean): Colour {
  for (let share = 0; share <= 100; share += 1) {
    const mixed = mix(colour, other, share / 100)
    if (suits(mixed)) return mixed
  }
  return other
}

function mix(colour: Colour, other: Colour, share: number): Colour {
  const to = channels(other)
  const mixed = channels(colour).map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function channels(colour: Colour): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour)
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

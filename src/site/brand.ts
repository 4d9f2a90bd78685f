/** The looks of the pages: what a brand puts into their documents, and its files of this origin. */
import { escapeHtml } from '../http/html.ts'
import { type BrandMembers, defaultName, isLogoAlone } from '../protocol/branding/brand.ts'
import { type BrandImage, fileLogoBytes, imageOfUrl, logoHeight } from '../protocol/branding/brand-image.ts'
import { accentsOf, initialOf, letterOf, looksOf, styleSheetOf, textOnAccents } from '../protocol/branding/looks.ts'
import type { ThemeName } from '../protocol/contrast.ts'
import { tokens } from '../protocol/design-tokens.generated.ts'
import { addAsset, type File } from './assets.ts'

/** `width`: in CSS pixels at a height of 32. `dark`: the address of the logo of the dark theme. `alone`: the name is only read out. */
export type Logo = { readonly src: string; readonly width: number; readonly dark?: string; readonly alone?: true }

export type Brand = {
  readonly name: string
  /** What stands at the top of a card, HTML. */
  readonly mark: string
  /** The address of the icon of the window. */
  readonly icon: string
  /** The operator's logo, for the scripts of the pages; undefined: none. */
  readonly logo: Logo | undefined
  /** The letter in place of a logo; undefined: our mark. */
  readonly initial: string | undefined
  /** More elements of the head, HTML. */
  readonly head: string
  /** The colour of the page, for the frame of the browser. */
  readonly pages: Readonly<Record<ThemeName, string>>
  readonly links: Readonly<Record<'support' | 'terms' | 'privacy' | 'imprint', string | null>>
}

/** An image is a document as well: opened by itself, it runs no script, loads nothing and has no origin. */
const logoHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'same-origin',
}

/** The built icon has the light ones. */
const { light } = tokens

/** A logo of about this shape is the icon of the window, too. */
const iconWidthAtMost = logoHeight * 1.25

/** Adds the files of the brand to `files`. `built`: the assets of the pages, among them our icon. */
export function brandWith(members: BrandMembers, built: ReadonlyMap<string, File>, files: Map<string, File>): Brand {
  const name = members.name ?? defaultName
  const initial = initialOf(members)
  const icons = iconsOf(members, built, files)
  const image = (url: string | null) => (url === null ? undefined : imageFrom(url))
  const [logo, ofDark] = [image(members.logo), image(members.logo_dark)]
  const add = (one: BrandImage): string => addAsset(files, 'logo', `.${one.extension}`, one.bytes, logoHeaders)
  const shown: Logo | undefined = (logo ?? ofDark) && {
    src: add((logo ?? ofDark) as BrandImage),
    width: ((logo ?? ofDark) as BrandImage).width,
    ...(logo && ofDark && { dark: add(ofDark) }),
    ...(isLogoAlone(members) && { alone: true }),
  }
  const sheet = styleSheetOf(members)
  const looks = looksOf(members)
  return {
    name,
    mark: `<div class="brand">${shown ? logoElement(shown) : iconElement(icons)}<span${shown?.alone ? ' class="hidden"' : ''}>${escapeHtml(name)}</span></div>`,
    icon: shown !== undefined && shown.width <= iconWidthAtMost ? shown.src : icons.light,
    logo: shown,
    initial,
    head: sheet === '' ? '' : `<link rel="stylesheet" href="${addAsset(files, 'brand', '.css', sheet)}">`,
    pages: { light: looks.light.page ?? tokens.light.page, dark: looks.dark.page ?? tokens.dark.page },
    links: {
      support: members.support_url,
      terms: members.terms_url,
      privacy: members.privacy_url,
      imprint: members.imprint_url,
    },
  }
}

type Icons = Readonly<Record<ThemeName, string>>

const iconElement = ({ light, dark }: Icons): string =>
  `<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)"><img src="${light}" width="32" height="32" alt=""></picture>`

function logoElement({ src, width, dark }: Logo): string {
  const size = `width="${width}" height="${logoHeight}" alt=""`
  if (dark === undefined) return `<img class="own" src="${src}" ${size}>`
  return `<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)"><img class="own bare" src="${src}" ${size}></picture>`
}

/** The initial of the name, or our mark, in the colours of the accent. */
function iconsOf(members: BrandMembers, built: ReadonlyMap<string, File>, files: Map<string, File>): Icons {
  const found = [...built].find(([each]) => each.startsWith('favicon-'))
  const mark = found?.[1].bytes.toString('utf8') ?? ''
  const initial = letterOf(members.name)
  const [accents, texts] = [accentsOf(members), textOnAccents(members)]
  const iconOf = (theme: ThemeName): string => {
    const [accent, on] = [accents[theme], texts[theme]]
    if (initial !== undefined) return addAsset(files, 'icon', '.svg', letterIcon(initial, accent, on))
    if (accent === light.accent && found !== undefined) return `/assets/${found[0]}`
    const coloured = mark.replaceAll(light.accent, accent).replaceAll(light['on-accent'], on)
    return addAsset(files, 'icon', '.svg', coloured)
  }
  return { light: iconOf('light'), dark: iconOf('dark') }
}

function letterIcon(letter: string, accent: string, on: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${accent}"/><text x="16" y="22.5" fill="${on}" font-family="system-ui,sans-serif" font-size="18" font-weight="650" text-anchor="middle">${escapeHtml(letter)}</text></svg>`
}

/** A logo that is stored or set was an image when it was; an older record may be damaged. */
function imageFrom(url: string): BrandImage | undefined {
  const image = imageOfUrl(url, fileLogoBytes)
  return typeof image === 'string' ? undefined : image
}

/** The looks that an operator chose: logo and accent colour, as files of this origin. */
import { readFile } from 'node:fs/promises'
import { escapeHtml } from '../http/html.ts'
import { recognizeLogo } from '../protocol/client/client-logo.ts'
import { type Theme, themesOf } from '../protocol/contrast.ts'
import { tokens } from '../protocol/design-tokens.generated.ts'
import { addAsset, type File } from './assets.ts'

export type BrandSettings = {
  readonly name: string
  readonly logoFile: string | null
  readonly accentColor: string | null
  readonly supportUrl: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
}

/** `width`: in CSS pixels at a height of 32. */
export type Logo = { readonly src: string; readonly width: number }

export type Brand = {
  /** What stands at the top of a card, HTML. */
  readonly mark: string
  /** The address of the icon of the window. */
  readonly icon: string
  /** The operator's logo, for the scripts of the pages; undefined: theirs. */
  readonly logo: Logo | undefined
  /** More elements of the head, HTML. */
  readonly head: string
}

/** The file of `Brand:LogoFile` cannot be used. The message is one line for the operator. */
export class UnusableLogo extends Error {
  override readonly name = 'UnusableLogo'
}

const logoBytesAtMost = 256 * 1024
const height = 32
const widthAtMost = 192

/** An image is a document as well: opened by itself, it runs no script, loads nothing and has no origin. */
const logoHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'same-origin',
}

/** The built icon has the light ones. */
const { light, dark } = tokens

/** Adds the files of the brand to the assets. Fails with a message if the logo cannot be used. */
export async function readBrand(settings: BrandSettings, assets: Map<string, File>): Promise<Brand> {
  const { accentColor, logoFile, name } = settings
  const themes = accentColor === null ? undefined : themesOf(accentColor)
  const built = [...assets].find(([each]) => each.startsWith('favicon-'))
  const icon = built?.[1].bytes.toString('utf8') ?? ''
  const coloured = (accent: string, on: string): string =>
    addAsset(assets, 'icon', '.svg', icon.replaceAll(light.accent, accent).replaceAll(light['on-accent'], on))
  const own = (theme: Theme): string => coloured(theme.accent, theme['on-accent'])
  const lightIcon = themes ? own(themes.light) : `/assets/${built?.[0]}`
  const logo = logoFile === null ? undefined : await readLogo(logoFile, assets)
  const darkIcon = themes ? own(themes.dark) : coloured(dark.accent, dark['on-accent'])
  const image = logo
    ? `<img class="own" src="${logo.src}" width="${logo.width}" height="${height}" alt="">`
    : `<picture><source srcset="${darkIcon}" media="(prefers-color-scheme: dark)"><img src="${lightIcon}" width="32" height="32" alt=""></picture>`
  return {
    mark: `<div class="brand">${image}<span>${escapeHtml(name)}</span></div>`,
    icon: logo?.src ?? lightIcon,
    logo,
    head: themes ? `<link rel="stylesheet" href="${addAsset(assets, 'brand', '.css', styleSheet(themes))}">` : '',
  }
}

function styleSheet({ light, dark }: ReturnType<typeof themesOf>): string {
  const rule = (theme: Theme): string =>
    `:root{${Object.entries(theme)
      .map(([property, value]) => `--${property}:${value}`)
      .join(';')}}`
  return `${rule(light)}@media(prefers-color-scheme:dark){${rule(dark)}}`
}

async function readLogo(path: string, assets: Map<string, File>): Promise<Logo> {
  const fault = (what: string): Error => new UnusableLogo(`Brand:LogoFile: ${path} ${what}.`)
  const bytes = await readFile(path).catch(() => {
    throw fault('cannot be read')
  })
  if (bytes.length > logoBytesAtMost) throw fault(`is larger than ${logoBytesAtMost / 1024} KiB`)
  const found = recognizeLogo('image/png', bytes) ?? recognizeLogo('image/svg+xml', bytes)
  if (found === undefined) throw fault('is neither an SVG nor a PNG image')
  if (found.type === 'image/svg+xml' && mayRun(bytes.toString('utf8'))) {
    throw fault('must not contain scripts, event handlers, foreign objects or addresses of other files')
  }
  const ratio = found.type === 'image/png' ? pngRatio(bytes) : svgRatio(bytes.toString('utf8'))
  const width = Math.min(widthAtMost, Math.max(height / 2, Math.round(height * ratio)))
  return { src: addAsset(assets, 'logo', `.${found.extension}`, bytes, logoHeaders), width }
}

/** Whether the image does more than show itself. It is only ever shown as an image, which would not run it either. */
function mayRun(svg: string): boolean {
  return /<\s*(?:[\w-]+:)?(?:script|foreignObject|iframe|set|handler)\b|\son\w+\s*=|(?:href|src)\s*=\s*["']?\s*(?!["']?(?:#|data:image\/(?:png|jpeg|webp)))[^"'\s>]|@import|url\(\s*["']?(?!["']?(?:#|data:))/i.test(
    svg,
  )
}

/** Width by height, from the header of the file (PNG §11.2.2). */
function pngRatio(file: Buffer): number {
  return file.length < 24 ? 1 : ratioOf(file.readUInt32BE(16), file.readUInt32BE(20))
}

function svgRatio(svg: string): number {
  const [root = ''] = /<svg[^>]*>/.exec(svg) ?? []
  const [, , , boxWidth, boxHeight] =
    /\sviewBox\s*=\s*["']\s*([-\d.]+)[\s,]+([-\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(root) ?? []
  const size = (name: string): number =>
    Number(new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)(?:px)?["']`).exec(root)?.[1])
  return ratioOf(Number(boxWidth ?? size('width')), Number(boxHeight ?? size('height')))
}

function ratioOf(width: number, imageHeight: number): number {
  const ratio = width / imageHeight
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1
}

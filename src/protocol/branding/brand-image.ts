/** Logos of a brand: which files are images that only show themselves. The type follows from the content alone. */
import { type LogoType, recognizeLogo } from '../client/client-logo.ts'

export type BrandImage = {
  readonly bytes: Buffer
  readonly type: LogoType
  readonly extension: string
  /** In CSS pixels, at `logoHeight`. */
  readonly width: number
}

/** In CSS pixels. */
export const logoHeight = 32
const widthAtMost = 192
/** Of a picture in pixels: a small file can decode to a huge one. */
const sideAtMost = 4096

const logoTypes: readonly LogoType[] = ['image/png', 'image/webp', 'image/svg+xml']

/** Returns the image, or why the file is none that can be shown, as the end of a sentence. */
export function brandImage(bytes: Buffer, bytesAtMost: number): BrandImage | string {
  if (bytes.length > bytesAtMost) return `is larger than ${bytesAtMost / 1024} KiB`
  const found = logoTypes.map((type) => recognizeLogo(type, bytes)).find((one) => one !== undefined)
  if (found === undefined) return 'is no SVG, PNG or WebP image'
  const isSvg = found.type === 'image/svg+xml'
  if (isSvg && doesMore(bytes.toString('utf8'))) {
    return 'must not contain scripts, event handlers, foreign objects or addresses of other files'
  }
  const size = isSvg ? svgSize(bytes.toString('utf8')) : found.type === 'image/png' ? pngSize(bytes) : webpSize(bytes)
  if (!isSvg && !(size[0] >= 1 && size[1] >= 1)) return 'is no SVG, PNG or WebP image'
  if (!isSvg && Math.max(...size) > sideAtMost) return `must have at most ${sideAtMost} pixels a side`
  const width = Math.min(widthAtMost, Math.max(logoHeight / 2, Math.round(logoHeight * ratioOf(size))))
  return { bytes, ...found, width }
}

/** A logo that a setting names. */
export const fileLogoBytes = 256 * 1024

/** A logo that is stored, and travels in one request together with another one. */
export const storedLogoBytes = 20 * 1024

/** Returns the image of a `data:` URL (RFC 2397) with Base64, whatever type it names, or its fault. */
export function imageOfUrl(url: string, bytesAtMost = storedLogoBytes): BrandImage | string {
  const [, base64] = /^data:[\w.+/-]*(?:;charset=[\w-]+)?;base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? []
  if (base64 === undefined) return 'must be a data: URL with Base64'
  return brandImage(Buffer.from(base64, 'base64'), bytesAtMost)
}

/** Few mail programs show other images than PNG. */
export const isForMail = ({ type }: Pick<BrandImage, 'type'>): boolean => type === 'image/png'

/** The end of a sentence. */
export const notForMail = 'is no PNG image, and few mail programs show another one'

export function urlOfImage({ type, bytes }: Pick<BrandImage, 'type' | 'bytes'>): string {
  return `data:${type};base64,${bytes.toString('base64')}`
}

/**
 * Whether the SVG does more than show itself. It is only ever shown as an image, which would not run it either. No two parts of a
 * pattern that follow each other match the same text, so that the time grows with the file alone.
 */
function doesMore(svg: string): boolean {
  return [
    /<\s*(?:[\w-]+:)?(?:script|foreignObject|iframe|set|handler|listener)\b/i,
    /[\s/"']on\w+\s*=/i,
    /(?:href|src)\s*=\s*(?:["']\s*)?(?!["']?(?:#|data:image\/(?:png|jpeg|webp)))[^"'\s>]/i,
    /attributeName\s*=\s*(?:["']\s*)?(?:[\w-]+:)?(?:href|on\w+)/i,
    /@import|url\(\s*["']?(?!["']?(?:#|data:))/i,
  ].some((pattern) => pattern.test(svg))
}

type Size = readonly [width: number, height: number]

/** PNG §11.2.2. */
function pngSize(file: Buffer): Size {
  return file.length < 24 ? [0, 0] : [file.readUInt32BE(16), file.readUInt32BE(20)]
}

/** RFC 9649 §2.5 to §2.7. */
function webpSize(file: Buffer): Size {
  if (file.length < 30) return [0, 0]
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1]
    case 'VP8L': {
      const bits = file.readUInt32LE(21)
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    }
    case 'VP8 ':
      return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff]
    default:
      return [0, 0]
  }
}

function svgSize(svg: string): Size {
  const [root = ''] = /<svg[^<>]*>/.exec(svg) ?? []
  const [, , , boxWidth, boxHeight] =
    /\sviewBox\s*=\s*["']\s*([-\d.]+)[\s,]+([-\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(root) ?? []
  const side = (name: string): number =>
    Number(new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)(?:px)?["']`).exec(root)?.[1])
  return [Number(boxWidth ?? side('width')), Number(boxHeight ?? side('height'))]
}

function ratioOf([width, height]: Size): number {
  const ratio = width / height
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1
}

/** The logos of clients (RFC 7591 §2, `logo_uri`): whose is shown, and which files are accepted as images. */
import type { Client } from './client.ts'
import { localizedText } from './localized-text.ts'

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/svg+xml'

/** The address of the logo in the language that a person prefers; null: none, or no operator registered the client. */
export function logoUriOf(client: Client, acceptLanguage: string): string | null {
  return client.metadata.registration === 'operator' ? localizedText(client, 'logo_uri', acceptLanguage) : null
}

/** The extension of each type, and the test of its first bytes. */
const types: Readonly<Record<LogoType, { readonly extension: string; isIn(file: Buffer): boolean }>> = {
  'image/png': { extension: 'png', isIn: (file) => startsWith(file, '\x89PNG\r\n\x1a\n') },
  'image/jpeg': { extension: 'jpg', isIn: (file) => startsWith(file, '\xff\xd8\xff') },
  'image/webp': {
    extension: 'webp',
    isIn: (file) => startsWith(file, 'RIFF') && startsWith(file.subarray(8), 'WEBP'),
  },
  'image/gif': { extension: 'gif', isIn: (file) => startsWith(file, 'GIF87a') || startsWith(file, 'GIF89a') },
  'image/svg+xml': { extension: 'svg', isIn: isSvg },
}

/** The media types that are asked for. */
export const logoTypes: readonly string[] = Object.keys(types)

/**
 * Returns the type and the extension of a fetched file; undefined: its declared type is no image that is shown, or its
 * content is not of that type.
 */
export function recognizeLogo(declared: string, file: Buffer): { type: LogoType; extension: string } | undefined {
  if (!isLogoType(declared) || !types[declared].isIn(file)) return undefined
  return { type: declared, extension: types[declared].extension }
}

function isLogoType(type: string): type is LogoType {
  return Object.hasOwn(types, type)
}

function startsWith(file: Buffer, bytes: string): boolean {
  return file.subarray(0, bytes.length).equals(Buffer.from(bytes, 'latin1'))
}

/** Whether the file is UTF-8 whose root element is `svg`. A document type is refused: it may define entities. */
function isSvg(file: Buffer): boolean {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return false
  }
  for (;;) {
    text = text.trimStart()
    const end = text.startsWith('<?') ? '?>' : text.startsWith('<!--') ? '-->' : undefined
    if (end === undefined) return /^<svg[\s/>]/.test(text)
    const at = text.indexOf(end)
    if (at === -1) return false
    text = text.slice(at + end.length)
  }
}

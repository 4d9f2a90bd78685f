/** Files that are answered from memory, compressed once for each encoding. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Answer, cacheable, empty, withHeaders } from '../http/answer.ts'
import type { Request } from '../http/request.ts'

export type File = {
  readonly bytes: Buffer
  readonly type: string
  readonly compressed: Map<string, Promise<Buffer>>
  /** Headers besides those of every file. */
  readonly headers: Readonly<Record<string, string>>
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Files that are compressed already. */
const packed: readonly string[] = ['image/png', 'image/webp', 'font/woff2']

export function toFile(bytes: Buffer, extension: string, headers: File['headers'] = {}): File {
  return { bytes, type: mediaTypes[extension] ?? 'application/octet-stream', compressed: new Map(), headers }
}

/** Reads the assets of the built pages, by name. */
export async function readAssets(folder: string): Promise<Map<string, File>> {
  const assets = new Map<string, File>()
  for (const name of await readdir(join(folder, 'assets')).catch(() => [])) {
    assets.set(name, toFile(await readFile(join(folder, 'assets', name)), extname(name)))
  }
  return assets
}

/** Adds a file to the assets. Returns its address, which changes with its content. */
export function addAsset(
  assets: Map<string, File>,
  name: string,
  extension: string,
  content: Buffer | string,
  headers: File['headers'] = {},
): string {
  const bytes = Buffer.from(content)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const fileName = `${name}-${hash}${extension}`
  assets.set(fileName, toFile(bytes, extension, headers))
  return `/assets/${fileName}`
}

export async function sendFile(request: Request, file: File, caching: string): Promise<Answer> {
  const headers = { ...file.headers, vary: 'accept-encoding' }
  const encoding = packed.includes(file.type) ? undefined : chooseEncoding(request.headers['accept-encoding'])
  if (encoding === undefined) return cacheable(caching, file.type, file.bytes, headers)
  let compressed = file.compressed.get(encoding)
  if (compressed === undefined) {
    // Compresses once per file and encoding, off the main thread, on first request.
    compressed = compress(file.bytes, encoding)
    file.compressed.set(encoding, compressed)
  }
  return cacheable(caching, file.type, await compressed, { ...headers, 'content-encoding': encoding })
}

/** Sends a file whose address stays, with its version. The tag is weak (RFC 9110 §8.8.3): all encodings have it. */
export async function sendVersion(request: Request, file: File): Promise<Answer> {
  const etag = `W/"${createHash('sha256').update(file.bytes).digest('base64url').slice(0, 27)}"`
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  // With the headers that tell caches what they have (RFC 9110 §15.4.5).
  if (known.includes(etag))
    return { ...empty(304), headers: { 'cache-control': 'no-cache', vary: 'accept-encoding', etag } }
  return withHeaders(await sendFile(request, file, 'no-cache'), { etag })
}

function chooseEncoding(accepted: string | undefined): 'br' | 'gzip' | undefined {
  if (accepted === undefined) return undefined
  const refused = /\b(?:br|gzip)\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$)/i.test(accepted)
  if (refused) return undefined
  if (/\bbr\b/i.test(accepted)) return 'br'
  return /\bgzip\b/i.test(accepted) ? 'gzip' : undefined
}

async function compress(bytes: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  const { brotliCompress, constants, gzip } = await import('node:zlib')
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: 9 })
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
}

/**
 * The built pages, held in memory: the shell, its hashed assets, and the shell with a problem embedded.
 *
 * Belongs here: what is answered beside the protocol: the built pages, health, the error catalogue.
 * Belongs elsewhere: sources of pages (`pages/` of the project), and forms that people post (`account/`).
 */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Answer, cacheable, withHeaders } from '../http/answer.ts'
import { htmlDocument } from '../http/html.ts'
import { type ProblemPages, problemInWords } from '../http/problem-words.ts'
import type { Request } from '../http/request.ts'
import { plainPath } from '../http/router.ts'
import { languageOf, languageVary, preferredLanguage } from './language.ts'
import { readShells, type ServerWords, type ShellName, type SiteFacts } from './shells.ts'

export type Pages = ProblemPages & {
  /** Returns the shell for the path, in the visitor's language; its script picks the page to show. */
  shell(request: Request): Promise<Answer>
  /** Returns the languages of the visitor as an `Accept-Language` header, for texts of clients. */
  preferredLanguage(request: Request): string
  /** Returns a file under `/assets/`; undefined: no such file. */
  asset(request: Request, name: string): Promise<Answer> | undefined
  /** Returns a whole HTML document in the style of the pages, in English. */
  document(title: string, body: string): string
  /** Returns one with a card, in the language of the request. `title`: text; `body` and `head`: HTML. */
  card(request: Request, write: (words: ServerWords) => Card): string
}

type Card = { readonly title: string; readonly body: string; readonly head?: string }

type File = { readonly bytes: Buffer; readonly type: string; readonly compressed: Map<string, Promise<Buffer>> }

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** What is shown by each script, besides the steps after the login page. */
const loginPaths = /^\/(?:account\/login)?$/i
const accountPaths =
  /^\/account(?:\/(?:register|confirm|forgotpassword|resetpassword|secondfactor|choose|security|devices|applications|profile))?$/i

function shellAt(path: string): ShellName {
  const plain = plainPath(path)
  if (loginPaths.test(plain)) return 'index'
  return accountPaths.test(plain) ? 'account' : 'steps'
}

/**
 * Reads the built pages from `folder`. Fails with a message that says how to build them. `defaultLanguage`: of visitors
 * who prefer none that there is.
 */
export async function loadPages(folder: string, site: SiteFacts, defaultLanguage: string): Promise<Pages> {
  const shells = await readShells(folder, site)
  const assets = new Map<string, File>()
  for (const name of await readdir(join(folder, 'assets')).catch(() => [])) {
    assets.set(name, toFile(await readFile(join(folder, 'assets', name)), extname(name)))
  }
  const files = new Map<string, File>()
  const languageFor = (request: Request): string => languageOf(request, shells.languages, defaultLanguage)
  const shellFile = (name: ShellName, language: string, hasSession: boolean): File => {
    const key = `${name} ${language} ${hasSession}`
    const file = files.get(key) ?? toFile(Buffer.from(shells.document(name, language, { hasSession })), '.html')
    files.set(key, file)
    return file
  }
  const documentIn = (language: string, title: string, body: string, head = ''): string =>
    htmlDocument(title, shells.styles + head, body, { tag: language, direction: shells.direction(language) })
  const card = (html: string): string => `<div class="page"><main class="card">${shells.brand}${html}</main></div>`
  return {
    async shell(request) {
      const language = languageFor(request)
      const hasSession = Object.keys(request.cookies).some((name) => name.endsWith('latchkey.session'))
      const answer = await sendFile(request, shellFile(shellAt(request.path), language, hasSession), 'no-cache')
      const vary = `${answer.headers.vary}, ${languageVary}`
      return withHeaders(answer, { vary, 'content-language': language })
    },
    preferredLanguage,
    asset(request, name) {
      const file = assets.get(name)
      // File names carry a hash of the content, so the content behind a name never changes.
      return file && sendFile(request, file, 'public, max-age=31536000, immutable')
    },
    problem(problem, request) {
      const language = languageFor(request)
      const json = JSON.stringify(problem).replaceAll('<', '\\u003c')
      const words = card(problemInWords(problem, shells.words(language)).html)
      const block = `<script type="application/json" id="problem">${json}</script><noscript>${words}</noscript>`
      return shells.document('steps', language, { problem: block })
    },
    problemWithoutScripts(problem, request) {
      const language = languageFor(request)
      const { title, html } = problemInWords(problem, shells.words(language))
      return documentIn(language, shells.windowTitle(language, title), card(html))
    },
    document: (title, body) => documentIn('en', shells.windowTitle('en', title), body),
    card(request, write) {
      const language = languageFor(request)
      const { title, body, head } = write(shells.words(language))
      return documentIn(language, shells.windowTitle(language, title), card(body), head)
    },
  }
}

function toFile(bytes: Buffer, extension: string): File {
  return { bytes, type: mediaTypes[extension] ?? 'application/octet-stream', compressed: new Map() }
}

async function sendFile(request: Request, file: File, caching: string): Promise<Answer> {
  const vary = 'accept-encoding'
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  if (encoding === undefined) return cacheable(caching, file.type, file.bytes, { vary })
  let compressed = file.compressed.get(encoding)
  if (compressed === undefined) {
    // Compresses once per file and encoding, off the main thread, on first request.
    compressed = compress(file.bytes, encoding)
    file.compressed.set(encoding, compressed)
  }
  return cacheable(caching, file.type, await compressed, { vary, 'content-encoding': encoding })
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

/** Returns a document that is the same for everybody and may change with the next release. */
export function documentAnswer(html: string): Answer {
  return cacheable('no-cache', 'text/html; charset=utf-8', html)
}

/**
 * The built pages, held in memory: the shell, its hashed assets, and the shell with a problem embedded.
 *
 * Belongs here: what is answered beside the protocol: the built pages, health, the error catalogue.
 * Belongs elsewhere: sources of pages (`pages/` of the project), and forms that people post (`account/`).
 */

import { type Answer, cacheable, withHeaders } from '../http/answer.ts'
import { htmlDocument } from '../http/html.ts'
import { type Problem, type ProblemPages, type ProblemWords, problemInWords } from '../http/problem-words.ts'
import type { Request } from '../http/request.ts'
import { plainPath } from '../http/router.ts'
import { fillMessage } from '../message.ts'
import { type BrandMembers, noBrand } from '../protocol/branding/brand.ts'
import { pathOf } from '../protocol/discovery/issuer.ts'
import { consoleMetadata } from '../protocol/discovery/metadata.ts'
import { type File, readAssets, sendFile, sendVersion, toFile } from './assets.ts'
import type { Brand } from './brand.ts'
import { languageOf, languageVary, preferredLanguage } from './language.ts'
import { readTemplates, type ServerWords, type ShellName, type SiteFacts, shellsWith } from './shells.ts'
import { brandFile, type Worn, wardrobeOf } from './wardrobe.ts'

export type Pages = ProblemPages & {
  /** Returns the shell for the path, in the visitor's language; its script picks the page to show. */
  shell(request: Request): Promise<Answer>
  /** Returns the languages of the visitor as an `Accept-Language` header, for texts of clients. */
  preferredLanguage(request: Request): string
  /** Returns a file under `/assets/`; undefined: no such file. */
  asset(request: Request, name: string): Promise<Answer | undefined>
  /** Returns the style sheet of the brand under an address that stays, for other applications of its operator. */
  brandSheet(request: Request): Promise<Answer>
  /** Returns the icon of the brand under the address that browsers try by themselves. */
  favicon(request: Request): Promise<Answer | undefined>
  /** Shows this brand from now on. Until then, the default one. */
  follow(brand: BrandSource): void
  /** Returns a whole HTML document in the style of the pages, in English. */
  document(title: string, body: string): string
  /** Returns one with a card, in the language of the request. `title`: text; `body` and `head`: HTML. */
  card(request: Request, write: (words: ServerWords) => Card): string
}

/** Where the brand is kept. */
export type BrandSource = {
  current(): BrandMembers
  now(): Promise<BrandMembers>
  renewed(): Promise<BrandMembers>
}

type Card = { readonly title: string; readonly body: string; readonly head?: string }

/** What is shown by each script, besides the steps after the login page. */
const loginPaths = /^\/(?:account\/login)?$/i
const accountPaths =
  /^\/account(?:\/(?:register|confirm|forgotpassword|resetpassword|setup|secondfactor|choose|complete|security|devices|applications|profile))?$/i

/** The console picks its page itself. */
const consolePaths = /^\/admin(?:\/|$)/i

function shellAt(path: string): ShellName {
  const plain = plainPath(path)
  if (consolePaths.test(plain)) return 'console'
  if (loginPaths.test(plain)) return 'index'
  return accountPaths.test(plain) ? 'account' : 'steps'
}

/** Reads the built pages from `folder`. Fails with a message that says how to build them. */
export async function loadPages(folder: string, settings: SiteSettings): Promise<Pages> {
  const [assets, templates] = await Promise.all([readAssets(folder), readTemplates(folder)])
  let source: BrandSource = { current: () => noBrand, now: async () => noBrand, renewed: async () => noBrand }
  const wardrobe = wardrobeOf(assets, (brand) =>
    shellsWith(templates, siteFacts(settings, brand), consoleFacts(settings), brand),
  )
  /** Where an answer does not wait for the database, the next one has the news. */
  const worn = (): Worn => {
    void source.now()
    return wardrobe.wear(source.current())
  }
  const wanted = settings.pages.defaultLanguage
  const languages = Object.keys(templates.catalogues)
  const defaultLanguage = languages.includes(wanted) ? wanted : 'en'
  const languageFor = (request: Request): string => languageOf(request, languages, defaultLanguage)
  const shellFile = ({ shells, files }: Worn, name: ShellName, language: string, hasSession: boolean): File => {
    const key = `${name} ${language} ${hasSession}`
    const file = files.get(key) ?? toFile(Buffer.from(shells.document(name, language, { hasSession })), '.html')
    files.set(key, file)
    return file
  }
  /** The words of the language, with what the problem names in the titles. */
  const wordsOf = ({ provider }: Problem, language: string): ProblemWords => {
    const words = worn().shells.words(language)
    const problems = Object.entries(words.problems).map(([kind, { title, body }]) => {
      return [kind, { title: fillMessage(title, { provider: `${provider ?? ''}` }, language).join(''), body }]
    })
    return { ...words, problems: Object.fromEntries(problems) }
  }
  const documentIn = (language: string, title: string, body: string, head = ''): string => {
    const { shells } = worn()
    return htmlDocument(title, shells.styles + head, body, { tag: language, direction: shells.direction(language) })
  }
  const windowTitle = (language: string, title: string): string => worn().shells.windowTitle(language, title)
  const card = (html: string): string => `<div class="page"><main class="card">${worn().brand.mark}${html}</main></div>`
  return {
    follow(brand) {
      source = brand
    },
    async shell(request) {
      const language = languageFor(request)
      const hasSession = Object.keys(request.cookies).some((name) => name.endsWith('latchkey.session'))
      const inLooks = wardrobe.wear(await source.now())
      const answer = await sendFile(
        request,
        shellFile(inLooks, shellAt(request.path), language, hasSession),
        'no-store',
      )
      const vary = `${answer.headers.vary}, ${languageVary}`
      return withHeaders(answer, { vary, 'content-language': language })
    },
    preferredLanguage,
    async brandSheet(request) {
      return sendVersion(request, wardrobe.wear(await source.now()).sheet)
    },
    async favicon(request) {
      const { brand } = wardrobe.wear(await source.now())
      const name = brand.icon.replace('/assets/', '')
      const file = assets.get(name) ?? wardrobe.file(name)
      return file && sendVersion(request, file)
    },
    async asset(request, name) {
      let file = assets.get(name) ?? wardrobe.file(name)
      if (file === undefined && brandFile.test(name)) {
        // Another process has answered with a page in newer looks.
        wardrobe.wear(await source.renewed())
        file = wardrobe.file(name)
      }
      // File names carry a hash of the content, so the content behind a name never changes.
      return file && sendFile(request, file, 'public, max-age=31536000, immutable')
    },
    problem(problem, request) {
      const language = languageFor(request)
      const json = JSON.stringify(problem).replaceAll('<', '\\u003c')
      const words = card(problemInWords(problem, wordsOf(problem, language)).html)
      const block = `<script type="application/json" id="problem">${json}</script><noscript>${words}</noscript>`
      return worn().shells.document('steps', language, { problem: block })
    },
    problemWithoutScripts(problem, request) {
      const language = languageFor(request)
      const { title, html } = problemInWords(problem, wordsOf(problem, language))
      return documentIn(language, windowTitle(language, title), card(html))
    },
    document: (title, body) => documentIn('en', windowTitle('en', title), body),
    card(request, write) {
      const language = languageFor(request)
      const { title, body, head } = write(worn().shells.words(language))
      return documentIn(language, windowTitle(language, title), card(body), head)
    },
  }
}

/** Returns a document that is the same for everybody and may change with the next release. */
export function documentAnswer(html: string): Answer {
  return cacheable('no-cache', 'text/html; charset=utf-8', html)
}

/** The settings that the pages show something of. */
export type SiteSettings = {
  readonly accounts: { readonly registration: string; readonly passkeys: string }
  readonly mail: { readonly url: unknown }
  readonly pages: { readonly defaultLanguage: string }
  readonly oauth: Parameters<typeof consoleMetadata>[0] & {
    readonly external: readonly { readonly name: string; readonly displayName: string | null }[]
  }
  readonly admin: { readonly port: number | null }
}

/** What the pages are told about this service, in every shell. */
function siteFacts({ accounts, mail }: SiteSettings, { name, logo, initial, links }: Brand): SiteFacts {
  const linked = Object.entries(links).filter(([, address]) => address !== null)
  return {
    name,
    ...(logo && { logo }),
    ...(initial !== undefined && { initial }),
    ...Object.fromEntries(linked),
    ...(accounts.registration === 'open' && { registration: true }),
    ...(mail.url !== null && { mail: true }),
    ...(accounts.passkeys === 'on' && { passkeys: true }),
  }
}

/**
 * What the console is told besides: what it signs in by, where people sign in, if that is not the root of its own address, and the providers that the
 * sign-in page offers, for its pictures of that page.
 */
function consoleFacts({ oauth, admin }: SiteSettings) {
  const providers = oauth.external.map(({ name, displayName }) => ({ name, displayName }))
  return {
    service: consoleMetadata(oauth),
    ...((admin.port !== null || pathOf(oauth.issuer) !== '') && { issuer: oauth.issuer }),
    ...(providers.length > 0 && { providers }),
  }
}

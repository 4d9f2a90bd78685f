/**
 * The shells of the built pages: an HTML document for each part of the pages and each language, composed when it is
 * first asked for. The build leaves places for language, texts and the facts about this service (`vite.config.ts`).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Messages } from '#messages'
import { escapeHtml } from '../http/html.ts'
import { fillMessage } from '../message.ts'
import { tokens } from '../protocol/design-tokens.generated.ts'
import type { Brand, Logo } from './brand.ts'

/** A part of the pages that has a script of its own: the login page, the steps after it, the account, and the console. */
export type ShellName = 'index' | 'steps' | 'account' | 'console'

/** What the pages are told about this service. Names of members are those that `pages/site.ts` reads. */
export type SiteFacts = {
  readonly name: string
  readonly logo?: Logo
  readonly initial?: string
  readonly support?: string
  readonly terms?: string
  readonly privacy?: string
  readonly imprint?: string
  readonly registration?: boolean
  readonly mail?: boolean
  readonly passkeys?: boolean
}

/** The words that the server writes itself. */
export type ServerWords = Messages['server']

type Language = {
  readonly direction: 'ltr' | 'rtl'
  readonly windowTitle: Messages['windowTitle']
  readonly words: ServerWords
  /** Addresses of the texts of each part. */
  readonly files: Readonly<Record<ShellName, string>>
}

export type Shells = {
  /** Tags of the languages that have a catalogue. */
  readonly languages: readonly string[]
  direction(language: string): 'ltr' | 'rtl'
  words(language: string): ServerWords
  windowTitle(language: string, page: string): string
  /** Returns the document. `problem`: HTML in front of the page. `hasSession`: the browser has a cookie of a session. */
  document(name: ShellName, language: string, options?: { problem?: string; hasSession?: boolean }): string
  /** Elements of the head for documents in the style of the pages, HTML. */
  readonly styles: string
}

const problemMarker = '<!--latchkey:problem-->'

/** What the build left. */
export type Templates = {
  readonly shells: Readonly<Record<ShellName, string>>
  readonly catalogues: Readonly<Record<string, Language>>
}

/** Reads them from the folder of the built pages. Fails with a message that says how to build them. */
export async function readTemplates(folder: string): Promise<Templates> {
  const read = (file: string): Promise<string> =>
    readFile(join(folder, file), 'utf8').catch(() => {
      throw new Error(`the pages are not built: ${folder} has no ${file}. Run 'npm run build:pages'.`)
    })
  const [index, steps, account, console, written] = await Promise.all(
    ['index.html', 'steps.html', 'account.html', 'console.html', 'languages.json'].map(read),
  )
  const shells = { index, steps, account, console } as Readonly<Record<ShellName, string>>
  return { shells, catalogues: JSON.parse(written ?? '') as Readonly<Record<string, Language>> }
}

/** Returns the shells in the looks of a brand. `consoleOnly`: facts for the console alone. */
export function shellsWith(
  { shells: templates, catalogues }: Templates,
  site: SiteFacts,
  consoleOnly: object,
  brand: Brand,
): Shells {
  const languages = Object.keys(catalogues)
  const of = (language: string): Language => catalogues[language] ?? (catalogues.en as Language)
  const styles = [...templates.steps.matchAll(/<link rel="stylesheet"[^>]*>/g), brand.head].join('')
  const siteBlock = (more: object): string => {
    const facts = JSON.stringify({ ...site, ...more, languages }).replaceAll('<', '\\u003c')
    return `<script type="application/json" id="site">${facts}</script>`
  }
  const documents = new Map<string, string>()

  function compose(name: ShellName, tag: string): string {
    const { direction, words, files } = of(tag)
    const places: Readonly<Record<string, string>> = {
      texts: files[name],
      site: siteBlock(name === 'console' ? consoleOnly : {}),
      brand: brand.mark,
      icon: brand.icon,
      head: brand.head,
      brandName: escapeHtml(site.name),
      loadAgain: escapeHtml(words.loadAgain),
      'needsScripts.title': escapeHtml(words.needsScripts.title),
      'needsScripts.body': escapeHtml(words.needsScripts.body),
      'late.title': escapeHtml(words.late.title),
      'late.body': escapeHtml(words.late.body),
    }
    return templates[name]
      .replaceAll(`content="${tokens.light.page}"`, `content="${brand.pages.light}"`)
      .replaceAll(`content="${tokens.dark.page}"`, `content="${brand.pages.dark}"`)
      .replace('<html lang="en" dir="ltr">', `<html lang="${tag}" dir="${direction}">`)
      .replaceAll(/%([\w.]+)%/g, (place, key: string) => places[key] ?? place)
  }

  return {
    languages,
    direction: (language) => of(language).direction,
    words: (language) => of(language).words,
    windowTitle: (language, page) =>
      fillMessage(of(language).windowTitle, { page, service: site.name }, language).join(''),
    document(name, language, { problem = '', hasSession = false } = {}) {
      const key = `${name} ${language}`
      const composed = documents.get(key) ?? compose(name, language)
      documents.set(key, composed)
      const marked = hasSession ? composed.replace('<html ', '<html data-session ') : composed
      return marked.replace(problemMarker, () => problem)
    },
    styles,
  }
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { catalogue, readCatalogues } from './scripts/messages.ts'
import { readSettingMessages, settingLanguages, settingTranslations } from './scripts/setting-messages.ts'
import { readTokens, withFixedTokens } from './scripts/tokens.ts'

const folder = (name: string): string => fileURLToPath(new URL(`pages/${name}`, import.meta.url))

/** The scripts, each with a page shell of its own. The login page is `index`. */
const entries = {
  index: 'main.tsx',
  steps: 'steps.tsx',
  account: 'account/main.tsx',
  console: 'console/main.tsx',
} as const
type Entry = keyof typeof entries

/** Parts of a catalogue that not every page needs, with the pages that do. `server`: words that the server writes; `mail`: no page. */
const textsOf: Readonly<Record<string, readonly (Entry | 'server')[]>> = {
  server: ['server'],
  signIn: ['index', 'console'],
  signedIn: ['index'],
  consent: ['steps', 'account', 'console'],
  device: ['steps'],
  signOut: ['steps'],
  confirm: ['steps'],
  notFound: ['steps', 'account'],
  problem: ['steps'],
  account: ['account'],
  console: ['console'],
  mail: [],
}

type Texts = Readonly<Record<string, unknown>>

const partsFor = (texts: Texts, reader: Entry | 'server'): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => textsOf[name]?.includes(reader) ?? reader !== 'server'))

/**
 * Writes what the server composes pages of: `<entry>.html`, a shell for each entry with places for language, texts and
 * brand; the texts that an entry needs, a file for each language; and `languages.json`, the words that the server
 * writes itself with the names of those files.
 */
function shellsAndTexts(): Plugin {
  return {
    name: 'shells-and-texts',
    generateBundle: {
      // After Vite has taken out the scripts that were nothing but a style sheet.
      order: 'post',
      handler(_, bundle) {
        const emit = (name: string, source: string): string => {
          const fileName = `assets/${name.replace('.', `-${digest(source)}.`)}`
          this.emitFile({ type: 'asset', fileName, source })
          return `/${fileName}`
        }
        const tokens = readTokens()
        for (const file of Object.values(bundle)) {
          if (file.type === 'asset' && file.fileName.endsWith('.css'))
            file.source = withFixedTokens(String(file.source), tokens)
        }
        const coloured = (name: string): string =>
          readFileSync(folder(name), 'utf8').replaceAll(
            /%(light|dark)\.([\w-]+)%/g,
            (_, theme: 'light' | 'dark', token: string) => tokens[theme][token] ?? '',
          )
        // The server gives it the colours of the brand.
        emit('favicon.svg', coloured('favicon.svg'))
        const shell = coloured('shell.html').replaceAll(/<!-- .*? -->|^ +/gms, '')
        for (const entry of Object.keys(entries) as Entry[]) {
          const source = shell
            .replace('%files%', () => filesOf(bundle, entry).join('\n'))
            .replace('%waiting%', entry === 'console' ? waiting : '')
          this.emitFile({ type: 'asset', fileName: `${entry}.html`, source })
        }
        const languages: Record<string, Texts> = {}
        const catalogues = readCatalogues()
        for (const tag of [...catalogues.keys()].sort()) {
          const texts = catalogue(catalogues, tag)
          const files = Object.keys(entries).map((entry) => {
            const parts = JSON.stringify(partsFor(texts, entry as Entry))
            return [entry, emit(`${entry}-${tag}.js`, `export default ${parts}`)]
          })
          const { direction, windowTitle, server: words } = texts
          languages[tag] = { direction, windowTitle, words, files: Object.fromEntries(files) }
        }
        this.emitFile({ type: 'asset', fileName: 'languages.json', source: JSON.stringify(languages) })
      },
    },
  }
}

/** What settings mean in each language: a file for each, and `#setting-meanings`, which loads one when it is needed. */
function settingMeanings(): Plugin {
  const name = '#setting-meanings'
  return {
    name: 'setting-meanings',
    enforce: 'pre',
    resolveId: (id) => (id === name || id.startsWith(`${name}/`) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${name}`)) return null
      const tag = id.slice(name.length + 2)
      if (tag !== '') return `export default ${JSON.stringify(settingTranslations(readSettingMessages(tag)))}`
      const loaders = settingLanguages().map((one) => `${JSON.stringify(one)}: () => import('${name}/${one}')`)
      return `export default { ${loaders.join(', ')} }`
    },
  }
}

/** The frame of the console, which is there before its script has signed in. */
const waiting =
  '<div class="area wide waiting"><header>%brand%</header>' +
  '<main aria-busy="true"><div class="skeleton"><div class="line"></div><div class="field"></div><div class="block"></div></div></main></div>'

/** Elements for the script of an entry, and for scripts and styles that it shares with others. */
function filesOf(bundle: Rolldown.OutputBundle, entry: Entry): string[] {
  const chunk = (fileName: string): Rolldown.OutputChunk | undefined => {
    const found = bundle[fileName]
    return found?.type === 'chunk' ? found : undefined
  }
  const own = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry && one.name === entry)
  const reached: string[] = []
  const begun = new Set<string>()
  const reach = (fileName: string): void => {
    if (begun.has(fileName)) return
    begun.add(fileName)
    for (const imported of chunk(fileName)?.imports ?? []) reach(imported)
    reached.push(fileName)
  }
  reach(own?.fileName ?? '')
  const styles = new Set(reached.flatMap((fileName) => [...(chunk(fileName)?.viteMetadata?.importedCss ?? [])]))
  const scripts = reached.filter((fileName) => fileName !== own?.fileName)
  const script = (file = '') => `<script type="module" src="/${file}"></script>`
  const preloads = scripts
    .filter((file) => chunk(file)?.name !== 'session')
    .map((file) => `<link rel="modulepreload" href="/${file}">`)
  // The sign-in of the console begins with the first files.
  const early = scripts.filter((file) => chunk(file)?.name === 'session')
  return [
    ...[...styles].map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...(early.length > 0
      ? [...early.map(script), ...preloads, script(own?.fileName)]
      : [script(own?.fileName), ...preloads]),
  ]
}

/** Whether the login page needs the module. */
function isReached(id: string, infoOf: (id: string) => Rolldown.ModuleInfo | null, seen = new Set<string>()): boolean {
  if (id === folder(entries.index)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return infoOf(id)?.importers.some((importer) => isReached(importer, infoOf, seen)) ?? false
}

/** Entries, and modules that are loaded when they are needed, from which the module is reached without another such step. */
function rootsOf(
  id: string,
  infoOf: (id: string) => Rolldown.ModuleInfo | null,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(id)) return new Set()
  seen.add(id)
  const info = infoOf(id)
  const own = info?.isEntry || (info?.dynamicImporters.length ?? 0) > 0 ? [id] : []
  return new Set([...own, ...(info?.importers ?? []).flatMap((importer) => [...rootsOf(importer, infoOf, seen)])])
}

/** What `console/early.ts` needs and no other page does. */
const early = ['early.ts', 'page-scripts.ts', 'session.ts', 'sign-in-failed.ts', 'test-answer.ts']
  .map((name) => folder(`console/${name}`))
  .concat(folder('kept.ts'), '/node_modules/oauth4webapi/')

/** The file for what several pages of an area share; null: as it comes. */
function partOf(roots: ReadonlySet<string>): string | null {
  const below = (area: string): string[] => [...roots].filter((root) => root.startsWith(folder(area)))
  const [ofConsole, ofAccount] = [below('console/').length, below('account/').length]
  const isOfFrame = roots.has(folder(entries.console))
  if (ofConsole === roots.size) return isOfFrame ? 'frame' : roots.size > 1 ? 'parts' : null
  // What another page needs as well is in this file only where the console begins with it.
  const isOfAreas = ofConsole > 0 && ofConsole + ofAccount === roots.size
  return ofAccount > 0 && (isOfFrame || isOfAreas) ? 'area' : null
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 8)
}

/** Builds the pages people sign in on into static files that the service serves from its own origin. */
export default defineConfig({
  root: folder(''),
  // Absolute asset addresses: the same shell answers at /Account/Login and at /connect/authorize.
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [shellsAndTexts(), settingMeanings()],
  build: {
    outDir: fileURLToPath(new URL('dist/pages/', import.meta.url)),
    emptyOutDir: true,
    target: 'baseline-widely-available',
    assetsDir: 'assets',
    // The content security policy allows no data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(entries).map(([entry, file]) => [entry, folder(file)])),
      output: {
        // One file for what the login page shares with others: the page after it finds it in the cache.
        codeSplitting: {
          groups: [
            {
              debugName: 'shared',
              name: (id, context) => (isReached(id, (one) => context.getModuleInfo(one)) ? 'shared' : null),
              minShareCount: 2,
              priority: 3,
            },
            {
              name: 'session',
              test: (id) => early.some((part) => id.includes(part)),
              priority: 2,
              includeDependenciesRecursively: false,
            },
            {
              // Few files, because a browser asks for six at once over HTTP/1.1.
              debugName: 'parts of the areas',
              name: (id, context) => partOf(rootsOf(id, (one) => context.getModuleInfo(one))),
              priority: 1,
              // What these need and the account area needs as well stays apart.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})

/**
 * Makes what `npm start` and a published package run: the bundle in `dist/server`, beside the pages in `dist/pages`.
 * Node.js strips no types below `node_modules`, so a package cannot bring the sources instead.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputOptions, type OutputOptions, type Plugin, type RolldownOutput, rolldown } from 'rolldown'
import { compiledStatements } from './compiled-statements.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const published = join(root, 'dist', 'server')
mkdirSync(join(root, '.cache'), { recursive: true })
/** Where the bundle is written. It is as deep as `dist/server`: source maps name the sources by relative paths. */
const folder = mkdtempSync(join(root, '.cache', 'build-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
const source = (file: string): string => join(root, 'src', file)

/** What every start loads before it listens, and soon after. Each becomes one file, with all that they import. */
const parts = {
  service: ['main.ts', 'cli/serve.ts', 'app.ts'],
  'sign-in': [
    'account/contexts.ts',
    'account/login-context.ts',
    'account/login.ts',
    'connect/authorize.ts',
    'connect/token.ts',
    'server/housekeeping.ts',
    'server/reload.ts',
    'server/password-hashing.ts',
  ],
  sqlite: ['storage/sqlite/engine.ts'],
  postgres: ['storage/postgres/engine.ts'],
} as const

/** Threads have a file each, with nothing that they do not need. */
const threads = ['secrets/hash-worker.ts', 'storage/sqlite/worker.ts', 'storage/migrate-worker.ts']

/** What is built for the machine that it is installed on. */
const native = '@node-rs/argon2'

const common: OutputOptions = {
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // Names stay: a stack trace is read by people.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  sourcemap: true,
}

let members: ReadonlyMap<string, string> | undefined

const outputs = [
  await bundle([source('main.ts')], {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { debugName: 'parts', name: (id, context) => partOf(id, (one) => context.getModuleInfo(one)?.importedIds) },
      ],
    },
  }),
]
for (const thread of threads) outputs.push(await bundle([source(thread)], {}))
withoutLibraries()
// Data that a module reads from beside itself.
copyFileSync(source('secrets/frequent-passwords.bin'), join(folder, 'frequent-passwords.bin'))
writeFileSync(join(folder, 'LICENSES.txt'), licenses(outputs))
if (existsSync(join(folder, 'main.js'))) publish()
else process.exitCode = 1

async function bundle(input: string[], output: OutputOptions): Promise<RolldownOutput> {
  const plugins: Plugin[] = [compiledStatements()]
  const options: InputOptions = {
    preserveEntrySignatures: 'allow-extension',
    // What a start needs anyway is imported on demand by what works without it.
    checks: { ineffectiveDynamicImport: false },
  }
  const bundled = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external: [native],
    tsconfig: false,
    plugins,
    ...options,
  })
  try {
    return await bundled.write({ ...common, ...output })
  } finally {
    await bundled.close()
  }
}

/** Returns the part that a module belongs to; null: whoever imports it. */
function partOf(id: string, importedBy: (id: string) => readonly string[] | undefined): string | null {
  // The one module that asks whether it was started.
  if (id === source('main.ts')) return null
  members ??= membersOfParts(importedBy)
  return members.get(id) ?? null
}

/** What several parts need is in the first of them. */
function membersOfParts(importedBy: (id: string) => readonly string[] | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [part, roots] of Object.entries(parts)) {
    const reach = (id: string): void => {
      if (found.has(id)) return
      found.set(id, part)
      for (const imported of importedBy(id) ?? []) reach(imported)
    }
    for (const file of roots) reach(source(file))
  }
  return found
}

/** The maps name the lines of the sources. The text of libraries is in their packages. */
function withoutLibraries(): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.map'))) {
    const map = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    delete map.sourcesContent
    writeFileSync(join(folder, name), JSON.stringify(map))
  }
}

/** Returns the licences of the packages in the bundle. */
function licenses(outputs: readonly RolldownOutput[]): string {
  const ids = outputs.flatMap(({ output }) => output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : [])))
  const packages = new Set<string>()
  for (const id of ids) {
    const [, found] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
    if (found !== undefined) packages.add(found)
  }
  return [...packages]
    .sort()
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
      const texts = readdirSync(path).filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
      const text = texts.map((file) => readFileSync(join(path, file), 'utf8').trim()).join('\n\n')
      return `${relative(root, path)}: ${name} ${version}, ${license}\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * Moves the files to `dist/server`, each in one step, so that a start or a copy of the folder meanwhile finds no file
 * missing or half written. Files with a new name come first, because those that keep theirs import them. Files that
 * this build did not make are removed: they must not be published.
 */
function publish(): void {
  mkdirSync(published, { recursive: true })
  const made = readdirSync(folder)
  const before = readdirSync(published)
  const added = made.filter((name) => !before.includes(name))
  const replaced = made.filter((name) => before.includes(name))
  for (const name of [...added, ...replaced]) renameSync(join(folder, name), join(published, name))
  for (const name of before) {
    if (!made.includes(name)) rmSync(join(published, name), { recursive: true, force: true })
  }
}

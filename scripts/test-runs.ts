/**
 * The three runs of the tests. `npm test` is what a contributor waits for; `npm run test:long` has what takes longer:
 * floods, kills, packaging, other browsers; `npm run test:cluster` needs a cluster of databases, made of programs that are
 * no packages of this project. The name of a file decides: `*.cluster.test.ts` needs the cluster, `*.long.test.ts` and
 * `*.long.spec.ts` are long, every other `*.test.ts` and `*.spec.ts` is short.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

export type Run = 'short' | 'long' | 'cluster'

export const commandOf: Readonly<Record<Run, string>> = {
  short: 'npm test',
  long: 'npm run test:long',
  cluster: 'npm run test:cluster',
}

const root = fileURLToPath(new URL('../', import.meta.url))

/** Every TypeScript file below `test/`, as a path below the project's folder, sorted. */
export function testSources(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** The files that a run starts, of one kind: `test` for Node.js, `spec` for browsers. */
export function filesOf(run: Run, kind: 'test' | 'spec'): string[] {
  return testSources().filter((file) => file.endsWith(`.${kind}.ts`) && runOf(file) === run)
}

/** The run that starts a file; undefined for one that is only imported. */
export function runOf(file: string): Run | undefined {
  if (!/\.(?:test|spec)\.ts$/.test(file)) return undefined
  if (file.endsWith('.cluster.test.ts')) return 'cluster'
  return /\.long\.(?:test|spec)\.ts$/.test(file) ? 'long' : 'short'
}

/**
 * The runs in which the tests of each file run. Tests also stand in files that others import, such as a contract that
 * two engines are held to: those run wherever an importer does.
 */
export function runsByFile(
  files: readonly string[] = testSources(),
  importsOf: (file: string) => readonly string[] = importsInside,
): ReadonlyMap<string, ReadonlySet<Run>> {
  const found = new Map<string, Set<Run>>()
  const reach = (file: string, run: Run): void => {
    const runs = found.get(file) ?? new Set()
    if (runs.has(run)) return
    found.set(file, runs.add(run))
    for (const imported of importsOf(file)) reach(imported, run)
  }
  for (const file of files) {
    const run = runOf(file)
    if (run !== undefined) reach(file, run)
  }
  return found
}

/** The files below `test/` that a file imports. */
function importsInside(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
  ]
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)))
    .filter((path) => path.startsWith('test/') && path.endsWith('.ts'))
}

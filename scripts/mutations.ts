/**
 * Puts small faults into the sources, one at a time, and tells which of them no test notices. A test is missing there, or
 * the code has no effect. Works on copies, so that the sources stay as they are.
 *
 *   node scripts/mutations.ts [src/protocol/token …] [--tests test/connect]… [--sample 100] [--seed 1]
 *                             [--files 12] [--minutes 20] [--jobs 1] [--long]
 *
 * Each test file runs once first, to learn which code it reaches; this is kept in `.cache/` until the file or a source
 * changes. A fault is then tried by the files that reach it, the likeliest first, until a test fails, at most `--files`
 * of them. A fault that leads nowhere counts as noticed when a file takes several times as long as without it. `--long`
 * has the files of the long run, too. Ctrl-C ends the run with what was found so far; the code is 1 if a fault survived.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { shareTemplate } from '../test/support/sqlite.ts'
import { type Mutant, mutantsOf, withMutant } from './mutants.ts'
import { filesOf } from './test-runs.ts'
import { guardedEnvironment } from './test-step.ts'

/** What a test file reaches: for each source file the parts that did not run, as pairs of offsets. */
type Coverage = {
  readonly passed: boolean
  readonly ms: number
  readonly missed: Readonly<Record<string, readonly (readonly [number, number])[]>>
}

type Place = Mutant & { readonly file: string }

type Outcome = 'noticed' | 'survived' | 'not reached' | 'not tried'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What the tests read. */
const copied = ['bin', 'src', 'scripts', 'test', 'messages', 'pages', 'examples', 'docs', 'deploy', 'package.json']
const linked = ['node_modules', 'dist', 'tsconfig.json', 'package-lock.json']

/** Tables of texts and numbers, which their own tests compare with what they are made from. */
const tables = /\.generated\.ts$|^src\/protocol\/refusals\//

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: {
      type: 'string',
      multiple: true,
      default: ['protocol', 'users', 'tokens', 'connect', 'account', 'attacks'].map((name) => `test/${name}/`),
    },
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    files: { type: 'string', default: '12' },
    minutes: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '1' },
    long: { type: 'boolean', default: false },
  },
})

const starts = positionals.length > 0 ? positionals : ['src/protocol', 'src/users', 'src/connect']
const jobs = positive('jobs')
const filesAtMost = positive('files')
const sampled = positive('sample')
const endsAt = performance.now() + positive('minutes') * 60_000
const running = new Set<ChildProcess>()
const folders: string[] = []
let isStopped = false
const environment = { ...guardedEnvironment(), ...(await shareTemplate()) }

process.once('SIGINT', stop)
process.once('SIGTERM', stop)
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const testFiles = [...filesOf('short', 'test'), ...(values.long ? filesOf('long', 'test') : [])].filter((file) =>
  values.tests.some((start) => file.startsWith(start)),
)
const sample = chosen()
if (sample.length === 0) refuse(`No source begins with ${starts.join(' or ')}, such as src/protocol/token.`)
if (testFiles.length === 0) refuse(`No test file begins with ${values.tests.join(' or ')}, such as test/protocol.`)
const copies = Array.from({ length: jobs }, copyOfTree)
const coverage = await coverageOf(testFiles)
const outcomes = await tryAll(sample)
process.exitCode = report(outcomes)

function positive(name: 'jobs' | 'files' | 'sample' | 'minutes'): number {
  const value = Number(values[name])
  return value > 0 ? value : refuse(`--${name} is a number greater than 0, not ${values[name]}.`)
}

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}

function stop(): void {
  isStopped = true
  for (const child of running) end(child)
}

/** A hash decides the order, so that a seed means the same faults as long as the sources stay. */
function chosen(): Place[] {
  const order = ({ file, start, end, replacement }: Place): string =>
    createHash('sha256').update([values.seed, file, start, end, replacement].join(' ')).digest('hex')
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name))
    .filter((file) => file.endsWith('.ts') && !tables.test(file) && starts.some((start) => file.startsWith(start)))
    .flatMap((file) => mutantsOf(file, sourceOf(file)).map((mutant) => ({ ...mutant, file })))
    .map((place): [string, Place] => [order(place), place])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, sampled)
    .map(([, place]) => place)
}

function sourceOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function copyOfTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-mutations-'))
  folders.push(folder)
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of linked) symlinkSync(join(root, name), join(folder, name))
  return folder
}

/** Runs what is not in the cache. Files that fail without any fault are named and left out. */
async function coverageOf(files: readonly string[]): Promise<ReadonlyMap<string, Coverage>> {
  const cache = join(root, '.cache', 'mutations')
  mkdirSync(cache, { recursive: true })
  const shared = hashOf([...filesBelow('src'), ...filesBelow('test/support')])
  const found = new Map<string, Coverage>()
  const missing: (readonly [file: string, kept: string])[] = []
  for (const file of files) {
    const kept = join(cache, `${basename(file)}-${shared.slice(0, 16)}-${hashOf([file]).slice(0, 16)}.json`)
    if (existsSync(kept)) found.set(file, JSON.parse(readFileSync(kept, 'utf8')) as Coverage)
    else missing.push([file, kept])
  }
  await inTurn(missing, async ([file, kept], copy) => {
    progress(`learning what ${files.length} test files reach: ${found.size} done, ${file}`)
    const measured = await measure(file, copy)
    if (isStopped) return
    found.set(file, measured)
    if (measured.passed) writeFileSync(kept, JSON.stringify(measured))
  })
  progress('')
  for (const [file, { passed }] of found) if (!passed) console.log(`left out, as it fails without any fault: ${file}`)
  return new Map([...found].filter(([, { passed }]) => passed))
}

async function measure(file: string, copy: string): Promise<Coverage> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-coverage-'))
  folders.push(folder)
  const started = performance.now()
  const passed = await passes([file], copy, 300_000, { NODE_V8_COVERAGE: folder })
  const ms = performance.now() - started
  const sources = `${pathToFileURL(copy).href}/src/`
  const missed: Record<string, (readonly [number, number])[]> = {}
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      result: { url: string; functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[] }[]
    }
    for (const { url, functions } of result) {
      if (!url.startsWith(sources)) continue
      const ranges = functions.flatMap((one) => one.ranges)
      const unreached = ranges
        .filter(({ count }) => count === 0)
        .map(({ startOffset, endOffset }): readonly [number, number] => [startOffset, endOffset])
      const source = relative(copy, fileURLToPath(url))
      const before = missed[source]
      // Of two processes or threads, the one that did more counts: what one reached, the file reaches.
      if (before === undefined || unreached.length < before.length) missed[source] = unreached
    }
  }
  rmSync(folder, { recursive: true, force: true })
  return { passed, ms, missed }
}

async function tryAll(places: readonly Place[]): Promise<ReadonlyMap<Place, Outcome>> {
  const found = new Map<Place, Outcome>()
  const noticedBy = new Map<string, number>()
  await inTurn(places, async (place, copy) => {
    const survived = [...found.values()].filter((outcome) => outcome !== 'noticed').length
    progress(`${found.size} of ${places.length} tried, ${survived} not noticed; ${place.file}:${place.line}`)
    const files = reaching(place, noticedBy)
    if (files.length === 0) {
      found.set(place, 'not reached')
      return
    }
    const path = join(copy, place.file)
    const source = sourceOf(place.file)
    writeFileSync(path, withMutant(source, place))
    let outcome: Outcome = 'survived'
    for (const file of files.slice(0, filesAtMost)) {
      const ms = coverage.get(file)?.ms ?? 0
      if (await passes([file], copy, 10_000 + 4 * ms)) continue
      outcome = 'noticed'
      noticedBy.set(`${place.file} ${file}`, (noticedBy.get(`${place.file} ${file}`) ?? 0) + 1)
      break
    }
    writeFileSync(path, source)
    if (isStopped) return
    found.set(place, outcome)
    if (outcome === 'survived') {
      progress('')
      console.log(line(place, `${Math.min(files.length, filesAtMost)} of ${files.length} files that reach it`))
    }
  })
  progress('')
  return found
}

/** The test files that reach the place, the likeliest to notice first. */
function reaching({ file, start, end }: Place, noticedBy: ReadonlyMap<string, number>): string[] {
  const name = basename(file, '.ts')
  const rank = (test: string): number => {
    const words = basename(test).split(/[.-]/)
    const shares = name.split('-').filter((word) => words.includes(word)).length
    const isNear = basename(dirname(test)) === file.split('/')[1]
    const seconds = (coverage.get(test)?.ms ?? 0) / 1000
    return seconds - 10 * shares - (isNear ? 3 : 0) - 4 * (noticedBy.get(`${file} ${test}`) ?? 0)
  }
  return [...coverage]
    .filter(([, { missed }]) => {
      const unreached = missed[file]
      return unreached !== undefined && !unreached.some(([from, to]) => from <= start && end <= to)
    })
    .map(([test]) => test)
    .toSorted((one, other) => rank(one) - rank(other))
}

/** Whether all tests of these files pass. The first that fails ends them. */
function passes(
  files: readonly string[],
  copy: string,
  timeoutMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const flags = ['--test-reporter=tap', `--import=${pathToFileURL(join(copy, 'test/support/ends.ts'))}`]
  const child = spawn(process.execPath, [...flags, ...files.map((file) => join(copy, file))], {
    cwd: copy,
    env: { ...environment, NODE_COMPILE_CACHE: join(copy, '.cache'), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  running.add(child)
  const timer = setTimeout(() => fail(), timeoutMs)
  let failed = false
  function fail(): void {
    failed = true
    end(child)
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (/^ *not ok /m.test(text) && env.NODE_V8_COVERAGE === undefined) fail()
  })
  child.on('exit', (code) => {
    clearTimeout(timer)
    running.delete(child)
    end(child)
    resolve(code === 0 && !failed)
  })
  return promise
}

/** Ends a test file with what it started. */
function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Takes the items one after the other, as many at once as there are copies, until the time is over. */
async function inTurn<T>(items: readonly T[], work: (item: T, copy: string) => Promise<void>): Promise<void> {
  const rest = items.values()
  await Promise.all(
    copies.map(async (copy) => {
      for (const item of rest) {
        if (isStopped || performance.now() > endsAt) return
        await work(item, copy)
      }
    }),
  )
}

function report(found: ReadonlyMap<Place, Outcome>): number {
  const of = (wanted: Outcome): Place[] =>
    [...found].filter(([, outcome]) => outcome === wanted).map(([place]) => place)
  const [survived, notReached] = [of('survived'), of('not reached')]
  for (const place of notReached) console.log(line(place, 'no test reaches it'))
  const tried = found.size
  console.log(
    `${tried} faults (seed ${values.seed}): ${of('noticed').length} noticed, ${survived.length} not noticed, ` +
      `${notReached.length} not reached${tried < sample.length ? `; ${sample.length - tried} not tried` : ''}`,
  )
  return survived.length + notReached.length > 0 ? 1 : 0
}

function line({ file, line: at, change }: Place, by: string): string {
  return `${file}:${at}  ${change}  (${by})`
}

/** One line, which the next one replaces. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`)
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

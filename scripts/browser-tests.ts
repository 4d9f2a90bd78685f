/** Runs the tests in a real browser, and tells what became of them. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { TestResult } from './proofs.ts'
import { deservesLook, looks, unsteadyOf } from './second-look.ts'
import type { Run } from './test-runs.ts'
import { capture, guardedEnvironment, judge, longest, type StepResult } from './test-step.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Playwright reports what ran until then. A test that hangs ends long before. */
const minutesAtMost = 120

/** Runs the tests of `run`; Playwright writes its report to `resultsFile`. */
export async function runBrowserTests(run: Run, resultsFile: URL): Promise<StepResult> {
  await mkdir(new URL('./', resultsFile), { recursive: true })
  await rm(againOf(resultsFile), { force: true })
  const { code, output } = await playwright(run, resultsFile, [])
  if (!existsSync(resultsFile)) return { ok: false, report: output, counts: { passed: 0, failed: 0, skipped: 0 } }
  const report = await readReport(resultsFile)
  const { stats } = report
  // Playwright itself tries each test once.
  const failed = stats.unexpected + stats.flaky
  const counts = { passed: stats.expected, failed, skipped: stats.skipped }
  // What went wrong outside of any test cannot be tried again.
  const isOfTests = report.errors.length === 0
  const isUnsteady = isOfTests && deservesLook(failed) && (await passesAgain(run, resultsFile, failed))
  if (isUnsteady) Object.assign(counts, { passed: stats.expected + failed, failed: 0 })
  const judged = judge(counts, isUnsteady ? '' : failuresOf(report) || output)
  const unsteady = isUnsteady && { unsteady: unsteadyOf(failuresOf(report)) }
  return { ...judged, ...unsteady, ok: judged.ok && (isUnsteady || code === 0), notes: timesOf(report) }
}

function playwright(run: Run, resultsFile: URL, more: readonly string[]): ReturnType<typeof capture> {
  const parameters = [
    'node_modules/@playwright/test/cli.js',
    'test',
    `--project=${run}`,
    '--reporter=list,json',
    `--global-timeout=${minutesAtMost * 60_000}`,
    ...more,
  ]
  const env = {
    ...guardedEnvironment(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: fileURLToPath(resultsFile),
    FORCE_COLOR: '0',
    // Every worker loads the whole program, and so does each command that a test runs.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled/', import.meta.url)),
  }
  return capture(parameters, env, (minutesAtMost + 1) * 60_000)
}

const againOf = (resultsFile: URL): URL => new URL(resultsFile.href.replace(/\.json$/, '-again.json'))

/** Whether each test that failed passes every time when it has the machine for itself. Leaves the report of the last time. */
async function passesAgain(run: Run, resultsFile: URL, failed: number): Promise<boolean> {
  // The pictures of the first time stay. Playwright notes there what failed at last, too.
  const again = `${root}test-results/browser-again`
  const failures = await readFile(`${root}test-results/browser/.last-run.json`, 'utf8')
  for (let look = 0; look < looks; look += 1) {
    await mkdir(again, { recursive: true })
    await writeFile(`${again}/.last-run.json`, failures)
    const { code } = await playwright(run, againOf(resultsFile), ['--workers=1', '--last-failed', `--output=${again}`])
    const isSteady = code === 0 && (await readReport(againOf(resultsFile))).stats.expected === failed
    if (isSteady) continue
    await rm(againOf(resultsFile), { force: true })
    return false
  }
  return true
}

const readReport = async (file: URL): Promise<BrowserReport> => JSON.parse(await readFile(file, 'utf8'))

/** What failed, each test with what it says of it first. */
function failuresOf(report: BrowserReport): string {
  const failed = testsOf(report).filter(({ errors }) => errors.length > 0)
  const lines = (errors: readonly string[]) => stripVTControlCharacters(errors.join('\n')).split('\n').slice(0, 30)
  return failed.map(({ file, name, errors }) => [`✗ ${file}: ${name}`, ...lines(errors)].join('\n')).join('\n\n')
}

/** Where the time went. */
function timesOf(report: BrowserReport): string[] {
  const tests = testsOf(report).map(({ file, name, ms }) => ({ file, what: `${file}: ${name}`, ms }))
  const files = Map.groupBy(tests, ({ file }) => file)
  const sums = [...files].map(([what, all]) => ({ what, ms: all.reduce((sum, { ms }) => sum + ms, 0) }))
  return [...longest('files', sums), ...longest('tests', tests)]
}

/** What Playwright writes, as far as it is read here. */
type BrowserReport = {
  readonly config: { readonly rootDir: string }
  readonly suites: readonly BrowserSuite[]
  readonly errors: readonly unknown[]
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}
type BrowserSuite = {
  readonly specs: readonly { file: string; title: string; tests: readonly BrowserTest[] }[]
  readonly suites?: readonly BrowserSuite[]
}
type BrowserTest = {
  readonly status: string
  readonly results: readonly { readonly duration: number; readonly errors?: readonly { readonly message?: string }[] }[]
}

/** The tests of a report that `runBrowserTests` left. */
export async function readBrowserTests(resultsFile: URL): Promise<TestResult[]> {
  const again = existsSync(againOf(resultsFile)) ? testsOf(await readReport(againOf(resultsFile))) : []
  const hasPassedAgain = ({ file, name }: TestResult) => again.some((one) => one.file === file && one.name === name)
  const results = testsOf(await readReport(resultsFile))
  return results.map((one) => ({
    file: one.file,
    name: one.name,
    passed: one.passed || hasPassedAgain(one),
    ms: one.ms,
  }))
}

type Test = TestResult & { readonly ms: number; readonly errors: readonly string[] }

function testsOf({ config, suites }: Pick<BrowserReport, 'config' | 'suites'>): Test[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs.map(({ file, title, tests }) => {
      const results = tests.flatMap((test) => test.results)
      return {
        file: relative(root, `${config.rootDir}/${file}`),
        name: title,
        passed: tests.length > 0 && tests.every(({ status }) => status === 'expected'),
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
        errors: results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message)),
      }
    }),
    ...testsOf({ config, suites: inner }),
  ])
}

/** Runs the tests in a real browser, and tells what became of them. */
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestResult } from './proofs.ts'
import type { Run } from './test-runs.ts'
import { capture, guardedEnvironment, judge, longest, type StepResult } from './test-step.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Playwright reports what ran until then. A test that hangs ends long before. */
const minutesAtMost = 120

/** Runs the tests of `run`; Playwright writes its report to `resultsFile`. */
export async function runBrowserTests(run: Run, resultsFile: URL): Promise<StepResult> {
  await mkdir(new URL('./', resultsFile), { recursive: true })
  const playwright = [
    'node_modules/@playwright/test/cli.js',
    'test',
    `--project=${run}`,
    '--reporter=list,json',
    `--global-timeout=${minutesAtMost * 60_000}`,
  ]
  const env = {
    ...guardedEnvironment(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: fileURLToPath(resultsFile),
    FORCE_COLOR: '0',
    // Every worker loads the whole program, and so does each command that a test runs.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled/', import.meta.url)),
  }
  const { code, output } = await capture(playwright, env, (minutesAtMost + 1) * 60_000)
  if (!existsSync(resultsFile)) return { ok: false, report: output, counts: { passed: 0, failed: 0, skipped: 0 } }
  const report = JSON.parse(await readFile(resultsFile, 'utf8')) as BrowserReport
  const { stats } = report
  // There is one try, whoever runs this: what would have passed at a second one has failed.
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
  const judged = judge(counts, output)
  return { ...judged, ok: judged.ok && code === 0, notes: timesOf(report) }
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
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}
type BrowserSuite = {
  readonly specs: readonly { file: string; title: string; tests: readonly BrowserTest[] }[]
  readonly suites?: readonly BrowserSuite[]
}
type BrowserTest = { readonly status: string; readonly results: readonly { readonly duration: number }[] }

/** The tests of a report that `runBrowserTests` left. */
export async function readBrowserTests(resultsFile: URL): Promise<TestResult[]> {
  return testsOf(JSON.parse(await readFile(resultsFile, 'utf8')) as BrowserReport)
}

function testsOf({
  config,
  suites,
}: Pick<BrowserReport, 'config' | 'suites'>): (TestResult & { readonly ms: number })[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs.map(({ file, title, tests }) => ({
      file: relative(root, `${config.rootDir}/${file}`),
      name: title,
      passed: tests.length > 0 && tests.every(({ status }) => status === 'expected'),
      ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
    })),
    ...testsOf({ config, suites: inner }),
  ])
}

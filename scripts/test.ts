/**
 * Everything that must hold, in order: types, lint, tests, tests in a real browser, and that the tests which the
 * documents name as proofs were among them.
 *
 *   node scripts/test.ts [types] [lint] [unit] [pages] [specification]     the named steps; none named: all of them
 *
 * Ends with 0 only when every step passed and none of the test steps ran nothing or skipped something.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inspect, parseArgs } from 'node:util'
import { problemsOf, provenRows, type TestResult, writtenTests } from './proofs.ts'

type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number }
type StepResult = { readonly ok: boolean; readonly report: string; readonly counts?: Counts }
type Step = { readonly name: string; readonly title: string; readonly run: () => Promise<StepResult> }

const root = new URL('../', import.meta.url)
/** Machine-readable: what ran, and whether it passed. */
const results = new URL('test-results/', root)
const nodeResults = new URL('node.json', results)
const browserResults = new URL('browser.json', results)

const steps: readonly Step[] = [
  { name: 'types', title: 'types', run: () => node('node_modules/typescript/bin/tsc', '-p', '.') },
  { name: 'types', title: 'types of the pages', run: () => node('node_modules/typescript/bin/tsc', '-p', 'pages') },
  {
    name: 'types',
    title: 'types of the measurements',
    run: () => node('node_modules/typescript/bin/tsc', '-p', 'bench'),
  },
  {
    name: 'types',
    title: 'types of the demo client',
    run: () => node('node_modules/typescript/bin/tsc', '-p', 'examples/demo-client'),
  },
  {
    name: 'lint',
    title: 'lint and format',
    run: () => node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'),
  },
  { name: 'unit', title: 'tests', run: runNodeTests },
  { name: 'pages', title: 'tests in a browser', run: runBrowserTests },
  { name: 'specification', title: 'proofs of the specification', run: checkProofs },
]

/** Runs a JavaScript program on this runtime; its output is the report. */
async function node(...parameters: string[]): Promise<StepResult> {
  const { code, output } = await capture(parameters, process.env)
  return { ok: code === 0, report: output }
}

function capture(parameters: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; output: string }>()
  const child = spawn(process.execPath, parameters, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.on('error', reject)
  child.on('close', (code) => resolve({ code: code ?? 1, output }))
  return promise
}

async function runNodeTests(): Promise<StepResult> {
  const reports: string[] = []
  const failedFiles = new Set<string>()
  const printed = new Map<string, string>()
  const ran: TestResult[] = []
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  const stream = run({
    globPatterns: ['test/**/*.test.ts'],
    concurrency: Math.max(2, availableParallelism()),
    // A test that hangs fails. One that has reason to take longer says so itself.
    timeout: 120_000,
  })
  for (const channel of ['test:stdout', 'test:stderr'] as const) {
    // `entryFile` is the absolute path, as in the other events; the type definitions do not know it yet.
    stream.on(channel, (event: { file: string; entryFile?: string; message: string }) => {
      const file = event.entryFile ?? event.file
      printed.set(file, (printed.get(file) ?? '') + event.message)
    })
  }
  stream.on('test:pass', ({ name, file, details, skip, todo }) => {
    if (details.type !== 'suite') ran.push(result(file, name, skip === undefined && todo === undefined))
  })
  stream.on('test:fail', ({ name, file, details }) => {
    if (details.type !== 'suite') ran.push(result(file, name, false))
    const error: Error & { failureType?: string } = details.error
    // A suite or a file fails because a test in it did, which is reported by itself.
    if (error.failureType === 'subtestsFailed') return
    reports.push(`✗ ${file ?? ''}: ${name}\n${inspect(error.cause ?? error)}`)
    if (file) failedFiles.add(file)
  })
  stream.on('test:summary', ({ file, counts: total }) => {
    if (file !== undefined) return
    const skipped = total.skipped + total.todo
    counts = { passed: total.passed, skipped, failed: total.tests - total.passed - skipped }
  })
  for await (const _event of stream); // the stream ends when the last file does
  for (const file of failedFiles) {
    const text = printed.get(file)
    if (text) reports.push(`Printed by ${file}:\n${text}`)
  }
  await mkdir(results, { recursive: true })
  await writeFile(nodeResults, JSON.stringify(ran))
  return judge(counts, reports.join('\n\n'))
}

/** `file` as an absolute path. */
function result(file: string | undefined, name: string, passed: boolean): TestResult {
  return { file: relative(fileURLToPath(root), file ?? ''), name, passed }
}

async function runBrowserTests(): Promise<StepResult> {
  await mkdir(results, { recursive: true })
  const { code, output } = await capture(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: fileURLToPath(browserResults),
    FORCE_COLOR: '0',
  })
  if (!existsSync(browserResults)) return { ok: false, report: output, counts: { passed: 0, failed: 0, skipped: 0 } }
  const { stats } = JSON.parse(await readFile(browserResults, 'utf8')) as BrowserReport
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
  const judged = judge(counts, output)
  return { ...judged, ok: judged.ok && code === 0 }
}

/** What Playwright writes, as far as it is read here. */
type BrowserReport = {
  readonly config: { readonly rootDir: string }
  readonly suites: readonly BrowserSuite[]
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}
type BrowserSuite = {
  readonly specs: readonly { file: string; title: string; tests: readonly { status: string }[] }[]
  readonly suites?: readonly BrowserSuite[]
}

function browserTests({ config, suites }: BrowserReport): TestResult[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs.map(({ file, title, tests }) =>
      result(
        `${config.rootDir}/${file}`,
        title,
        tests.length > 0 && tests.every(({ status }) => status === 'expected'),
      ),
    ),
    ...browserTests({ config, suites: inner } as BrowserReport),
  ])
}

/**
 * Every test that the documents name as a proof exists. When both kinds of tests have just run, each also ran and
 * passed; a part of them says nothing about the others.
 */
async function checkProofs(): Promise<StepResult> {
  const complete = existsSync(nodeResults) && existsSync(browserResults)
  const ran = complete
    ? [
        ...(JSON.parse(await readFile(nodeResults, 'utf8')) as TestResult[]),
        ...browserTests(JSON.parse(await readFile(browserResults, 'utf8')) as BrowserReport),
      ]
    : undefined
  const problems = problemsOf(provenRows(), writtenTests(), ran)
  return { ok: problems.length === 0, report: problems.join('\n') }
}

/** Green means: something ran, nothing failed, and nothing was left out. */
function judge(counts: Counts, report: string): StepResult {
  const reasons = [report]
  if (counts.passed + counts.failed === 0) reasons.push('No test ran at all.')
  if (counts.skipped > 0) reasons.push(`${counts.skipped} skipped; every test has to run.`)
  const ok = counts.failed === 0 && counts.skipped === 0 && counts.passed > 0
  return { ok, counts, report: reasons.filter(Boolean).join('\n\n') }
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const unknown = positionals.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) {
    const names = [...new Set(steps.map((step) => step.name))].join(', ')
    process.stderr.write(`There is no step called ${unknown.join(', ')}; the steps are ${names}.\n`)
    process.exitCode = 2
    return
  }
  const chosen = positionals.length === 0 ? steps : steps.filter((step) => positionals.includes(step.name))
  // What an earlier run left proves nothing about this one.
  for (const file of [nodeResults, browserResults]) await rm(file, { force: true })
  const started = performance.now()
  const failed: string[] = []
  let passedTests = 0
  let failedTests = 0
  for (const step of chosen) {
    const stepStarted = performance.now()
    process.stdout.write(`${step.title} … `)
    const { ok, report, counts } = await step.run()
    const detail = counts ? `, ${counts.passed} passed, ${counts.failed} failed` : ''
    process.stdout.write(`${ok ? 'ok' : 'FAILED'} (${seconds(stepStarted)}${detail})\n`)
    passedTests += counts?.passed ?? 0
    failedTests += counts?.failed ?? 0
    if (ok) continue
    failed.push(step.title)
    process.stdout.write(`\n${report.trim()}\n\n`)
  }
  const verdict = failed.length === 0 ? 'Everything holds' : `Not well: ${failed.join('; ')}`
  process.stdout.write(`${verdict} (${seconds(started)})\n`)
  if (chosen.some((step) => step.run === runNodeTests || step.run === runBrowserTests)) {
    process.stdout.write(`${passedTests} passed, ${failedTests} failed\n`)
  }
  process.exitCode = failed.length === 0 ? 0 : 1
}

await main()

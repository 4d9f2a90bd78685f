/**
 * Everything that must hold, in order: types, lint, tests, tests in a real browser.
 *
 *   node scripts/test.ts [types] [lint] [unit] [pages]     the named steps; none named: all of them
 *
 * Ends with 0 only when every step passed and none of the test steps ran nothing or skipped something.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { run } from 'node:test'
import { inspect, parseArgs } from 'node:util'

type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number }
type StepResult = { readonly ok: boolean; readonly report: string; readonly counts?: Counts }
type Step = { readonly name: string; readonly title: string; readonly run: () => Promise<StepResult> }

const root = new URL('../', import.meta.url)
const results = new URL('test-results/', root)

const steps: readonly Step[] = [
  { name: 'types', title: 'types', run: () => node('node_modules/typescript/bin/tsc', '-p', '.') },
  { name: 'types', title: 'types of the pages', run: () => node('node_modules/typescript/bin/tsc', '-p', 'pages') },
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
  stream.on('test:fail', ({ name, file, details }) => {
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
  return judge(counts, reports.join('\n\n'))
}

async function runBrowserTests(): Promise<StepResult> {
  const file = new URL('browser.json', results)
  await mkdir(results, { recursive: true })
  await rm(file, { force: true })
  const { code, output } = await capture(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file.pathname,
    // Playwright clears its output folder at the start, the report is written at the end.
    FORCE_COLOR: '0',
  })
  if (!existsSync(file)) return { ok: false, report: output, counts: { passed: 0, failed: 0, skipped: 0 } }
  const { stats } = JSON.parse(await readFile(file, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  }
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
  const judged = judge(counts, output)
  return { ...judged, ok: judged.ok && code === 0 }
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

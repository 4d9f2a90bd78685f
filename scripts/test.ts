/**
 * Everything that must hold, in order: types, lint, tests, tests in a real browser, and that the tests which the
 * documents name as proofs were among them.
 *
 *   node scripts/test.ts [types] [lint] [unit] [pages] [specification]     the named steps; none named: all of them
 *   node scripts/test.ts --long [clients] [unit] [pages] [specification]   the tests that take longer (test-runs.ts)
 *
 * Ends with 0 only when every step passed and none of the test steps ran nothing or skipped something. A long test that
 * needs a program which this machine lacks is listed as not tried.
 */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { readBrowserTests, runBrowserTests } from './browser-tests.ts'
import { installExampleClients } from './example-clients.ts'
import { runNodeTests } from './node-tests.ts'
import { problemsOf, provenRows, type TestResult, writtenTests } from './proofs.ts'
import { type Run, runsByFile } from './test-runs.ts'
import { node, type StepResult } from './test-step.ts'

type Step = {
  readonly name: string
  readonly title: string
  /** Absent: a step of both. */
  readonly only?: Run
  readonly run: (run: Run) => Promise<StepResult>
}

/** Machine-readable: what ran, and whether it passed. */
const resultsOf = (run: Run, kind: 'node' | 'browser') =>
  new URL(`../test-results/${run}-${kind}.json`, import.meta.url)

const types = (title: string, project: string): Step => ({
  name: 'types',
  title,
  only: 'short',
  run: () => node('node_modules/typescript/bin/tsc', '-p', project),
})

const steps: readonly Step[] = [
  types('types', '.'),
  types('types of the pages', 'pages'),
  types('types of the measurements', 'bench'),
  types('types of the demo client', 'examples/demo-client'),
  {
    name: 'lint',
    title: 'lint and format',
    only: 'short',
    run: () => node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'),
  },
  { name: 'clients', title: 'packages of the example clients', only: 'long', run: installExampleClients },
  { name: 'unit', title: 'tests', run: (run) => runNodeTests(run, resultsOf(run, 'node')) },
  { name: 'pages', title: 'tests in a browser', run: (run) => runBrowserTests(run, resultsOf(run, 'browser')) },
  { name: 'specification', title: 'proofs of the specification', run: checkProofs },
]

/**
 * Every test that the documents name as a proof exists and belongs to a run. When both kinds of tests of this run have
 * just run, each of its own also ran and passed; a part of them says nothing about the others.
 */
async function checkProofs(run: Run): Promise<StepResult> {
  const files = { node: resultsOf(run, 'node'), browser: resultsOf(run, 'browser') }
  const complete = existsSync(files.node) && existsSync(files.browser)
  const results = complete
    ? [...(JSON.parse(await readFile(files.node, 'utf8')) as TestResult[]), ...(await readBrowserTests(files.browser))]
    : undefined
  const problems = problemsOf(provenRows(), writtenTests(), runsByFile(), results && { run, results })
  return { ok: problems.length === 0, report: problems.join('\n') }
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { long: { type: 'boolean' } } })
  const run: Run = values.long === true ? 'long' : 'short'
  const available = steps.filter(({ only }) => only === undefined || only === run)
  const unknown = positionals.filter((name) => !available.some((step) => step.name === name))
  if (unknown.length > 0) {
    const names = [...new Set(available.map((step) => step.name))].join(', ')
    process.stderr.write(`There is no step called ${unknown.join(', ')}; the steps are ${names}.\n`)
    process.exitCode = 2
    return
  }
  const chosen = positionals.length === 0 ? available : available.filter(({ name }) => positionals.includes(name))
  // What an earlier run left proves nothing about this one.
  for (const kind of ['node', 'browser'] as const) await rm(resultsOf(run, kind), { force: true })
  const started = performance.now()
  const failed: string[] = []
  const total = { passed: 0, failed: 0 }
  for (const step of chosen) {
    const stepStarted = performance.now()
    process.stdout.write(`${step.title} … `)
    const { ok, report, counts, notes = [] } = await step.run(run)
    const detail = counts ? `, ${counts.passed} passed, ${counts.failed} failed` : ''
    process.stdout.write(`${ok ? 'ok' : 'FAILED'} (${seconds(stepStarted)}${detail})\n`)
    for (const note of notes) process.stdout.write(`  ${note}\n`)
    total.passed += counts?.passed ?? 0
    total.failed += counts?.failed ?? 0
    if (ok) continue
    failed.push(step.title)
    process.stdout.write(`\n${report.trim()}\n\n`)
  }
  const verdict = failed.length === 0 ? 'Everything holds' : `Not well: ${failed.join('; ')}`
  process.stdout.write(`${verdict} (${seconds(started)})\n`)
  if (chosen.some(({ name }) => name === 'unit' || name === 'pages')) {
    process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
  }
  process.exitCode = failed.length === 0 ? 0 : 1
}

await main()

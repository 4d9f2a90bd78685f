/**
 * Everything that must hold, in order: types, lint, tests, tests in a real browser, and that the tests which show the
 * requirements (`test/requirements/`) were among them.
 *
 *   node scripts/test.ts [types] [lint] [unit] [pages] [specification]     the named steps; none named: all of them
 *   node scripts/test.ts --long [clients] [schemas] [unit] [pages] [specification]   the tests that take longer (test-runs.ts)
 *   node scripts/test.ts --cluster [unit] [specification]                  the tests on a cluster of databases
 *
 * Ends with 0 only when every step passed and none of the test steps ran nothing or skipped something. A long test that
 * needs a program which this machine lacks is listed as not tried. Where programs of the cluster are missing, `--cluster`
 * names their Debian packages and ends with 2, or with 0 if `--if-available` was given.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { missingLine } from '../test/cluster/packages.ts'
import { runBrowserTests } from './browser-tests.ts'
import { runNodeTests } from './node-tests.ts'
import { installOwnPackages } from './own-packages.ts'
import { checkProofs, resultsOf } from './proofs-step.ts'
import type { Run } from './test-runs.ts'
import { node, type StepResult } from './test-step.ts'

type Step = {
  readonly name: string
  readonly title: string
  /** The runs that have it; absent: every run. */
  readonly only?: readonly Run[]
  /** Begins with the other such steps: what one leaves of the cores, the others use. */
  readonly isBeside?: boolean
  readonly run: (run: Run) => Promise<StepResult>
}

/** The last lines of a run, and the end of what failed: `.ci/run` shows them once more when all runs are done. */
const verdictOf = (run: Run) => new URL(`../test-results/${run}-verdict.txt`, import.meta.url)

const types = (title: string, project: string): Step => ({
  name: 'types',
  title,
  only: ['short'],
  isBeside: true,
  // What was found the last time is kept: only what has changed since, and what depends on it, is checked again.
  run: () =>
    node(
      'node_modules/typescript/bin/tsc',
      ...['-p', project, '--incremental'],
      ...['--tsBuildInfoFile', `node_modules/.cache/types/${basename(project === '.' ? 'project' : project)}.json`],
    ),
})

const packages = (name: string, title: string, folder: string): Step => ({
  name,
  title,
  only: ['long'],
  run: () => installOwnPackages(folder),
})

const steps: readonly Step[] = [
  types('types', '.'),
  types('types of the pages', 'pages'),
  types('types of the demo client', 'examples/demo-client'),
  {
    name: 'lint',
    title: 'lint and format',
    only: ['short'],
    isBeside: true,
    run: () => node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'),
  },
  packages('clients', 'packages of the example clients', 'examples/clients'),
  packages('schemas', 'schemas of the deployment files', 'deploy/schemas'),
  { name: 'unit', title: 'tests', isBeside: true, run: (run) => runNodeTests(run, resultsOf(run, 'node')) },
  {
    name: 'pages',
    title: 'tests in a browser',
    only: ['short', 'long'],
    run: (run) => runBrowserTests(run, resultsOf(run, 'browser')),
  },
  { name: 'specification', title: 'proofs of the specification', run: (run) => checkProofs(run) },
]

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
}

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const options = { long: flag, cluster: flag, 'if-available': flag }
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  const run: Run = values.cluster ? 'cluster' : values.long ? 'long' : 'short'
  const available = steps.filter(({ only }) => only === undefined || only.includes(run))
  const unknown = positionals.filter((name) => !available.some((step) => step.name === name))
  if (unknown.length > 0) {
    const names = [...new Set(available.map((step) => step.name))].join(', ')
    process.stderr.write(`There is no step called ${unknown.join(', ')}; the steps are ${names}.\n`)
    process.exitCode = 2
    return
  }
  const missing = run === 'cluster' ? missingLine() : undefined
  if (missing !== undefined) {
    process.stdout.write(`${values['if-available'] ? 'tests on a cluster: not tried: ' : ''}${missing}\n`)
    process.exitCode = values['if-available'] ? 0 : 2
    return
  }
  const chosen = positionals.length === 0 ? available : available.filter(({ name }) => positionals.includes(name))
  // What an earlier run left proves nothing about this one.
  for (const kind of ['node', 'browser'] as const) await rm(resultsOf(run, kind), { force: true })
  await rm(verdictOf(run), { force: true })
  await mkdir(new URL('.', verdictOf(run)), { recursive: true })
  const started = performance.now()
  const failed: { title: string; report: string }[] = []
  const unsteady: string[] = []
  const total = { passed: 0, failed: 0 }
  const underway = new Map<Step, Promise<StepResult & { readonly took: string }>>()
  const begin = async (step: Step) => {
    const stepStarted = performance.now()
    return { ...(await step.run(run)), took: seconds(stepStarted) }
  }
  for (const step of chosen) {
    process.stdout.write(`${step.title} … `)
    for (const other of step.isBeside ? chosen.filter(({ isBeside }) => isBeside) : [step]) {
      if (!underway.has(other)) underway.set(other, begin(other))
    }
    const { ok, report, took, counts, unsteady: atFirst, notes = [] } = await (underway.get(step) ?? begin(step))
    const detail = counts ? `, ${counts.passed} passed, ${counts.failed} failed` : ''
    process.stdout.write(`${ok ? 'ok' : 'FAILED'} (${took}${detail})\n`)
    for (const note of notes) process.stdout.write(`  ${note}\n`)
    total.passed += counts?.passed ?? 0
    total.failed += counts?.failed ?? 0
    if (atFirst !== undefined) {
      unsteady.push(`${step.title}: ${atFirst}`)
      process.stdout.write(`\n${atFirst}\n\n`)
    }
    if (ok) continue
    failed.push({ title: step.title, report: report.trim() })
    process.stdout.write(`\n${report.trim()}\n\n`)
  }
  // Once more, cut: a log that keeps its end alone still says what failed in an early step.
  for (const { title, report } of failed.slice(0, -1)) process.stdout.write(`${title}:\n${report.slice(0, 4000)}\n\n`)
  const held = failed.length === 0 ? 'Everything holds' : `Not well: ${failed.map(({ title }) => title).join('; ')}`
  const counted = chosen.some(({ name }) => name === 'unit' || name === 'pages')
  const counts = counted ? `${total.passed} passed, ${total.failed} failed\n` : ''
  const verdict = `${held} (${seconds(started)})\n${counts}`
  process.stdout.write(verdict)
  const reports = [...failed.map(({ title, report }) => `${title}:\n${report}`), ...unsteady].map(
    (text) => `${text.slice(0, 4000)}\n`,
  )
  await writeFile(verdictOf(run), [verdict, ...reports].join('\n'))
  process.exitCode = failed.length === 0 ? 0 : 1
}

await main()

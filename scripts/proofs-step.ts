/** The last step of each run: whether everything that must hold is shown, and the reports of it. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { readBrowserTests } from './browser-tests.ts'
import { problemsOf, problemsOfTitles, type TestResult, writtenTests } from './proofs.ts'
import { deadEndsReport, proofsReport, type RecordedRun } from './proofs-report.ts'
import { readCatalogues } from './requirements.ts'
import { commandOf, type Run, runsByFile } from './test-runs.ts'
import type { StepResult } from './test-step.ts'

const resultsFolder = new URL('../test-results/', import.meta.url)

/** Machine-readable: what ran, and whether it passed. */
export function resultsOf(run: Run, kind: 'node' | 'browser', folder = resultsFolder): URL {
  return new URL(`${run}-${kind}.json`, folder)
}

/**
 * Every requirement has tests that exist and belong to a run. When both kinds of tests of this run have just run, each of its
 * own also ran and passed; a part of them says nothing about the others. What is known of all runs is written to
 * `folder`: what an earlier one left is told with its time, and decides nothing here.
 */
export async function checkProofs(
  run: Run,
  folder = resultsFolder,
  { written, runs, catalogues } = readSources(),
): Promise<StepResult> {
  const recorded = await Promise.all((Object.keys(commandOf) as Run[]).map((one) => recordOf(one, folder)))
  const finished = recorded.filter((one) => one !== undefined)
  const own = finished.find((one) => one.run === run)
  const problems = [...problemsOfTitles(catalogues, written), ...problemsOf(catalogues, written, runs, own)]
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('specification.md', folder), proofsReport(catalogues, { written, runs, finished }, problems))
  await writeFile(new URL('no-dead-ends.md', folder), deadEndsReport({ finished }))
  return { ok: problems.length === 0, report: problems.join('\n') }
}

/** What is written: the tests, the runs of each file, and what must hold. */
export function readSources() {
  const written = writtenTests()
  return { written, runs: runsByFile(), catalogues: readCatalogues(written) }
}

/** What a run left. Undefined: it was not there, or a part of it alone. */
async function recordOf(run: Run, folder: URL): Promise<RecordedRun | undefined> {
  const files = { node: resultsOf(run, 'node', folder), browser: resultsOf(run, 'browser', folder) }
  const hasBrowser = run !== 'cluster'
  if (!existsSync(files.node) || (hasBrowser && !existsSync(files.browser))) return undefined
  const results = [
    ...(JSON.parse(await readFile(files.node, 'utf8')) as TestResult[]),
    ...(hasBrowser ? await readBrowserTests(files.browser) : []),
  ]
  const { mtime } = await stat(hasBrowser ? files.browser : files.node)
  return { run, results, endedAt: mtime }
}

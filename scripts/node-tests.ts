/** Runs the tests that Node.js runs by itself, and tells what became of them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { run as runTests } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { shareServer } from '../test/support/postgres.ts'
import { shareTemplate } from '../test/support/sqlite.ts'
import type { TestResult } from './proofs.ts'
import { deservesLook, passedAgain, unsteadyOf } from './second-look.ts'
import { groupFiles } from './test-groups.ts'
import { filesOf, type Run } from './test-runs.ts'
import { type Duration, guardedEnvironment, judge, longest, type StepResult } from './test-step.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * How a test of the long run says that this machine lacks a program which it tries the service with. Its reason for
 * being skipped begins with this.
 */
const notHere = 'not on this machine: '

/** Why a test of the short run is skipped that reads what other systems export: the data are beside the project, not in it. */
const withoutData = `${notHere}../shared/data`

/** The folders with the longest files, which are started first: one that starts last would run alone at the end. */
const longFolders = ['test/storage/', 'test/cli/', 'test/operations/', 'test/repository/', 'test/http/']

/** Started before all others. */
const longestFile = 'test/account/failed-sign-in-times.long.test.ts'

/**
 * Without the end of any test for so long, everything is ended from outside: a file that blocks its own process cannot
 * end itself. How long all of them take is up to the machine.
 */
const minutesWithoutTest = 25

/** Runs the tests of `run`, and writes what ran to `resultsFile` as JSON (`TestResult[]`). */
export async function runNodeTests(run: Run, resultsFile: URL): Promise<StepResult> {
  const reports: string[] = []
  const failedFiles = new Set<string>()
  const printed = new Map<string, string>()
  const durations: Duration[] = []
  const tests: Duration[] = []
  const ran: TestResult[] = []
  const notTried: string[] = []
  const counts = { passed: 0, failed: 0, skipped: 0 }
  // Starting one takes as long as many a file of the short run; those of the long run stop and kill theirs.
  const postgres = run === 'short' ? await shareServer() : undefined
  const files = longestFirst(filesOf(run, 'test')).map((file) => `${root}${file}`)
  const startedFor =
    run === 'short' ? groupFiles(files, fileURLToPath(new URL('./groups', resultsFile))) : new Map<string, string>()
  const silence = new AbortController()
  const options = {
    env: { ...guardedEnvironment(), ...(await shareTemplate()) },
    // A file lives for seconds: with room for what it throws away, the collector has less to do.
    execArgv: ['--max-semi-space-size=32', `--import=${new URL('../test/support/ends.ts', import.meta.url)}`],
    signal: silence.signal,
    // A test that hangs fails, one on a busy machine does not. One that has reason to take longer says so itself.
    timeout: 240_000,
  }
  const stream = runTests({
    ...options,
    env: { ...options.env, ...postgres?.env },
    files: [...new Set(files.map((file) => startedFor.get(file) ?? file))],
    // One more than cores: files wait for processes and databases as often as they compute. A cluster needs the whole
    // machine, and its times are measured.
    concurrency: run === 'cluster' ? 1 : Math.max(2, availableParallelism()) + 1,
  })
  for (const channel of ['test:stdout', 'test:stderr'] as const) {
    // `entryFile` is the absolute path, as in the other events; the type definitions do not know it yet.
    stream.on(channel, (event: { file: string; entryFile?: string; message: string }) => {
      const file = event.entryFile ?? event.file
      printed.set(file, (printed.get(file) ?? '') + event.message)
    })
  }
  stream.on('test:pass', ({ name, file, details, skip, todo }) => {
    if (details.type === 'suite') return
    tests.push({ what: `${nameOf(file)}: ${name}`, ms: details.duration_ms })
    const isNotTried =
      typeof skip === 'string' && (run === 'long' ? skip.startsWith(notHere) : run === 'short' && skip === withoutData)
    if (isNotTried) notTried.push(`not tried: ${name} (${skip})`)
    const passed = skip === undefined && todo === undefined
    ran.push({ file: nameOf(file), name, passed, ms: details.duration_ms, ...(isNotTried && { notTried: true }) })
  })
  stream.on('test:fail', ({ name, file, details }) => {
    if (details.type !== 'suite') ran.push({ file: nameOf(file), name, passed: false })
    const error: Error & { failureType?: string } = details.error
    // A suite or a file fails because a test in it did, which is reported by itself.
    if (error.failureType === 'subtestsFailed') return
    reports.push(`✗ ${file ?? ''}: ${name}\n${inspect(error.cause ?? error)}`)
    if (file) failedFiles.add(file)
  })
  const measured: string[] = []
  stream.on('test:diagnostic', ({ message, nesting }) => {
    // Those of the run itself are counts.
    if (run === 'cluster' && nesting > 0) measured.push(message)
  })
  stream.on('test:summary', ({ file, counts: total, duration_ms: ms }) => {
    if (file !== undefined) {
      durations.push({ what: nameOf(file), ms })
      return
    }
    counts.skipped = total.skipped + total.todo - notTried.length
    counts.passed = total.passed
    counts.failed = total.tests - total.passed - total.skipped - total.todo
  })
  const progress = watchProgress(stream)
  const lines =
    run === 'short' ? undefined : setInterval(() => process.stdout.write(`\n  ${progress.line()} … `), 60_000)
  const ending = setTimeout(() => {
    reports.push(`No test ended for ${minutesWithoutTest} minutes; ${progress.line()}`)
    silence.abort()
  }, minutesWithoutTest * 60_000)
  stream.on('test:complete', () => ending.refresh())
  for await (const _event of stream); // the stream ends when the last file does
  clearInterval(lines)
  clearTimeout(ending)
  await postgres?.stop()
  for (const file of failedFiles) {
    const text = printed.get(startedFor.get(file) ?? file)
    if (text) reports.push(`Printed by ${file}:\n${text}`)
  }
  // Tests of a cluster prepare theirs for minutes, and each has the machine for itself already.
  const isWorthLooking = run !== 'cluster' && !silence.signal.aborted && deservesLook(failedFiles.size)
  const again = isWorthLooking ? await passedAgain([...failedFiles], options, nameOf) : null
  if (again !== null) {
    counts.passed += counts.failed
    counts.failed = 0
  }
  await mkdir(new URL('./', resultsFile), { recursive: true })
  const held = again === null ? ran : [...ran.filter(({ passed, notTried }) => passed || notTried === true), ...again]
  await writeFile(resultsFile, JSON.stringify(held))
  return {
    ...judge(counts, again === null ? reports.join('\n\n') : ''),
    ...(again !== null && { unsteady: unsteadyOf(reports.join('\n\n')) }),
    notes: [...notTried, ...measured, ...longest('files', durations), ...longest('tests', tests)],
  }
}

/** Follows how much is done, and which files are being waited for. */
function watchProgress(stream: ReturnType<typeof runTests>): { line(): string } {
  const started = performance.now()
  const running = new Set<string>()
  let done = 0
  const isFile = (event: { readonly name: string; readonly file?: string }) => event.name === event.file
  stream.on('test:dequeue', (event) => {
    if (isFile(event)) running.add(nameOf(event.file))
  })
  stream.on('test:complete', (event) => {
    if (!isFile(event)) return
    running.delete(nameOf(event.file))
    done += 1
  })
  return {
    line() {
      const minutes = Math.round((performance.now() - started) / 60_000)
      return `after ${minutes} min: ${done} files done; running ${[...running].join(', ')}`
    },
  }
}

/** `longestFile`, the files of `longFolders`, then the others, each in the given order. */
function longestFirst(files: readonly string[]): string[] {
  const isLong = (file: string) => longFolders.some((folder) => file.startsWith(folder))
  const rank = (file: string) => (file === longestFile ? 0 : isLong(file) ? 1 : 2)
  return files.toSorted((one, other) => rank(one) - rank(other))
}

/** `file` as an absolute path. */
function nameOf(file: string | undefined): string {
  return relative(root, file ?? '')
}

/** What a step of the tests is told by, and how it is judged. */
import { spawn } from 'node:child_process'

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number }

export type StepResult = {
  readonly ok: boolean
  /** Printed when the step failed. */
  readonly report: string
  readonly counts?: Counts
  /** What failed at first, and why. Printed in any case, and once more at the end. */
  readonly unsteady?: string
  /** Lines that are printed in any case. */
  readonly notes?: readonly string[]
}

/** How long a file or a test took. */
export type Duration = { readonly what: string; readonly ms: number }

const root = new URL('../', import.meta.url)

/** The environment of a run: its processes, and theirs, reach nothing but this machine. */
export function guardedEnvironment(): NodeJS.ProcessEnv {
  const guard = new URL('test/support/loopback-only.ts', root)
  const options = [process.env.NODE_OPTIONS, `--import=${guard}`].filter(Boolean)
  return { ...process.env, NODE_OPTIONS: options.join(' ') }
}

/** Green means: something ran, nothing failed, and nothing was left out. */
export function judge(counts: Counts, report: string): StepResult {
  const reasons = [report]
  if (counts.passed + counts.failed === 0) reasons.push('No test ran at all.')
  if (counts.skipped > 0) reasons.push(`${counts.skipped} skipped; every test has to run.`)
  const ok = counts.failed === 0 && counts.skipped === 0 && counts.passed > 0
  return { ok, counts, report: reasons.filter(Boolean).join('\n\n') }
}

/** Where the time went, for the summary. */
export function longest(kind: 'files' | 'tests', durations: readonly Duration[]): string[] {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const total = durations.reduce((sum, { ms }) => sum + ms, 0)
  const most = durations.toSorted((a, b) => b.ms - a.ms).slice(0, 8)
  return [
    `${durations.length} ${kind}, ${seconds(total)} one after the other; the longest:`,
    ...most.map(({ what, ms }) => `  ${seconds(ms).padStart(8)}  ${what}`),
  ]
}

/** Runs a JavaScript program on this runtime; its output is the report. */
export async function node(...parameters: string[]): Promise<StepResult> {
  const { code, output } = await capture(parameters, process.env)
  return { ok: code === 0, report: output }
}

/** Resolves to the exit code and to everything that was printed. Ends the program after `timeoutMs`. */
export function capture(
  parameters: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs?: number,
): Promise<{ code: number; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; output: string }>()
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  child.on('error', reject)
  // What it started may keep the pipes open after it was ended.
  child.on('exit', (_code, signal) => {
    if (signal !== null) resolve({ code: 1, output: `${output}\nEnded by ${signal}.` })
  })
  child.on('close', (code) => resolve({ code: code ?? 1, output }))
  return promise
}

/** `bin/latchkey` in a process of its own, with nothing of the environment of the tests but what `guard` hands on. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Lifetime } from './lifetime.ts'
import { guard } from './service-process.ts'

export const program = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string; readonly level: number }

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

export type Surroundings = {
  /** Where it runs. Default: a fresh folder, which is removed after it has ended. */
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  /** What runs instead of the program of this checkout. */
  readonly command?: readonly [file: string, ...parameters: string[]]
  /** Where its output goes. Default: it is kept. */
  readonly output?: 'pipe' | number
}

export type StartedProgram = {
  readonly child: ChildProcess
  readonly folder: string
  /** What it wrote so far. */
  stdout(): string
  stderr(): string
  /** The lines that were logged so far. */
  log(): LogLine[]
  /** The first line with this message that was logged after the first `since` lines. Rejects when it ends before. */
  logged(msg: string, since?: number): Promise<LogLine>
  /** Resolves once it has ended and its output is complete. */
  readonly ended: Promise<Ended>
}

/** Starts it with these parameters. It is killed in the end. */
export function startProgram(t: Lifetime, words: readonly string[], surroundings: Surroundings = {}): StartedProgram {
  const { folder = mkdtempSync(join(tmpdir(), 'latchkey-program-')), env, output = 'pipe' } = surroundings
  const [file, ...parameters] = surroundings.command ?? [program]
  const { PATH = '' } = process.env
  const child = spawn(file, [...parameters, ...words], {
    cwd: folder,
    env: { PATH, ...guard, ...env },
    stdio: ['pipe', output, output],
  })
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    if (surroundings.folder === undefined) rmSync(folder, { recursive: true, force: true })
  })
  const log = (): LogLine[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  return {
    child,
    folder,
    stdout: () => stdout,
    stderr: () => stderr,
    log,
    async logged(msg, since = 0) {
      const found = () => log().find((line, index) => index >= since && line.msg === msg)
      for (;;) {
        const line = found()
        if (line !== undefined) return line
        const news = child.stdout === null ? ended : once(child.stdout, 'data')
        if (!Array.isArray(await Promise.race([news, ended])) && found() === undefined) {
          throw new Error(`the program ended before it logged '${msg}':\n${stdout}${stderr}`)
        }
      }
    },
    ended,
  }
}

/** Runs it to its end. */
export async function runProgram(
  words: readonly string[],
  { stdin = '', ...surroundings }: Surroundings & { readonly stdin?: string } = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  let cleanUp: () => unknown = () => undefined
  const started = startProgram({ after: (end) => (cleanUp = end) }, words, surroundings)
  started.child.stdin?.end(stdin)
  const { code } = await started.ended
  await cleanUp()
  return { code, stdout: started.stdout(), stderr: started.stderr() }
}

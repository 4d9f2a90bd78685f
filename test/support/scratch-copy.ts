/**
 * A copy of the sources in a folder of its own, which a test changes as somebody would who works on them: the compiler then
 * says what is missing, and the program runs as it would after the change.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { guard } from './service-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the compiler, the program and the generated texts need. `dist/` has the compiled messages. */
const needed = [
  ...['bin', 'src', 'scripts', 'messages', 'pages', 'dist', 'package.json', 'tsconfig.json', 'vite.config.ts'],
  // The versions of libraries that generated documents name.
  'examples/clients/package.json',
]

export type Compiled = {
  /** Each line that reports an error, such as `src/users/user.ts(3,5): error TS2741: …`; empty: it compiles. */
  readonly errors: readonly string[]
}

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type ScratchCopy = {
  readonly folder: string
  /** The launcher of the copy, for `startProcess` and `run`. */
  readonly program: string
  /** The files that were edited, each once. */
  readonly edited: ReadonlySet<string>
  /** Replaces the first occurrence of a text in a file. Throws when the file does not have it. */
  edit(path: string, before: string, after: string): void
  /** Compiles the sources of the program, or those of the pages with it. */
  compile(what?: 'program' | 'pages'): Compiled
  /** Compiles `messages/`: what pages and mails say, and the types of both. */
  compileMessages(): void
  /** Runs a script of the copy, or `bin/latchkey` with these arguments, in `folder` (default: that of the copy). */
  run(file: string, args?: readonly string[], options?: { readonly folder?: string; readonly input?: string }): Ran
}

/** Makes a copy, which is removed after the test. */
export function scratchCopy(t: Pick<TestContext, 'after'>): ScratchCopy {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-scratch-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of needed) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const edited = new Set<string>()

  function process(file: string, args: readonly string[], cwd: string, input = ''): SpawnSyncReturns<string> {
    const { PATH = '' } = globalThis.process.env
    // Neither the settings nor the compile cache of this process.
    const env = { PATH, ...guard, NODE_COMPILE_CACHE: join(folder, '.cache') }
    return spawnSync(file, args, { cwd, env, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  }

  function run(file: string, args: readonly string[] = [], { folder: cwd = folder, input = '' } = {}): Ran {
    const path = join(folder, file)
    const [program, first] = file.endsWith('.ts') ? [globalThis.process.execPath, [path]] : [path, []]
    const { status, stdout, stderr, error } = process(program, [...first, ...args], cwd, input)
    if (error) throw error
    return { code: status, stdout, stderr }
  }

  return {
    folder,
    program: join(folder, 'bin/latchkey'),
    edited,
    edit(path, before, after) {
      const text = readFileSync(join(folder, path), 'utf8')
      if (!text.includes(before)) throw new Error(`${path} does not have ${JSON.stringify(before)}`)
      writeFileSync(
        join(folder, path),
        text.replace(before, () => after),
      )
      edited.add(path)
    },
    compile(what = 'program') {
      const [extended, include] = what === 'pages' ? ['./pages/tsconfig.json', ['pages']] : ['./tsconfig.json', ['src']]
      const project = join(folder, `tsconfig.${what}.json`)
      writeFileSync(project, JSON.stringify({ extends: extended, include, exclude: [] }))
      const { status, stdout, error } = process(
        join(root, 'node_modules/.bin/tsc'),
        ['--noEmit', '-p', project],
        folder,
      )
      if (error) throw error
      const errors = stdout.split('\n').filter((line) => / error TS\d+: /.test(line))
      if (status !== 0 && errors.length === 0) throw new Error(`the compiler failed: ${stdout}`)
      return { errors }
    },
    compileMessages() {
      const { code, stderr } = run('scripts/compile-messages.ts')
      if (code !== 0) throw new Error(`the messages cannot be compiled: ${stderr}`)
    },
    run,
  }
}

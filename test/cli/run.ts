/** Runs commands inside this process, on a folder of their own. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { TestContext } from 'node:test'
import { main } from '../../src/main.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { type Lifetime, temporaryFolder } from '../support/lifetime.ts'
import { settingsFrom } from '../support/settings.ts'
import { makeDatabaseFile, openDatabase } from '../support/sqlite.ts'

export type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type Input = {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
}

export type Workplace = {
  readonly folder: string
  /** Epoch milliseconds as the commands see them. */
  nowMs: number
  /** What happens while a command waits. */
  meanwhile: () => Promise<unknown>
  run(line: string, input?: Input): Promise<Outcome>
  /** Runs with `--json`, expects success, and returns what was printed. */
  json(line: string, input?: Input): Promise<unknown>
  /** Expects exit code 1, nothing on standard output and one line on standard error, which must match. */
  refuses(line: string, pattern: RegExp, input?: Input): Promise<void>
  /** Expects exit code 2. */
  misuses(line: string, pattern: RegExp, input?: Input): Promise<void>
  /** Works on the database of the folder. */
  withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T>
}

/** A fresh folder. Its database has the schema and no rows; with `database` false there is none. */
export function workplace(t: Lifetime, { database = true }: { readonly database?: boolean } = {}): Workplace {
  const folder = temporaryFolder(t)
  const file = join(folder, 'data', 'latchkey.db')
  let made: Promise<unknown> | undefined
  const place: Workplace = {
    folder,
    nowMs: Date.UTC(2027, 0, 1),
    meanwhile: async () => {},
    async run(line, { stdin = '', env = {} } = {}) {
      if (database) {
        made ??= existsSync(file) ? Promise.resolve() : makeDatabaseFile(file)
        await made
      }
      const output = { stdout: new PassThrough(), stderr: new PassThrough() }
      const input = new PassThrough()
      input.end(stdin)
      const context = {
        stdin: input,
        ...output,
        env,
        cwd: folder,
        clock: () => place.nowMs,
        random: randomBytes,
        pause: () => place.meanwhile(),
      }
      const code = await main(words(line), context)
      return { code, stdout: allOf(output.stdout), stderr: allOf(output.stderr) }
    },
    async json(line, input) {
      const { code, stdout, stderr } = await place.run(`${line} --json`, input)
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      return JSON.parse(stdout)
    },
    async refuses(line, pattern, input) {
      const { code, stdout, stderr } = await place.run(line, input)
      assert.match(stderr, pattern)
      assert.match(stderr, /^error: [^\n]+\n$/)
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    },
    async misuses(line, pattern, input) {
      const { code, stdout, stderr } = await place.run(line, input)
      assert.match(stderr, pattern)
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
    },
    async withStorage(work) {
      const settings = settingsFrom({}, folder)
      const storage = await openDatabase(settings.database.url)
      try {
        return await work(storage)
      } finally {
        await storage.close()
      }
    },
  }
  return place
}

/** A workplace where these commands were run before. */
export async function placeAfter(t: TestContext, ...lines: readonly string[]): Promise<Workplace> {
  const place = workplace(t)
  for (const line of lines) await place.run(line)
  return place
}

/** Returns what was written so far. One `read` may return the first of several writes alone. */
function allOf(stream: PassThrough): string {
  let text = ''
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += chunk
  return text
}

/** Words are separated by spaces; 'single quotes' keep one together. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

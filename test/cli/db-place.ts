/** A folder with a database, and commands about the database as a whole. Where another process matters, they run in one of their own. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { main } from '../../src/main.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { runProgram, type StartedProgram, startProgram } from '../support/program.ts'
import { settingsFrom } from '../support/settings.ts'
import { openDatabase } from '../support/sqlite.ts'

export const masterKey = Buffer.alloc(32, 7).toString('base64')

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type Place = {
  readonly folder: string
  /** What happens while a command waits. */
  meanwhile: () => Promise<unknown>
  /** Runs a command in a process of its own. */
  start(line: string): StartedProgram
  /** As `start`, to its end. */
  runApart(line: string): ReturnType<typeof runProgram>
  /** Runs a command inside this process. */
  run(line: string): Promise<Outcome>
  json(line: string): Promise<Record<string, unknown>>
  /** Expects exit code 1 and a last line that matches. */
  refuses(line: string, pattern: RegExp): Promise<void>
  withStorage<T>(work: (storage: Storage) => Promise<T>, address?: string): Promise<T>
}

export function settingsFor(folder: string, url: string | undefined) {
  const env = { Keys__MasterKey: masterKey, ...(url && { Database__Url: url }) }
  return settingsFrom(env, folder)
}

/** A fresh folder, with the database at `url` or else an SQLite file in it. */
export function place(t: TestContext, url?: string, key = masterKey): Place {
  const folder = temporaryFolder(t)
  const env = { Keys__MasterKey: key, ...(url && { Database__Url: url }) }
  const self: Place = {
    folder,
    meanwhile: async () => {},
    start: (line) => startProgram(t, line.split(' '), { folder, env }),
    async run(line) {
      const output = { stdout: new PassThrough(), stderr: new PassThrough() }
      const stdin = new PassThrough()
      stdin.end()
      const pause = () => self.meanwhile()
      const context = { stdin, ...output, env, cwd: folder, clock: Date.now, random: randomBytes, pause }
      const written = Promise.all([text(output.stdout), text(output.stderr)])
      const code = await main(line.split(' '), context)
      for (const stream of Object.values(output)) stream.end()
      const [stdout, stderr] = await written
      return { code, stdout, stderr }
    },
    runApart: (line) => runProgram(line.split(' '), { folder, env }),
    async json(line) {
      const { code, stdout, stderr } = await self.run(`${line} --json`)
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    },
    async refuses(line, pattern) {
      const { code, stdout, stderr } = await self.run(line)
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, stderr)
      const last = stderr.trimEnd().split('\n').at(-1) ?? ''
      assert.match(last, /^error: /)
      assert.match(last, pattern)
    },
    async withStorage(work, address = url) {
      const storage = await openDatabase(settingsFor(folder, address).database.url)
      try {
        return await work(storage)
      } finally {
        await storage.close()
      }
    },
  }
  return self
}

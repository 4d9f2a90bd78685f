/** A folder with a database, and commands about the database as a whole. Where another process matters, they run in one of their own. */
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { main } from '../../src/main.ts'
import { readSettings } from '../../src/settings/read.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { guard } from '../support/service-process.ts'
import { openDatabase } from '../support/sqlite.ts'

const program = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))
export const masterKey = Buffer.alloc(32, 7).toString('base64')

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type Place = {
  readonly folder: string
  /** Runs a command in a process of its own. */
  start(line: string): ChildProcessWithoutNullStreams
  /** As `start`, to its end. */
  runApart(line: string): Promise<Outcome>
  /** Runs a command inside this process. */
  run(line: string): Promise<Outcome>
  json(line: string): Promise<Record<string, unknown>>
  /** Expects exit code 1 and a last line that matches. */
  refuses(line: string, pattern: RegExp): Promise<void>
  withStorage<T>(work: (storage: Storage) => Promise<T>, address?: string): Promise<T>
}

export function settingsFor(folder: string, url: string | undefined) {
  const env = { Keys__MasterKey: masterKey, ...(url && { Database__Url: url }) }
  const read = readSettings({ env, cwd: folder })
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'))
  return read.settings
}

/** A fresh folder, with the database at `url` or else an SQLite file in it. */
export function place(t: TestContext, url?: string, key = masterKey): Place {
  const folder = temporaryFolder(t)
  const { PATH = '' } = process.env
  const env = { Keys__MasterKey: key, ...(url && { Database__Url: url }) }
  const self: Place = {
    folder,
    start: (line) => spawn(program, line.split(' '), { cwd: folder, env: { PATH, ...guard, ...env }, stdio: 'pipe' }),
    async run(line) {
      const output = { stdout: new PassThrough(), stderr: new PassThrough() }
      const stdin = new PassThrough()
      stdin.end()
      const context = { stdin, ...output, env, cwd: folder, clock: Date.now, random: randomBytes }
      const written = Promise.all([text(output.stdout), text(output.stderr)])
      const code = await main(line.split(' '), context)
      for (const stream of Object.values(output)) stream.end()
      const [stdout, stderr] = await written
      return { code, stdout, stderr }
    },
    async runApart(line) {
      const child = self.start(line)
      child.stdin.end()
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      const [code] = await once(child, 'close')
      return { code, stdout, stderr }
    },
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

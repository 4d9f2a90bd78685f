/** `latchkey import` of many people under SIGKILL: it goes on where it stopped, and its memory does not grow with the file. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStorage } from '../../src/storage/open.ts'
import { temporaryFolder } from '../support/lifetime.ts'

const program = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))
const people = Number(process.env.PEOPLE ?? 200_000)
const kills = 3

const folder = temporaryFolder()
const file = createWriteStream(join(folder, 'people.jsonl'))
for (let at = 0; at < people; at += 1) {
  // Every thousandth is left out.
  const email = at % 1000 === 999 ? 'nowhere' : `u${at}@example.com`
  const hash = Buffer.concat([Buffer.of(0), randomBytes(48)]).toString('base64')
  const line = JSON.stringify({ id: `id-${at}`, username: `u${at}`, email, password_hash: `aspnet:${hash}` })
  if (!file.write(`${line}\n`)) await once(file, 'drain')
}
file.end()
await once(file, 'finish')

/** Megabytes of a process that runs; undefined: it has ended. */
function residentMb({ pid, exitCode }: ChildProcess): number | undefined {
  if (exitCode !== null) return undefined
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return line === undefined ? undefined : Number(line) / 1024
}

describe('an import of many people', () => {
  it('goes on where it was killed, with every person once, in memory that stays flat', {
    timeout: 300_000,
  }, async (t) => {
    const url = { kind: 'sqlite', file: join(folder, 'latchkey.db') } as const
    await (await openStorage(url, { migrate: true })).close()
    const env = { ...process.env, Database__Url: `sqlite:${url.file}` }
    const start = () => {
      const run = spawn(program, ['import', 'users', 'people.jsonl', '--json'], { cwd: folder, env })
      let stderr = ''
      run.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      t.after(() => run.kill('SIGKILL'))
      return Object.assign(run, { said: () => stderr })
    }
    const stored = () => {
      const db = new DatabaseSync(url.file, { readOnly: true, timeout: 5000 })
      try {
        return Number(db.prepare('select count(*) as n from users').get()?.n)
      } finally {
        db.close()
      }
    }
    let last = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const run = start()
      const ended = once(run, 'exit')
      while (stored() < last + people / 20) {
        assert.equal(run.exitCode, null, run.said())
        await wait(20)
      }
      run.kill('SIGKILL')
      await ended
      assert.ok(stored() > last && stored() < people, 'it was killed in the middle')
      last = stored()
    }
    const run = start()
    const ended = once(run, 'exit')
    let stdout = ''
    run.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    const samples: number[] = []
    for (;;) {
      await Promise.race([ended, wait(250)])
      const mb = run.exitCode === null && run.signalCode === null ? residentMb(run) : undefined
      if (mb === undefined) break
      samples.push(mb)
    }
    assert.notEqual(stdout, '', run.said())
    const { rows, findings, ...counts } = JSON.parse(stdout)
    const failed = people / 1000
    assert.deepEqual(counts, { read: people, created: people - failed, updated: 0, skipped: 0, failed })
    assert.equal(findings.length, failed)
    assert.deepEqual([rows.length, rows[0].line, rows.at(-1).line], [failed, 1000, people])
    assert.equal(stored(), people - failed)
    const storage = await openStorage(url, { migrate: true })
    assert.equal(await storage.weakPasswords.count(), people - failed)
    const entries = await storage.audit.list({ kind: 'data_imported' }, undefined, people)
    await storage.close()
    const created = entries.reduce((sum, { details }) => sum + Number(details.created), 0)
    assert.equal(created, people - failed, 'the trail has everybody once')
    const half = Math.floor(samples.length / 2)
    const [early, late] = [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half))]
    assert.ok(late < early * 1.15 + 10, `${late} MB late, ${early} MB early`)
  })
})

/** Ready means able: a disk that takes nothing more, a file that is not there any more, and a PostgreSQL that only reads. */
import assert from 'node:assert/strict'
import { copyFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import postgres from 'postgres'
import { Browser } from '../support/browser.ts'
import { postgresServer } from '../support/postgres.ts'
import { program, runProgram } from '../support/program.ts'
import { executeSqlite } from '../support/sqlite.ts'
import { type Running, serve } from './running.ts'

const server = await postgresServer()
after(() => server.stop())

const masterKey = Buffer.alloc(32, 7).toString('base64')

/** Runs what follows with files of at most 1 MiB (2 MiB where the shell counts in kilobytes): a disk that is soon full. */
const onSmallDisk = ['/bin/sh', '-c', 'ulimit -f 2048 && exec "$@"', 'sh'] as const
const beyondTheDisk = 3 * 1024 * 1024

const fileOf = ({ folder }: Running): string => join(folder, 'data', 'latchkey.db')

async function readiness({ issuer }: Running): Promise<readonly [number, unknown]> {
  const answer = await fetch(`${issuer}readyz`)
  return [answer.status, await answer.json()]
}

/** Asks until the answer has this status: an answer is kept for a second. */
async function untilReadiness(running: Running, status: number): Promise<unknown> {
  const deadlineMs = performance.now() + 120_000
  for (;;) {
    const [found, body] = await readiness(running)
    if (found === status) return body
    assert.ok(performance.now() < deadlineMs, `still ${found} ${JSON.stringify(body)}`)
  }
}

/** A sign-in with the right password, which stores a session. */
async function signIn(running: Running): Promise<number> {
  const answer = await new Browser(running).signIn()
  await answer.body?.cancel()
  return answer.status
}

/** Lets the write-ahead log grow until nobody with a smaller disk can add to it. The database itself stays small. */
function fillDisk(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5000 })
  db.exec(
    'PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (n); INSERT INTO filler VALUES (0)',
  )
  while (statSync(`${file}-wal`).size < beyondTheDisk) db.exec('UPDATE filler SET n = n + 1')
  db.close()
}

function freeDisk(file: string): void {
  executeSqlite(file, 'DROP TABLE filler; PRAGMA wal_checkpoint(TRUNCATE)')
}

const doctor = (folder: string, env: Record<string, string>, command: readonly [string, ...string[]]) =>
  runProgram(['doctor'], { folder, env, command: [...command, program] })

describe('a disk that takes nothing more', () => {
  it('makes the service not ready and the doctor fail, and is found to have room again [C2.24]', async (t) => {
    const running = await serve(t, { command: [...onSmallDisk, program] })
    assert.deepEqual(await readiness(running), [200, { status: 'ready' }])
    fillDisk(fileOf(running))
    assert.equal(await signIn(running), 503)
    assert.deepEqual(await untilReadiness(running, 503), { status: 'not_ready', missing: ['writes'] })
    assert.equal((await fetch(`${running.issuer}healthz`)).status, 200)
    const examined = await doctor(running.folder, {}, onSmallDisk)
    assert.equal(examined.code, 1)
    assert.match(examined.stdout, /✗ The database .*latchkey\.db cannot (?:grow|be read or written)/)

    freeDisk(fileOf(running))
    assert.deepEqual(await untilReadiness(running, 200), { status: 'ready' })
    assert.equal(await signIn(running), 302)
    assert.equal((await doctor(running.folder, {}, onSmallDisk)).code, 0)
  })
})

describe('a database file that is exchanged under a running service', () => {
  for (const [how, exchange] of [
    ['removed', (file: string) => rmSync(file)],
    [
      'replaced by a copy of itself',
      (file: string) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    ],
  ] as const) {
    it(`makes it not ready, and nothing more is acknowledged: ${how}`, async (t) => {
      const running = await serve(t)
      assert.equal(await signIn(running), 302)
      exchange(fileOf(running))
      assert.deepEqual(await untilReadiness(running, 503), { status: 'not_ready', missing: ['writes'] })
      assert.equal(await signIn(running), 503)
    })
  }

  it('is in order again when the file is put back', async (t) => {
    const running = await serve(t)
    const file = fileOf(running)
    renameSync(file, `${file}.away`)
    await untilReadiness(running, 503)
    renameSync(`${file}.away`, file)
    await untilReadiness(running, 200)
    assert.equal(await signIn(running), 302)
  })

  it('is noticed for its write-ahead log, too', async (t) => {
    const running = await serve(t)
    assert.equal(await signIn(running), 302)
    await untilReadiness(running, 200)
    rmSync(`${fileOf(running)}-wal`)
    await untilReadiness(running, 503)
  })
})

describe('a PostgreSQL that takes no writes', () => {
  it('makes the service not ready and the doctor fail, until it takes them again', async (t) => {
    const url = await server.createDatabase()
    const env = { Database__Url: url, Keys__MasterKey: masterKey }
    const running = await serve(t, { env })
    const admin = postgres(url, { max: 1, onnotice: () => {} })
    t.after(() => admin.end())
    const database = new URL(url).pathname.slice(1)
    const setReadOnly = async (value: 'on' | 'off') => {
      await admin.unsafe(`alter database ${database} set default_transaction_read_only = ${value}`)
      // New sessions alone are read-only: those of the service end, as at a failover.
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    }
    assert.deepEqual(await readiness(running), [200, { status: 'ready' }])
    await setReadOnly('on')
    while ((await signIn(running)) !== 503);
    assert.deepEqual(await untilReadiness(running, 503), { status: 'not_ready', missing: ['writes'] })
    const examined = await doctor(running.folder, env, ['/bin/sh', '-c', 'exec "$@"', 'sh'])
    assert.equal(examined.code, 1)
    assert.match(examined.stdout, /✗ The database .* cannot be used: it accepts no writes now/)
    await admin.unsafe('set default_transaction_read_only = off')
    await admin.unsafe(`alter database ${database} set default_transaction_read_only = off`)
    // The connections of the service stay open and read-only: it lets go of them by itself.
    assert.deepEqual(await untilReadiness(running, 200), { status: 'ready' })
    assert.equal(await signIn(running), 302)
  })
})

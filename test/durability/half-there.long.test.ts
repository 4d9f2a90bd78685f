/**
 * A database of which a part is missing: readiness, a start and `doctor` say which, no request hangs, nothing is
 * acknowledged that was not committed, and the service recovers by itself.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import postgres from 'postgres'
import { check, summary } from '../cluster/checker.ts'
import { journeySettings, prepareJourneys, startJourneys } from '../cluster/journeys.ts'
import { newLedger } from '../cluster/ledger.ts'
import { signedInWith } from '../cluster/requests.ts'
import { until } from '../cluster/watchdog.ts'
import { freePort } from '../support/free-port.ts'
import { postgresPair } from '../support/postgres.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { assertNone } from '../support/values.ts'

const { primary, standby } = await postgresPair()
const folder = mkdtempSync(join(tmpdir(), 'latchkey-half-there-'))
const direct = await primary.createDatabase()
const admin = postgres(direct, { max: 1, onnotice: () => {} })

/** As HAProxy does without a primary: connections are taken, and closed. */
let isEmpty = false
const proxy = createServer((near) => {
  near.on('error', () => near.destroy())
  if (isEmpty) return void near.end()
  const far = dial(primary.port, '127.0.0.1').on('error', () => near.destroy())
  near.on('close', () => far.destroy())
  far.on('close', () => near.destroy())
  near.pipe(far).pipe(near)
})
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
const at = (port: number): string => direct.replace(`:${primary.port}/`, `:${port}/`)
const behindProxy = at((proxy.address() as { port: number }).port)

const port = await freePort()
const issuer = `http://localhost:${port}/`
const env = {
  Database__Url: behindProxy,
  Keys__MasterKey: Buffer.alloc(32, 5).toString('base64'),
  ...journeySettings,
}
const ledger = newLedger()
let service: ServiceProcess
let secret: string
before(async () => {
  secret = await prepareJourneys({ folder, env: { ...env, Server__Port: String(port) } })
  service = await startProcess({ port, folder, env })
})
after(async () => {
  await service.kill()
  proxy.close()
  await admin.end()
  await Promise.all([primary.stop(), standby.stop()])
  rmSync(folder, { recursive: true, force: true })
})

/** Waits until readiness says that this part is missing; each answer comes soon. */
async function untilMissing(part: string): Promise<void> {
  await until(`readiness misses ${part}`, 15_000, async () => {
    const answer = await fetch(new URL('readyz', issuer), { signal: AbortSignal.timeout(5_000) })
    const { missing = [] } = (await answer.json()) as { missing?: string[] }
    return answer.status === 503 && missing.includes(part)
  })
}

const untilReady = (): Promise<unknown> =>
  until('the service is ready', 15_000, async () => (await fetch(new URL('readyz', issuer))).status === 200)

/** What `latchkey doctor` prints when it finds a failure. */
async function doctorFails(): Promise<string> {
  const { code, stdout } = await runProgram(['doctor'], { folder, env })
  assert.equal(code, 1, 'it ended by itself')
  return stdout
}

/** What a start says that ends because the database cannot be used. */
async function startFails(url: string): Promise<string> {
  const started = startProcess({
    port: await freePort(),
    folder,
    env: { ...env, Database__Url: url, Database__WaitAtStart: '2' },
  })
  const { message } = await started.then(
    async (running) => {
      await running.kill()
      return assert.fail('it started')
    },
    (error: Error) => error,
  )
  return message
}

async function works(): Promise<void> {
  const journeys = startJourneys({ issuer, secret, ledger, visitors: 2 })
  await journeys.acknowledged(30)
  const { contradictions } = await journeys.stop()
  assert.deepEqual(contradictions, [])
}

describe('a database that is half there', { timeout: 600_000 }, () => {
  it('confirms no write without a synchronous replica: every request ends, reads go on, and a start says why', async () => {
    await works()
    const session = ledger.sessions.find(({ endedAtMs, inDoubt }) => endedAtMs === undefined && !inDoubt)
    assert.ok(session)
    await admin.unsafe("alter system set synchronous_standby_names = 'nobody'")
    await admin`select pg_reload_conf()`
    const journeys = startJourneys({ issuer, secret, ledger, visitors: 2 })
    await untilMissing('writes')
    const writes = ledger.writes.length
    for (let read = 0; read < 5; read += 1) {
      assert.equal(await signedInWith(issuer, session.cookie), session.person.name)
    }
    // This one has the time to wait.
    const patient = startProcess({ port: await freePort(), folder, env: { ...env, Database__Url: direct } })
    const [diagnosis, start] = await Promise.all([doctorFails(), startFails(direct)])
    assert.match(
      diagnosis,
      /✗ PostgreSQL can be read, and confirms no commits: .*standby_names is nobody\), and those that/,
    )
    assert.match(start, /did not answer within 10000 ms.* It may wait for a synchronous replica.*Database:WaitAtStart/)
    assert.match(diagnosis, /Start a replica/)
    assert.equal(ledger.writes.length, writes, 'nothing is acknowledged')
    await admin.unsafe("alter system set synchronous_standby_names = ''")
    await admin`select pg_reload_conf()`
    await journeys.acknowledged(20)
    const late = await patient
    assert.match(late.output(), /the database is unreachable; waiting for it/)
    assert.equal(await late.stop(), 0)
    const report = await journeys.stop()
    assert.deepEqual(report.contradictions, [])
    assertNone(
      Object.keys(report.failures).filter((how) => how !== '503'),
      'every refused request says when to come again',
    )
    await untilReady()
  })

  it('does not keep a start from stopping whose migrations wait for a replica', async (t) => {
    await admin`create database without_tables`
    const url = Object.assign(new URL(direct), { pathname: '/without_tables' }).href
    await admin.unsafe("alter system set synchronous_standby_names = 'nobody'")
    await admin`select pg_reload_conf()`
    const own = { ...env, Database__Url: url, Server__Port: String(await freePort()) }
    const { child, ended, stdout } = startProgram(t, ['serve'], { folder, env: own })
    await until('a commit waits', 15_000, async () => {
      const [row] = await admin`select count(*)::int as waiting from pg_stat_activity 
        where wait_event = 'SyncRep' and datname = 'without_tables'`
      return row?.waiting > 0
    })
    const toldAtMs = performance.now()
    child.kill('SIGTERM')
    assert.deepEqual(await ended, { code: 0, signal: null })
    assert.ok(performance.now() - toldAtMs < 30_000, 'the graces of the start and of its connections, and a moment')
    assert.match(stdout(), /stopping, though the database has not answered/)
    await admin.unsafe("alter system set synchronous_standby_names = ''")
    await admin`select pg_reload_conf()`
    const next = await startProcess({ port: await freePort(), folder, env: { ...env, Database__Url: url } })
    assert.equal(await next.stop(), 0, 'the next start goes on where it was')
    await untilReady()
  })

  it('is named as a replica when the address leads to one', async () => {
    assert.match(await startFails(at(standby.port)), /it accepts no writes now \(a replica, or/)
  })

  it('is missed at once behind a proxy that has no server, and found again', async () => {
    isEmpty = true
    await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'latchkey' and pid <> pg_backend_pid()`
    await untilMissing('database')
    const beganAtMs = performance.now()
    const answer = await fetch(new URL('Account/ConsentContext?client_id=journeys', issuer))
    assert.equal(answer.status, 503)
    assert.ok(performance.now() - beganAtMs < 8_000, 'the request does not wait')
    const [diagnosis, start] = await Promise.all([doctorFails(), startFails(behindProxy)])
    assert.match(diagnosis, /✗ .*a proxy has no server behind this address/)
    assert.match(start, /a proxy has no server behind this address.*Database:WaitAtStart/)
    isEmpty = false
    await untilReady()
    await works()
  })

  it('has lost nothing, and undone nothing', async (t) => {
    const verdict = await check(ledger, { issuer, database: direct })
    t.diagnostic(summary(verdict))
    assert.deepEqual([verdict.lost, verdict.undone], [[], []], summary(verdict))
  })
})

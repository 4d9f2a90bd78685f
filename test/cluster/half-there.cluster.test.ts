/**
 * A cluster of which a part is missing: readiness, the log, a start and `doctor` say which, nothing is acknowledged that
 * was not committed, and the service recovers without a hand.
 */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { startProcess } from '../support/service-process.ts'
import { assertNone } from '../support/values.ts'
import { check, summary } from './checker.ts'
import { execute, startCluster } from './cluster.ts'
import { journeySettings, prepareJourneys, startJourneys } from './journeys.ts'
import { newLedger } from './ledger.ts'
import { startNodes } from './nodes.ts'
import { authorization, CookieJar, outcomeOf } from './requests.ts'
import { until } from './watchdog.ts'

const cluster = await startCluster()
after(() => cluster.stop())
const nodes = await startNodes(cluster, { env: journeySettings, people: [] })
after(() => nodes.stop())
const { issuer } = nodes
const secret = await prepareJourneys(nodes)
const ledger = newLedger()
const replicasOf = (primary: string) => cluster.members.filter(({ name }) => name !== primary)

type Readiness = { readonly status: number; readonly missing: readonly string[]; readonly ms: number }

async function readinessOf(index: number): Promise<Readiness> {
  const beganAtMs = performance.now()
  const { address = '' } = nodes.processes[index] ?? {}
  const answer = await fetch(new URL('readyz', address), { signal: AbortSignal.timeout(15_000) })
  const { missing = [] } = (await answer.json()) as { missing?: string[] }
  return { status: answer.status, missing, ms: performance.now() - beganAtMs }
}

/** How long it takes until a node says that one of these parts is missing; each answer comes within its own time limit. */
async function untilMissing(parts: readonly string[], withinMs: number): Promise<number> {
  const beganAtMs = performance.now()
  await until(`readiness misses ${parts.join(' or ')}`, withinMs, async () => {
    const { status, missing, ms } = await readinessOf(0)
    assert.ok(ms < 8_000, `readiness took ${ms} ms to answer`)
    return status === 503 && parts.some((part) => missing.includes(part))
  })
  return Math.round(performance.now() - beganAtMs)
}

/** What `latchkey doctor` prints when it finds a failure. */
async function doctorFails(): Promise<string> {
  const { stdout } = await nodes.cli('doctor').then(
    () => assert.fail('doctor is content'),
    (error: { stdout: string }) => error,
  )
  return stdout
}

/** What a start says that ends because the database cannot be used. */
async function startFails(databaseUrl: string): Promise<string> {
  const env = { ...nodes.env, Database__Url: databaseUrl, Database__WaitAtStart: '3' }
  const started = startProcess({ port: await freePort(), folder: nodes.folder, env })
  const { message } = await started.then(
    async (running) => {
      await running.kill()
      return assert.fail('it started')
    },
    (error: Error) => error,
  )
  return message
}

/** Journeys of a moment, whose writes are all acknowledged. */
async function works(writes = 40): Promise<void> {
  const journeys = startJourneys({ issuer, secret, ledger, visitors: 3 })
  await journeys.acknowledged(writes)
  await journeys.stop()
}

const log = (): string => nodes.processes.map((node) => node?.output() ?? '').join('')

describe('a cluster that is half there', { timeout: 540_000 }, () => {
  it('without a replica it confirms no write, answers within seconds, and reads go on', async (t) => {
    await works()
    const jar = new CookieJar(issuer)
    const person = ledger.people.find(({ failures, doubtful }) => failures === 0 && doubtful === undefined)
    assert.ok(person && (await jar.signIn(person.name, person.password)))
    const { name } = await cluster.primary()
    for (const replica of replicasOf(name)) await cluster.kill(replica.name)
    const before = ledger.writes.length
    const journeys = startJourneys({ issuer, secret, ledger, visitors: 3 })
    t.after(() => journeys.stop())
    let isBack = false
    const bringBack = (): void => {
      if (!isBack) for (const replica of replicasOf(name)) cluster.start(replica.name)
      isBack = true
    }
    t.after(bringBack)
    const noticedMs = await untilMissing(['writes'], 40_000)
    const writesUntilThen = ledger.writes.length - before
    // Whoever is signed in still is, and every node answers from what it reads.
    for (let read = 0; read < 6; read += 1) {
      const { status } = await jar.send('/Account/Session')
      assert.equal(status, 200)
    }
    const silent = outcomeOf(
      await jar.send(`connect/authorize?${new URLSearchParams(authorization({ prompt: 'none' }))}`),
    )
    assert.ok(silent.code !== null || silent.error === 'consent_required')
    const diagnosis = await doctorFails()
    assert.match(
      diagnosis,
      /✗ PostgreSQL can be read, and confirms no commits: .*\(synchronous_standby_names is .+\), and none is attached/,
    )
    assert.match(await startFails(cluster.url), /did not answer within 10000 ms.*It may wait for a synchronous replica/)
    await until('the log says which part is missing', 45_000, async () =>
      log().includes('they wait for a synchronous replica, and none answers'),
    )
    // Sessions of commits that were given up stay until a replica is back: their number must not grow with the time.
    const [row] = await execute(cluster.superuserUrl(name), [
      "select count(*)::integer as n from pg_stat_activity where wait_event = 'SyncRep'",
    ])
    assert.ok(Number(row?.n) <= 45, `${row?.n} sessions wait`)
    assert.equal(ledger.writes.length - before, writesUntilThen, 'nothing is acknowledged')
    const backAtMs = performance.now()
    bringBack()
    await journeys.acknowledged(40, 90_000)
    const recoveredMs = performance.now() - backAtMs
    const report = await journeys.stop()
    await nodes.ready()
    t.diagnostic(
      `noticed after ${noticedMs} ms, writes again after ${Math.round(recoveredMs)} ms, ${row?.n} sessions waited`,
    )
    assert.deepEqual(report.contradictions, [])
    assertNone(Object.keys(report.failures).filter((how) => how.includes('without Retry-After')))
  })

  it('without etcd there is no primary: PostgreSQL is read-only, and everything says so until etcd is back', async (t) => {
    await cluster.killEtcd()
    const noticedMs = await untilMissing(['writes', 'database'], 90_000)
    assert.match(
      await startFails(cluster.hostsUrl),
      /No server of .* takes writes \((?:.*(?:a standby|read-only|ECONNREFUSED).*; ){2}/,
    )
    assert.match(await startFails(cluster.url), /no server behind this address|accepts no writes now/)
    assert.match(await doctorFails(), /✗ .*(?:no server behind this address|accepts no writes now)/)
    await cluster.startEtcd()
    await cluster.settled()
    await nodes.ready()
    await works()
    t.diagnostic(`noticed after ${noticedMs} ms`)
  })

  it('without a database behind the proxy it waits, and goes on when one is there', async (t) => {
    for (const member of cluster.members) await cluster.kill(member.name)
    const noticedMs = await untilMissing(['database'], 20_000)
    assert.match(await startFails(cluster.url), /no server behind this address/)
    for (const member of cluster.members) cluster.start(member.name)
    await cluster.settled()
    await nodes.ready()
    await works()
    t.diagnostic(`noticed after ${noticedMs} ms`)
  })

  it('without one node the others go on', async () => {
    await nodes.kill(1)
    await works(60)
    await nodes.start(1)
    await nodes.ready()
  })

  it('has lost nothing, and undone nothing', async (t) => {
    const verdict = await check(ledger, {
      issuer,
      database: cluster.superuserUrl((await cluster.primary()).name, 'latchkey'),
      auditVerify: () => nodes.cli('audit', 'verify'),
    })
    t.diagnostic(summary(verdict))
    assert.deepEqual([verdict.lost, verdict.undone], [[], []], summary(verdict))
  })
})

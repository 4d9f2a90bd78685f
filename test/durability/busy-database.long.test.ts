/** PostgreSQL with a small pool and somebody else's locks: every request is answered in time, and all is well after. */
import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { after, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import postgres from 'postgres'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { type GaugeName, noMetrics } from '../../src/telemetry/metrics.ts'
import { authorizeParameters, Browser, codeFields, locationOf, obtainCode, postToken } from '../support/browser.ts'
import { postgresServer } from '../support/postgres.ts'
import { startService, type TestService } from '../support/service.ts'

const server = await postgresServer()
after(() => server.stop())

/** What the pool of these tests allows. */
const limits = { connections: 2, statementTimeoutMs: 200, deadlineMs: 1500, waitingAtMost: 10, waitMs: 200 }
/** Each verb ends within the deadline; the rest is for a machine that is busy with other tests. */
const answeredWithinMs = limits.deadlineMs + 10_000

async function serviceWithSmallPool() {
  const url = await server.createDatabase()
  const gauges = new Map<GaugeName, () => number>()
  const metrics = { ...noMetrics, gauge: (name: GaugeName, read: () => number) => void gauges.set(name, read) }
  const storage = sqlStorage(openPostgres(url, { ...limits, metrics }))
  const service = await startService({}, { storage })
  const gauge = (name: GaugeName): number => gauges.get(name)?.() ?? Number.NaN
  return { service, url, gauge }
}

/** Runs `work` while another connection holds what `statement` locks. */
async function whileLocked<T>(url: string, statement: string, work: () => Promise<T>): Promise<T> {
  const holder = postgres(url, { max: 1 })
  try {
    return (await holder.begin(async (sql) => {
      await sql.unsafe(statement)
      return await work()
    })) as T
  } finally {
    await holder.end()
  }
}

async function assertUnavailable(request: Promise<Response>): Promise<void> {
  const askedAtMs = performance.now()
  const answer = await request
  const tookMs = performance.now() - askedAtMs
  assert.equal(answer.status, 503, await answer.text())
  assert.ok(Number(answer.headers.get('retry-after')) >= 1)
  assert.ok(tookMs < answeredWithinMs, `answered after ${tookMs} ms`)
}

/** How many queries are underway when those that nobody waits for, such as the writing of noted events, have ended. */
async function settled(gauge: (name: GaugeName) => number): Promise<number> {
  const endsAt = performance.now() + answeredWithinMs
  while (gauge('postgres_queries_underway') > 0 && performance.now() < endsAt) await setImmediate()
  return gauge('postgres_queries_underway')
}

const session = (service: TestService, browser: Browser): Promise<Response> =>
  fetch(`${service.issuer}Account/Session`, {
    headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })

describe('a database that others block', () => {
  it('makes nobody wait without end, keeps a bounded queue, and is used again once it is free', async (t) => {
    const { service, url, gauge } = await serviceWithSmallPool()
    t.after(() => service.stop())
    const browser = new Browser(service)
    const tokens = await postToken(service, codeFields(await obtainCode(browser)))
    let most = 0
    let refusedAtOnce = 0
    await whileLocked(url, 'lock table users in access exclusive mode', async () => {
      for (let round = 0; round < 3; round += 1) {
        const requests = Array.from({ length: 200 }, async () => {
          await assertUnavailable(session(service, browser))
          const waiting = gauge('postgres_queries_waiting')
          // Those beyond ten are refused while the ten are still there.
          if (waiting >= limits.waitingAtMost) refusedAtOnce += 1
          most = Math.max(most, waiting)
        })
        assert.equal((await fetch(`${service.issuer}healthz`)).status, 200)
        await Promise.all(requests)
      }
    })
    // Ten wait to be read together, and ten for a connection.
    assert.ok(most <= 2 * limits.waitingAtMost, `${most} wait`)
    assert.ok(refusedAtOnce > 0)

    const answer = await session(service, browser)
    assert.equal(answer.status, 200)
    assert.equal(((await answer.json()) as { user: { name: string } }).user.name, 'alice')
    const refresh = { grant_type: 'refresh_token', client_id: 'demo', refresh_token: tokens.body.refresh_token }
    assert.equal((await postToken(service, refresh)).status, 200)
    assert.equal(gauge('postgres_queries_waiting'), 0)
    assert.equal(await settled(gauge), 0)
  })

  it('holds up only those who need the locked row, unless they are more than the pool', async (t) => {
    const { service, url, gauge } = await serviceWithSmallPool()
    t.after(() => service.stop())
    const visitors = Array.from({ length: 4 }, () => new Browser(service))
    const signedIn = new Browser(service)
    await signedIn.signIn()
    await whileLocked(url, 'select * from users for update', async () => {
      const [first, ...others] = visitors
      const blocked = assertUnavailable(first?.signIn({ password: 'wrong' }) ?? assert.fail())
      // One connection waits for the row, which a failure is written down in; the other one serves readers.
      const silent = new URLSearchParams(authorizeParameters({ scope: 'openid', prompt: 'none' }))
      const answer = await signedIn.get(`/connect/authorize?${silent}`)
      assert.equal(locationOf(answer).searchParams.get('error'), 'consent_required')
      await blocked
      await Promise.all(others.map((visitor) => assertUnavailable(visitor.signIn({ password: 'wrong' }))))
    })
    for (const visitor of visitors) assert.equal((await visitor.signIn()).headers.get('location'), '/')
    assert.equal(await settled(gauge), 0)
  })
})

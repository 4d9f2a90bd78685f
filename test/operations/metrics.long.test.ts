/** The numbers for Prometheus: there when they are asked for, about everything that matters, and never about people. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { noMetrics } from '../../src/telemetry/metrics.ts'
import { listenForMetrics } from '../../src/telemetry/metrics-listener.ts'
import { openCollector } from '../../src/telemetry/prometheus.ts'
import {
  authorizePath,
  Browser,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { startFakeGithub } from '../support/fake-github.ts'
import { postgresServer } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import { assertNone } from '../support/values.ts'
import { assertStops, serve } from './running.ts'

/** Value by series, as Prometheus would read them. */
async function scrape(address: unknown): Promise<Map<string, number>> {
  const answer = await fetch(String(address))
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

describe('the numbers of a running service', () => {
  it('count requests, sign-ins, refusals, storage verbs and batches, and measure the process', async (t) => {
    const service = await serve(t, { env: { Metrics__Port: '0' } })
    const { address } = await service.logged('metrics')
    const browser = new Browser(service)
    await browser.signIn({ password: 'wrong' })
    const code = await obtainCode(browser)
    await postToken(service, codeFields(code, { code_verifier: 'x'.repeat(43) }))
    await postToken(service, codeFields(code))
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    await postToken(service, refreshFields(body.refresh_token))
    await postToken(service, refreshFields(body.refresh_token))
    await browser.get('/some/page/4711?secret=4711')
    await browser.get(authorizePath({ client_id: 'stranger-4711' }))
    await browser.get(authorizePath({ scope: 'openid nothing' }))
    const series = await scrape(address)
    const count = (name: string) => series.get(name) ?? 0

    const requests = 'latchkey_http_request_duration_seconds_count'
    assert.equal(count(`${requests}{method="POST",route="/connect/token",status="200"}`), 4)
    assert.equal(count(`${requests}{method="POST",route="/connect/token",status="400"}`), 1)
    assert.equal(count(`${requests}{method="GET",route="(none)",status="200"}`), 1)
    assert.equal(count('latchkey_sign_ins_total{method="password",outcome="wrong_password"}'), 1)
    assert.equal(count('latchkey_sign_ins_total{method="password",outcome="signed_in"}'), 2)
    // The verifier that does not match, the client that nobody knows, and the scope, which is told by a redirect.
    assert.equal(count('latchkey_refusals_total{id="ID2052"}'), 3)
    assert.equal(count('latchkey_refresh_repeats_total'), 1)
    assert.equal(count('latchkey_storage_duration_seconds_count{verb="grants.redeem",outcome="ok"}'), 2)
    assert.ok(count('latchkey_sqlite_batch_commits_count') >= 3)
    assert.equal(series.get('latchkey_sqlite_commits_waiting'), 0)
    assert.equal(series.get('latchkey_password_hashes_waiting'), 0)
    assert.equal(series.get('latchkey_signing_keys_published'), 2)
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
      assert.ok(count(name) > 0, name)
    }
    // Whatever a client sends, it cannot make a series of its own.
    assertNone([...series.keys()].filter((name) => /4711|wrong\b|alice/.test(name)))
    assert.equal((await fetch(new URL('/', String(address)))).status, 404)
    assert.equal((await fetch(`${service.issuer}metrics`)).headers.get('content-type'), 'text/html; charset=utf-8')
    await assertStops(service)
  })

  it('count external sign-ins by outcome, and every refusal by its own number', async (t) => {
    const github = await startFakeGithub()
    t.after(() => github.stop())
    const service = await serve(t, { env: { ...github.env, Metrics__Port: '0' } })
    const { address } = await service.logged('metrics')
    const visit = async (browser: Browser): Promise<Response> => {
      const started = await browser.submit('/Account/ExternalLogin', { provider: 'GitHub' })
      const atProvider = await fetch(locationOf(started), { redirect: 'manual' })
      const back = await browser.fetch(locationOf(atProvider).href)
      return back.status === 302 ? browser.fetch(locationOf(back).href) : back
    }
    const first = new Browser(service)
    assert.match((await visit(first)).headers.get('location') ?? '', /ExternalLoginConfirm/)
    await first.submit('/Account/ExternalLoginRegister', { email: 'octocat@example.com', ReturnUrl: '/' })
    for (let time = 0; time < 2; time += 1) {
      assert.equal((await visit(new Browser(service))).headers.get('location'), '/')
    }
    github.behaviour = 'denies'
    await visit(new Browser(service))
    github.behaviour = 'wrong_code'
    assert.equal((await visit(new Browser(service))).status, 502)
    await postToken(service, { grant_type: 'password' })
    await postToken(service, codeFields('no-such-code'))
    await postToken(service, codeFields('no-such-code'))

    const series = await scrape(address)
    const startingWith = (name: string) => Object.fromEntries([...series].filter(([key]) => key.startsWith(name)))
    assert.deepEqual(startingWith('latchkey_sign_ins_total{method="external"'), {
      'latchkey_sign_ins_total{method="external",outcome="registered"}': 1,
      'latchkey_sign_ins_total{method="external",outcome="signed_in"}': 2,
      'latchkey_sign_ins_total{method="external",outcome="failed"}': 2,
    })
    assert.deepEqual(startingWith('latchkey_refusals_total'), {
      'latchkey_refusals_total{id="ID2001"}': 2,
      'latchkey_refusals_total{id="ID2032"}': 1,
      'latchkey_refusals_total{id="ID9505"}': 1,
    })
  })

  it('show what waits for the password hashing and for the SQLite writer', async (t) => {
    const service = await serve(t, { env: { Metrics__Port: '0' } })
    const { address } = await service.logged('metrics')
    const untilSomeWait = async (name: string, work: readonly Promise<Response>[]): Promise<number> => {
      let finished = false
      void Promise.allSettled(work).then(() => {
        finished = true
      })
      for (;;) {
        const value = (await scrape(address)).get(name) ?? 0
        if (value > 0) return value
        assert.ok(!finished, `${name} showed nothing`)
      }
    }
    const signIns = Array.from({ length: 20 }, () => new Browser(service).signIn())
    assert.ok((await untilSomeWait('latchkey_sign_ins_waiting', signIns)) < 20)
    for (const signIn of signIns) assert.equal((await signIn).headers.get('location'), '/')

    // Somebody else writes; the batch that is being written and what comes after it must wait.
    const other = new DatabaseSync(join(service.folder, 'data', 'latchkey.db'), { timeout: 60_000 })
    other.exec('begin immediate')
    const failures = Array.from({ length: 4 }, () => new Browser(service).signIn({ username: 'x', password: 'wrong' }))
    assert.ok((await untilSomeWait('latchkey_sqlite_commits_waiting', failures)) <= 4)
    other.exec('rollback')
    other.close()
    for (const failure of failures) assert.equal((await failure).status, 302)
    const series = await scrape(address)
    for (const name of ['latchkey_sqlite_commits_waiting', 'latchkey_sign_ins_waiting']) {
      assert.equal(series.get(name), 0, name)
    }
  })

  it('show what PostgreSQL has not answered yet, and what waits for it', async (t) => {
    const server = await postgresServer()
    t.after(() => server.stop())
    const url = await server.createDatabase()
    const keys = { Keys__MasterKey: Buffer.alloc(32, 4).toString('base64') }
    const service = await serve(t, { env: { ...keys, Database__Url: url, Metrics__Port: '0' } })
    const { address } = await service.logged('metrics')
    const load = async () => {
      const series = await scrape(address)
      return ['underway', 'waiting'].map((part) => series.get(`latchkey_postgres_queries_${part}`))
    }
    // Housekeeping asks the database now and then; in between there is nothing.
    const untilQuiet = async () => {
      while ((await load()).some((count) => count !== 0));
    }
    await untilQuiet()
    const other = postgres(url, { max: 1 })
    const reads = await other.begin(async (sql) => {
      await sql`lock table users in access exclusive mode`
      const asked: ReturnType<typeof postToken>[] = []
      // Readings of one kind share statements, of which eight are under way at most; then they wait. Housekeeping may stand beside.
      const ownStatements = 3
      for (;;) {
        asked.push(postToken(service, codeFields('no-such-code')))
        const [underway = 0, waiting = 0] = await load()
        assert.ok(underway <= 8 + ownStatements && waiting <= asked.length + ownStatements)
        if (underway >= 8 && waiting > 0) return asked
      }
    })
    for (const read of reads) assert.equal((await read).status, 400)
    await untilQuiet()
    await other.end()
    assert.ok(
      ((await scrape(address)).get(
        'latchkey_storage_duration_seconds_count{verb="grants.findForExchange",outcome="ok"}',
      ) ?? 0) >= reads.length,
    )
  })

  it('show how long the event loop was held up', async (t) => {
    const service = await serve(t, { env: { Metrics__Port: '0' } })
    const { address } = await service.logged('metrics')
    await scrape(address)
    // A scrape begins the measurement anew, and its first tick is only where the next one counts from: the first pause
    // brings that tick, the second one is measured. The answer after each shows that the loop has turned.
    for (let pause = 1; pause <= 2; pause += 1) {
      service.child.kill('SIGSTOP')
      await assert.rejects(fetch(service.issuer, { signal: AbortSignal.timeout(300) }), /timeout/)
      service.child.kill('SIGCONT')
      await (await fetch(`${service.issuer}/healthz`)).text()
    }
    const series = await scrape(address)
    const [max = 0, mean = 0, p99 = 0] = ['max', 'mean', 'p99'].map((part) =>
      series.get(`nodejs_eventloop_lag_${part}_seconds`),
    )
    assert.ok(max > 0.2 && mean > 0 && p99 > 0, JSON.stringify({ max, mean, p99 }))
  })

  it('share a label among methods that nobody serves', async () => {
    const { metrics, expose } = openCollector('1.0.0')
    metrics.request('BREW', '(none)', 404, 0.001)
    metrics.request('PROPFIND', '(none)', 404, 0.001)
    assert.match(await expose(), /_count\{method="other",route="\(none\)",status="404"\} 2/)
  })

  it('are kept by each collector for itself', async () => {
    const [one, other] = [openCollector('1.0.0'), openCollector('1.0.0')]
    const service = await startService({}, { metrics: one.metrics })
    await postToken(service, { grant_type: 'password' })
    await service.stop()
    assert.match(await one.expose(), /latchkey_refusals_total\{id="ID2032"\} 1/)
    assert.doesNotMatch(await other.expose(), /ID2032/)
  })

  it('come from a listener of their own, which says so when its address is taken', async () => {
    const listener = await listenForMetrics(openCollector('1.0.0'), '127.0.0.1', 0)
    await assert.rejects(listenForMetrics(openCollector('1.0.0'), '127.0.0.1', listener.port), /EADDRINUSE/)
    await listener.close()
    await assert.rejects(fetch(`http://127.0.0.1:${listener.port}/metrics`))
  })
})

describe('a service that nobody watches', () => {
  it('loads neither library, and counts nothing', () => {
    const main = fileURLToPath(new URL('../../src/cli/serve.ts', import.meta.url))
    const app = fileURLToPath(new URL('../../src/app.ts', import.meta.url))
    const loaded = (extra: string) => {
      const script = `
        import { _cache } from 'node:module'
        for (const file of ${JSON.stringify([main, app])}) await import(file)
        ${extra}
        console.log(Object.keys(_cache).filter((name) => /prom-client|opentelemetry/.test(name)).length)`
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
        encoding: 'utf8',
        cwd: fileURLToPath(new URL('../../', import.meta.url)),
      })
      return Number(stdout || stderr)
    }
    assert.equal(loaded(''), 0)
    assert.ok(loaded(`await import('prom-client'); await import('@opentelemetry/sdk-trace-base')`) > 10)
    assert.equal(noMetrics.refusal('ID2000'), undefined)
  })
})

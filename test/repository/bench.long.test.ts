import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type AttackResult, attackText } from '../../bench/attack.ts'
import { parseAnswer } from '../../bench/generator/connection.ts'
import type { Idle } from '../../bench/idle.ts'
import { Latencies } from '../../bench/latency.ts'
import type { Inputs } from '../../bench/model/inputs.ts'
import { operations } from '../../bench/operations.ts'
import { readOptions, Usage } from '../../bench/options.ts'
import { processesText } from '../../bench/processes.ts'
import { toText } from '../../bench/report.ts'
import { root } from './sources.ts'

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string; readonly left: string[] }

/** Runs the measurement to its end; `left` is what it did not remove of its files. */
const bench = (...parameters: string[]): Promise<Ended> => run('bench/run.ts', ...parameters)

async function run(program: string, ...parameters: string[]): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-test-'))
  // PostgreSQL, which does not run as root, has its files in there.
  chmodSync(folder, 0o755)
  const child = spawn(process.execPath, [program, ...parameters], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk) => {
      said[stream] += chunk
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  const left = readdirSync(folder)
  rmSync(folder, { recursive: true })
  return { code, ...said, left }
}

describe('the measurement', () => {
  it('runs, counts what was answered, and leaves nothing behind', { timeout: 600_000 }, async () => {
    const measured =
      'discovery,refresh,admin-people,admin-clients,admin-sessions,admin-grants,admin-audit,admin-stats,account-sessions,account-applications,account-activity'
    const only = ['--only', measured, '--no-peer', '--seconds', '0.2', '--rounds', '1', '--connections', '2']
    const { code, stdout, stderr, left } = await bench(...only, '--json')
    assert.equal(code, 0, stderr)
    assert.deepEqual(left, [])
    const report = JSON.parse(stdout)
    assert.deepEqual(
      report.results.map(({ operation, target }: { operation: string; target: string }) => `${operation} ${target}`),
      ['refresh', ...measured.split(',').filter((one) => one !== 'refresh')].map((one) => `${one} Latchkey`),
    )
    for (const result of report.results) {
      assert.ok(result.rate > 0, 'something was answered')
      assert.ok(result.p50Ms > 0 && result.p99Ms >= result.p50Ms)
    }
    if (process.platform === 'linux') {
      const [refresh, discovery] = report.results
      assert.ok(refresh.commits > 0 && refresh.commits <= 1.1, `a rotation is durable: ${refresh.commits} commits`)
      // The counts of the hour are stored by themselves, every few seconds.
      assert.ok(discovery.commits < 0.1, `reading stores nothing: ${discovery.commits} commits`)
    }
    assert.match(toText(report, operations), /^ *2 +Latchkey/m)
  })

  it('measures a person with groups, attributes and rules, beside one without any', { timeout: 600_000 }, async () => {
    const short = ['--seconds', '0.2', '--rounds', '1', '--connections', '2']
    const { code, stdout, stderr, left } = await bench('--rules', '--only', 'token,userinfo', ...short, '--json')
    assert.equal(code, 0, stderr)
    assert.deepEqual(left, [])
    const { results } = JSON.parse(stdout) as { results: { operation: string; target: string; rate: number }[] }
    assert.deepEqual(
      results.map(({ operation, target }) => `${operation} ${target}`),
      ['token with rules', 'token Latchkey', 'userinfo with rules', 'userinfo Latchkey'],
    )
    assert.ok(results.every(({ rate }) => rate > 0))
    assert.throws(() => readOptions(['--rules', '--growth']), Usage)
  })

  it('measures a sign-in while others attack, beside a quiet one', { timeout: 600_000 }, async () => {
    const { code, stdout, stderr, left } = await bench('--attack', '3', '--seconds', '0.3', '--rounds', '1', '--json')
    assert.equal(code, 0, stderr)
    assert.deepEqual(left, [])
    const { attacks } = JSON.parse(stdout) as { attacks: AttackResult[] }
    assert.deepEqual(
      attacks.map(({ attackers, refused }) => [attackers, refused]),
      [
        [0, 0],
        [3, 0],
      ],
    )
    assert.ok(attacks.every(({ signIns }) => signIns > 0))
    assert.match(attackText(attacks), /Latchkey +3 .*×$/m)
  })

  it('counts what processes, the database and the network do for one operation', { timeout: 600_000 }, async () => {
    const parameters = [
      '--processes',
      '1,2',
      '--only',
      'refresh',
      '--seconds',
      '0.5',
      '--rounds',
      '1',
      '--connections',
      '16',
    ]
    const { code, stdout, stderr, left } = await bench(...parameters, '--json')
    assert.equal(code, 0, stderr)
    assert.deepEqual(left, [])
    const { points, values } = JSON.parse(stdout) as Inputs
    assert.deepEqual(
      points.map(({ kind, processes }) => `${processes} ${kind}`),
      ['1 nodes', '2 nodes', '2 workers'],
    )
    assert.ok(points.every(({ rate, databaseUs }) => rate > 0 && databaseUs >= 0))
    const between = (name: string, least: number, most: number) => {
      const value = values[name]?.value ?? Number.NaN
      assert.ok(value >= least && value <= most, `${name}: ${value}`)
    }
    between('refresh.roundTrips', 1.9, 2.2)
    // Refreshes that wait share a commit: 16 of them one at best.
    between('refresh.writes', 1 / 16, 1.2)
    between('refresh.entries', 0.9, 1.1)
    between('refresh.wal', 300, 20_000)
    between('refresh.toClient', 1000, 5000)
    assert.match(processesText({ machine: '', cores: 2, points, values }), /^ *16 +2 workers/m)
  })

  it('counts wake-ups of threads and writes of a service at rest', { timeout: 600_000 }, async (t) => {
    if (process.platform !== 'linux') return t.diagnostic('there is no /proc')
    for (const database of [[], ['--postgres']]) {
      const parameters = ['--settle', '0.1', '--minutes', '0.2', '--json', ...database]
      const { code, stdout, stderr, left } = await run('bench/idle.ts', ...parameters)
      assert.equal(code, 0, stderr)
      assert.deepEqual(left, [])
      const { seconds, threads, busiestMinute, commits } = JSON.parse(stdout) as Idle
      assert.equal(seconds, 12)
      const main = threads.find(({ name }) => name === 'main')
      assert.ok(main !== undefined && main.count === 1 && main.woken <= main.switches)
      assert.ok(main.woken > 0 && main.woken <= 12, 'it does not rest this soon')
      assert.equal(busiestMinute, main.woken)
      assert.equal(typeof commits, database.length === 0 ? 'number' : 'object')
    }
  })

  it('names what is wrong with the command line and measures nothing', async () => {
    const { code, stderr } = await bench('--only', 'tea')
    assert.equal(code, 2)
    assert.match(stderr, /there is no operation 'tea'/)
    for (const wrong of [
      ['--seconds', '0'],
      ['compare'],
      ['brew'],
      ['--nodes', '2'],
      ['--connections', '1,x'],
      ['--cup'],
      ['--attack', '0'],
      ['--attack', '10', '--only', 'signin'],
      ['--processes', '2,3'],
      ['--processes', '1,2', '--postgres'],
      ['--write-inputs', 'inputs.json'],
      ['--only', 'signin-people'],
    ]) {
      assert.throws(() => readOptions(wrong), Usage, wrong.join(' '))
    }
    assert.deepEqual(readOptions(['--connections', '1,4']).connections, [1, 4])
  })
})

describe('the load generator', () => {
  it('takes an answer for complete only when all of it is there (RFC 9112 §6.3)', () => {
    const byLength = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
    assert.deepEqual(parseAnswer(byLength), { status: 200, head: byLength.slice(0, 34), body: 'hello' })
    assert.equal(parseAnswer(byLength.slice(0, -1)), undefined)
    const inChunks = 'HTTP/1.1 303 See Other\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n'
    assert.equal(parseAnswer(inChunks)?.body, 'hello')
    assert.equal(parseAnswer(inChunks.slice(0, -3)), undefined)
    assert.equal(parseAnswer('HTTP/1.1 200 OK\r\nContent-Len'), undefined)
  })

  it('keeps quantiles within two per cent, also when runs are added up', () => {
    const all = new Latencies()
    for (const half of [0, 1]) {
      const one = new Latencies()
      for (let at = 1; at <= 500; at += 1) one.add((at * 2 - half) / 10)
      all.addAll(one.toPairs())
    }
    const near = (actual: number | null, wanted: number) =>
      assert.ok(Math.abs((actual ?? 0) / wanted - 1) < 0.021, `${actual}`)
    near(all.quantile(0.5), 50)
    near(all.quantile(0.99), 99)
    assert.equal(new Latencies().quantile(0.5), null)
  })
})

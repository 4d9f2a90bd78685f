import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type AttackResult, attackText } from '../../bench/attack.ts'
import { parseAnswer } from '../../bench/generator/connection.ts'
import { Latencies } from '../../bench/latency.ts'
import { operations } from '../../bench/operations.ts'
import { readOptions, Usage } from '../../bench/options.ts'
import { toText } from '../../bench/report.ts'
import { root } from './sources.ts'

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string; readonly left: string[] }

/** Runs the measurement to its end; `left` is what it did not remove of its files. */
async function bench(...parameters: string[]): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-test-'))
  const child = spawn(process.execPath, ['bench/run.ts', ...parameters], {
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
  it('runs, counts what was answered, and leaves nothing behind', { timeout: 60_000 }, async () => {
    const only = ['--only', 'discovery,refresh', '--no-peer', '--seconds', '0.2', '--rounds', '1', '--connections', '2']
    const { code, stdout, stderr, left } = await bench(...only, '--json')
    assert.equal(code, 0, stderr)
    assert.deepEqual(left, [])
    const report = JSON.parse(stdout)
    assert.deepEqual(
      report.results.map(({ operation, target }: { operation: string; target: string }) => `${operation} ${target}`),
      ['refresh Latchkey', 'discovery Latchkey'],
    )
    for (const result of report.results) {
      assert.ok(result.rate > 0, 'something was answered')
      assert.ok(result.p50Ms > 0 && result.p99Ms >= result.p50Ms)
    }
    if (process.platform === 'linux') {
      const [refresh, discovery] = report.results
      assert.ok(refresh.commits > 0 && refresh.commits <= 1.1, `a rotation is durable: ${refresh.commits} commits`)
      assert.equal(discovery.commits, 0)
    }
    assert.match(toText(report, operations), /^ *2 +Latchkey/m)
  })

  it('measures a sign-in while others attack, beside a quiet one', { timeout: 120_000 }, async () => {
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

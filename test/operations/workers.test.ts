import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Browser, codeFields, obtainCode } from '../support/browser.ts'
import { freePort } from '../support/service.ts'
import { type Running, serve } from './running.ts'

const program = fileURLToPath(new URL('../../bin/latchkey.js', import.meta.url))

/** The processes that `parent` started, from /proc. */
function childrenOf(parent: number): number[] {
  const text = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** The process that watches: `bin/latchkey.js` itself, or the one that it started where it cannot replace itself. */
function watcherOf({ child }: Running): number {
  const pid = child.pid as number
  const children = childrenOf(pid)
  return children.length === 1 ? (children[0] as number) : pid
}

/** One whole journey, each request on a connection of its own. */
async function journey({ issuer }: Running): Promise<void> {
  const service = { issuer }
  const code = await obtainCode(new Browser(service))
  const answer = await fetch(new URL('/connect/token', issuer), {
    method: 'POST',
    headers: { connection: 'close' },
    body: new URLSearchParams(codeFields(code)),
  })
  assert.equal(answer.status, 200)
}

/** Requests that the worker whose numbers are at `port` has answered. */
async function answered(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const counts = text.match(/^latchkey_http_request_duration_seconds_count\{[^}]*\} (\d+)$/gm) ?? []
  return counts.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

/** What `serve` says and how it ends, given `parameters`. */
async function refused(parameters: readonly string[], env: Record<string, string>) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [program, 'serve', ...parameters], { cwd: tmpdir(), env: { PATH, ...env } })
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  return { code, text }
}

describe('serve --workers', () => {
  it('answers from several processes on one port, with one database', async (t) => {
    const metricsPort = await freePort()
    const running = await serve(t, { args: ['--workers', '2'], env: { Metrics__Port: String(metricsPort) } })
    await running.logged('all workers answer')
    const count = async () => [await answered(metricsPort), await answered(metricsPort + 1)] as const
    // The kernel deals connections out by a hash of their ports: a few dozen reach both, bar a chance of one in billions.
    for (let at = 0; at < 40; at += 1) {
      await fetch(new URL('/healthz', running.issuer), { headers: { connection: 'close' } })
    }
    await journey(running)
    const [first, second] = await count()
    assert.ok(first > 0 && second > 0, `${first} and ${second} requests`)
    assert.equal(childrenOf(watcherOf(running)).length, 2)

    running.child.kill('SIGTERM')
    assert.deepEqual(await running.ended, { code: 0, signal: null })
    assert.ok(running.log().filter(({ msg }) => msg === 'stopped').length >= 3)
  })

  it('replaces a worker that was killed, while the others go on', async (t) => {
    const running = await serve(t, { args: ['--workers=2'] })
    await running.logged('all workers answer')
    const watcher = watcherOf(running)
    const [victim, survivor] = childrenOf(watcher) as [number, number]
    const seen = running.log().length
    process.kill(victim, 'SIGKILL')
    await running.logged('a worker ended; another one takes its place', seen)
    await journey(running)
    // The new one says where it listens.
    const line = await running.logged(`listening at http://127.0.0.1:${running.port}`, seen)
    assert.ok(line)
    const now = childrenOf(watcher)
    assert.equal(now.length, 2)
    assert.ok(now.includes(survivor) && !now.includes(victim))
  })

  it('takes its workers along when it is killed itself', async (t) => {
    const running = await serve(t, { args: ['--workers', '2'] })
    await running.logged('all workers answer')
    const watcher = watcherOf(running)
    process.kill(watcher, 'SIGKILL')
    await running.ended
    // The pipe of their output has closed, so both have ended.
    await assert.rejects(fetch(new URL('/healthz', running.issuer)))
  })

  it('reloads the settings of every worker', async (t) => {
    const running = await serve(t, { args: ['--workers', '2'] })
    await running.logged('all workers answer')
    running.configure({ Accounts: { RequireConfirmedEmail: true } })
    process.kill(watcherOf(running), 'SIGHUP')
    while (running.log().filter(({ msg }) => msg === 'the settings were reloaded').length < 2) {
      await once(running.child.stdout as NonNullable<typeof running.child.stdout>, 'data')
    }
  })

  it('refuses a database that processes cannot share', async () => {
    const { code, text } = await refused(['--workers', '2'], { Database__Url: 'sqlite::memory:' })
    assert.equal(code, 1)
    assert.match(text, /^error: Database:Url is sqlite::memory:, which workers cannot share\..*\n$/)
  })

  it('refuses a port that another service listens on, even one that would share it', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen({ host: '127.0.0.1', port: 0, reusePort: true }, resolve))
    const { port } = other.address() as { port: number }
    const env = { Server__Host: '127.0.0.1', Server__Port: String(port) }
    const { code, text } = await refused(['--workers', '2'], env)
    other.close()
    assert.equal(code, 1)
    assert.match(text, /cannot be listened on: another program is using the port/)
  })

  for (const number of ['0', '65', '-1', 'two', '1.5', '']) {
    it(`is wrong usage with '${number}'`, async () => {
      const { code, text } = await refused([`--workers=${number}`], {})
      assert.equal(code, 2)
      assert.equal(text, 'error: --workers takes a number from 1 to 64.\n')
    })
  }
})

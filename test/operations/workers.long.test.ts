import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, linkSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Browser, codeFields, obtainCode } from '../support/browser.ts'
import { freePortPair } from '../support/free-port.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { startProgram } from '../support/program.ts'
import { freePort } from '../support/service.ts'
import { answered, childrenOf, isWorker } from '../support/worker-processes.ts'
import { assertStops, type Running, serve, twoWorkers } from './running.ts'

const source = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** The process that watches. */
const watcherOf = ({ child }: Running): number => child.pid as number

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

/** Resolves when more was logged. Rejects when the service has ended instead. */
async function more({ child, ended }: Running): Promise<void> {
  const news = await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended])
  assert.ok(Array.isArray(news), 'the service ended')
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** A runtime that the test can take away: then the service that runs on it starts no process any more. */
function ownRuntime(t: TestContext) {
  const folder = temporaryFolder(t)
  const runtime = join(folder, 'node')
  linkOrCopy(process.execPath, runtime)
  return { runtime, command: [runtime, source] as const }
}

/** What `serve` says and how it ends, given `parameters`, while `work` is done. */
async function refused(
  t: TestContext,
  parameters: readonly string[],
  env: Record<string, string>,
  command?: readonly [string, ...string[]],
  work: (child: ChildProcess) => Promise<void> = async () => undefined,
) {
  const started = startProgram(t, ['serve', ...parameters], { env, ...(command && { command }) })
  await work(started.child)
  const { code } = await started.ended
  return { code, text: started.stderr(), output: started.stdout() }
}

describe('serve --workers', () => {
  it('answers from several processes on one port, with one database', async (t) => {
    const metricsPort = await freePortPair()
    const running = await twoWorkers(t, { env: { Metrics__Port: String(metricsPort) } })
    const count = async () => [await answered(metricsPort), await answered(metricsPort + 1)] as const
    // The kernel deals connections out by a hash of their ports: a few dozen reach both, bar a chance of one in billions.
    for (let at = 0; at < 40; at += 1) {
      await fetch(new URL('/healthz', running.issuer), { headers: { connection: 'close' } })
    }
    await journey(running)
    const [first, second] = await count()
    assert.ok(first > 0 && second > 0, `${first} and ${second} requests`)
    assert.equal(childrenOf(watcherOf(running)).length, 2)

    await assertStops(running)
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

  /** A worker that is told by SIGUSR2 to do nothing else from then on. */
  const hangs = "process.on('SIGUSR2', () => { for (;;); })"
  const hanging = {
    Server__WorkerTimeout: '3',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hangs)}`,
  }

  for (const signal of ['SIGUSR2', 'SIGSTOP'] as const) {
    it(`replaces a worker that hangs, while the others go on (${signal})`, async (t) => {
      const running = await twoWorkers(t, { env: hanging })
      const watcher = watcherOf(running)
      const [victim, survivor] = childrenOf(watcher) as [number, number]
      const seen = running.log().length
      process.kill(victim, signal)
      const line = await running.logged('a worker hangs; it is killed', seen)
      assert.deepEqual([line.pid, line.silentSeconds], [victim, 3])
      const end = await running.logged('a worker ended; another one takes its place', seen)
      assert.equal(end.signal, 'SIGKILL')
      await running.logged(`listening at http://127.0.0.1:${running.port}`, seen)
      const now = childrenOf(watcher)
      assert.equal(now.length, 2)
      assert.ok(now.includes(survivor) && !now.includes(victim))
      await journey(running)
    })
  }

  it('ends when it is told to although a worker hangs', async (t) => {
    const running = await twoWorkers(t, { env: hanging })
    process.kill(childrenOf(watcherOf(running))[0] as number, 'SIGUSR2')
    await assertStops(running)
    assert.ok(running.log().some(({ msg }) => msg === 'a worker hangs; it is killed'))
  })

  it('replaces all of them when all were killed at once', async (t) => {
    const running = await twoWorkers(t)
    const watcher = watcherOf(running)
    const victims = childrenOf(watcher)
    const seen = running.log().length
    for (const victim of victims) process.kill(victim, 'SIGKILL')
    await running.logged(`listening at http://127.0.0.1:${running.port}`, seen)
    while (running.log().filter(({ msg }) => msg.startsWith('listening at')).length < 4) await more(running)
    const now = childrenOf(watcher)
    assert.equal(now.length, 2)
    assert.ok(!now.some((pid) => victims.includes(pid)))
    await journey(running)
    await assertStops(running)
  })

  it('stops at once when it is told to while a worker is being replaced', async (t) => {
    const running = await twoWorkers(t)
    const seen = running.log().length
    for (const victim of childrenOf(watcherOf(running))) process.kill(victim, 'SIGKILL')
    await running.logged('a worker ended; another one takes its place', seen)
    await assertStops(running)
    assert.equal(running.log().at(-1)?.msg, 'stopped')
  })

  it('tries again when the system cannot start a process, until it can', async (t) => {
    const { runtime, command } = ownRuntime(t)
    const running = await twoWorkers(t, { command })
    const seen = running.log().length
    rmSync(runtime)
    for (const victim of childrenOf(watcherOf(running))) process.kill(victim, 'SIGKILL')
    const line = await running.logged('a worker could not be started', seen)
    assert.match(String(line.problem), /ENOENT/)
    linkOrCopy(process.execPath, runtime)
    while (running.log().filter(({ msg }) => msg.startsWith('listening at')).length < 4) await more(running)
    await journey(running)
  })

  it('ends the first worker when the system cannot start the second', async (t) => {
    const { runtime, command } = ownRuntime(t)
    const env = { Server__Host: '127.0.0.1', Server__Port: String(await freePort()) }
    const { code, text, output } = await refused(t, ['--workers', '2'], env, command, async ({ pid = 0 }) => {
      while (!childrenOf(pid).some((child) => isWorker(child, 1))) await setImmediate()
      rmSync(runtime)
    })
    assert.equal(code, 1)
    assert.equal(text, 'error: a worker could not start; its message is above.\n')
    assert.match(output, /"problem":"spawn .* ENOENT","msg":"a worker could not be started"/)
    assert.match(output, /"signal":"SIGTERM","msg":"stopping"/)
  })

  it('takes its workers along when it is killed itself', async (t) => {
    const running = await twoWorkers(t)
    const watcher = watcherOf(running)
    process.kill(watcher, 'SIGKILL')
    await running.ended
    // The pipe of their output has closed, so both have ended.
    await assert.rejects(fetch(new URL('/healthz', running.issuer)))
  })

  it('reloads the settings of every worker', async (t) => {
    const running = await twoWorkers(t)
    running.configure({ Accounts: { RequireConfirmedEmail: true } })
    process.kill(watcherOf(running), 'SIGHUP')
    while (running.log().filter(({ msg }) => msg === 'the settings were reloaded').length < 2) await more(running)
  })

  it('lets a worker finish its start that is told to reload meanwhile, and tells it then', async (t) => {
    const running = await serve(t, { args: ['--workers', '2'] })
    const watcher = watcherOf(running)
    while (!childrenOf(watcher).some((child) => isWorker(child, 2))) await setImmediate()
    running.configure({ Accounts: { RequireConfirmedEmail: true } })
    process.kill(watcher, 'SIGHUP')
    await running.logged('all workers answer')
    while (running.log().filter(({ msg }) => msg === 'the settings were reloaded').length < 2) await more(running)
    assert.equal(running.log().filter(({ msg }) => msg.startsWith('a worker ended')).length, 0)
  })

  for (const [what, env, message] of [
    [
      'a port of the system’s choice',
      { Server__Port: '0', OAuth__Issuer: 'http://localhost:5080/' },
      /^error: Server:Port is 0, so each worker would take a different port\. .*\n$/,
    ],
    [
      'ports for their numbers that there are not',
      { Server__Port: '5080', Metrics__Port: '65535' },
      /^error: Metrics:Port is 65535, so 2 workers .* up to 65536, but 65535 is the highest\. .*\n$/,
    ],
    [
      'numbers under the port of the service',
      { Server__Port: '5080', Metrics__Host: '127.0.0.1', Metrics__Port: '5079' },
      /^error: Metrics:Port is 5079, .* but 5080 is Server:Port\. .*\n$/,
    ],
    [
      'numbers under the port of the service, where one listens on every address',
      { Server__Port: '5080', Metrics__Host: '0.0.0.0', Metrics__Port: '5080' },
      /^error: Metrics:Port is 5080, .* but 5080 is Server:Port\. .*\n$/,
    ],
  ] as const) {
    it(`refuses ${what}`, async (t) => {
      const { code, text } = await refused(t, ['--workers', '2'], { Server__Host: '127.0.0.1', ...env })
      assert.equal(code, 1)
      assert.match(text, message)
    })
  }

  it('leaves it to each worker under which free port it shows its numbers when that is 0', async (t) => {
    const running = await twoWorkers(t, { env: { Metrics__Port: '0' } })
    const addresses = running.log().flatMap(({ msg, address }) => (msg === 'metrics' ? [address] : []))
    assert.equal(new Set(addresses).size, 2)
  })

  it('refuses a database that processes cannot share', async (t) => {
    const { code, text } = await refused(t, ['--workers', '2'], { Database__Url: 'sqlite::memory:' })
    assert.equal(code, 1)
    assert.match(text, /^error: Database:Url is sqlite::memory:, which workers cannot share\..*\n$/)
  })

  it('refuses a port that another service listens on, even one that would share it', async (t) => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen({ host: '127.0.0.1', port: 0, reusePort: true }, resolve))
    const { port } = other.address() as { port: number }
    const env = { Server__Host: '127.0.0.1', Server__Port: String(port) }
    const { code, text } = await refused(t, ['--workers', '2'], env)
    other.close()
    assert.equal(code, 1)
    assert.match(text, /cannot be listened on: another program is using the port/)
  })

  for (const number of ['0', '65', '-1', 'two', '1.5', '']) {
    it(`is wrong usage with '${number}'`, async (t) => {
      const { code, text } = await refused(t, [`--workers=${number}`], {})
      assert.equal(code, 2)
      assert.equal(text, 'error: --workers takes a number from 1 to 64.\n')
    })
  }
})

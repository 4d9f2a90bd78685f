/** A log that nobody takes: the disk is full, the reader is gone, or does not read. Only the log suffers. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Browser, codeFields, obtainCode } from '../support/browser.ts'
import { freePortPair } from '../support/free-port.ts'
import { type Ended, startProgram } from '../support/program.ts'
import { freePort } from '../support/service.ts'
import { valuesOf } from '../support/values.ts'
import { childrenOf } from '../support/worker-processes.ts'

const chatty = fileURLToPath(new URL('./chatty-log.ts', import.meta.url))

type Served = {
  readonly child: ChildProcess
  readonly issuer: string
  readonly metricsPort: number
  readonly ended: Promise<Ended>
}

/** `latchkey serve --demo` with this output, once it answers. */
async function serveInto(t: TestContext, output: 'pipe' | number, args: readonly string[] = []): Promise<Served> {
  const [port, metricsPort] = [await freePort(), await freePortPair()]
  const env = { Server__Host: '127.0.0.1', Server__Port: String(port), Metrics__Port: String(metricsPort) }
  const { child, ended } = startProgram(t, ['serve', '--demo', ...args], { env, output })
  const issuer = `http://localhost:${port}/`
  const ready = [`${issuer}readyz`, ...(args.includes('--workers') ? [metricsOf(metricsPort + 1)] : [])]
  const failed = ended.then((how) => assert.fail(`it ended: ${JSON.stringify(how)}`))
  const isGone = () => child.exitCode !== null || child.signalCode !== null
  await Promise.race([Promise.all(ready.map((address) => answers(address, isGone))), failed])
  return { child, issuer, metricsPort, ended }
}

/** Resolves when it is answered with 200, or when nothing can answer any more. */
async function answers(address: string, isGone: () => boolean): Promise<void> {
  while (!isGone() && (await fetch(address).catch(() => undefined))?.status !== 200);
}

const metricsOf = (port: number): string => `http://localhost:${port}/metrics`

async function metric(port: number, name: string): Promise<number> {
  const text = await (await fetch(metricsOf(port))).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

/** People go on signing in, and the end comes in time. */
async function assertWorks(service: Served): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const code = await obtainCode(new Browser(service))
    const body = new URLSearchParams(codeFields(code))
    assert.equal((await fetch(`${service.issuer}connect/token`, { method: 'POST', body })).status, 200)
    assert.equal((await fetch(`${service.issuer}connect/token`, { method: 'POST', body })).status, 400)
  }
}

async function assertEnds({ child, ended }: Served): Promise<void> {
  child.kill('SIGTERM')
  const [how] = await Promise.race([
    ended.then((how) => [how]),
    once(AbortSignal.timeout(60_000), 'abort').then(() => ['it did not end within a minute']),
  ])
  assert.deepEqual(how, { code: 0, signal: null })
}

/** A pipe that takes nothing more; `read` takes out what is in it. */
function fullPipe(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pipe-'))
  const file = join(folder, 'pipe')
  execFileSync('mkfifo', [file])
  // Opened for both, so that it has a reader at all times.
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK)
  t.after(() => {
    closeSync(fd)
    rmSync(folder, { recursive: true, force: true })
  })
  const filling = Buffer.alloc(4096, '.')
  try {
    for (;;) writeSync(fd, filling)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN')
  }
  return {
    fd,
    read(): string {
      const chunk = Buffer.alloc(1 << 20)
      let text = ''
      try {
        for (;;) text += chunk.toString('utf8', 0, readSync(fd, chunk))
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN')
      }
      return text.replace(/^\.+/, '')
    },
  }
}

const unlimited = { timeout: 600_000 }

describe('a service whose log cannot be written', () => {
  it(
    'goes on while the disk of its log is full, counts the lines, and ends when it is told to',
    unlimited,
    async (t) => {
      const full = openSync('/dev/full', 'w')
      t.after(() => closeSync(full))
      const service = await serveInto(t, full)
      await assertWorks(service)
      assert.ok((await metric(service.metricsPort, 'latchkey_log_lines_dropped_total')) > 0)
      await assertEnds(service)
    },
  )

  it('goes on when the reader of its log goes away, and ends when it is told to', unlimited, async (t) => {
    const service = await serveInto(t, 'pipe')
    service.child.stdout?.destroy()
    service.child.stderr?.destroy()
    await assertWorks(service)
    assert.ok((await metric(service.metricsPort, 'latchkey_log_lines_dropped_total')) > 0)
    await assertEnds(service)
  })

  it('starts, serves and ends while nobody reads its log', unlimited, async (t) => {
    const { fd } = fullPipe(t)
    const service = await serveInto(t, fd)
    await assertWorks(service)
    await assertEnds(service)
  })

  it('does all of that with workers, too', unlimited, async (t) => {
    const full = openSync('/dev/full', 'w')
    t.after(() => closeSync(full))
    for (const output of [full, fullPipe(t).fd]) {
      const service = await serveInto(t, output, ['--workers', '2'])
      await assertWorks(service)
      const workers = childrenOf(service.child.pid ?? 0)
      assert.equal(workers.length, 2)
      await assertEnds(service)
      for (const pid of workers) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
    }
  })
})

describe('lines about a flood of refusals', () => {
  it(
    'are sixty a minute for one address, then counted in one line, in the log and in the trail',
    unlimited,
    async (t) => {
      const service = await serveInto(t, 'pipe')
      let output = ''
      service.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      const refused = () => fetch(`${service.issuer}connect/token`, { method: 'POST', body: new URLSearchParams() })
      for (let sent = 0; sent < 500; sent += 50) await Promise.all(Array.from({ length: 50 }, refused))
      // Addresses that nobody answers are in the log alone.
      for (let sent = 0; sent < 100; sent += 50) {
        await Promise.all(Array.from({ length: 50 }, () => fetch(`${service.issuer}connect/nowhere`)))
      }
      assert.equal(await metric(service.metricsPort, 'latchkey_log_lines_suppressed_total'), 540)
      await assertWorks(service)
      await assertEnds(service)
      const lines = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      assert.equal(lines.filter(({ msg }) => msg === 'refused').length, 60)
      const summaries = lines.filter(({ msg }) => /were left out/.test(msg))
      assert.deepEqual(
        summaries.map(({ level, count, networks, most }) => [level, count, networks, most]),
        [[40, 543, 1, ['127.0.0.1: 543']]],
      )
      // What succeeds is logged all the while.
      assert.equal(lines.filter(({ msg }) => msg === 'signed in').length, 3)
    },
  )
})

describe('lines that nobody reads', () => {
  it('take bounded memory, and are told of in one line when somebody reads again', unlimited, async (t) => {
    const pipe = fullPipe(t)
    const child = spawn(process.execPath, ['--expose-gc', chatty], { stdio: ['ignore', pipe.fd, 'inherit', 'ipc'] })
    t.after(() => child.kill('SIGKILL'))
    const logging = once(child, 'message')
    child.send(100_000)
    const [{ dropped, grownBytes }] = await logging
    assert.ok(dropped > 90_000, `only ${dropped} lines were dropped`)
    assert.ok(grownBytes < 10_000_000, `memory grew by ${grownBytes} bytes`)
    let text = ''
    while (!text.includes('some were dropped')) {
      text += pipe.read()
      await new Promise(setImmediate)
    }
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      valuesOf(lines.slice(0, -1), 'at'),
      Array.from({ length: lines.length - 1 }, (_, at) => at),
    )
    assert.deepEqual([lines.at(-1)?.dropped, lines.at(-1)?.level], [dropped, 40])
    const again = once(child, 'message')
    child.send(1)
    assert.equal((await again)[0].dropped, dropped)
  })
})

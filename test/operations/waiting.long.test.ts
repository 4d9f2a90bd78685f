/** A start while PostgreSQL is away: the process waits, says so, and ends when it is told to or when its time is over. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startServer } from '../support/postgres.ts'
import { freePort } from '../support/service.ts'

const server = await startServer()
after(() => server.stop())

const program = fileURLToPath(new URL('../../bin/latchkey', import.meta.url))
const waiting = 'the database is unreachable; waiting for it'

/** A start that need not come to an end. */
async function starting(t: TestContext, url: string, env: Record<string, string> = {}, args: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-waiting-'))
  const port = await freePort()
  const { PATH = '' } = process.env
  const child = spawn(program, ['serve', ...args], {
    cwd: folder,
    env: {
      PATH,
      Server__Host: '127.0.0.1',
      Server__Port: String(port),
      Database__Url: url,
      Keys__MasterKey: Buffer.alloc(32).toString('base64'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const lines = () =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    child,
    ended,
    port,
    errors: () => errors,
    lines,
    async logged(msg: string) {
      for (;;) {
        const line = lines().find((one) => one.msg === msg)
        if (line !== undefined) return line
        const news = await Promise.race([once(child.stdout, 'data').then(() => 'more'), ended])
        assert.ok(news === 'more', `the service ended before it said '${msg}': ${output}${errors}`)
      }
    },
  }
}

const nothingThere = 'postgres://latchkey:s3cret@127.0.0.1:1/latchkey'

describe('a start while PostgreSQL is away', () => {
  it('waits with a clear line, and goes on as soon as it is there', async (t) => {
    const url = await server.createEmptyDatabase()
    await server.down()
    const service = await starting(t, url)
    const line = await service.logged(waiting)
    assert.equal(line.level, 40)
    assert.match(String(line.reason), /^The database 127\.0\.0\.1:\d+\/test_\d+ cannot be used: connect ECONNREFUSED/)
    assert.equal(line.givesUpAfterSeconds, 60)
    await server.up()
    await service.logged('ready')
    assert.equal((await fetch(`http://127.0.0.1:${service.port}/readyz`)).status, 200)
  })

  it('ends with 1 when it did not come in the time of Database:WaitAtStart', async (t) => {
    const service = await starting(t, nothingThere, { Database__WaitAtStart: '1' })
    assert.deepEqual(await service.ended, [1, null])
    assert.equal(service.lines().filter(({ msg }) => msg === waiting).length, 1)
    assert.match(service.errors(), /^error: The database .* The start waited 1 s \(Database:WaitAtStart\)\.\n$/)
    assert.doesNotMatch(service.errors() + JSON.stringify(service.lines()), /s3cret/)
  })

  for (const [what, env, args] of [
    ['Database:WaitAtStart is 0', { Database__WaitAtStart: '0' }, []],
    ['it is a check', {}, ['--check']],
  ] as const) {
    it(`ends at once when ${what}`, async (t) => {
      const service = await starting(t, nothingThere, env, args)
      assert.deepEqual(await service.ended, [1, null])
      assert.deepEqual(service.lines(), [])
      assert.match(service.errors(), /^error: The database [^\n]* Database:Url is right\.\n$/)
    })
  }

  it('ends at once when somebody has to act: there is no such database', async (t) => {
    const service = await starting(t, `postgres://postgres@127.0.0.1:${server.port}/missing`)
    assert.deepEqual(await service.ended, [1, null])
    assert.match(service.errors(), /there is no such database/)
  })

  for (const args of [[], ['--workers', '2']]) {
    it(`stops when it is told to while it waits (${['serve', ...args].join(' ')})`, async (t) => {
      const service = await starting(t, nothingThere, {}, args)
      await service.logged(waiting)
      service.child.kill('SIGTERM')
      assert.deepEqual(await service.ended, [0, null])
      assert.equal(service.lines().at(-1)?.msg, 'stopped')
      assert.equal(service.errors(), '')
    })
  }
})

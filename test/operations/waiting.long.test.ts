/** A start while PostgreSQL is away: the process waits, says so, and ends when it is told to or when its time is over. */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { startServer } from '../support/postgres.ts'
import { startProgram } from '../support/program.ts'
import { freePort } from '../support/service.ts'
import { assertStops } from './running.ts'

const server = await startServer()
after(() => server.stop())

const waiting = 'the database is unreachable; waiting for it'

/** A start that need not come to an end. */
async function starting(t: TestContext, url: string, env: Record<string, string> = {}, args: readonly string[] = []) {
  const port = await freePort()
  const address = { Server__Host: '127.0.0.1', Server__Port: String(port), Database__Url: url }
  const key = { Keys__MasterKey: Buffer.alloc(32).toString('base64') }
  return { ...startProgram(t, ['serve', ...args], { env: { ...address, ...key, ...env } }), port }
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
    assert.deepEqual(await service.ended, { code: 1, signal: null })
    assert.equal(service.log().filter(({ msg }) => msg === waiting).length, 1)
    assert.match(service.stderr(), /^error: The database .* The start waited 1 s \(Database:WaitAtStart\)\.\n$/)
    assert.doesNotMatch(service.stderr() + JSON.stringify(service.log()), /s3cret/)
  })

  for (const [what, env, args] of [
    ['Database:WaitAtStart is 0', { Database__WaitAtStart: '0' }, []],
    ['it is a check', {}, ['--check']],
  ] as const) {
    it(`ends at once when ${what}`, async (t) => {
      const service = await starting(t, nothingThere, env, args)
      assert.deepEqual(await service.ended, { code: 1, signal: null })
      assert.deepEqual(service.log(), [])
      assert.match(service.stderr(), /^error: The database [^\n]* Database:Url is right\.\n$/)
    })
  }

  it('ends at once when somebody has to act: there is no such database', async (t) => {
    const service = await starting(t, `postgres://postgres@127.0.0.1:${server.port}/missing`)
    assert.deepEqual(await service.ended, { code: 1, signal: null })
    assert.match(service.stderr(), /there is no such database/)
  })

  for (const args of [[], ['--workers', '2']]) {
    it(`stops when it is told to while it waits (${['serve', ...args].join(' ')})`, async (t) => {
      const service = await starting(t, nothingThere, {}, args)
      await service.logged(waiting)
      await assertStops(service)
      assert.equal(service.log().at(-1)?.msg, 'stopped')
      assert.equal(service.stderr(), '')
    })
  }
})

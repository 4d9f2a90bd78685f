/** An outage signs nobody out: the leeway of a rotation runs only while the service can answer. Theft is noticed as ever. */
import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { leewayAtMostMs } from '../../src/protocol/grant/leeway.ts'
import { Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { serviceFor, temporaryFolder } from '../support/lifetime.ts'
import { startServer } from '../support/postgres.ts'
import { seedDatabase } from '../support/seed.ts'
import { freePort, startService, type TestService } from '../support/service.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

const server = await startServer()
after(() => server.stop())

const masterKey = Buffer.alloc(32, 3).toString('base64')
const leewayMs = 30_000
const hour = 3600

/** A database that a test takes away and brings back. */
type Place = { readonly env: Readonly<Record<string, string>>; away(): Promise<void>; back(): Promise<void> }

const places: readonly { readonly name: string; make(t: TestContext): Promise<Place> }[] = [
  {
    name: 'an embedded database',
    async make(t) {
      const folder = temporaryFolder(t)
      const file = join(folder, 'latchkey.db')
      return {
        env: { Database__Url: `sqlite:${file}` },
        away: async () => renameSync(file, `${file}.away`),
        back: async () => renameSync(`${file}.away`, file),
      }
    },
  },
  {
    name: 'PostgreSQL',
    make: async () => ({
      env: { Database__Url: await server.createDatabase(), Keys__MasterKey: masterKey },
      away: server.down,
      back: server.up,
    }),
  },
]

async function firstToken(service: TestService): Promise<string> {
  return (await postToken(service, codeFields(await obtainCode(new Browser(service))))).body.refresh_token
}

const refresh = (service: TestService, token: string) => postToken(service, refreshFields(token))

async function assertReplayed(service: TestService, token: string): Promise<void> {
  const { status, body } = await refresh(service, token)
  assert.equal(status, 400)
  assert.match(body.error_uri, /#ID2012$/)
}

/** As its own housekeeping does, until somebody stops it. */
async function run(service: TestService, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    service.advance(10)
    await service.uptime.record(leewayMs)
  }
}

/** Somebody asks until the database answers again. */
async function untilBack({ storage }: TestService): Promise<void> {
  for (;;) {
    const isBack = await storage.checkWrites().then(
      () => true,
      () => false,
    )
    if (isBack) return
  }
}

for (const { name, make } of places) {
  describe(`an outage of ${name}`, () => {
    it('leaves the leeway of a rotation as it was: four retries after it get the lost successor (RFC 9700 §4.14.2) [C3.14]', async (t) => {
      const place = await make(t)
      const service = await serviceFor(t, place.env)
      const token = await firstToken(service)
      const lost = await refresh(service, token)
      assert.equal(lost.status, 200)
      service.advance(5)
      await place.away()
      await service.storage.checkWrites().catch(() => {})
      let away = 0
      while (away < 35) {
        const refused = await refresh(service, token)
        assert.equal(refused.status, 503)
        const retryAfter = Number(refused.headers.get('retry-after'))
        assert.ok(retryAfter > 0)
        service.advance(retryAfter)
        away += retryAfter
      }
      await place.back()
      await untilBack(service)
      for (let retry = 0; retry < 4; retry += 1) {
        const { status, body } = await refresh(service, token)
        assert.equal(status, 200, JSON.stringify(body))
        assert.equal(body.refresh_token, lost.body.refresh_token)
        service.advance(5)
      }
      assert.equal((await refresh(service, lost.body.refresh_token)).status, 200, 'and the chain goes on from there')
    })

    it('gives a thief no more of it than is left: what comes after it ends the chain (ID2012)', async (t) => {
      const place = await make(t)
      const service = await serviceFor(t, place.env)
      const token = await firstToken(service)
      const { body } = await refresh(service, token)
      await run(service, 20)
      await place.away()
      await service.storage.checkWrites().catch(() => {})
      assert.equal((await refresh(service, token)).status, 503)
      service.advance(hour)
      await place.back()
      await untilBack(service)
      await service.uptime.record(leewayMs)
      service.advance(11)
      await assertReplayed(service, token)
      assert.equal((await refresh(service, body.refresh_token)).status, 400, 'thief and owner both end')
    })

    it('is noticed by nobody who came too late before it', async (t) => {
      const place = await make(t)
      const service = await serviceFor(t, place.env)
      const token = await firstToken(service)
      await refresh(service, token)
      await run(service, 40)
      await place.away()
      await service.storage.checkWrites().catch(() => {})
      assert.equal((await refresh(service, token)).status, 503)
      await place.back()
      await untilBack(service)
      await assertReplayed(service, token)
    })
  })

  describe(`a service on ${name} that was not running`, () => {
    it('leaves the leeway of a rotation as it was, also after a crash', async (t) => {
      const { env } = await make(t)
      const before = await startService(env)
      const token = await firstToken(before)
      const lost = await refresh(before, token)
      await run(before, 20)
      await before.stop()
      before.advance(10 * hour)
      const service = await serviceFor(t, env, { after: before })
      const { status, body } = await refresh(service, token)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.refresh_token, lost.body.refresh_token)
      service.advance(11)
      await assertReplayed(service, token)
    })

    it('knows what came too late before its end (ID2012)', async (t) => {
      const { env } = await make(t)
      const before = await startService(env)
      const token = await firstToken(before)
      const { body } = await refresh(before, token)
      await run(before, 40)
      await before.stop()
      before.advance(hour)
      const service = await serviceFor(t, env, { after: before })
      await assertReplayed(service, token)
      assert.equal((await refresh(service, body.refresh_token)).status, 400)
    })

    it('ends the chain after three days, however often it was stopped in between', async (t) => {
      const { env } = await make(t)
      let service = await startService(env)
      const token = await firstToken(service)
      const { body } = await refresh(service, token)
      const restart = async (seconds: number) => {
        await service.stop()
        service.advance(seconds)
        service = await startService(env, { after: service })
      }
      for (let day = 0; day < 2; day += 1) {
        await restart(24 * hour)
        assert.equal((await refresh(service, token)).body.refresh_token, body.refresh_token)
      }
      await restart(leewayAtMostMs / 1000 - 48 * hour)
      t.after(() => service.stop())
      await assertReplayed(service, token)
    })

    it('counts the time in which another node could answer (ID2012)', async (t) => {
      const { env } = await make(t)
      const [one, other] = [await startService(env), await startService(env)]
      t.after(() => other.stop())
      const token = await firstToken(one)
      const { body } = await refresh(one, token)
      assert.equal((await refresh(other, token)).body.refresh_token, body.refresh_token)
      await one.stop()
      await run(other, 40)
      one.advance(50)
      const again = await serviceFor(t, env, { after: one })
      await assertReplayed(again, token)
    })
  })
}

describe('a server', () => {
  /** Two of them with an hour in between. The first rotates, and ends; the second is sent the replaced token. */
  async function retryAtTheNext(t: TestContext, end: (first: ServiceProcess) => Promise<unknown>) {
    const folder = temporaryFolder(t)
    const url = `sqlite:${join(folder, 'latchkey.db')}`
    await seedDatabase({ kind: 'sqlite', file: join(folder, 'latchkey.db') })
    const port = await freePort()
    const at = { issuer: `http://localhost:${port}/` }
    const preload = `--import=${new URL('./movable-clock.ts', import.meta.url)}`
    const start = (aheadMs: number) => {
      // Each signal moves the clock on by more than that.
      const clock = { NODE_OPTIONS: preload, CLOCK_AHEAD_MS: String(aheadMs), OAuth__RefreshTokenReuseLeeway: '20' }
      return startProcess({ port, folder, env: { Database__Url: url, Keys__MasterKey: masterKey, ...clock } })
    }
    const first = await start(0)
    t.after(() => first.kill())
    const token = (await postToken(at, codeFields(await obtainCode(new Browser(at))))).body.refresh_token
    const { body } = await postToken(at, refreshFields(token))
    await end(first)
    const second = await start(hour * 1000)
    t.after(() => second.kill())
    return { successor: body.refresh_token, retry: await postToken(at, refreshFields(token)) }
  }

  it('that was killed for an hour signs nobody out', async (t) => {
    const { successor, retry } = await retryAtTheNext(t, (first) => first.kill())
    assert.equal(retry.status, 200, JSON.stringify(retry.body))
    assert.equal(retry.body.refresh_token, successor)
  })

  it('that was stopped for an hour says to the next one how long it could answer (ID2012)', async (t) => {
    const { retry } = await retryAtTheNext(t, (first) => {
      process.kill(first.pid, 'SIGUSR2')
      return first.stop()
    })
    assert.match(retry.body.error_uri, /#ID2012$/)
  })
})

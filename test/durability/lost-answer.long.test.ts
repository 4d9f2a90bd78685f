/**
 * Killed between the commit and the answer, exactly there: the change is on disk, the client never hears of it, and the
 * process is gone. What the client gets when it tries again.
 */
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import postgres from 'postgres'
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import {
  authorizeParameters,
  Browser,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
  type TokenAnswer,
} from '../support/browser.ts'
import { temporaryFolder, thisFile } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { seedDatabase } from '../support/seed.ts'
import { freePort } from '../support/service.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { isConnectionLoss } from './visitor.ts'
import { withholdingLine } from './withholding-line.ts'

const server = await postgresServer()
thisFile.after(() => server.stop())
const folder = temporaryFolder()

type StoredGrant = { readonly generation: number; readonly revoked_at_ms: number | null }

type Place = {
  /** `Database:Url` of the service. */
  readonly url: string
  /** The only grant there is, read over a connection of the test; undefined: none. */
  grant(): Promise<StoredGrant | undefined>
  /** Sends a request whose change is committed and whose answer is lost; resolves in between, to the answer if it was made. */
  loseAnswer(
    service: ServiceProcess,
    send: (headers: Readonly<Record<string, string>>) => void,
  ): Promise<TokenAnswer['body'] | undefined>
}

const grantQuery = 'select generation, revoked_at_ms from grants'

/** The answer is ready in the process, and stays there. */
const loseInProcess: Place['loseAnswer'] = async (service, send) => {
  send({ 'x-withhold': 'yes' })
  const [line] = await service.says(/^\{"withheld":.*\}$/m)
  return JSON.parse(JSON.parse(line).withheld)
}

const places: readonly { readonly name: string; open(t: TestContext): Promise<Place> }[] = [
  {
    name: 'on SQLite, before the answer leaves the process',
    async open() {
      const file = join(await mkdtemp(join(folder, 'sqlite-')), 'latchkey.db')
      await seed({ kind: 'sqlite', file })
      return {
        url: `sqlite:${file}`,
        async grant() {
          const db = new DatabaseSync(file, { readOnly: true })
          const row = db.prepare(grantQuery).get() as StoredGrant | undefined
          db.close()
          return row
        },
        loseAnswer: loseInProcess,
      }
    },
  },
  {
    name: 'on PostgreSQL, before the answer leaves the process',
    async open() {
      const url = await server.createDatabase()
      await seed({ kind: 'postgres', url })
      return { url, grant: () => grantAt(url), loseAnswer: loseInProcess }
    },
  },
  {
    name: 'on PostgreSQL, before the process hears of the commit',
    async open(t) {
      const direct = await server.createDatabase()
      await seed({ kind: 'postgres', url: direct })
      const line = await withholdingLine(server.port)
      t.after(() => line.end())
      const url = new URL(direct)
      url.port = String(line.port)
      return {
        url: url.href,
        grant: () => grantAt(direct),
        async loseAnswer(_service, send) {
          const committed = line.withholdNextCommit('grants')
          send({})
          await committed
          return undefined
        },
      }
    },
  },
]

async function grantAt(url: string): Promise<StoredGrant | undefined> {
  const sql = postgres(url, { max: 1, types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } } })
  const [row] = await sql.unsafe(grantQuery)
  await sql.end()
  return row as StoredGrant | undefined
}

async function seed(database: DatabaseSettings): Promise<void> {
  await seedDatabase(database)
}

/** A service process on the place, which may be killed and started again. */
async function restartable(t: TestContext, place: Place) {
  const port = await freePort()
  const preload = new URL('./withheld-answers.ts', import.meta.url)
  const env = {
    Database__Url: place.url,
    Keys__MasterKey: Buffer.alloc(32, 3).toString('base64'),
    NODE_OPTIONS: `--import=${preload.href}`,
  }
  let service = await startProcess({ port, folder, env })
  t.after(() => service.kill())
  return {
    issuer: `http://localhost:${port}/`,
    async killInBetween(send: (headers: Readonly<Record<string, string>>) => Promise<TokenAnswer>) {
      let untold: Promise<void> | undefined
      const made = await place.loseAnswer(service, (headers) => {
        untold = assert.rejects(send(headers), isConnectionLoss)
      })
      const stored = await place.grant()
      await service.kill()
      await untold
      service = await startProcess({ port, folder, env })
      return { made, stored }
    },
  }
}

for (const { name, open } of places) {
  describe(`killed between the commit and the answer, ${name}`, () => {
    it('gives the retry of a refresh the successor that was lost, and every further retry the same (RFC 9700 §4.14.2)', async (t) => {
      const place = await open(t)
      const service = await restartable(t, place)
      const first = await postToken(service, codeFields(await obtainCode(new Browser(service))))
      const previous: string = first.body.refresh_token
      const { made, stored } = await service.killInBetween((headers) =>
        postToken(service, refreshFields(previous), headers),
      )
      assert.deepEqual({ ...stored }, { generation: 1, revoked_at_ms: null }, 'the rotation was committed')

      const retries = [
        await postToken(service, refreshFields(previous)),
        await postToken(service, refreshFields(previous)),
      ]
      for (const { status, body } of retries) {
        assert.equal(status, 200, JSON.stringify(body))
        assert.notEqual(body.refresh_token, previous)
        assert.equal(body.refresh_token, made?.refresh_token ?? retries[0]?.body.refresh_token)
      }
      assert.equal((await place.grant())?.generation, 1, 'a retry moves nothing')
      const next = await postToken(service, refreshFields(retries[0]?.body.refresh_token))
      assert.equal(next.status, 200, 'and the chain goes on from there')
      assert.deepEqual({ ...(await place.grant()) }, { generation: 2, revoked_at_ms: null })
    })

    it('takes the retry of a redeemed code for a replay (RFC 6749 §4.1.2), and the session gives another one unasked', async (t) => {
      const place = await open(t)
      const service = await restartable(t, place)
      const browser = new Browser(service)
      const code = await obtainCode(browser)
      const { made, stored } = await service.killInBetween((headers) => postToken(service, codeFields(code), headers))
      assert.deepEqual({ ...stored }, { generation: 0, revoked_at_ms: null }, 'the redemption was committed')

      const retry = await postToken(service, codeFields(code))
      assert.equal(retry.status, 400)
      assert.equal(retry.body.error, 'invalid_grant')
      assert.match(retry.body.error_uri, /#ID2010$/)
      assert.notEqual((await place.grant())?.revoked_at_ms ?? null, null, 'what the lost answer gave is dead')
      if (made !== undefined) {
        assert.equal((await postToken(service, refreshFields(made.refresh_token))).status, 400)
      }
      const silent = new URLSearchParams(authorizeParameters({ prompt: 'none' }))
      const another = locationOf(await browser.get(`/connect/authorize?${silent}`)).searchParams.get('code')
      assert.equal((await postToken(service, codeFields(another ?? ''))).status, 200)
    })
  })
}

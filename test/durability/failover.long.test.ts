/** A primary that is lost and a standby that takes its place: the service finds it, and what was acknowledged is there. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import postgres from 'postgres'
import { openStorage } from '../../src/storage/open.ts'
import { Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { postgresPair } from '../support/postgres.ts'
import { freePort } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { Visitor } from './visitor.ts'

const { primary, standby, promote } = await postgresPair()
after(() => Promise.all([primary.stop(), standby.stop()]))

describe('a failover to a synchronous standby', { timeout: 300_000 }, () => {
  it('is found by a service that names both, and loses nothing that was acknowledged', async (t) => {
    const database = new URL(await primary.createEmptyDatabase()).pathname
    const admin = postgres(`postgres://postgres@127.0.0.1:${primary.port}/postgres`, { max: 1, onnotice: () => {} })
    await admin.unsafe("alter system set synchronous_standby_names = 'standby'")
    await admin`select pg_reload_conf()`
    for (let state = ''; state !== 'sync'; ) {
      const [row] = await admin`select sync_state from pg_stat_replication`
      state = String(row?.sync_state)
    }
    await admin.end()

    // The standby comes first: it is there, can be read, and is not what the service may use.
    const url = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}${database}?target_session_attrs=read-write`
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-failover-'))
    const port = await freePort()
    const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32, 7).toString('base64') }
    const service = { issuer: `http://localhost:${port}/` }
    const running = await startProcess({ port, folder, env, args: ['--demo'] })
    t.after(async () => {
      await running.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    assert.match(
      running.output(),
      new RegExp(`"database":"postgres://127.0.0.1:${standby.port},127.0.0.1:${primary.port}/`),
    )

    // What these send at once shares statements and commits, also when the primary goes.
    const visitors = Array.from({ length: 24 }, () => new Visitor(service.issuer, 'alice', 'openid offline_access'))
    let rotations = 0
    let acknowledged = 0
    let { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    let stopped = false
    t.after(() => {
      stopped = true
    })
    const signingIn = (async () => {
      while (!stopped) {
        const answer = await new Browser(service).signIn().catch(() => undefined)
        if (answer?.status === 302 && answer.headers.get('location') === '/') acknowledged += 1
      }
    })()
    const using = visitors.map(async (visitor) => {
      // A connection that broke is not the end: the service goes on.
      while (!stopped) {
        await visitor.use(
          () => stopped,
          () => {
            rotations += 1
          },
        )
      }
    })
    const used = Promise.all(using)
    while ((acknowledged < 20 || rotations < 20 * visitors.length) && !stopped) await fetch(`${service.issuer}healthz`)
    await primary.down()
    await promote()
    const [before, rotationsBefore] = [acknowledged, rotations]
    const beganAtMs = performance.now()
    while ((acknowledged < before + 5 || rotations < rotationsBefore + 5 * visitors.length) && !stopped) {
      await fetch(`${service.issuer}healthz`)
      assert.ok(performance.now() - beganAtMs < 30_000, running.output())
    }
    stopped = true
    await signingIn
    await used
    assert.equal((await fetch(`${service.issuer}readyz`)).status, 200)
    const refreshed = await postToken(service, refreshFields(body.refresh_token))
    assert.equal(refreshed.status, 200)
    body = refreshed.body
    for (const visitor of visitors) await visitor.verify()
    assert.ok(
      visitors.some(({ failures }) => failures > 0),
      'some were refused or cut off when the primary went',
    )

    const storage = await openStorage({ kind: 'postgres', url }, { migrate: false })
    const signIns = (await storage.audit.newest({ kind: 'sign_in' }, 10_000)).length
    await storage.close()
    // One more for the code, and for each visitor; what was stored without being acknowledged is no loss.
    const atLeast = acknowledged + 1 + visitors.length
    assert.ok(signIns >= atLeast, `${signIns} of ${atLeast} are stored`)
    t.diagnostic(`${acknowledged} sign-ins acknowledged, ${signIns} stored; ${rotations} other acts acknowledged`)
    assert.equal(await running.stop(), 0)
  })
})

/** `/healthz` and `/readyz`: what an orchestrator asks, answered from what is really there. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { databaseDeadlineMs } from '../../src/site/health.ts'
import { startService } from '../support/service.ts'
import { executeSqlite } from '../support/sqlite.ts'

async function onFile(t: TestContext, lifecycle = { isStopping: false }) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-health-'))
  const file = join(folder, 'latchkey.db')
  const service = await startService({ Database__Url: `sqlite:${file}` }, { lifecycle })
  t.after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const change = (sql: string): void => {
    executeSqlite(file, sql)
  }
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(new URL(path, service.issuer), init)
    const text = await answer.text()
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text }
  }
  const ready = async () => {
    // An answer is kept for a second.
    service.advance(1)
    const { status, text } = await ask('readyz')
    return [status, JSON.parse(text)]
  }
  return { service, change, ask, ready }
}

describe('/healthz', () => {
  it('answers as long as the process is alive, also without its database', async (t) => {
    const { service, ask } = await onFile(t)
    assert.deepEqual(await ask('healthz'), {
      status: 200,
      type: 'application/json; charset=utf-8',
      text: '{"status":"alive"}',
    })
    await service.storage.close()
    assert.equal((await ask('healthz')).status, 200)
    assert.equal((await ask('healthz', { method: 'HEAD' })).status, 200)
  })

  it('is an exact path, as /readyz is: what only begins like it is a page', async (t) => {
    const { ask } = await onFile(t)
    for (const path of ['healthz', 'readyz']) {
      assert.match((await ask(path, { headers: { accept: 'text/html' } })).type, /^application\/json/)
      for (const other of [`${path}/x`, `${path}x`]) assert.match((await ask(other)).type, /^text\/html/)
      assert.equal((await ask(path, { method: 'POST' })).status, 404)
    }
  })
})

describe('/readyz', () => {
  it('is 200 when database, migrations and keys are there', async (t) => {
    const { ready } = await onFile(t)
    assert.deepEqual(await ready(), [200, { status: 'ready' }])
  })

  it('names a database that does not answer', async (t) => {
    const { service, ready } = await onFile(t)
    await service.storage.close()
    assert.deepEqual(await ready(), [503, { status: 'not_ready', missing: ['database'] }])
  })

  it('names migrations that the database lacks, and recovers with them', async (t) => {
    const { change, ready } = await onFile(t)
    change('CREATE TABLE aside AS SELECT * FROM kysely_migration; DELETE FROM kysely_migration')
    assert.deepEqual(await ready(), [503, { status: 'not_ready', missing: ['migrations'] }])
    change('INSERT INTO kysely_migration SELECT * FROM aside')
    assert.deepEqual(await ready(), [200, { status: 'ready' }])
  })

  it('names keys that cannot be decrypted with the master key of this process', async (t) => {
    const { change, ready } = await onFile(t)
    assert.deepEqual(await ready(), [200, { status: 'ready' }])
    change(`CREATE TABLE foreign_key AS SELECT * FROM keys WHERE use = 'code';
      UPDATE foreign_key SET id = 'foreign', first_of = NULL;
      INSERT INTO keys SELECT * FROM foreign_key`)
    assert.deepEqual(await ready(), [503, { status: 'not_ready', missing: ['keys'] }])
  })

  for (const use of [
    'sign',
    'audit',
    'antiforgery',
    'refresh',
    'code',
    'access',
    'external',
    'device',
    'mail',
    'factor',
    'pairwise',
  ]) {
    it(`names keys when there is none any more of the use '${use}'`, async (t) => {
      const { change, ready } = await onFile(t)
      assert.deepEqual(await ready(), [200, { status: 'ready' }])
      change(`DELETE FROM keys WHERE use = '${use}'`)
      assert.deepEqual(await ready(), [503, { status: 'not_ready', missing: ['keys'] }])
    })
  }

  it('is 503 once the process was told to stop', async (t) => {
    const lifecycle = { isStopping: false }
    const { ready, ask } = await onFile(t, lifecycle)
    assert.equal((await ready())[0], 200)
    lifecycle.isStopping = true
    assert.deepEqual(await ready(), [503, { status: 'stopping' }])
    assert.equal((await ask('healthz')).status, 200)
  })

  it('waits for a silent database no longer than its deadline, and asks it once a second at most', async (t) => {
    const { service, ready, ask } = await onFile(t)
    let asked = 0
    Object.assign(service.storage, {
      pendingMigrations: () => {
        asked += 1
        return new Promise(() => {})
      },
    })
    const startedAtMs = performance.now()
    const answers = await Promise.all([ready(), ask('readyz'), ask('readyz'), ask('readyz')])
    const tookMs = performance.now() - startedAtMs
    assert.deepEqual(answers[0], [503, { status: 'not_ready', missing: ['database'] }])
    assert.ok(tookMs < databaseDeadlineMs + 20_000, `${tookMs} ms`)
    assert.equal(asked, 1)
  })
})

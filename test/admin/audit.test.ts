/** `/audit` of the admin API. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PassThrough } from 'node:stream'
import { after, describe, it } from 'node:test'
import { trailKeeper } from '../../src/audit/keeper.ts'
import { auditRecord } from '../../src/audit/record.ts'
import { main } from '../../src/main.ts'
import { anEvent } from '../storage/records.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { serviceForFile } from '../support/service.ts'
import { openDatabase } from '../support/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-admin-audit-'))
const file = join(folder, 'latchkey.db')
const env = { Database__Url: `sqlite:${file}`, Keys__MasterKey: `${'A'.repeat(43)}=` }
/** What reads of the trail wait for. */
let gate: Promise<void> = Promise.resolve()

const real = await openDatabase({ kind: 'sqlite', file })
const lastCheckpoint = () => gate.then(() => real.audit.lastCheckpoint())
const service = await serviceForFile(env, {
  followEveryMs: 20,
  storage: { ...real, audit: { ...real.audit, lastCheckpoint } },
})
const admin = await adminProgram(service, ['admin:audit:read'])
after(async () => {
  rmSync(folder, { recursive: true, force: true })
})

describe('GET /audit', () => {
  it('lists entries as the command does, newest first, page by page while others are recorded', async () => {
    const entries = (await service.storage.audit.newest({}, 500)).reverse().map(auditRecord)
    const until = `until=${entries[0]?.at}`
    const seen: unknown[] = []
    for (let cursor = ''; ; ) {
      const { status, body } = await admin.get(`/audit?${until}&limit=1${cursor}`)
      assert.equal(status, 200)
      seen.push(...body.items)
      await adminProgram(service, ['admin:read'], { id: `added-${seen.length}` })
      if (body.next === null) break
      cursor = `&cursor=${encodeURIComponent(body.next)}`
    }
    assert.ok(seen.length > 0)
    assert.deepEqual(seen.slice(-entries.length), JSON.parse(JSON.stringify(entries)))
  })

  it('filters by kind, person, application, trace id and period', async () => {
    const { user } = await adminPerson(service, ['latchkey-viewer'])
    await service.storage.audit.flush()
    const { body } = await admin.get(`/audit?kind=sign_in&user_id=${user.id}`)
    assert.equal(body.items.length, 1)
    const [{ at, trace_id: traceId, kind, user_id: userId }] = body.items
    assert.deepEqual([kind, userId], ['sign_in', user.id])
    const ofTrace = await admin.get(`/audit?trace_id=${traceId.toUpperCase()}`)
    assert.deepEqual(ofTrace.body.items, body.items)
    const ofClient = await admin.get(`/audit?client_id=app-admin:write&kind=tokens_issued`)
    assert.ok(ofClient.body.items.length > 0)
    const counts = async (query: string) =>
      (await admin.get(`/audit?user_id=${user.id}&kind=sign_in&${query}`)).body.items.length
    assert.deepEqual([await counts(`since=${at}`), await counts(`until=${at}`)], [1, 1])
    assert.equal(await counts('since=2999-01-01T00:00:00%2B01:00'), 0)
    assert.equal(await counts('until=1970-01-01T00:00:00Z'), 0)
    assert.deepEqual((await admin.get('/audit?kind=unheard')).body, { items: [], next: null })
  })

  it('filters by several kinds and by outcome, and leaves out the sign-ins and tokens of a client', async () => {
    const { user } = await adminPerson(service, ['latchkey-viewer'], { name: 'third-viewer' })
    const clientId = 'latchkey-console'
    const about = { userId: user.id, clientId, atMs: service.now() }
    await service.storage.audit.append(
      (['sign_in', 'tokens_issued', 'sign_in_failed', 'refusal', 'client_changed'] as const).map((kind) =>
        anEvent({ ...about, kind }),
      ),
    )
    const kinds = async (query: string): Promise<string[]> => {
      const { status, body } = await admin.get(`/audit?user_id=${user.id}&client_id=${clientId}${query}`)
      assert.equal(status, 200, query)
      return body.items.map(({ kind }: { kind: string }) => kind).sort()
    }
    assert.deepEqual(await kinds('&kind=sign_in&kind=refusal'), ['refusal', 'sign_in'])
    assert.deepEqual(await kinds('&outcome=failed'), ['refusal', 'sign_in_failed'])
    assert.deepEqual(await kinds('&outcome=done'), ['client_changed', 'sign_in', 'tokens_issued'])
    assert.deepEqual(await kinds('&kind=refusal&kind=sign_in&outcome=done'), ['sign_in'])
    assert.deepEqual(await kinds('&kind=refusal&outcome=done'), [])
    const apart = ['client_changed', 'refusal', 'sign_in_failed']
    assert.deepEqual(await kinds(`&exclude_client_id=${clientId}`), apart)
    assert.equal((await kinds('&exclude_client_id=other')).length, 5)
    for (const query of ['outcome=maybe', `kind=${'k'.repeat(65)}`, `exclude_client_id=${'c'.repeat(257)}`]) {
      assert.equal((await admin.get(`/audit?${query}`)).status, 400, query)
    }
  })

  it('refuses a time that is none, a cursor of another filter, and whoever may not read the trail', async () => {
    for (const query of [
      'since=yesterday',
      'until=',
      'since=2030-01-31',
      `since=${'9'.repeat(70)}`,
      'kind=%00',
      'limit=501',
    ]) {
      assert.equal((await admin.get(`/audit?${query}`)).status, 400, query)
    }
    const both = await admin.get('/audit?since=x&until=y')
    assert.deepEqual(
      both.body.errors.map(({ path }: { path: string }) => path),
      ['/since', '/until'],
    )
    const { body } = await admin.get('/audit?limit=1')
    assert.equal((await admin.get(`/audit?limit=1&kind=sign_in&cursor=${encodeURIComponent(body.next)}`)).status, 400)
    const other = await adminProgram(service, ['admin:clients'])
    assert.equal((await other.get('/audit')).status, 403)
  })
})

describe('POST /audit/verify', () => {
  /** What `latchkey audit verify --json` prints. */
  async function command() {
    const stdout = new PassThrough()
    const context = { stdin: new PassThrough().end(), stdout, stderr: new PassThrough(), clock: service.now }
    await main(['audit', 'verify', '--json'], { ...context, env, cwd: folder, random: randomBytes })
    return JSON.parse(String(stdout.read()))
  }

  function execute(text: string): void {
    const db = new DatabaseSync(file)
    db.exec(text)
    db.close()
  }

  it('answers as the command does, also with the first fault of a trail that somebody changed', async () => {
    const auditor = await adminProgram(service, ['admin:audit'])
    await service.storage.audit.flush()
    await trailKeeper({ storage: service.storage, keys: service.keys, clock: service.now }).checkpoint()
    const { status, body } = await auditor.post('/audit/verify')
    assert.equal(status, 200)
    assert.deepEqual([body.intact, body.checkpoints], [true, 1])
    assert.deepEqual(body, await command())
    const [, , entry] = await service.storage.audit.stored(undefined, 3)
    execute(`update audit_entries set user_id = 'mallory' where hash = '${entry?.hash}'`)
    const changed = await auditor.post('/audit/verify')
    assert.deepEqual([changed.status, changed.body.intact, changed.body.fault.kind], [200, false, 'changed'])
    assert.equal(changed.body.fault.entry.seq, entry?.seq)
    assert.deepEqual(changed.body, await command())
    execute(`update audit_entries set user_id = null where hash = '${entry?.hash}'`)
    assert.equal((await auditor.post('/audit/verify')).body.intact, true)
  })

  it('tells how far it is, keeps its connection alive, and stops when nobody waits for it', async () => {
    const { token } = await adminProgram(service, ['admin:audit'], { id: 'third auditor' })
    const post = (accept: string, signal: AbortSignal | null = null) =>
      fetch(new URL('admin/api/v1/audit/verify', service.issuer), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, accept },
        signal,
      })
    const hold = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    }
    const result = JSON.stringify(await (await post('application/json')).json())
    for (const [accept, before, after] of [
      ['text/event-stream', 'event: progress\ndata: {"entries":0}\n\n', `event: result\ndata: ${result}\n\n`],
      ['application/json', '\n', result],
    ] as const) {
      const release = hold()
      const answer = await post(accept)
      const reader = answer.body?.getReader()
      const first = Buffer.from((await reader?.read())?.value ?? '').toString()
      assert.ok(first.startsWith(before), first)
      release()
      let text = first
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        text += Buffer.from(part.value).toString()
      }
      assert.ok(text.endsWith(after), text)
      assert.equal(answer.headers.get('content-type')?.split(';')[0], accept)
    }
    const release = hold()
    const controller = new AbortController()
    await post('text/event-stream', controller.signal)
    assert.equal((await post('application/json')).status, 409)
    controller.abort()
    release()
    for (let status = 409; status !== 200; ) status = (await post('application/json')).status
  })

  it('is carried out once at a time, and needs more than to read the trail', async () => {
    const auditor = await adminProgram(service, ['admin:audit'], { id: 'second auditor' })
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const both = Array.from({ length: 2 }, () => auditor.post('/audit/verify'))
    const refused = await Promise.race(both)
    assert.deepEqual([refused.status, refused.body.code], [409, 'ID9660'])
    resolve()
    const all = await Promise.all(both)
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await auditor.post('/audit/verify')).status, 200)
    const viewer = await adminPerson(service, ['latchkey-viewer'], { name: 'second-viewer', scopes: ['admin:read'] })
    for (const caller of [admin, viewer.caller]) assert.equal((await caller.post('/audit/verify')).status, 403)
    assert.equal((await auditor.post('/audit/verify?anchor=x')).status, 400)
  })
})

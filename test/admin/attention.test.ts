/** What needs attention: bounded, and read by whoever reads everything. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditEvent } from '../../src/audit/entry.ts'
import { consoleClientId } from '../../src/protocol/client/client.ts'
import { aMail, anEvent } from '../storage/records.ts'
import { AdminCaller, adminProgram } from '../support/admin.ts'
import { addClient, serviceForFile, startService } from '../support/service.ts'

const service = await serviceForFile()
const reader = await adminProgram(service, ['admin:read'])

/** Leaves a mail undelivered. */
async function fail(to: string): Promise<void> {
  const { storage } = service
  const mail = aMail({ to, createdAtMs: service.now(), endsAtMs: service.now() + 900_000 })
  await storage.audit.append([{ ...anEvent({ atMs: service.now() }), mails: [mail] }])
  await storage.mails.fail(mail.id, service.now(), 'mailbox unavailable')
}

const refusals = (count: number, clientId: string | null, agoMs = 0): AuditEvent[] =>
  Array.from({ length: count }, () => anEvent({ kind: 'refusal', clientId, atMs: service.now() - agoMs, details: {} }))

const nothing = { items: [], count: 0, exact: true }

describe('GET /attention', () => {
  it('has nothing where all is well', async () => {
    const { status, body } = await reader.get('/attention')
    assert.deepEqual([status, body], [200, { mails: nothing, keys: [], clients: nothing }])
  })

  it('has the newest five mails that could not be delivered, and counts them', async () => {
    for (let at = 0; at < 7; at += 1) await fail(`lost-${at}@example.com`)
    const { mails } = (await reader.get('/attention')).body
    assert.deepEqual(
      mails.items.map(({ to, state }: { to: string; state: string }) => [to, state]),
      [6, 5, 4, 3, 2].map((at) => [`lost-${at}@example.com`, 'failed']),
    )
    assert.deepEqual([mails.count, mails.exact], [7, true])
    assert.doesNotMatch(JSON.stringify(mails), /sealed/)
  })

  it('has the applications with the most refusals of the last 24 hours, by name, without the console and deleted ones', async () => {
    for (let at = 1; at <= 6; at += 1) await addClient(service, { id: `shop-${at}`, name: `Shop ${at}` })
    const day = 86_400_000
    await service.storage.audit.append([
      ...[1, 2, 3, 4, 5, 6].flatMap((at) => refusals(at, `shop-${at}`)),
      ...refusals(9, consoleClientId),
      ...refusals(9, 'deleted-since'),
      ...refusals(9, null),
      ...refusals(9, 'shop-1', day + 1),
    ])
    const { clients } = (await reader.get('/attention')).body
    assert.deepEqual(
      clients.items,
      [6, 5, 4, 3, 2].map((at) => ({ client_id: `shop-${at}`, client_name: `Shop ${at}`, refusals: at })),
    )
    assert.deepEqual([clients.count, clients.exact], [6, true])
    await service.storage.audit.append(refusals(500, 'shop-1'))
    const more = (await reader.get('/attention')).body.clients
    assert.deepEqual([more.items[0].client_id, more.exact], ['shop-1', false])
  })

  it('needs the permission to read everything, and takes no parameter', async () => {
    for (const scope of ['admin:users', 'admin:clients', 'admin:audit', 'admin:keys']) {
      assert.equal((await (await adminProgram(service, [scope])).get('/attention')).status, 403, scope)
    }
    assert.equal((await new AdminCaller(service, 'x').get('/attention')).status, 401)
    assert.equal((await reader.get('/attention?limit=9')).status, 400)
  })
})

describe('GET /attention, with keys that nothing replaced', () => {
  it('has the signing keys that are overdue, without their values', async () => {
    await using old = await startService({ Keys__RotateEvery: '86400' })
    old.advance(3 * 86_400)
    const { keys } = (await (await adminProgram(old, ['admin:read'])).get('/attention')).body
    assert.ok(keys.length > 0)
    for (const { use, state } of keys) assert.deepEqual([use, state], ['sign', 'active'])
    assert.ok(!JSON.stringify(keys).includes('wrapped'))
  })
})

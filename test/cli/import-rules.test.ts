/** Clients and scopes of other systems, judged with rules of claims (claims and groups, section 3). */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { type AuditKind, eventBy } from '../../src/audit/entry.ts'
import { importId } from '../../src/import/files.ts'
import { readers } from '../../src/import/readers.ts'
import { registrations } from '../../src/import/registrations.ts'
import { runImport } from '../../src/import/run.ts'
import type { ClaimRule } from '../../src/protocol/claims/claim-rules.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { testClient, testScope } from '../support/service.ts'
import { workplace } from './run.ts'
import { wholeSchema } from './whole-tables.ts'

const api = 'https://api.example/'
const rule = (from: string): ClaimRule => ({ claim: 'x', from, in: ['access_token'], as: 'auto' })

/** Imports the scope `led`, which leads to `api`, and the client `shop` with the scopes `one` and `led`. */
async function imported(
  t: TestContext,
  before: (storage: Storage) => Promise<void>,
  meanwhile?: (storage: Storage) => Promise<void>,
) {
  const at = workplace(t)
  const place = join(at.folder, 'source.db')
  await at.run('scope list')
  const db = new DatabaseSync(place)
  db.exec('create table OpenIddictScopes (Name, Resources)')
  db.prepare('insert into OpenIddictScopes values (?, ?)').run('led', JSON.stringify([api]))
  db.exec(wholeSchema('OpenIddictApplications'))
  db.exec('alter table OpenIddictApplications add column ClientType')
  db.prepare('insert into OpenIddictApplications (ClientId, ClientType, Permissions) values (?, ?, ?)').run(
    'shop',
    'public',
    '["ept:token","ept:device_authorization","gt:urn:ietf:params:oauth:grant-type:device_code","scp:one","scp:led"]',
  )
  db.close()
  return at.withStorage(async (storage) => {
    await before(storage)
    let left = 1
    const imports: Storage['imports'] = {
      ...storage.imports,
      store: async (batch, events) => {
        const isClient = batch.records?.some(({ kind }) => kind === 'client') === true
        if (isClient && left-- > 0) await meanwhile?.(storage)
        return storage.imports.store(batch, events)
      },
    }
    const event = (kind: AuditKind) => eventBy('test', at.nowMs, kind, {})
    const facts = { isLoopbackIssuer: true, isPostQuantum: false, accessTokenScope: 'string' } as const
    const given = { onConflict: 'update', isDryRun: false, allowAdmin: false, nowMs: at.nowMs, facts, event } as const
    const { rows, findings } = await runImport({
      file: 'source',
      ...{ id: await importId('openiddict', [place]), kind: 'openiddict', isDryRun: false, nowMs: at.nowMs, event },
      records: readers.openiddict([place], {}),
      people: { judge: () => assert.fail(), resolve: async (item) => item },
      register: registrations({
        ...given,
        storage,
        random: randomBytes,
        judgeHash: () => ({ fault: '' }),
        seal: async () => '',
      }).register,
      storage: { imports },
      progress() {},
    })
    const reasons = rows.map(({ reason }) => reason)
    const lost = findings
      .filter(({ severity }) => severity === 'lost')
      .map(({ source, reason }) => `${source}: ${reason}`)
    const clients = (await storage.clients.list()).map(({ id, scopes }) => `${id}: ${scopes.join(' ')}`)
    return { reasons, lost, clients, scopes: (await storage.scopes.list()).map(({ name }) => name) }
  })
}

const ruledResource = ({ resources }: Storage, from: string) =>
  resources.change(() => ({
    changes: [{ identifier: api, after: { identifier: api, claims: [rule(from)], version: 1 } }],
  }))

describe('imported clients and scopes', () => {
  it('are stored with rules that can be in one token', async (t) => {
    const { reasons, clients } = await imported(t, async (storage) => {
      await storage.scopes.create(testScope('one', { claims: [rule('id')] }))
    })
    assert.deepEqual(reasons, [])
    assert.deepEqual(clients, ['shop: one led'])
  })

  it('are judged with what scopes of the same file lead to', async (t) => {
    const { reasons, lost, clients, scopes } = await imported(t, async (storage) => {
      await storage.scopes.create(testScope('one', { claims: [rule('id')] }))
      await ruledResource(storage, 'username')
    })
    assert.deepEqual(reasons, [])
    assert.match(lost.join(), /^shop: .*led.*x/)
    assert.deepEqual([clients, scopes.includes('led')], [['shop: one'], true])
  })

  it('are judged again where rules changed before they were stored', async (t) => {
    const { reasons, lost, clients } = await imported(
      t,
      async (storage) => {
        await storage.scopes.create(testScope('one', { claims: [rule('id')] }))
      },
      async (storage) => {
        await ruledResource(storage, 'username')
      },
    )
    assert.deepEqual(reasons, [])
    assert.match(lost.join(), /^shop: .*led.*x/)
    assert.deepEqual(clients, ['shop: one'])
  })

  it('are refused where clients that have the scope already could not be told of by both rules', async (t) => {
    const { reasons, clients, scopes } = await imported(t, async (storage) => {
      await storage.scopes.create(testScope('one', { claims: [rule('id')] }))
      await ruledResource(storage, 'username')
      await storage.clients.create(testClient({ id: 'kept', scopes: ['one', 'led'] }))
    })
    assert.equal(reasons.length, 1)
    assert.deepEqual([clients, scopes.includes('led')], [['kept: one led', 'shop: one'], false])
  })
})

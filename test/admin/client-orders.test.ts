/** Orders of the list of applications in the admin API, and the counts beside it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientsCountedTo } from '../../src/storage/port/clients.ts'
import { adminProgram } from '../support/admin.ts'
import { Browser, codeFields, postToken } from '../support/browser.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service, ['admin:clients:read'], { id: 'reader' })
const day = 86_400_000
const madeAt = (days: number) => service.now() - days * day

await addClient(service, { id: 'a', name: 'Zebra', consent: 'implicit', createdAtMs: madeAt(1) })
await addClient(service, { id: 'b', name: 'apple', consent: 'implicit', createdAtMs: madeAt(3) })
await addClient(service, { id: 'c', name: 'Mango', createdAtMs: madeAt(2), grantTypes: ['client_credentials'] })
await addUser(service, 'wanda')
const browser = await Browser.signedIn(service, { username: 'wanda' })
for (const [client, times] of [
  ['a', 2],
  ['b', 1],
] as const) {
  for (let at = 0; at < times; at += 1) {
    const code = await browser.allowedCode({ client_id: client })
    assert.equal((await postToken(service, codeFields(code, { client_id: client }))).status, 200)
  }
  service.advance(60)
}

/** The ids of this file's applications in a whole list, read page by page. */
async function idsOf(query: string): Promise<string[]> {
  const ids: string[] = []
  const caller = await adminProgram(service, ['admin:clients:read'], { id: 'reader' })
  for (let cursor = ''; ; ) {
    const { status, body } = await caller.get(`/clients?limit=1&${query}${cursor}`)
    assert.equal(status, 200, JSON.stringify(body))
    ids.push(...body.items.map((one: { client_id: string }) => one.client_id))
    if (body.next === null) return ids.filter((id) => /^[abc]$/.test(id))
    cursor = `&cursor=${encodeURIComponent(body.next)}`
  }
}

describe('the list of applications', () => {
  it('goes by name and by time, either way, page by page', async () => {
    assert.deepEqual(await idsOf('sort=name'), ['b', 'c', 'a'])
    assert.deepEqual(await idsOf('sort=-name'), ['a', 'c', 'b'])
    assert.deepEqual(await idsOf('sort=created_at'), ['b', 'c', 'a'])
    assert.deepEqual(await idsOf('sort=-created_at'), ['a', 'c', 'b'])
    assert.deepEqual(await idsOf('sort=name&kind=machine'), ['c'])
    assert.deepEqual(await idsOf('sort=name&search=ze'), ['a'])
  })

  it('goes by kind, last use and tokens, equal ones by name', async () => {
    assert.deepEqual(await idsOf('sort=-tokens'), ['a', 'b', 'c'])
    assert.deepEqual(await idsOf('sort=tokens'), ['c', 'b', 'a'])
    assert.deepEqual(await idsOf('sort=-last_used'), ['b', 'a', 'c'])
    assert.deepEqual(await idsOf('sort=kind'), ['b', 'a', 'c'])
    assert.deepEqual(await idsOf('sort=-tokens&used=true'), ['a', 'b'])
  })

  it('knows no other order, and a cursor is good for the order that it came with', async () => {
    assert.equal((await admin.get('/clients?sort=consent')).status, 400)
    const { body } = await admin.get('/clients?limit=1&sort=name')
    const { status } = await admin.get(`/clients?limit=1&sort=-name&cursor=${encodeURIComponent(body.next)}`)
    assert.equal(status, 400)
  })
})

describe('GET /client-counts', () => {
  it('counts each kind, those that got no tokens, and those that registered themselves', async () => {
    const caller = await adminProgram(service, ['admin:clients:read'], { id: 'reader' })
    const { status, body } = await caller.get('/client-counts')
    assert.equal(status, 200, JSON.stringify(body))
    const { body: list } = await caller.get('/clients?limit=100&used=false')
    assert.equal(body.unused.count, list.items.length)
    const { body: machines } = await caller.get('/clients?limit=100&kind=machine')
    assert.deepEqual(body.kinds.machine, { count: machines.items.length, exact: true })
    assert.deepEqual(body.self_registered, { count: 0, exact: true })
    await addClient(service, { id: 'guest', name: 'Guest', metadata: { registration: 'open' } })
    assert.deepEqual((await caller.get('/client-counts')).body.self_registered, { count: 1, exact: true })
    await service.storage.clients.delete('guest')
  })

  it('needs a permission to read applications', async () => {
    const other = await adminProgram(service, ['admin:users', 'admin:keys'], { id: 'stranger' })
    assert.equal((await other.get('/client-counts')).status, 403)
  })

  it(`counts no further than ${clientsCountedTo}, beyond which only an index gives an order`, async () => {
    const client = await service.storage.clients.find('a')
    assert.ok(client)
    const many = Array.from({ length: clientsCountedTo }, (_, at) => ({ ...client, id: `m${at}`, name: `M ${at}` }))
    await service.storage.clients.createAll(many)
    const caller = await adminProgram(service, ['admin:clients:read'], { id: 'reader' })
    const { body } = await caller.get('/client-counts')
    assert.deepEqual(body.all, { count: clientsCountedTo, exact: false })
    const refused = await caller.get('/clients?sort=tokens')
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors[0].path, '/sort')
    assert.equal((await caller.get('/clients?sort=name')).status, 200)
    assert.equal((await caller.get('/clients?sort=tokens&search=zebra')).status, 200)
  })
})

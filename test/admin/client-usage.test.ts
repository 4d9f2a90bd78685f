/** What applications are used for, in the admin API: their last use, counts by the day, and people. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import { Browser, codeFields, postToken, refreshFields } from '../support/browser.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)
const day = 86_400_000

await addClient(service, { id: 'shop', consent: 'implicit', scopes: ['offline_access'] })
await addClient(service, { id: 'idle' })
const wanda = await addUser(service, 'wanda')
const browser = await Browser.signedIn(service, { username: 'wanda' })

async function tokensOf(client: string): Promise<{ readonly refresh_token: string }> {
  const code = await browser.allowedCode({ client_id: client, scope: 'openid offline_access' })
  const { status, body } = await postToken(service, codeFields(code, { client_id: client }))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** The clock of the service goes on while it answers. */
function assertNow(iso: string): void {
  const sinceMs = service.now() - Date.parse(iso)
  assert.ok(sinceMs >= 0 && sinceMs < 60_000, `${iso}: ${sinceMs} ms ago`)
}

describe('GET /client-usage', () => {
  it('says of each application when it last got tokens, and how many in the last 30 days', async () => {
    const before = new Date(service.now()).toISOString()
    const { refresh_token } = await tokensOf('shop')
    service.advance(600)
    await postToken(service, refreshFields(refresh_token, { client_id: 'shop' }))
    const { status, body } = await admin.get('/client-usage?client_id=idle&client_id=shop&client_id=nobody')
    assert.equal(status, 200, JSON.stringify(body))
    const nothing = { last_used: null, tokens: 0, sign_ins: 0 }
    assert.deepEqual(body.items, [
      { client_id: 'idle', ...nothing },
      { client_id: 'shop', last_used: body.items[1].last_used, tokens: 2, sign_ins: 1 },
      { client_id: 'nobody', ...nothing },
    ])
    assertNow(body.items[1].last_used)
    assert.equal(body.counted_since, `${before.slice(0, 10)}T00:00:00.000Z`)
    const today = Math.floor(service.now() / day) * day
    assert.equal(body.since, new Date(today - 29 * day).toISOString())
  })

  it('is what the list adds to each application where facts are asked for, whatever filter and order', async () => {
    const { body: said } = await admin.get('/client-usage?client_id=idle&client_id=shop')
    const usesIn = (body: { items: Record<string, unknown>[] }) =>
      body.items
        .map(({ client_id, last_used, tokens, sign_ins }) => ({ client_id, last_used, tokens, sign_ins }))
        .filter(({ client_id }) => client_id === 'idle' || client_id === 'shop')
    for (const query of ['', '&sort=name', '&sort=last_used']) {
      const { status, body } = await admin.get(`/clients?facts=true${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      const byId = usesIn(body).sort((a, b) => String(a.client_id).localeCompare(String(b.client_id)))
      assert.deepEqual(byId, said.items, query)
    }
    const { body: plain } = await admin.get('/clients')
    assert.ok(plain.items.every((one: object) => !('tokens' in one) && !('last_used' in one)))
    const { body: counts } = await admin.get('/client-counts')
    assert.equal(counts.counted_since, said.counted_since)
  })

  it('forgets what is older than 30 days, and keeps when that was', async () => {
    const now = await adminProgram(service, ['admin:clients:read'], { id: 'now' })
    const { body: before } = await now.get('/client-usage?client_id=shop')
    service.advance(31 * 86_400)
    const caller = await adminProgram(service, ['admin:clients:read'], { id: 'later' })
    const { body } = await caller.get('/client-usage?client_id=shop')
    assert.deepEqual(body.items, [{ ...before.items[0], tokens: 0, sign_ins: 0 }])
  })

  it('needs to be told which, at most 100, and a permission to read applications', async () => {
    const caller = await adminProgram(service, ['admin:clients:read'], { id: 'reader' })
    const many = Array.from({ length: 101 }, (_, at) => `client_id=c${at}`).join('&')
    for (const query of ['', `?${many}`, '?client_id=shop&days=3'])
      assert.equal((await caller.get(`/client-usage${query}`)).status, 400, query)
    assert.equal((await caller.get(`/client-usage?${many.slice(many.indexOf('&') + 1)}`)).status, 200)
    const other = await adminProgram(service, ['admin:users', 'admin:keys'], { id: 'stranger' })
    for (const path of ['/client-usage?client_id=shop', '/clients/shop/usage'])
      assert.equal((await other.get(path)).status, 403, path)
  })
})

describe('GET /clients/{client_id}/usage', () => {
  it('counts by the day, with the days on which nothing happened, and consents and grants', async () => {
    const caller = await adminProgram(service, ['admin:clients:read'], { id: 'counting' })
    await browser.signIn({ username: 'wanda' })
    await tokensOf('shop')
    const { status, body } = await caller.get('/clients/shop/usage')
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.days.length, 30)
    const today = new Date(Math.floor(service.now() / day) * day).toISOString()
    assert.deepEqual(body.days.at(-1), { day: today, sign_ins: 1, tokens: 1 })
    assert.deepEqual([body.days[0].day, body.days[0].tokens], [body.since, 0])
    assertNow(body.last_used)
    assert.deepEqual(body.counts, { consents: 1, grants: 1, exact: true })
    const { body: more } = await caller.get('/clients/shop/usage?days=40')
    const sum = (days: readonly { tokens: number }[]) => days.reduce((total, { tokens }) => total + tokens, 0)
    assert.deepEqual([more.days.length, sum(more.days)], [40, 3])
  })

  it('refuses an application that is not there, and too many days', async () => {
    const caller = await adminProgram(service, ['admin:read'], { id: 'refused' })
    for (const part of ['usage', 'people']) assert.equal((await caller.get(`/clients/nobody/${part}`)).status, 404)
    for (const query of ['days=0', 'days=401', 'limit=3'])
      assert.equal((await caller.get(`/clients/shop/usage?${query}`)).status, 400, query)
  })
})

describe('GET /clients/{client_id}/people', () => {
  it('has who has a grant in force or a consent, who used it last first', async () => {
    const caller = await adminProgram(service, ['admin:users:read'], { id: 'people' })
    const boris = await addUser(service, 'boris')
    const consent = { id: 'consent-of-boris', userId: boris.id, clientId: 'shop', scopes: ['openid'] }
    await service.storage.authorizations.store({ ...consent, createdAtMs: service.now() })
    const { status, body } = await caller.get('/clients/shop/people')
    assert.equal(status, 200, JSON.stringify(body))
    const { last_used_at } = body.items[0]
    assertNow(last_used_at)
    assert.deepEqual(body, {
      items: [
        { user_id: wanda.id, grants: 1, consents: 1, last_used_at },
        { user_id: boris.id, grants: 0, consents: 1, last_used_at: null },
      ],
      complete: true,
    })
    const first = await caller.get('/clients/shop/people?limit=1')
    assert.deepEqual([first.body.items.length, first.body.complete], [1, false])
    service.advance(400 * 86_400)
    const later = await adminProgram(service, ['admin:users:read'], { id: 'much-later' })
    const { items } = (await later.get('/clients/shop/people')).body
    const consentAlone = { grants: 0, consents: 1, last_used_at: null }
    assert.deepEqual(
      items,
      [wanda, boris].map(({ id }) => ({ user_id: id, ...consentAlone })),
    )
    const other = await adminProgram(service, ['admin:clients'], { id: 'no-people' })
    assert.equal((await other.get('/clients/shop/people')).status, 403)
  })
})

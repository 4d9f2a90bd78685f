/** Sessions, grants, consents and activity in the admin API: of everybody, and of one person. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import { Browser, codeFields, postToken } from '../support/browser.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'

const ids: Record<string, string> = {}
const browsers: Record<string, Browser> = {}

const service = await serviceForFile()
const admin = await adminProgram(service)
const helpDesk = await adminProgram(service, ['admin:users'])
await addClient(service, { id: 'other', consent: 'implicit', createdAtMs: service.now() })
for (const name of ['gina', 'hugo']) {
  const user = await addUser(service, name, { createdAtMs: service.now() })
  ids[name] = user.id
  const browser = new Browser(service)
  browsers[name] = browser
  await browser.signIn({ username: name })
}

/** Allows the demo client what it asks for, and redeems the code. */
const refreshTokenOf = async (name: string): Promise<string> => {
  const answer = await postToken(service, codeFields(await (browsers[name] as Browser).allowedCode()))
  return answer.body.refresh_token
}
const refresh = (token: string) =>
  postToken(service, { grant_type: 'refresh_token', client_id: 'demo', refresh_token: token })
const entriesOf = async (userId: string, kind: string) => {
  await service.storage.audit.flush()
  const entries = await service.storage.audit.list({ kind }, undefined, 1000)
  return entries.filter((entry) => entry.userId === userId)
}

describe('grants', () => {
  it('are listed for a person, a client and everybody, and end with their tokens', async () => {
    const [ginas, hugos] = [await refreshTokenOf('gina'), await refreshTokenOf('hugo')]
    const { items } = (await helpDesk.get(`/users/${ids.gina}/grants`)).body
    assert.equal(items.length, 1)
    const [grant] = items
    assert.deepEqual(
      [grant.user_id, grant.client_id, grant.offline_access, grant.sender_constrained, grant.last_used_at],
      [ids.gina, 'demo', true, false, grant.created_at],
    )
    service.advance(5)
    const refreshed = (await refresh(ginas)).body.refresh_token
    const [used] = (await helpDesk.get(`/users/${ids.gina}/grants`)).body.items
    assert.ok(Date.parse(used.last_used_at) >= Date.parse(grant.created_at) + 5000)
    const everybody = (await helpDesk.get('/grants')).body.items.map((one: { user_id: string }) => one.user_id)
    assert.deepEqual(everybody, [ids.gina, ids.hugo])
    assert.equal((await helpDesk.get(`/grants?user_id=${ids.hugo}&client_id=demo`)).body.items.length, 1)
    assert.deepEqual((await helpDesk.get('/grants?client_id=other')).body, { items: [], next: null })
    assert.deepEqual((await helpDesk.get(`/grants/${grant.id}`)).body, used)
    assert.equal((await helpDesk.get(`/users/${ids.hugo}/grants/${grant.id}`)).status, 405, 'the record is at /grants')

    assert.equal((await helpDesk.delete(`/users/${ids.hugo}/grants/${grant.id}`)).status, 404)
    assert.equal((await helpDesk.delete(`/users/${ids.gina}/grants/${grant.id}`)).status, 204)
    assert.equal((await helpDesk.delete(`/users/${ids.gina}/grants/${grant.id}`)).status, 404)
    assert.equal((await refresh(refreshed)).body.error, 'invalid_grant')
    assert.equal((await refresh(hugos)).status, 200)
    assert.equal((await helpDesk.get(`/grants/${grant.id}`)).status, 404)
    const [entry] = await entriesOf(ids.gina ?? '', 'token_revoked')
    assert.deepEqual([entry?.details.grant, entry?.details.actor], [grant.id, 'program-admin:users'])
  })

  it('that a lock or a revoked consent has ended are not listed', async () => {
    await refreshTokenOf('gina')
    const [grant] = (await admin.get(`/users/${ids.gina}/grants`)).body.items
    const [consent] = (await admin.get(`/users/${ids.gina}/authorizations`)).body.items
    assert.equal(consent.id, grant.authorization_id)
    assert.equal((await admin.delete(`/authorizations/${consent.id}`)).status, 204)
    assert.equal((await admin.delete(`/authorizations/${consent.id}`)).status, 404)
    assert.deepEqual((await admin.get(`/users/${ids.gina}/grants`)).body.items, [])
    await refreshTokenOf('gina')
    assert.equal((await admin.get(`/users/${ids.gina}/grants`)).body.items.length, 1)
    await admin.post(`/users/${ids.gina}/lock`)
    assert.deepEqual((await admin.get(`/users/${ids.gina}/grants`)).body.items, [])
    await admin.post(`/users/${ids.gina}/unlock`)
    await browsers.gina?.signIn({ username: 'gina' })
  })
})

describe('sessions', () => {
  it('are listed with their person, and end at once; those of somebody with more permissions stay', async () => {
    const [session] = (await helpDesk.get(`/sessions?user_id=${ids.gina}`)).body.items
    assert.equal(session.user_id, ids.gina)
    assert.deepEqual((await helpDesk.get(`/sessions/${session.id}`)).body, session)
    await service.storage.users.update(ids.gina ?? '', (user) => ({ ...user, roles: ['latchkey-viewer'] }))
    assert.equal((await helpDesk.delete(`/sessions/${session.id}`)).body.error, 'permission_exceeded')
    await service.storage.users.update(ids.gina ?? '', (user) => ({ ...user, roles: [] }))
    assert.equal((await browsers.gina?.get('/Account/Self/passkeys'))?.status, 200)
    assert.equal((await helpDesk.delete(`/sessions/${session.id}`)).status, 204)
    assert.equal((await browsers.gina?.get('/Account/Self/passkeys'))?.status, 401)
    assert.equal((await helpDesk.get(`/sessions/${session.id}`)).status, 404)
    assert.equal((await helpDesk.delete('/sessions/unknown')).status, 404)
    const others = (await helpDesk.get('/sessions')).body.items.map((one: { user_id: string }) => one.user_id)
    assert.ok(others.includes(ids.hugo) && !others.includes(ids.gina))
  })

  it('go on page by page, and no cursor counts for another list', async () => {
    for (let more = 0; more < 3; more += 1) await new Browser(service).signIn({ username: 'hugo' })
    const seen: string[] = []
    let next: string | null = null
    do {
      const { body } = await admin.get(`/users/${ids.hugo}/sessions?limit=1${next === null ? '' : `&cursor=${next}`}`)
      for (const { id } of body.items) seen.push(id)
      next = body.next
      if (next !== null) {
        for (const path of [
          `/sessions?limit=1`,
          `/sessions?limit=1&user_id=${ids.hugo}`,
          `/users/${ids.gina}/sessions?`,
        ]) {
          const { status, body: problem } = await admin.get(`${path}&cursor=${next}`)
          assert.deepEqual([status, problem.errors[0].code], [400, 'cursor_invalid'])
        }
      }
    } while (next !== null)
    assert.equal(seen.length, 4)
    assert.deepEqual(seen, [...new Set(seen)].sort())
  })
})

describe('activity', () => {
  it('is what the trail has about the person, newest first, page by page, and cannot be removed', async () => {
    await service.storage.audit.flush()
    const whole = (await helpDesk.get(`/users/${ids.gina}/activity?limit=500`)).body
    assert.equal(whole.next, null)
    assert.ok(whole.items.length > 5)
    assert.deepEqual([...new Set(whole.items.map((one: { user_id: string }) => one.user_id))], [ids.gina])
    assert.ok(whole.items.every(({ kind }: { kind: string }) => kind !== 'tokens_issued'))
    const paged: unknown[] = []
    let next: string | null = null
    do {
      const { body } = await helpDesk.get(
        `/users/${ids.gina}/activity?limit=2${next === null ? '' : `&cursor=${next}`}`,
      )
      paged.push(...body.items)
      next = body.next
    } while (next !== null)
    assert.deepEqual(paged, whole.items)
    assert.equal((await helpDesk.delete(`/users/${ids.gina}/activity`)).status, 405)
    assert.equal((await helpDesk.get('/users/nobody/activity')).status, 404)
  })
})

describe('who may not', () => {
  it('neither sees nor ends anything', async () => {
    const clients = await adminProgram(service, ['admin:clients'])
    const viewer = await adminProgram(service, ['admin:users:read'])
    for (const path of ['/sessions', '/grants', '/authorizations', `/users/${ids.hugo}/activity`]) {
      assert.equal((await clients.get(path)).status, 403, path)
      assert.equal((await viewer.get(path)).status, 200, path)
    }
    const [session] = (await viewer.get('/sessions')).body.items
    assert.equal((await viewer.delete(`/sessions/${session.id}`)).status, 403)
  })
})

/** `/users/{id}/overview`: what a help desk looks at first. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sessionsOfPeopleAtMost } from '../../src/storage/port/access-pages.ts'
import { appsOf } from '../../src/users/second-factor.ts'
import { maxSessions } from '../../src/users/session.ts'
import { aPasskey, aSession, nextId, someFactors } from '../storage/records.ts'
import { adminProgram } from '../support/admin.ts'
import { Browser } from '../support/browser.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const helpDesk = await adminProgram(service, ['admin:users:read'])
const { storage } = service

describe('GET /users/{id}/overview', () => {
  it('counts ways to sign in and what is open, and says when and from where the person signed in last', async () => {
    const person = await addUser(service, 'olga')
    const before = await helpDesk.get(`/users/${person.id}/overview`)
    assert.equal(before.status, 200)
    assert.deepEqual(before.body, {
      password: { changed_at: null },
      ...{ passkeys: 0, second_factor_keys: 0, authenticator_apps: [], recovery_codes: 0, external_logins: 0 },
      ...{ sessions: 0, applications: 0, authorizations: 0, last_sign_in: null },
    })
    await new Browser(service).signIn({ username: 'olga' })
    await storage.audit.flush()
    const { body } = await helpDesk.get(`/users/${person.id}/overview`)
    assert.equal(body.sessions, 1)
    assert.deepEqual([body.last_sign_in.address, body.last_sign_in.browser], ['127.0.0.1', null])
    assert.equal(Math.abs(Date.parse(body.last_sign_in.at) - service.now()) < 60_000, true)
  })

  it('tells keys that are a second factor alone from passkeys, and says when the password was set', async () => {
    const person = await addUser(service, 'pavel')
    await storage.passkeys.add(aPasskey(person, { isSecondFactor: true }), {
      id: nextId(),
      expiresAtMs: service.now() + 1000,
    })
    const factors = someFactors(person)
    await storage.secondFactors.change(person.id, () => ({ factors, events: [] }))
    const admin = await adminProgram(service)
    await admin.post(`/users/${person.id}/set-password`, { password: 'a long enough password' })
    await storage.audit.flush()
    const { body } = await helpDesk.get(`/users/${person.id}/overview`)
    assert.deepEqual([body.passkeys, body.second_factor_keys], [0, 1])
    assert.deepEqual(
      [body.authenticator_apps.length, body.recovery_codes],
      [appsOf(factors).length, factors.recoveryHashes.length],
    )
    assert.match(body.password.changed_at, /^\d{4}-/)
  })

  it('counts a password from when the person was added with it, and none from when they were added without', async () => {
    const admin = await adminProgram(service)
    const added = async (body: object) => {
      const { status, body: person } = await admin.post('/users', body)
      assert.equal(status, 201)
      await storage.audit.flush()
      return (await helpDesk.get(`/users/${person.id}/overview`)).body.password
    }
    const { changed_at: at } = await added({
      username: 'quirin',
      email: 'q@example.com',
      password: 'a long enough one',
    })
    assert.equal(Math.abs(Date.parse(at) - service.now()) < 60_000, true)
    assert.equal(await added({ username: 'rosa', email: 'r@example.com', password: null }), null)
  })

  it('says nothing of somebody who does not exist, and nothing to those who may not read people', async () => {
    assert.equal((await helpDesk.get('/users/nobody/overview')).status, 404)
    const other = await adminProgram(service, ['admin:keys'])
    assert.equal((await other.get('/users/nobody/overview')).status, 403)
  })
})

describe('GET /session-counts', () => {
  it('counts the sessions of several people that a lock would end', async () => {
    const [sina, sven] = [await addUser(service, 'sina'), await addUser(service, 'sven')]
    const query = `/session-counts?user_id=${sina.id}&user_id=${sven.id}&user_id=nobody&user_id=${sina.id}`
    assert.deepEqual((await helpDesk.get(query)).body, { sessions: { count: 0, exact: true } })
    for (const username of ['sina', 'sina', 'sven']) await new Browser(service).signIn({ username })
    const { status, body } = await helpDesk.get(query)
    assert.deepEqual([status, body], [200, { sessions: { count: 3, exact: true } }])
    const admin = await adminProgram(service)
    assert.equal((await admin.post(`/users/${sina.id}/lock`, {})).status, 200)
    assert.deepEqual((await helpDesk.get(query)).body, { sessions: { count: 1, exact: true } })
  })

  it('says that there are more when it has not read all', async () => {
    const times = { createdAtMs: service.now(), authenticatedAtMs: service.now() }
    const people: Awaited<ReturnType<typeof addUser>>[] = []
    for (let place = 0; place < sessionsOfPeopleAtMost / maxSessions; place += 1) {
      const user = await addUser(service, `tess${place}`)
      people.push(user)
      for (let at = 0; at < maxSessions; at += 1) {
        const session = aSession(user, { ...times, expiresAtMs: service.now() + 3_600_000 })
        await storage.users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
      }
    }
    const ask = async () => {
      const asked = people.map(({ id }) => `user_id=${id}`).join('&')
      return (await helpDesk.get(`/session-counts?${asked}`)).body
    }
    assert.deepEqual(await ask(), { sessions: { count: sessionsOfPeopleAtMost, exact: true } })
    const user = await addUser(service, 'one-more')
    people.push(user)
    const session = aSession(user, { ...times, expiresAtMs: service.now() + 3_600_000 })
    await storage.users.recordSignIn({ user }, () => ({ outcome: 'in', session }))
    assert.deepEqual(await ask(), { sessions: { count: sessionsOfPeopleAtMost, exact: false } })
  })

  it('needs to be told who, at most 100, and a permission to read people', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `user_id=u${at}`).join('&')
    for (const query of ['', `?${many}`, '?user_id=a&role=b'])
      assert.equal((await helpDesk.get(`/session-counts${query}`)).status, 400, query)
    assert.equal((await helpDesk.get(`/session-counts?${many.slice(many.indexOf('&') + 1)}`)).status, 200)
    const other = await adminProgram(service, ['admin:clients', 'admin:keys'], { id: 'stranger' })
    assert.equal((await other.get('/session-counts?user_id=a')).status, 403)
  })
})

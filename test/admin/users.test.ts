/** People in the admin API. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aBrowser, aPasskey, aSession, nextId, someFactors } from '../storage/records.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { Browser } from '../support/browser.ts'
import { addUser, serviceForFile, startService } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)
const helpDesk = await adminProgram(service, ['admin:users'])

const password = 'a long enough password'
const pathsOf = ({ body }: { readonly body: { errors: { path: string }[] } }) => body.errors.map(({ path }) => path)
const add = async (name: string, change = {}) =>
  (await admin.post('/users', { username: name, email: `${name}@example.com`, ...change })).body.id as string
const entriesOf = async (userId: string) => {
  await service.storage.audit.flush()
  return (await service.storage.audit.list({}, undefined, 1000)).filter((entry) => entry.userId === userId)
}

describe('people', () => {
  it('adds, reads, changes and deletes a person, each change with its actor and members in the audit trail', async () => {
    const given = { username: 'Bob', email: 'bob@example.com', name: 'Bob Builder', address: { locality: 'Ulm' } }
    const created = await admin.post('/users', { ...given, password, roles: ['b', 'a', 'a'] })
    assert.equal(created.status, 201)
    const { id } = created.body
    assert.equal(created.headers.get('location'), `${service.issuer}admin/api/v1/users/${id}`)
    assert.deepEqual(created.body, {
      ...given,
      id,
      email_verified: false,
      roles: ['a', 'b'],
      effective_roles: [
        { role: 'a', from: ['own'] },
        { role: 'b', from: ['own'] },
      ],
      ...{ required_actions: [], had_second_factor: false },
      locked_until: null,
      disabled: false,
      created_at: created.body.created_at,
    })
    const read = await admin.get(`/users/${id}`)
    assert.deepEqual([read.body, read.etag], [created.body, created.etag])
    await new Browser(service).signIn({ username: 'Bob', password })
    const patch = { name: null, nickname: 'bobby', address: { country: 'DE' }, email_verified: true }
    const changed = await admin.patch(`/users/${id}`, { ...read.body, ...patch })
    assert.equal(changed.status, 200)
    assert.deepEqual(
      [changed.body.name, changed.body.nickname, changed.body.address, changed.body.email_verified],
      [undefined, 'bobby', { locality: 'Ulm', country: 'DE' }, true],
    )
    assert.equal((await admin.delete(`/users/${id}`, { 'if-match': read.etag })).status, 412)
    assert.equal((await admin.delete(`/users/${id}`)).status, 204)
    assert.equal((await admin.get(`/users/${id}`)).status, 404)
    const changes = (await entriesOf(id)).filter(({ details }) => details.actor === 'program-admin:write')
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['user_added', 'user_changed', 'user_deleted'],
    )
    const members = changes[1]?.details.members
    assert.ok(Array.isArray(members) && members.includes('nickname'))
    assert.ok(!JSON.stringify(changes).includes(password))
    assert.ok(changes.every(({ traceId }) => traceId?.length === 32))
  })

  it('names wrong members, and takes nothing that is not for setting', async () => {
    const id = await add('carol')
    for (const [body, paths] of [
      [{}, ['/username', '/email']],
      [{ username: 'x', email: 'no address' }, ['/email']],
      [{ username: 'x', email: 'x@example.com', id: 'mine' }, ['/id']],
      [{ username: 'x', email: 'x@example.com', disabled: false, version: 9 }, ['/disabled', '/version']],
      [{ username: 'x', email: 'x@example.com', password: 'short' }, ['/password']],
      [{ username: 'x', email: 'x@example.com', passwordHash: 'x' }, ['/passwordHash']],
      [{ username: 'x', email: 'x@example.com', address: { planet: 'Mars' } }, ['/address/planet']],
      [{ username: 'x', email: 'x@example.com', birthdate: 'soon' }, ['/birthdate']],
    ] as const) {
      const refused = await admin.post('/users', body)
      assert.equal(refused.status, 400, JSON.stringify(body))
      assert.deepEqual(pathsOf(refused).sort(), [...paths].sort())
    }
    for (const body of [
      { id: 'other' },
      { roles: ['admin'] },
      { disabled: true },
      { locked_until: null, created_at: '2020-01-01T00:00:00Z' },
    ]) {
      const refused = await admin.patch(`/users/${id}`, body)
      assert.deepEqual([refused.status, refused.body.errors[0].code], [400, 'member_read_only'], JSON.stringify(body))
    }
    const password = await admin.patch(`/users/${id}`, { password: 'x' })
    assert.deepEqual([password.status, password.body.errors[0].code], [400, 'member_unknown'])
    for (const [names, path] of [
      [{ username: 'CAROL', email: 'other@example.com' }, '/username'],
      [{ username: 'other', email: 'Carol@example.com' }, '/email'],
      [{ username: 'carol@example.com', email: 'other@example.com' }, '/username'],
    ] as const) {
      const taken = await admin.post('/users', names)
      assert.deepEqual([taken.status, taken.body.error, ...pathsOf(taken)], [409, 'already_exists', path])
    }
    const renamed = await admin.patch(`/users/${id}`, { username: 'alice' })
    assert.deepEqual([renamed.status, ...pathsOf(renamed)], [409, '/username'])
  })

  it('lets exactly one of many parallel changes of one version win', async () => {
    const id = await add('raced')
    const { etag } = await admin.get(`/users/${id}`)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => admin.patch(`/users/${id}`, { nickname: `n${at}` }, etag)),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 412).length, 29)
    assert.equal((await admin.send('PATCH', `/users/${id}`, { body: {} })).status, 428)
  })

  it('is the same version however often strangers fail to sign in, and while a lockout follows from that', async () => {
    const id = await add('guessed', { password })
    const { etag, body } = await admin.get(`/users/${id}`)
    const stranger = new Browser(service)
    for (let at = 0; at < 3; at += 1) await stranger.signIn({ username: 'guessed', password: 'wrong' })
    const form = { ...body, nickname: 'Guessed' }
    const changed = await admin.patch(`/users/${id}`, form, etag)
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    for (let at = 0; at < 8; at += 1) await stranger.signIn({ username: 'guessed', password: 'wrong' })
    const locked = await admin.get(`/users/${id}`)
    assert.equal(typeof locked.body.locked_until, 'string')
    assert.equal(locked.etag, changed.etag)
    assert.equal((await admin.patch(`/users/${id}`, { ...changed.body, nickname: 'G' }, changed.etag)).status, 200)
    // A form that was filled in during the lockout, and sent after it.
    const during = await admin.get(`/users/${id}`)
    service.advance(400)
    const late = await admin.patch(`/users/${id}`, { ...during.body, nickname: 'H' }, during.etag)
    assert.equal(late.status, 200, JSON.stringify(late.body))
    await new Browser(service).signIn({ username: 'guessed', password })
    assert.equal((await admin.get(`/users/${id}`)).etag, late.etag)
    service.advance(-400)
    // What somebody decided is a new version.
    assert.equal((await admin.post(`/users/${id}/lock`)).status, 200)
    assert.equal((await admin.patch(`/users/${id}`, { nickname: 'I' }, late.etag)).status, 412)
    const lock = await admin.get(`/users/${id}`)
    const unlocking = await admin.patch(`/users/${id}`, { ...lock.body, locked_until: null }, lock.etag)
    assert.deepEqual([unlocking.status, unlocking.body.errors[0].path], [400, '/locked_until'])
    const { etag: before } = await admin.get(`/users/${id}`)
    await admin.post(`/users/${id}/set-password`, { password: 'another long password' })
    assert.equal((await admin.patch(`/users/${id}`, { nickname: 'J' }, before)).status, 412)
  })

  it('ends the sessions of whom it locks at once, and of a replaced password', async () => {
    const id = await add('dora', { password })
    const signedIn = async () => {
      const browser = await Browser.signedIn(service, { username: 'dora', password })
      return browser
    }
    const isIn = async (browser: Browser) => (await browser.get('/Account/Self/passkeys')).status === 200
    const first = await signedIn()
    assert.equal(await isIn(first), true)
    const until = new Date(service.now() + 3_600_000).toISOString()
    const locked = await admin.post(`/users/${id}/lock`, { until })
    assert.deepEqual([locked.status, locked.body.locked_until, locked.body.disabled], [200, until, false])
    assert.equal(await isIn(first), false)
    assert.equal((await admin.post(`/users/${id}/lock`, { until: '2020-01-01T00:00:00Z' })).status, 400)
    // As other systems print times: RFC 9557, and a leap second.
    for (const [text, at] of [
      ['2040-01-31T12:00:00+01:00[Europe/Berlin]', '2040-01-31T11:00:00.000Z'],
      ['2040-12-31T23:59:60Z', '2040-12-31T23:59:59.000Z'],
    ] as const) {
      const { status, body } = await admin.post(`/users/${id}/lock`, { until: text })
      assert.deepEqual([status, body.locked_until], [200, at], text)
    }
    // What has the form of a time is refused if it is none, and so is what has passed: the lock stays as it is.
    for (const text of ['2041-01-31T12:00:00+01:00[!x=y]', '2020-01-01T00:00:00Z', '2041-02-30T12:00:00Z', 'soon']) {
      const refused = await admin.post(`/users/${id}/lock`, { until: text })
      assert.deepEqual([refused.status, pathsOf(refused)], [400, ['/until']], text)
    }
    assert.equal((await admin.get(`/users/${id}`)).body.locked_until, '2040-12-31T23:59:59.000Z')
    assert.equal((await admin.post(`/users/${id}/lock`)).body.disabled, true)
    const unlocked = await admin.post(`/users/${id}/unlock`)
    assert.deepEqual([unlocked.body.locked_until, unlocked.body.disabled], [null, false])
    assert.equal(await isIn(first), false)
    const second = await signedIn()
    assert.equal((await admin.post(`/users/${id}/set-password`, { password: 'short' })).status, 400)
    assert.equal(await isIn(second), true)
    const set = await admin.post(`/users/${id}/set-password`, { password: 'quite another password' })
    assert.deepEqual([set.status, JSON.stringify(set.body).includes('assword')], [200, false])
    assert.equal(await isIn(second), false)
    const off = await admin.post(`/users/${id}/send-reset`)
    assert.deepEqual([off.status, off.body.code], [409, 'ID9650'])
    assert.equal((await admin.post(`/users/${id}/reset-second-factor`)).status, 200)
    const changes = (await entriesOf(id)).filter(({ kind }) => kind === 'user_changed')
    assert.deepEqual(
      changes.map(({ details }) => details.change),
      ['locked', 'locked', 'locked', 'locked', 'unlocked', 'password_set'],
    )
  })

  it('takes off a second factor, and with it the memory of browsers in which none is asked for', async () => {
    const id = await add('fay', { password })
    const { knownBrowsers, secondFactors, users } = service.storage
    const user = await users.find(id)
    assert.ok(user)
    const remember = async () => {
      const found = await users.findForSignIn({ userId: id }, [])
      assert.ok(found)
      const browser = aBrowser(user, { secondFactorUntilMs: service.now() + 86_400_000 })
      await users.recordSignIn(found, () => ({ outcome: 'in', session: aSession(user), browser }))
    }
    const untils = async () => (await knownBrowsers.list(id)).map((one) => one.secondFactorUntilMs)
    await secondFactors.change(id, () => ({ factors: { ...someFactors(user), version: 0 } }))
    await remember()
    const reset = () => admin.post(`/users/${id}/reset-second-factor`)
    assert.deepEqual([(await reset()).status, await untils()], [200, [null]])
    assert.deepEqual((await secondFactors.find(id))?.recoveryHashes, [])
    // A passkey stays, and is asked for everywhere again.
    await service.storage.passkeys.add(aPasskey(user), { id: nextId(), expiresAtMs: service.now() + 1000 })
    await remember()
    assert.deepEqual([(await reset()).status, await untils()], [200, [null, null]])
    const resets = (await entriesOf(id)).filter(({ details }) => details.change === 'second_factor_reset')
    assert.equal(resets.length, 2)
  })

  it('sets roles as a whole', async () => {
    const id = await add('erin', { roles: ['a'] })
    const { body, etag } = await admin.get(`/users/${id}/roles`)
    assert.deepEqual(body, ['a'])
    const set = await admin.put(`/users/${id}/roles`, ['c', 'b', 'b'], etag)
    assert.deepEqual([set.status, set.body], [200, ['b', 'c']])
    assert.equal((await admin.put(`/users/${id}/roles`, [], etag)).status, 412)
    assert.equal((await admin.put(`/users/${id}/roles`, [' '])).status, 400)
    assert.equal(
      (
        await admin.put(
          `/users/${id}/roles`,
          Array.from({ length: 51 }, (_, at) => `r${at}`),
        )
      ).status,
      400,
    )
    assert.deepEqual((await admin.get(`/users/${id}`)).body.roles, ['b', 'c'])
  })

  it('lets nobody take over or make somebody with more permissions', async () => {
    const boss = await addUser(service, 'boss', { roles: ['latchkey-admin'] })
    const viewer = await add('watcher', { roles: ['latchkey-viewer'] })
    const plain = await add('plain')
    const reader = await adminProgram(service, ['admin:users:read'])
    assert.equal((await reader.get(`/users/${plain}`)).status, 200)
    assert.equal((await reader.post(`/users/${plain}/lock`)).status, 403)
    const before = await service.storage.users.find(boss.id)
    for (const id of [boss.id, viewer]) {
      for (const attempt of [
        helpDesk.patch(`/users/${id}`, { email: 'mine@example.com' }),
        helpDesk.delete(`/users/${id}`),
        helpDesk.post(`/users/${id}/lock`),
        helpDesk.post(`/users/${id}/unlock`),
        helpDesk.post(`/users/${id}/set-password`, { password }),
        helpDesk.post(`/users/${id}/send-reset`),
        helpDesk.post(`/users/${id}/send-confirmation`),
        helpDesk.post(`/users/${id}/reset-second-factor`),
        helpDesk.put(`/users/${id}/roles`, []),
      ]) {
        const { status, body } = await attempt
        assert.deepEqual([status, body.error], [403, 'permission_exceeded'])
      }
    }
    assert.deepEqual(await service.storage.users.find(boss.id), before)
    const made = await helpDesk.post('/users', { username: 'x', email: 'x@example.com', roles: ['latchkey-viewer'] })
    assert.equal(made.status, 403)
    assert.equal((await helpDesk.put(`/users/${plain}/roles`, ['latchkey-admin'])).status, 403)
    assert.equal((await helpDesk.put(`/users/${plain}/roles`, ['staff'])).status, 200)
  })

  it('ends a session of the named person alone, and none of another or of somebody with more permissions', async () => {
    const [id, other] = [await add('gina', { password }), await add('hugo', { password })]
    const browser = await Browser.signedIn(service, { username: 'gina', password })
    const [session] = (await helpDesk.get(`/users/${id}/sessions`)).body.items
    assert.equal((await helpDesk.delete(`/users/${other}/sessions/${session.id}`)).status, 404)
    assert.equal((await helpDesk.delete(`/users/${id}/sessions/unknown`)).status, 404)
    assert.equal((await browser.get('/Account/Self/passkeys')).status, 200)
    await service.storage.users.update(id, (user) => ({ ...user, roles: ['latchkey-admin'] }))
    assert.equal((await helpDesk.delete(`/users/${id}/sessions/${session.id}`)).status, 403)
    await service.storage.users.update(id, (user) => ({ ...user, roles: [] }))
    assert.equal((await helpDesk.delete(`/users/${id}/sessions/${session.id}`)).status, 204)
    assert.equal((await browser.get('/Account/Self/passkeys')).status, 401)
    assert.deepEqual((await admin.get(`/users/${id}/sessions`)).body.items, [])
    const consent = { id: 'of-gina', userId: id, clientId: 'demo', scopes: ['openid'], createdAtMs: service.now() }
    await service.storage.authorizations.store(consent)
    assert.equal((await helpDesk.delete(`/users/${other}/authorizations/of-gina`)).status, 404)
    assert.equal((await service.storage.authorizations.list(id)).length, 1)
  })

  it('is decided on the person as stored: a role given meanwhile is more than the caller has', async () => {
    const id = await add('overtaken')
    const { users } = service.storage
    const { delete: remove } = users
    // Between the decision and the commit, somebody else gives the role.
    Object.assign(users, {
      delete: async (...given: Parameters<typeof remove>) => {
        Object.assign(users, { delete: remove })
        await users.update(id, (user) => ({ ...user, roles: ['latchkey-viewer'] }))
        return remove(...given)
      },
    })
    assert.equal((await helpDesk.delete(`/users/${id}`)).body.error, 'permission_exceeded')
    assert.equal((await admin.get(`/users/${id}`)).status, 200)
  })

  it('keeps the last administrator', async () => {
    const { user, caller } = await adminPerson(service, ['latchkey-admin'], { name: 'last' })
    for (const { id, roles } of await service.storage.users.list()) {
      if (id !== user.id && roles.includes('latchkey-admin'))
        await service.storage.users.delete(id, [], { force: true })
    }
    for (const attempt of [
      caller.delete(`/users/${user.id}`),
      caller.post(`/users/${user.id}/lock`),
      caller.put(`/users/${user.id}/roles`, []),
    ]) {
      const { status, body } = await attempt
      assert.deepEqual([status, body.error], [409, 'last_administrator'])
    }
    const other = await add('second-admin', { roles: ['latchkey-admin'] })
    assert.equal((await caller.put(`/users/${user.id}/roles`, [])).status, 200)
    assert.equal((await caller.get(`/users/${other}`)).status, 403)
  })

  it('keeps an administrator who can sign in where that needs a confirmed address, of those who change each other at once too', async () => {
    await using strict = await startService({ Accounts__RequireConfirmedEmail: 'true' })
    const { users } = strict.storage
    const { user, caller } = await adminPerson(strict, ['latchkey-admin'], { name: 'last' })
    const about = `/users/${user.id}`
    for (const members of [
      { email: 'moved@example.com' },
      { email_verified: false },
      { username: 'renamed', email_verified: false },
      { username: 'last', email: 'moved@example.com', email_verified: false },
    ]) {
      const { status, body } = await caller.patch(about, members)
      assert.deepEqual([status, body.error], [409, 'last_administrator'], JSON.stringify(members))
    }
    // Somebody who could not sign in is no other administrator.
    const unproven = { username: 'unproven', email: 'unproven@example.com', roles: ['latchkey-admin'] }
    const { id } = (await caller.post('/users', unproven)).body
    for (const refused of [
      await caller.patch(about, { email: 'moved@example.com' }),
      await caller.put(`${about}/roles`, []),
      await caller.delete(about),
    ]) {
      assert.deepEqual([refused.status, refused.body.error], [409, 'last_administrator'])
    }
    assert.equal((await caller.patch(about, { email: 'moved@example.com', email_verified: true })).status, 200)
    await users.update(id, (stored) => ({ ...stored, emailConfirmed: true }))
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all(
        [user.id, id].map((one, at) => caller.patch(`/users/${one}`, { email: `r${round}-${at}@example.com` })),
      )
      assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [200, 409])
      for (const one of [user.id, id]) await users.update(one, (stored) => ({ ...stored, emailConfirmed: true }))
    }
  })
})

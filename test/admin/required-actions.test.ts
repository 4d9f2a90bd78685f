/** `required_actions` of a person over HTTP: what the next sign-in asks for is set and withdrawn. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { User } from '../../src/users/user.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { addUser, serviceForFile, userNamed } from '../support/service.ts'

const service = await serviceForFile()
const viewer = await adminProgram(service, ['admin:users:read'])
const helpDesk = await adminProgram(service, ['admin:users'])
const asking = { required_actions: ['set_up_second_factor'] }
const ask = ({ id }: Pick<User, 'id'>, caller = helpDesk, what: object = asking) => caller.patch(`/users/${id}`, what)
const askedOf = async ({ name }: User) => (await userNamed(service, name)).requiredActions
const signIn = async ({ name: username }: User) => {
  const { pathname } = locationOf(await new Browser(service).signIn({ username }))
  return pathname
}

describe('a second factor that an operator requires', () => {
  it('is set up at the next sign-in, ends the sessions, and is withdrawn without ending any', async () => {
    const user = await addUser(service, 'ann')
    const browser = await Browser.signedIn(service, { username: 'ann' })
    const asked = await ask(user)
    assert.deepEqual([asked.status, asked.body.required_actions], [200, ['set_up_second_factor']])
    assert.equal(await browser.userName(), undefined)
    assert.equal(await signIn(user), '/Account/SecondFactor')
    const { grantsEndedAtMs } = await userNamed(service, 'ann')
    assert.deepEqual((await ask(user, helpDesk, { required_actions: [] })).body.required_actions, [])
    assert.equal((await userNamed(service, 'ann')).grantsEndedAtMs, grantsEndedAtMs)
    assert.equal(await signIn(user), '/')
    const entries = await service.storage.audit.newest({ kind: 'user_changed', userId: user.id }, 2)
    for (const { details } of entries)
      assert.partialDeepStrictEqual(details, { actor: 'program-admin:users', members: ['required_actions'] })
    assert.equal(entries.length, 2)
  })

  it('is refused to whoever only reads, about somebody with more permissions, and by another name', async () => {
    const [user, boss] = [await addUser(service, 'ben'), await addUser(service, 'chief', { roles: ['latchkey-admin'] })]
    const browser = await Browser.signedIn(service, { username: 'ben' })
    assert.equal((await ask(user, viewer)).status, 403)
    const refused = await ask(boss)
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_exceeded'])
    assert.equal((await ask({ id: 'nobody' })).status, 404)
    const faulty = await ask(user, helpDesk, { required_actions: ['second_factor'] })
    assert.equal(faulty.status, 400)
    assert.deepEqual([await askedOf(user), await askedOf(boss)], [undefined, undefined])
    assert.equal(await browser.userName(), 'ben')
  })

  it('waits for somebody who is locked until they are unlocked', async () => {
    const user = await addUser(service, 'cleo', { disabled: true })
    assert.equal((await ask(user)).status, 200)
    assert.equal(await signIn(user), '/Account/Login')
    assert.equal((await helpDesk.post(`/users/${user.id}/unlock`)).status, 200)
    assert.equal(await signIn(user), '/Account/SecondFactor')
  })

  it('ends the own access of whoever requires it of themselves', async () => {
    const { user, caller } = await adminPerson(service, ['latchkey-admin'], { name: 'boss' })
    assert.equal((await ask(user, caller)).status, 200)
    assert.equal((await caller.get(`/users/${user.id}`)).status, 401)
    assert.equal(await signIn(user), '/Account/SecondFactor')
  })
})

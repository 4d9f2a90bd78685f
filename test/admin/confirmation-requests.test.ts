/** `POST /users/{id}/send-confirmation`: an operator asks for a confirmation of an address, and the link is followed in a browser. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { addressLink } from '../../src/mail/operator-mails.ts'
import type { User } from '../../src/users/user.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { mailTo, purposesTo } from '../support/mails.ts'
import { serviceForFile, startService, testUser, userNamed } from '../support/service.ts'

const service = await serviceForFile({ Mail__Url: 'file:/nowhere' })
const viewer = await adminProgram(service, ['admin:users:read'])
const helpDesk = await adminProgram(service, ['admin:users'])

async function person(name: string, change: Partial<User> = {}): Promise<User> {
  const user = testUser({ name, email: `${name}@example.com`, emailConfirmed: false, ...change })
  assert.equal(await service.storage.users.create(user), 'created')
  return user
}
const send = ({ id }: Pick<User, 'id'>, caller = helpDesk) => caller.post(`/users/${id}/send-confirmation`)
async function open(token: string, browser = new Browser(service)): Promise<string> {
  const { pathname, search } = locationOf(await browser.submit('/Account/Confirm', { purpose: 'email', token }))
  return pathname + search
}
const tooLate = '/Account/Confirm?purpose=email&error=code_invalid'
const isConfirmed = async ({ name }: User) => (await userNamed(service, name)).emailConfirmed

describe('a confirmation that an operator asks for', () => {
  it('is mailed as a link for a day, which confirms the address once, in any browser and without a session', async () => {
    const user = await person('ann', { requiredActions: ['verify_email'] })
    const { status, body } = await send(user)
    assert.deepEqual([status, body.email], [200, user.email])
    assert.deepEqual(Object.keys(body).sort(), ['email', 'expires_at'])
    assert.ok(Date.parse(body.expires_at) <= service.now() + 86_400_000)
    const { code, token } = await mailTo(service, user.email, 'email')
    assert.equal(code, '')
    const [entry] = await service.storage.audit.newest({ kind: 'confirmation_asked' }, 1)
    assert.partialDeepStrictEqual(entry, { userId: user.id, details: { purpose: 'email', mailed: true } })
    assert.equal(entry?.details.actor, 'program-admin:users')
    const browser = new Browser(service)
    assert.equal(await open(token, browser), '/Account/Login')
    assert.equal(await browser.userName(), undefined)
    const { emailConfirmed, requiredActions } = await userNamed(service, user.name)
    assert.deepEqual([emailConfirmed, requiredActions], [true, undefined])
    assert.equal(await open(token), tooLate)
  })

  it('ends the one before, and leaves the change of the address that its owner asked for', async () => {
    const user = await person('ben')
    const browser = await Browser.signedIn(service, { username: user.name })
    assert.equal((await browser.self('POST', '/email', { email: 'ben2@example.com' })).status, 204)
    await send(user)
    const first = await mailTo(service, user.email, 'email')
    await send(user)
    assert.equal(await open(first.token), tooLate)
    assert.equal(await isConfirmed(user), false)
    const own = await mailTo(service, 'ben2@example.com', 'email')
    await open(own.token)
    const { email, emailConfirmed } = await userNamed(service, user.name)
    assert.deepEqual([email, emailConfirmed], ['ben2@example.com', true])
    // Its address is the person's no more.
    assert.equal(await open((await mailTo(service, user.email, 'email')).token), tooLate)
  })

  it('confirms nothing once the address is another one, not even if both happened at once', async () => {
    const user = await person('cleo')
    await send(user)
    const { token } = await mailTo(service, user.email, 'email')
    const late = addressLink(user, service.now(), randomBytes, 'en')
    assert.equal((await helpDesk.patch(`/users/${user.id}`, { email: 'right@example.com' })).status, 200)
    assert.equal(await open(token), tooLate)
    await service.storage.confirmations.put(late.confirmation)
    assert.equal(await open(late.mail.link?.split('#token=')[1] ?? ''), tooLate)
    const { email, emailConfirmed } = await userNamed(service, user.name)
    assert.deepEqual([email, emailConfirmed], ['right@example.com', false])
  })

  it('unlocks nobody', async () => {
    const user = await person('dora', { disabled: true })
    assert.equal((await send(user)).status, 200)
    await open((await mailTo(service, user.email, 'email')).token)
    const { disabled, emailConfirmed } = await userNamed(service, user.name)
    assert.deepEqual([disabled, emailConfirmed], [true, true])
  })

  it('can be asked for about oneself', async () => {
    const { user, caller } = await adminPerson(service, ['latchkey-admin'], { name: 'boss' })
    await service.storage.users.update(user.id, (one) => ({ ...one, emailConfirmed: false }))
    assert.equal((await send(user, caller)).status, 200)
    assert.deepEqual(await purposesTo(service, user.email).then((all) => all.includes('email')), true)
  })

  it('is refused to whoever only reads, and about somebody with more permissions', async () => {
    const user = await person('eve')
    assert.equal((await send(user, viewer)).status, 403)
    const root = await person('root', { roles: ['latchkey-admin'] })
    const refused = await send(root)
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_exceeded'])
    assert.equal((await send({ id: 'nobody' })).status, 404)
    assert.deepEqual([await purposesTo(service, user.email), await purposesTo(service, root.email)], [[], []])
  })

  it('is refused for an address that is confirmed, that there is not, or that others have, too', async () => {
    const refusal = async (user: User) => {
      const { status, body } = await send(user)
      assert.deepEqual(await purposesTo(service, user.email), [])
      return [status, body.code, body.error]
    }
    const confirmed = await person('fay', { emailConfirmed: true })
    assert.deepEqual(await refusal(confirmed), [409, 'ID9654', 'already_confirmed'])
    const none = await person('gus', { email: '' })
    assert.deepEqual(await refusal(none), [409, 'ID9652', 'no_own_address'])
    const shared = await person('hal', { email: 'family@example.com', sharesEmail: true })
    assert.deepEqual(await refusal(shared), [409, 'ID9652', 'no_own_address'])
  })

  it('is mailed five times an hour to an address, together with links for a new password', async () => {
    const user = await person('ida')
    for (const action of ['send-reset', ...Array.from({ length: 4 }, () => 'send-confirmation')])
      assert.equal((await helpDesk.post(`/users/${user.id}/${action}`)).status, 200)
    const over = await send(user)
    assert.deepEqual([over.status, over.body.code, over.headers.get('retry-after')], [429, 'ID9690', '3600'])
    assert.equal((await purposesTo(service, user.email)).length, 5)
  })

  it('is refused where no mail is sent', async () => {
    await using other = await startService()
    const caller = await adminProgram(other, ['admin:users'])
    const user = testUser({ name: 'jo', email: 'jo@example.com', emailConfirmed: false })
    await other.storage.users.create(user)
    const { status, body } = await send(user, caller)
    assert.deepEqual([status, body.code], [409, 'ID9650'])
  })
})

/** Links that operators hand over where no mail is sent: invitations, and links with which somebody sets a new password. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { strangersSubject } from '../../src/users/confirmation.ts'
import { aConfirmation } from '../storage/records.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { addUser, serviceForFile, startService, testUser } from '../support/service.ts'

const password = 'kT7-vw2q-new'
const service = await serviceForFile()
const viewer = await adminProgram(service, ['admin:users:read'])
const helpDesk = await adminProgram(service, ['admin:users'])
const { caller: admin } = await adminPerson(service, ['latchkey-admin'], { name: 'boss', scopes: ['admin:write'] })

const target = (response: Response) => `${locationOf(response).pathname}${locationOf(response).search}`
const open = async (browser: Browser, link: string) => {
  const { searchParams, hash } = new URL(link)
  const token = hash.slice('#token='.length)
  return target(await browser.submit('/Account/Confirm', { purpose: searchParams.get('purpose') ?? '', token }))
}

describe('an invitation as a link', () => {
  it('needs no mail server, is shown once, makes an account whose address nobody proved, and works once', async () => {
    assert.equal((await helpDesk.post('/invitations', { email: 'ann@example.com' })).body.error, 'mail_disabled')
    const headers = { 'idempotency-key': 'ann-1' }
    const sent = { email: 'ann@example.com', roles: ['staff'], send: false }
    const made = await helpDesk.post('/invitations', sent, headers)
    assert.equal(made.status, 201)
    assert.ok(made.body.link.startsWith(`${service.issuer}Account/Confirm?purpose=invite#token=`))
    assert.equal((await helpDesk.post('/invitations', sent, headers)).body.link, undefined)
    assert.equal((await viewer.get('/invitations')).body.items[0].link, undefined)
    const [entry] = await service.storage.audit.newest({ kind: 'confirmation_asked' }, 1)
    assert.partialDeepStrictEqual(entry?.details, { purpose: 'invite', mailed: false, roles: ['staff'] })
    assert.ok(!JSON.stringify(entry).includes(made.body.link.slice(-30)))

    const browser = new Browser(service)
    assert.equal(await open(browser, made.body.link), '/Account/Register')
    assert.equal(await open(new Browser(service), made.body.link), '/Account/Confirm?purpose=invite&error=code_invalid')
    assert.equal(target(await browser.submit('/Account/Register', { username: 'ann', password })), '/')
    const user = await service.storage.users.findByName('ann')
    assert.deepEqual([user?.email, user?.emailConfirmed, user?.roles], ['ann@example.com', false, ['staff']])
  })

  it('lets somebody in where people sign in with a confirmed address alone', async () => {
    await using other = await startService({
      Accounts__RequireConfirmedEmail: 'true',
      Mail__Url: 'file:/dev/null/mails',
    })
    const caller = await adminProgram(other, ['admin:users'])
    const { body } = await caller.post('/invitations', { email: 'ann@example.com', send: false })
    const browser = new Browser(other)
    await open(browser, body.link)
    assert.equal(target(await browser.submit('/Account/Register', { username: 'ann', password })), '/')
    assert.equal(await browser.userName(), 'ann')
  })

  it('is refused to whoever only reads, and with roles that give more than the caller has', async () => {
    assert.equal((await viewer.post('/invitations', { email: 'x@example.com', send: false })).status, 403)
    const roles = ['latchkey-admin']
    assert.equal((await helpDesk.post('/invitations', { email: 'x@example.com', roles, send: false })).status, 403)
    const made = await admin.post('/invitations', { email: 'x@example.com', roles, send: false })
    assert.equal(made.status, 201)
    // With the rights of whoever made it, as if it were mailed.
    const boss = await service.storage.users.findByName('boss')
    await service.storage.users.update(boss?.id ?? '', (user) => ({ ...user, disabled: true }), [], { force: true })
    assert.match(await open(new Browser(service), made.body.link), /error=code_invalid/)
    await service.storage.users.update(boss?.id ?? '', (user) => ({ ...user, disabled: false }))
  })

  it('ends after seven days', async () => {
    await using other = await startService()
    const caller = await adminProgram(other, ['admin:users'])
    const { body } = await caller.post('/invitations', { email: 'ann@example.com', send: false })
    assert.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), 7 * 86_400_000)
    other.advance(7 * 86_400)
    assert.match(await open(new Browser(other), body.link), /error=code_invalid/)
  })
})

describe('a link with which somebody sets a new password', () => {
  it('is shown once, ends the one before and the sessions, and confirms no address', async () => {
    const user = testUser({ name: 'ben', email: 'ben@example.com', emailConfirmed: false })
    await service.storage.users.create(user)
    const session = await Browser.signedIn(service, { username: 'ben' })
    const first = await helpDesk.post(`/users/${user.id}/reset-link`)
    const made = await helpDesk.post(`/users/${user.id}/reset-link`)
    assert.equal(made.status, 200)
    assert.deepEqual(Object.keys(made.body).sort(), ['expires_at', 'link'])
    assert.match(await open(new Browser(service), first.body.link), /error=code_invalid/)
    const browser = new Browser(service)
    assert.equal(await open(browser, made.body.link), '/Account/ResetPassword?ReturnUrl=%2FAccount')
    assert.equal(await session.userName(), 'ben')
    assert.equal(target(await browser.submit('/Account/ResetPassword', { password })), '/')
    assert.equal(await session.userName(), undefined)
    assert.equal((await service.storage.users.findByName('ben'))?.emailConfirmed, false)
    const entries = await service.storage.audit.newest({ kind: 'confirmation_asked' }, 1)
    assert.partialDeepStrictEqual(entries[0]?.details, { purpose: 'reset', mailed: false, vouched: true })
    assert.equal(entries[0]?.userId, user.id)
  })

  it('ends what was mailed to a browser that nobody knew', async () => {
    const user = await addUser(service, 'eve')
    const { confirmations } = service.storage
    const mailed = aConfirmation({ purpose: 'reset', subject: strangersSubject(user.id), userId: user.id })
    await confirmations.put(mailed)
    assert.equal((await helpDesk.post(`/users/${user.id}/reset-link`)).status, 200)
    assert.equal(await confirmations.find(mailed.id), undefined)
  })

  it('is refused to whoever only reads, for somebody with more permissions, and for nobody', async () => {
    const user = await service.storage.users.findByName('alice')
    assert.equal((await viewer.post(`/users/${user?.id}/reset-link`)).status, 403)
    const boss = await service.storage.users.findByName('boss')
    const refused = await helpDesk.post(`/users/${boss?.id}/reset-link`)
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_exceeded'])
    assert.equal((await helpDesk.post(`/users/${boss?.id}/set-password`, { password })).status, 403)
    assert.equal((await helpDesk.post('/users/nobody/reset-link')).status, 404)
    const chief = await addUser(service, 'chief', { roles: ['latchkey-admin'] })
    assert.equal((await admin.post(`/users/${chief.id}/reset-link`)).status, 200)
  })

  it('lasts no longer than the right of whoever made it to take the person over', async () => {
    const user = await addUser(service, 'cory')
    const { users } = service.storage
    const give = (roles: readonly string[]) => users.update(user.id, (stored) => ({ ...stored, roles }))
    const hash = (await users.find(user.id))?.passwordHash
    const { body } = await helpDesk.post(`/users/${user.id}/reset-link`)
    await give(['latchkey-admin'])
    assert.match(await open(new Browser(service), body.link), /error=code_invalid/)
    await give(['staff'])
    const browser = new Browser(service)
    assert.equal(await open(browser, body.link), '/Account/ResetPassword?ReturnUrl=%2FAccount')
    await give(['latchkey-viewer'])
    const refused = await browser.submit('/Account/ResetPassword', { password })
    assert.equal(target(refused), '/Account/ForgotPassword?error=code_invalid')
    assert.equal((await users.find(user.id))?.passwordHash, hash)
    await give([])
    assert.equal(target(await browser.submit('/Account/ResetPassword', { password })), '/')
    assert.notEqual((await users.find(user.id))?.passwordHash, hash)
  })

  it('ends with the client, or with the lock of the person, who made it; not with a sign-out', async () => {
    const user = await addUser(service, 'dora')
    const program = await adminProgram(service, ['admin:users'], { id: 'former-desk' })
    const made = await program.post(`/users/${user.id}/reset-link`)
    await service.storage.clients.update('former-desk', (client) => ({ ...client, scopes: ['admin:users:read'] }))
    assert.match(await open(new Browser(service), made.body.link), /error=code_invalid/)

    const maker = await adminPerson(service, ['latchkey-admin'], { name: 'maker', scopes: ['admin:users'] })
    const { storage } = service
    const link = async () => (await maker.caller.post(`/users/${user.id}/reset-link`)).body.link
    const kept = await link()
    for (const session of await storage.sessions.ofUser(maker.user.id)) {
      await storage.sessions.end(session, [], { isSignOut: true })
    }
    const browser = new Browser(service)
    assert.equal(await open(browser, kept), '/Account/ResetPassword?ReturnUrl=%2FAccount')
    assert.equal((await admin.post(`/users/${maker.user.id}/lock`)).status, 200)
    assert.match(target(await browser.submit('/Account/ResetPassword', { password })), /error=code_invalid/)
    assert.equal((await admin.post(`/users/${maker.user.id}/unlock`)).status, 200)
    assert.match(target(await browser.submit('/Account/ResetPassword', { password })), /error=code_invalid/)
  })
})

/** Invitations that people and programs send: listed, withdrawn, and at an end with the rights of whoever sent them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { addClient, serviceForFile, testUser } from '../support/service.ts'

const password = 'kT7-vw2q-new'
const service = await serviceForFile({ Mail__Url: 'file:/dev/null/mails' })
const reader = await adminProgram(service, ['admin:users:read'])
const helpDesk = await adminProgram(service, ['admin:users'])

const target = (response: Response) => `${locationOf(response).pathname}${locationOf(response).search}`
const tokenTo = async (address: string) =>
  (await waitingMails(service)).findLast(({ to }) => to === address)?.link?.split('#token=')[1] ?? ''
const open = async (browser: Browser, address: string) =>
  target(await browser.submit('/Account/Confirm', { purpose: 'invite', token: await tokenTo(address) }))
const accept = (browser: Browser, username: string) => browser.submit('/Account/Register', { username, password })
const listed = async () =>
  (await reader.get('/invitations')).body.items as { id: string; email: string; in_force: boolean; sent_by: string }[]
const invalid = '/Account/Confirm?purpose=invite&error=code_invalid'

/** An administrator of their own who sends invitations. */
let number = 0
async function inviter() {
  number += 1
  const { user, caller } = await adminPerson(service, ['latchkey-admin'], {
    name: `boss${number}`,
    scopes: ['admin:write'],
  })
  return { user, caller, email: `new${number}@example.com` }
}

describe('invitations', () => {
  it('are listed by page with who sent them, and withdrawn: the link works no more, in a browser that opened it as well', async () => {
    const sent = await helpDesk.post('/invitations', { email: 'ann@example.com', roles: ['staff'] })
    assert.equal(sent.status, 201)
    await helpDesk.post('/invitations', { email: 'ben@example.com' })
    assert.deepEqual((await reader.get('/invitations')).body.items[0], sent.body)
    assert.partialDeepStrictEqual(sent.body, { email: 'ann@example.com', roles: ['staff'], in_force: true })
    const first = (await reader.get('/invitations?limit=1')).body
    const second = (await reader.get(`/invitations?limit=1&cursor=${encodeURIComponent(first.next)}`)).body
    assert.deepEqual([first.items[0].email, second.items[0].email], ['ann@example.com', 'ben@example.com'])
    assert.doesNotMatch(JSON.stringify(await reader.get('/invitations')), /token|hash/i)

    const [opened, other] = [new Browser(service), new Browser(service)]
    assert.equal(await open(opened, 'ann@example.com'), '/Account/Register')
    assert.equal((await reader.delete(`/invitations/${sent.body.id}`)).status, 403)
    assert.equal((await helpDesk.delete(`/invitations/${sent.body.id}`)).status, 204)
    assert.equal((await helpDesk.delete(`/invitations/${sent.body.id}`)).status, 404)
    assert.equal((await accept(opened, 'ann')).status, 404)
    assert.equal(await open(other, 'ann@example.com'), invalid)
    assert.equal(await service.storage.users.findByName('ann'), undefined)
    assert.deepEqual(
      (await listed()).map(({ email }) => email),
      ['ben@example.com'],
    )
    const [entry] = await service.storage.audit.newest({ kind: 'invitation_withdrawn' }, 9)
    assert.deepEqual(entry?.details.roles, ['staff'])
    // Used ones are gone, and a reset is no invitation.
    const browser = new Browser(service)
    await open(browser, 'ben@example.com')
    assert.equal(target(await accept(browser, 'ben')), '/')
    assert.deepEqual(await listed(), [])
    await browser.submit('/Account/ForgotPassword', { email: 'ben@example.com' })
    const reset = (await tokenTo('ben@example.com')).split('.')[0] ?? ''
    assert.equal((await helpDesk.delete(`/invitations/${reset}`)).status, 404)
  })

  it('are listed with their state, who sent them and how their mail fared, by state and in either order', async () => {
    const { caller, user } = await inviter()
    const addresses = ['l1@example.com', 'l2@example.com', 'l3@example.com', 'l4@example.com']
    for (const email of addresses) assert.equal((await caller.post('/invitations', { email })).status, 201)
    const all = async (query: string) =>
      (await reader.get(`/invitations?${query}`)).body.items.filter(({ email }: { email: string }) =>
        addresses.includes(email),
      )
    const [, second, , fourth] = await all('')
    assert.partialDeepStrictEqual(second, {
      state: 'waiting',
      sent_by: user.id,
      sent_by_name: user.name,
      mail: { state: 'queued', failure: null },
    })
    const browser = new Browser(service)
    assert.equal(await open(browser, 'l1@example.com'), '/Account/Register')
    await service.storage.mails.fail(second.mail.id, service.now(), '550 5.1.1 no such mailbox')
    await service.storage.confirmations.remove(fourth.id)
    const stored = (await service.storage.confirmations.find(second.id))?.confirmation
    assert.ok(stored)
    const over = { ...stored, id: fourth.id, subject: 'over', expiresAtMs: service.now() - 1 }
    await service.storage.confirmations.put(over)
    const states = (items: { state: string }[]) => items.map(({ state }) => state)
    assert.deepEqual(states(await all('order=newest')), ['expired', 'waiting', 'waiting', 'opened'])
    assert.deepEqual(states(await all('state=opened')), ['opened'])
    assert.deepEqual(states(await all('state=expired&limit=1')), ['expired'])
    const [failed] = await all('state=waiting')
    assert.partialDeepStrictEqual(failed.mail, {
      state: 'failed',
      failure: 'refused',
      error: '550 5.1.1 no such mailbox',
    })
    assert.equal((await reader.get('/invitations?state=used')).status, 400)
    assert.equal((await reader.get('/invitations?order=random')).status, 400)
    for (const email of addresses.slice(0, 3)) {
      const [one] = (await all('')).filter((item: { email: string }) => item.email === email)
      await caller.delete(`/invitations/${one.id}`)
    }
    await service.storage.confirmations.remove(over.id)
  })

  it('are sent again by another link, once of several calls at once: the link before works no more', async () => {
    const { caller, user } = await inviter()
    const email = 'again@example.com'
    const { body: sent } = await helpDesk.post('/invitations', { email, roles: ['staff'] })
    const before = await tokenTo(email)
    const path = `/invitations/${sent.id}/send-again`
    assert.equal((await reader.post(path)).status, 403)
    const answers = await Promise.all(Array.from({ length: 4 }, () => caller.post(path)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404])
    const again = answers.find(({ status }) => status === 200)?.body
    assert.partialDeepStrictEqual(again, { email, roles: ['staff'], state: 'waiting', sent_by: user.id })
    assert.ok(!('link' in again) && again.id !== sent.id)
    // The mail with the former link had not left: it is gone, and there is one with the new link.
    assert.equal((await waitingMails(service)).filter(({ to }) => to === email).length, 1)
    assert.equal(
      target(await new Browser(service).submit('/Account/Confirm', { purpose: 'invite', token: before })),
      invalid,
    )
    const [entry, ...others] = await service.storage.audit.newest({ kind: 'invitation_sent_again' }, 9)
    assert.deepEqual([entry?.details.mailed, entry?.details.roles, others], [true, ['staff'], []])

    const handed = await caller.post(
      `/invitations/${again.id}/send-again`,
      { send: false },
      { 'idempotency-key': 'once' },
    )
    const token = new URL(handed.body.link).hash.slice('#token='.length)
    assert.equal(handed.body.mail, null)
    const repeated = await caller.post(
      `/invitations/${again.id}/send-again`,
      { send: false },
      { 'idempotency-key': 'once' },
    )
    assert.deepEqual([repeated.body.link, repeated.body.secret_shown], [undefined, true])
    assert.doesNotMatch(JSON.stringify((await reader.get('/invitations')).body), /token|link/i)
    assert.equal((await waitingMails(service)).filter(({ to }) => to === email).length, 0)
    const browser = new Browser(service)
    assert.equal(target(await browser.submit('/Account/Confirm', { purpose: 'invite', token })), '/Account/Register')
    assert.equal(target(await accept(browser, 'again')), '/')
    assert.equal((await caller.post(`/invitations/${handed.body.id}/send-again`)).status, 404)
  })

  it('are not sent again to an address that has an account by now, to give more than the caller has, or without end', async () => {
    const { caller } = await inviter()
    const mine = await caller.post('/invitations', { email: 'more@example.com', roles: ['latchkey-admin'] })
    assert.equal((await helpDesk.post(`/invitations/${mine.body.id}/send-again`)).status, 403)
    const { body } = await helpDesk.post('/invitations', { email: 'taken@example.com' })
    await service.storage.users.create(testUser({ name: 'taken', email: 'taken@example.com' }))
    assert.equal((await helpDesk.post(`/invitations/${body.id}/send-again`)).status, 400)
    let { id } = (await helpDesk.post('/invitations', { email: 'often@example.com' })).body
    const statuses: number[] = []
    for (let at = 0; at < 5; at += 1) {
      const again = await helpDesk.post(`/invitations/${id}/send-again`)
      statuses.push(again.status)
      id = again.body.id ?? id
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 429])
    const reset = await helpDesk.post('/invitations/nothing/send-again')
    assert.equal(reset.status, 404)
    for (const one of [mine.body.id, body.id, id]) await caller.delete(`/invitations/${one}`)
  })

  it('that give more than the caller has are not replaced or held up by who has less', async () => {
    const { caller, email } = await inviter()
    const sent = await caller.post('/invitations', { email, roles: ['latchkey-admin'] })
    assert.equal(sent.status, 201)
    const another = { email: email.toUpperCase(), send: false }
    assert.equal((await helpDesk.post('/invitations', another)).status, 403)
    assert.equal((await helpDesk.post(`/mail/${sent.body.mail.id}/retry`)).status, 403)
    assert.equal((await helpDesk.delete(`/mail/${sent.body.mail.id}`)).status, 403)
    assert.equal(await open(new Browser(service), email), '/Account/Register')
    assert.equal((await caller.delete(`/mail/${sent.body.mail.id}`)).status, 204)
    assert.equal((await caller.post('/invitations', another)).status, 201)
    const last = await helpDesk.post('/invitations', another)
    assert.equal((await helpDesk.delete(`/invitations/${last.body.id}`)).status, 204)
  })

  it('that give more than the caller has are withdrawn by nobody with less', async () => {
    const { caller, email } = await inviter()
    const sent = await caller.post('/invitations', { email, roles: ['latchkey-admin'] })
    assert.equal(sent.status, 201)
    assert.equal((await helpDesk.delete(`/invitations/${sent.body.id}`)).status, 403)
    assert.equal((await caller.delete(`/invitations/${sent.body.id}`)).status, 204)
  })

  it('of a program end with its permission, and come back with it', async () => {
    const program = await adminProgram(service, ['admin:users'], { id: 'inviting' })
    const { body } = await program.post('/invitations', { email: 'cleo@example.com' })
    assert.equal(body.sent_by, 'inviting')
    const [browser, late] = [new Browser(service), new Browser(service)]
    const permit = (scopes: readonly string[]) =>
      service.storage.clients.update('inviting', (client) => ({ ...client, scopes: [...scopes] }))
    await permit(['admin:users:read'])
    assert.equal(await open(browser, 'cleo@example.com'), invalid)
    assert.deepEqual(
      (await listed()).map((one) => one.in_force),
      [false],
    )
    await permit(['admin:users'])
    assert.equal(await open(browser, 'cleo@example.com'), '/Account/Register')
    await service.storage.clients.delete('inviting')
    assert.equal((await accept(browser, 'cleo')).status, 404)
    assert.equal(await open(late, 'cleo@example.com'), invalid)
  })
})

describe('an invitation of a person', () => {
  const lost: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'their role': (id) => service.storage.users.update(id, (user) => ({ ...user, roles: ['latchkey-viewer'] })),
    'their account': (id) => service.storage.users.delete(id),
    'an operator who locks them': (id) => service.storage.users.update(id, (user) => ({ ...user, disabled: true })),
  }
  for (const [what, lose] of Object.entries(lost)) {
    it(`ends with ${what}, also where its link was opened before`, async () => {
      const { user, caller, email } = await inviter()
      assert.equal((await caller.post('/invitations', { email, roles: ['latchkey-admin'] })).status, 201)
      const [opened, other] = [new Browser(service), new Browser(service)]
      assert.equal(await open(opened, email), '/Account/Register')
      await lose(user.id)
      assert.equal((await accept(opened, `late-${user.name}`)).status, 404)
      assert.equal(await open(other, email), invalid)
      assert.equal(await service.storage.users.findByName(`late-${user.name}`), undefined)
    })
  }

  it('is accepted while strangers fail to sign in as whoever sent it', async () => {
    const { user, caller, email } = await inviter()
    await caller.post('/invitations', { email, roles: ['latchkey-admin'] })
    for (let at = 0; at < 6; at += 1) await new Browser(service).signIn({ username: user.name, password: 'wrong' })
    const browser = new Browser(service)
    await open(browser, email)
    assert.equal(target(await accept(browser, `made-${user.name}`)), '/')
    assert.deepEqual((await service.storage.users.findByName(`made-${user.name}`))?.roles, ['latchkey-admin'])
  })

  it('gives no role of a client that is gone by then, whether it was sent before or again since', async () => {
    const { caller } = await inviter()
    await addClient(service, { id: 'kiosk' })
    const roles = ['kiosk:clerk', 'staff']
    for (const email of ['k1@example.com', 'k2@example.com']) {
      assert.equal((await caller.post('/invitations', { email, roles })).status, 201)
    }
    assert.equal((await caller.delete('/clients/kiosk?force=true')).status, 204)
    const again = (await listed()).find(({ email }) => email === 'k2@example.com')
    const sent = await caller.post(`/invitations/${again?.id}/send-again`)
    assert.deepEqual([sent.status, sent.body.roles], [200, ['staff']])
    for (const name of ['k1', 'k2']) {
      const browser = new Browser(service)
      await open(browser, `${name}@example.com`)
      assert.equal(target(await accept(browser, name)), '/')
      assert.deepEqual((await service.storage.users.findByName(name))?.roles, ['staff'])
    }
    assert.equal((await reader.get('/roles/kiosk:clerk')).status, 404)
  })
})

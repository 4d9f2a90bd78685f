/** Mails that a token of the admin API can cause, against flooding a mailbox with one that was stolen. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import { Browser } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ Mail__Url: 'file:/dev/null/mails' })
const helpDesk = await adminProgram(service, ['admin:users'])

const mailsTo = async (to: string) =>
  (await waitingMails(service)).filter((mail) => mail.to.toLowerCase() === to).length
const add = async (name: string) =>
  (await helpDesk.post('/users', { username: name, email: `${name}@example.com` })).body.id as string

describe('mails that a helper causes', () => {
  it('are five links an hour to an address over resets and invitations, at once or in turn', async () => {
    const id = await add('ann')
    const resets = await Promise.all(Array.from({ length: 12 }, () => helpDesk.post(`/users/${id}/send-reset`)))
    assert.deepEqual(resets.map(({ status }) => status).sort(), [...Array(5).fill(200), ...Array(7).fill(429)])
    const over = await helpDesk.post(`/users/${id}/send-reset`)
    assert.deepEqual(
      [over.body.error, over.body.code, over.headers.get('retry-after')],
      ['too_many_requests', 'ID9690', '3600'],
    )
    assert.equal(await mailsTo('ann@example.com'), 5)
    const invite = (email: string) => helpDesk.post('/invitations', { email })
    const invitations = []
    for (const email of ['new@example.com', 'NEW@example.com', 'new@Example.com']) invitations.push(await invite(email))
    for (let at = 0; at < 3; at += 1) invitations.push(await invite('new@example.com'))
    assert.deepEqual(
      invitations.map(({ status }) => status),
      [201, 201, 201, 201, 201, 429],
    )
    assert.equal((await invite('other@example.com')).status, 201)
  })

  it('do not use up what the owner can ask for, and the owner not what a helper can send', async () => {
    const id = await add('ben')
    for (let at = 0; at < 6; at += 1) await helpDesk.post(`/users/${id}/send-reset`)
    const before = await mailsTo('ben@example.com')
    const browser = new Browser(service)
    await browser.get('/Account/ForgotPassword')
    await browser.submit('/Account/ForgotPassword', { email: 'ben@example.com' })
    assert.equal(await mailsTo('ben@example.com'), before + 1)
  })

  it('are twenty notices an hour; a change beyond them is refused and not made in silence', async () => {
    const id = await add('cleo')
    await helpDesk.patch(`/users/${id}`, { email_verified: true })
    const emails = ['c1@example.com', 'cleo@example.com']
    const statuses: number[] = []
    // Each tells the address before: every other one is Cleo's.
    for (let at = 0; at < 44; at += 1) {
      statuses.push((await helpDesk.patch(`/users/${id}`, { email: emails[at % 2], email_verified: true })).status)
      if (statuses.at(-1) === 429) break
    }
    assert.deepEqual([statuses.length, statuses.at(-1)], [41, 429])
    assert.equal(await mailsTo('cleo@example.com'), 20)
    const password = 'a long enough password'
    assert.equal((await helpDesk.post(`/users/${id}/set-password`, { password })).status, 429)
    assert.equal((await helpDesk.post(`/users/${id}/reset-second-factor`)).status, 429)
    const stored = await service.storage.users.find(id)
    assert.deepEqual([stored?.email, stored?.passwordHash], ['cleo@example.com', null])
    assert.equal((await helpDesk.patch(`/users/${id}`, { name: 'Cleo' })).status, 200)
  })

  it('are failed ones that are queued again, within the same five', async () => {
    const id = await add('dan')
    await helpDesk.post(`/users/${id}/send-reset`)
    const [mail] = (await waitingMails(service)).filter(({ to }) => to === 'dan@example.com')
    const statuses: number[] = []
    for (let at = 0; at < 5; at += 1) {
      await service.storage.mails.fail(mail?.id ?? '', service.now(), 'no such mailbox')
      statuses.push((await helpDesk.post(`/mail/${mail?.id}/retry`)).status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 429])
  })

  it('take no place for a change that is refused: of an old version, to a taken name or address, or of a read-only member', async () => {
    const id = await add('finn')
    await add('greta')
    await helpDesk.patch(`/users/${id}`, { email_verified: true })
    const { etag: old } = await helpDesk.get(`/users/${id}`)
    await helpDesk.patch(`/users/${id}`, { nickname: 'F' })
    const email = 'finn@example.org'
    const refused = new Set<number>()
    for (let at = 0; at < 11; at += 1) {
      refused.add((await helpDesk.patch(`/users/${id}`, { email }, old)).status)
      refused.add((await helpDesk.patch(`/users/${id}`, { email: 'greta@example.com' })).status)
      refused.add((await helpDesk.patch(`/users/${id}`, { email, disabled: true })).status)
    }
    assert.deepEqual([...refused].toSorted(), [400, 409, 412])
    for (let at = 0; at < 20; at += 1) {
      const password = `a long enough password ${at}`
      assert.equal((await helpDesk.post(`/users/${id}/set-password`, { password })).status, 200)
    }
    assert.equal((await helpDesk.patch(`/users/${id}`, { email })).status, 429)
  })
})

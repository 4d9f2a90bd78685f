/** Mails that the service sends: listed by state, sent again and withdrawn by operators. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { failureOf } from '../../src/mail/mail-failures.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { serviceForFile, testUser } from '../support/service.ts'

const service = await serviceForFile({ Mail__Url: 'file:/dev/null/mails' })
const reader = await adminProgram(service, ['admin:users:read'])
const helpDesk = await adminProgram(service, ['admin:users'])
const { mails } = service.storage

type Listed = { id: string; to: string; purpose: string; state: string }

/** Invites somebody, and returns the mail of it. */
async function mailTo(email: string): Promise<Listed> {
  assert.equal((await helpDesk.post('/invitations', { email })).status, 201)
  const { items } = (await reader.get('/mail?order=newest&limit=1')).body
  assert.equal(items[0].to, email)
  return items[0]
}

/** As the sender leaves a mail whose attempt failed. */
async function postpone(id: string, error = 'connect ECONNREFUSED 127.0.0.1:25'): Promise<void> {
  assert.equal(await mails.claim(id, 0, service.now() + 120_000), true)
  await mails.postpone(id, service.now() + 600_000, error)
}

describe('mails', () => {
  it('are listed in either order, and by state, without what they say', async () => {
    const [first, second] = [await mailTo('a1@example.com'), await mailTo('a2@example.com')]
    await postpone(first.id)
    await mails.fail(second.id, service.now(), 'Can’t send mail: 550 5.1.1 no such mailbox')
    const list = async (query: string) => (await reader.get(`/mail?${query}`)).body.items as Listed[]
    assert.deepEqual(
      (await list('order=newest')).map(({ id }) => id),
      [second.id, first.id],
    )
    assert.deepEqual(
      (await list('order=oldest&limit=1')).map(({ id }) => id),
      [first.id],
    )
    const [failed] = await list('state=failed')
    assert.partialDeepStrictEqual(failed, {
      to: 'a2@example.com',
      failure: 'refused',
      notice: false,
      next_at: null,
      user_id: null,
    })
    const [waiting] = await list('state=queued')
    assert.partialDeepStrictEqual(waiting, { to: 'a1@example.com', failure: 'unreachable', attempts: 1 })
    assert.deepEqual(await list('state=sent'), [])
    const page = (await reader.get('/mail?limit=1&order=newest')).body
    const next = (await reader.get(`/mail?limit=1&order=newest&cursor=${encodeURIComponent(page.next)}`)).body
    assert.deepEqual([next.items[0].id, next.next], [first.id, null])
    // A cursor belongs to its order and state.
    assert.equal((await reader.get(`/mail?limit=1&cursor=${encodeURIComponent(page.next)}`)).status, 400)
    assert.equal((await reader.get('/mail?state=lost')).status, 400)
    assert.doesNotMatch(JSON.stringify(await list('')), /token|content|link/i)
  })

  it('are sent again while they wait and once of several calls at once, and not while they are due or being sent', async () => {
    const { id } = await mailTo('b1@example.com')
    assert.equal((await reader.post(`/mail/${id}/retry`)).status, 403)
    const due = await helpDesk.post(`/mail/${id}/retry`)
    assert.deepEqual([due.status, due.body.code], [409, 'ID9651'])
    await postpone(id)
    const answers = await Promise.all(Array.from({ length: 3 }, () => helpDesk.post(`/mail/${id}/retry`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
    assert.partialDeepStrictEqual(await mails.find(id), { state: 'queued', attempts: 0, error: null })
    assert.equal((await service.storage.audit.newest({ kind: 'mail_retried' }, 9)).length, 1)
  })

  it('are withdrawn while they wait, not while they are being sent', async () => {
    const { id } = await mailTo('c1@example.com')
    assert.equal((await reader.delete(`/mail/${id}`)).status, 403)
    assert.equal(await mails.claim(id, 0, service.now() + 120_000), true)
    assert.equal((await helpDesk.delete(`/mail/${id}`)).status, 409)
    await mails.postpone(id, service.now() + 600_000, 'no answer')
    const answers = await Promise.all(Array.from({ length: 3 }, () => helpDesk.delete(`/mail/${id}`)))
    assert.deepEqual(answers.filter(({ status }) => status === 204).length, 1)
    assert.equal(await mails.find(id), undefined)
    assert.equal((await helpDesk.delete(`/mail/${id}`)).status, 404)
    const [entry, ...others] = await service.storage.audit.newest({ kind: 'mail_withdrawn' }, 9)
    assert.deepEqual([entry?.details.mail, entry?.details.purpose, others], [id, 'invite', []])
    const sent = await mailTo('c2@example.com')
    await mails.claim(sent.id, 0, service.now() + 120_000)
    await mails.sent(sent.id)
    assert.equal((await helpDesk.delete(`/mail/${sent.id}`)).status, 409)
    assert.equal((await helpDesk.post(`/mail/${sent.id}/retry`)).status, 409)
  })

  it('that tell the owner of an account what happened are withdrawn by nobody', async () => {
    const owner = testUser({ name: 'ada', email: 'ada@example.com' })
    await service.storage.users.create(owner)
    assert.equal((await helpDesk.post(`/users/${owner.id}/set-password`, { password: 'kT7-vw2q-new' })).status, 200)
    const { items } = (await reader.get('/mail?order=newest&limit=1')).body
    assert.partialDeepStrictEqual(items[0], { purpose: 'password_changed', notice: true, user_id: owner.id })
    const refused = await helpDesk.delete(`/mail/${items[0].id}`)
    assert.deepEqual([refused.status, refused.body.code, refused.body.error], [409, 'ID9653', 'mail_is_notice'])
    assert.equal((await mails.find(items[0].id))?.state, 'queued')
  })

  it('about somebody who has more permissions are neither withdrawn nor sent again', async () => {
    const { user, caller } = await adminPerson(service, ['latchkey-admin'], { name: 'boss', scopes: ['admin:write'] })
    assert.equal((await caller.post(`/users/${user.id}/send-reset`)).status, 200)
    const { items } = (await reader.get('/mail?order=newest&limit=1')).body
    assert.partialDeepStrictEqual(items[0], { purpose: 'reset', user_id: user.id, notice: false })
    assert.equal((await helpDesk.delete(`/mail/${items[0].id}`)).status, 403)
    assert.equal((await helpDesk.post(`/mail/${items[0].id}/retry`)).status, 403)
    assert.equal((await caller.delete(`/mail/${items[0].id}`)).status, 204)
  })
})

it('why a mail failed is one of a few kinds, whatever the mail server says', () => {
  const told: Readonly<Record<string, string>> = {
    'it could not be sent in time': 'too_late',
    'the last attempt was interrupted': 'interrupted',
    'its content cannot be decrypted': 'unreadable',
    'Invalid login: 535 5.7.8 Authentication failed': 'credentials',
    "Can't send mail - all recipients were rejected: 550 5.1.1 No such user here": 'refused',
    'The address of the recipient is not valid.': 'refused',
    'Message failed: 451 4.3.0 Try again later': 'deferred',
    'self-signed certificate': 'certificate',
    'connect ECONNREFUSED 10.0.0.1:587': 'unreachable',
    'getaddrinfo ENOTFOUND mail.example.com': 'unreachable',
    'Greeting never received': 'unreachable',
    'no space left on device': 'other',
  }
  for (const [error, kind] of Object.entries(told)) assert.equal(failureOf(error), kind, error)
  assert.equal(failureOf(null), null)
})

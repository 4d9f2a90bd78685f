/** What is to do in a new installation: read by whoever reads everything, changed by administrators alone. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { seedDemo } from '../../src/server/demo.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { waitingMails } from '../support/mails.ts'
import { addClient, addUser, serviceForFile, startService } from '../support/service.ts'

const service = await serviceForFile({ Mail__Url: 'file:/dev/null/mails' })
const viewer = await adminProgram(service, ['admin:read'])
const helpDesk = await adminProgram(service, ['admin:users'])
const { caller: admin, user } = await adminPerson(service, ['latchkey-admin'], {
  name: 'boss',
  scopes: ['admin:write'],
})

const open = async (caller: typeof admin) => {
  const { body } = await caller.get('/setup')
  return (body.points as { point: string; done: boolean }[]).filter(({ done }) => !done).map(({ point }) => point)
}

describe('the list of what is to do', () => {
  it('names each point until it is seen to, and is hidden for good', async () => {
    assert.deepEqual(await open(admin), ['second_factor', 'people', 'mail', 'address', 'backup', 'keys'])
    assert.equal((await admin.post('/setup/marks/backup')).status, 204)
    assert.equal((await admin.post('/setup/marks/backup')).status, 204)
    assert.equal((await admin.post('/setup/marks/keys')).status, 204)
    assert.deepEqual(await open(admin), ['second_factor', 'people', 'mail', 'address'])
    assert.equal((await admin.delete('/setup/marks/backup')).status, 204)
    assert.deepEqual(await open(admin), ['second_factor', 'people', 'mail', 'address', 'backup'])
    assert.equal((await viewer.get('/setup')).body.hidden, false)
    assert.equal((await admin.post('/setup/marks/hidden')).status, 204)
    assert.equal((await viewer.get('/setup')).body.hidden, true)
    const entries = await service.storage.audit.newest({ kind: 'setup_changed' }, 9)
    assert.deepEqual(
      entries.map(({ details }) => [details.mark, details.done]),
      [
        ['backup', true],
        ['keys', true],
        ['backup', false],
        ['hidden', true],
      ],
    )
  })

  it('sends a test mail to whoever asks for it, and to nobody else', async () => {
    const sent = await admin.post('/setup/test-mail')
    assert.deepEqual([sent.status, sent.body], [202, { email: user.email }])
    const mails = await waitingMails(service)
    assert.deepEqual(
      mails.filter(({ purpose }) => purpose === 'test').map(({ to }) => to),
      [user.email],
    )
    assert.deepEqual((await viewer.get('/setup')).body.mail, { enabled: true, test: { state: 'queued', error: null } })
    const program = await adminProgram(service, ['admin:write'])
    assert.equal((await program.post('/setup/test-mail')).status, 409)
    // A body is not read.
    assert.deepEqual((await admin.post('/setup/test-mail', { email: 'x@example.com' })).body, { email: user.email })
    for (let n = 0; n < 3; n++) assert.equal((await admin.post('/setup/test-mail')).status, 202)
    assert.equal((await admin.post('/setup/test-mail')).status, 429)
  })

  it('is refused to whoever may not read or change it, and has no other marks', async () => {
    assert.equal((await helpDesk.get('/setup')).status, 403)
    for (const caller of [viewer, helpDesk]) {
      assert.equal((await caller.post('/setup/marks/backup')).status, 403)
      assert.equal((await caller.delete('/setup/marks/hidden')).status, 403)
      assert.equal((await caller.post('/setup/test-mail')).status, 403)
    }
    for (const mark of ['ended', 'address', 'x']) {
      assert.equal((await admin.post(`/setup/marks/${mark}`)).status, 404)
      assert.equal((await admin.delete(`/setup/marks/${mark}`)).status, 404)
    }
    assert.equal(await service.storage.setUp.isOpen(), false)
  })

  it('counts neither the application nor the person of the demo', async () => {
    await using other = await startService({}, { isNew: true })
    const { caller } = await adminPerson(other, ['latchkey-admin'], { name: 'boss', scopes: ['admin:write'] })
    const missing = async () => (await open(caller)).filter((point) => point === 'application' || point === 'people')
    const before = await missing()
    await seedDemo(other.storage, other.now, randomBytes)
    assert.deepEqual(
      [before, await missing()],
      [
        ['application', 'people'],
        ['application', 'people'],
      ],
    )
    await addClient(other, { id: 'shop' })
    await addUser(other, 'carol')
    assert.deepEqual(await missing(), [])
  })

  it('says that no mail is sent, and that a key was given', async () => {
    await using other = await startService({ Keys__MasterKey: Buffer.alloc(32).toString('base64') })
    const { caller } = await adminPerson(other, ['latchkey-admin'], { name: 'boss', scopes: ['admin:write'] })
    assert.deepEqual((await caller.get('/setup')).body.mail, { enabled: false, test: null })
    assert.ok(!(await open(caller)).includes('keys'))
    assert.equal((await caller.post('/setup/test-mail')).body.error, 'mail_disabled')
  })
})

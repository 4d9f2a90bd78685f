/** `/Account/Self/deletion`: asked for with the name typed, cancelled by a sign-in, done when due. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { deleteDueAccounts } from '../../../src/server/deletions.ts'
import { declareAttributes } from '../../support/attributes.ts'
import {
  authorizePath,
  Browser,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../../support/browser.ts'
import { addUser, serviceForFile, startService, testClient, testUser } from '../../support/service.ts'

const service = await serviceForFile({ Accounts__DeletionDelay: '3600', Mail__Url: 'file:mails' })
const { storage } = service
for (const name of ['bob', 'carol', 'dave', 'erin']) {
  await addUser(service, name)
}
await storage.clients.create(
  testClient({
    id: 'told',
    consent: 'implicit',
    metadata: { backchannel_logout_uri: 'http://localhost:1/logout' },
  }),
)

const signedIn = (username: string) => Browser.signedIn(service, { username })

const runDeletions = () =>
  deleteDueAccounts({
    storage,
    keys: service.keys,
    settings: service.settings,
    clock: service.now,
    random: randomBytes,
    log: pino({ level: 'silent' }),
  })

/** But those of new browsers. */
const mailsOf = async (userId: string) =>
  (await storage.mails.list())
    .filter((mail) => mail.userId === userId && mail.purpose !== 'new_browser')
    .map(({ purpose }) => purpose)

const eventsOf = async (userId: string) =>
  (await storage.audit.activity(userId, undefined)).map(({ kind }) => kind).filter((kind) => !kind.startsWith('sign_'))

describe('the deletion of an account', () => {
  it('does not leave the service without an administrator', async () => {
    const user = testUser({ name: 'only-admin', email: 'only-admin@example.com', roles: ['latchkey-admin'] })
    await storage.users.create(user)
    const browser = await Browser.signedIn(service, { username: 'only-admin' })
    const refused = await browser.self('POST', '/deletion', { username: 'only-admin' })
    assert.deepEqual([refused.status, refused.body.error], [409, 'last_administrator'])
    await storage.users.delete(user.id, [], { force: true })
  })

  it('needs the name of the account, a recent sign-in, and no other member', async () => {
    const browser = await signedIn('bob')
    for (const username of ['', 'alice', 'bob@example.com', 'bo', 'bobb']) {
      const { status, body } = await browser.self('POST', '/deletion', { username })
      assert.deepEqual([status, body.error], [400, 'username_mismatch'], username)
    }
    assert.equal((await browser.self('POST', '/deletion', {})).body.error, 'member_missing')
    assert.equal((await browser.self('POST', '/deletion', { username: 'bob', delay: 0 })).body.error, 'member_unknown')
    assert.equal((await browser.self('POST', '/deletion', { username: ['bob'] })).status, 400)
    service.advance(601)
    const old = await browser.self('POST', '/deletion', { username: 'bob' })
    assert.deepEqual([old.status, old.body.error, old.body.code], [403, 'reauthentication_required', 'ID9365'])
    assert.equal((await browser.self('GET', '')).body.deletion, null)
  })

  it('waits, is told by mail once, and asking again neither hastens nor delays it', async () => {
    const browser = await signedIn('bob')
    const id = String((await browser.self('GET', '')).body.id)
    const answers = await Promise.all([1, 2, 3].map(() => browser.self('POST', '/deletion', { username: ' BOB ' })))
    const dueAt = answers[0]?.body.due_at
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.due_at]),
      [1, 2, 3].map(() => [200, dueAt]),
    )
    service.advance(60)
    assert.equal((await browser.self('POST', '/deletion', { username: 'bob' })).body.due_at, dueAt)
    assert.deepEqual((await browser.self('GET', '')).body.deletion, { due_at: dueAt })
    assert.deepEqual(await mailsOf(id), ['deletion_planned'])
    assert.deepEqual(await eventsOf(id), ['deletion_planned'])
    await runDeletions()
    assert.equal((await browser.self('GET', '')).status, 200)
  })

  it('is cancelled by a sign-in, in the same commit, and by the person in the account area', async () => {
    const id = String((await storage.users.findByName('bob'))?.id)
    const browser = await signedIn('bob')
    assert.equal((await storage.users.find(id))?.deletionDueAtMs, null)
    assert.deepEqual(await eventsOf(id), ['deletion_cancelled', 'deletion_planned'])
    await browser.self('POST', '/deletion', { username: 'bob' })
    assert.equal((await browser.self('DELETE', '/deletion')).status, 204)
    assert.equal((await browser.self('DELETE', '/deletion')).status, 204)
    assert.equal((await storage.users.find(id))?.deletionDueAtMs, null)
    assert.equal((await eventsOf(id)).length, 4)
    service.advance(7200)
    await runDeletions()
    assert.equal((await storage.users.find(id))?.name, 'bob')
  })

  it('is not cancelled by a wrong password', async () => {
    const browser = await signedIn('carol')
    await browser.self('POST', '/deletion', { username: 'carol' })
    await new Browser(service).signIn({ username: 'carol', password: 'wrong' })
    assert.ok((await browser.self('GET', '')).body.deletion)
  })

  it('removes everything that is stored about the person when it is due, but audit entries with the id alone', async () => {
    const browser = new Browser(service)
    const tokens = await postToken(service, codeFields(await obtainCode(browser)))
    const quiet = await browser.get(authorizePath({ client_id: 'told', scope: 'openid' }))
    const code = locationOf(quiet).searchParams.get('code') ?? ''
    assert.equal((await postToken(service, codeFields(code, { client_id: 'told' }))).status, 200)
    const user = await storage.users.findByName('alice')
    const id = user?.id ?? ''
    await storage.externalLogins.link({ provider: 'github', subject: 's1', userId: id, createdAtMs: service.now() })
    await declareAttributes(storage, { name: 'department', searchable: true })
    const group = { id: 'g', name: 'g', parentId: null, description: null, roles: [], createdAtMs: 1, version: 1 }
    await storage.groups.change(() => ({ changes: [{ id: 'g', after: group }] }))
    await storage.groups.addMembers('g', [id])
    await storage.users.update(id, (one) => ({ ...one, attributes: { department: 'Ally Department' } }))
    assert.equal((await storage.attributes.holders('department', 'ally department'))?.length, 1)
    await browser.self('PATCH', '', { nickname: 'Ally McUnmistakable' })
    await browser.self('POST', '/deletion', { username: 'alice' })
    service.advance(3601)
    await Promise.all([runDeletions(), runDeletions(), runDeletions()])
    assert.equal((await browser.self('GET', '')).status, 401)
    assert.equal(await storage.users.find(id), undefined)
    assert.equal((await new Browser(service).signIn()).headers.get('location')?.includes('invalid_credentials'), true)
    assert.equal((await postToken(service, refreshFields(tokens.body.refresh_token))).body.error, 'invalid_grant')
    assert.deepEqual(await storage.attributes.holders('department', 'ally department'), [])
    assert.deepEqual([await storage.attributes.count('department'), await storage.groups.members('g')], [0, []])
    assert.deepEqual(await storage.externalLogins.list(id), [])
    assert.deepEqual(await storage.knownBrowsers.list(id), [])
    assert.deepEqual(await storage.authorizations.list(id), [])
    const notices = await storage.logoutNotices.due(service.now(), [])
    assert.deepEqual(
      notices.map(({ clientId }) => clientId),
      ['told'],
    )
    assert.deepEqual(await mailsOf(id), ['deleted'])
    const trail = await storage.audit.list({ userId: id }, undefined, 1000)
    assert.equal(trail.filter(({ kind }) => kind === 'user_deleted').length, 1)
    const text = JSON.stringify(trail)
    for (const personal of ['alice', 'Ally', 'example.com']) assert.ok(!text.includes(personal), personal)
  })

  it('is done at once without a delay, and signs out', async () => {
    await using prompt = await startService({ Accounts__DeletionDelay: '0' })
    const [browser, other] = [new Browser(prompt), new Browser(prompt)]
    await browser.signIn()
    await other.signIn()
    const answers = await Promise.all([1, 2].map(() => browser.self('POST', '/deletion', { username: 'alice' })))
    assert.ok(answers.some(({ status }) => status === 204))
    assert.ok(answers.every(({ status }) => status === 204 || status === 401))
    assert.equal(await prompt.storage.users.findByName('alice'), undefined)
    assert.equal((await other.self('GET', '')).status, 401)
    const [deleted, ...more] = await prompt.storage.audit.newest({ kind: 'user_deleted' }, 10)
    assert.equal(deleted?.details.reason, 'asked_for')
    assert.deepEqual(more, [])
  })
})

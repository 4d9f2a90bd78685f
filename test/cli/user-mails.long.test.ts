/** `latchkey user invite`, `user send-reset` and `user send-confirmation`: the links that they send, followed in a browser. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { main } from '../../src/main.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { waitingMails } from '../support/mails.ts'
import { serviceForFile, testUser } from '../support/service.ts'

const folder = temporaryFolder()
const env = { Database__Url: `sqlite:${join(folder, 'latchkey.db')}`, Mail__Url: 'file:/nowhere' }
const service = await serviceForFile(env)

async function run(line: string, change: Readonly<Record<string, string>> = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const context = {
    stdin,
    stdout,
    stderr,
    env: { ...env, ...change },
    cwd: folder,
    clock: service.now,
    random: randomBytes,
  }
  const code = await main(line.split(' '), context)
  return { code, said: String(stdout.read() ?? ''), failed: String(stderr.read() ?? '') }
}
async function linkTo(address: string) {
  const mail = (await waitingMails(service)).findLast(({ to }) => to === address)
  assert.equal(mail?.code, undefined)
  return mail?.link?.split('#token=')[1] ?? ''
}
const target = (response: Response) => locationOf(response).pathname + locationOf(response).search
const confirm = async (browser: Browser, purpose: string, token: string) =>
  target(await browser.submit('/Account/Confirm', { purpose, token }))
const contextOf = async (browser: Browser) => (await browser.get('/Account/RegisterContext')).json()
const fresh = 'kT7-vw2q-new'

describe('latchkey user invite', () => {
  it('is listed until it is used, and withdrawn by its address or id', async () => {
    assert.match((await run('user invitations')).said, /There are no invitations/)
    await run('user invite otto@example.com --role editor')
    await run('user invite paul@example.com')
    assert.match(
      (await run('user invitations')).said,
      /^otto@example\.com \(editor\), until .*\npaul@example\.com, until /,
    )
    const token = await linkTo('otto@example.com')
    assert.match(
      (await run('user withdraw-invitation OTTO@example.com')).said,
      /The invitation to otto@example\.com is/,
    )
    assert.match(await confirm(new Browser(service), 'invite', token), /error=code_invalid/)
    assert.match(
      (await run('user withdraw-invitation otto@example.com')).failed,
      /There is no invitation otto@example\.com/,
    )
    const [{ id, sent_by: sentBy }] = JSON.parse((await run('user invitations --json')).said)
    assert.equal(sentBy, null)
    assert.equal((await run(`user withdraw-invitation ${id}`)).code, 0)
  })

  it('sends a link to an account with roles, although registration is closed', async () => {
    const { code, said } = await run('user invite ina@example.com --role editor --role admin')
    assert.equal(code, 0)
    assert.match(said, /^Invited ina@example\.com\. The link works once, until /)
    const [browser, other] = [new Browser(service), new Browser(service)]
    const closed = { email: 'ina@example.com', username: 'ina', password: fresh }
    assert.equal((await browser.submit('/Account/Register', closed)).status, 404)
    assert.partialDeepStrictEqual(await contextOf(browser), { open: false, invitation: null })
    const token = await linkTo('ina@example.com')
    assert.equal(await confirm(browser, 'register', token), '/Account/Confirm?purpose=register&error=code_invalid')
    assert.equal(await confirm(browser, 'invite', token), '/Account/Register')
    assert.partialDeepStrictEqual(await contextOf(browser), { open: true, invitation: { email: 'ina@example.com' } })
    assert.partialDeepStrictEqual(await contextOf(other), { open: false, invitation: null })
    assert.match(await confirm(other, 'invite', token), /error=code_invalid/)
    const register = (fields: object) => browser.submit('/Account/Register', { ...closed, ...fields })
    assert.match(target(await register({ username: 'alice' })), /error=username_taken/)
    // The address is that of the invitation, whatever is sent.
    assert.equal(target(await register({ email: 'evil@example.com', ReturnUrl: '/after' })), '/after')
    const user = await service.storage.users.findByName('ina')
    assert.deepEqual([user?.email, user?.emailConfirmed, user?.roles], ['ina@example.com', true, ['admin', 'editor']])
    assert.equal((await register({ username: 'ina2' })).status, 404)
    assert.match((await run('user invite INA@example.com')).failed, /Another user has the e-mail address/)
  })

  it('replaces an earlier invitation, and ends after seven days', async () => {
    await run('user invite jo@example.com')
    const old = await linkTo('jo@example.com')
    await run('user invite jo@example.com')
    const browser = new Browser(service)
    assert.match(await confirm(browser, 'invite', old), /error=code_invalid/)
    const token = await linkTo('jo@example.com')
    service.advance(7 * 86_400)
    assert.match(await confirm(browser, 'invite', token), /error=code_invalid/)
  })

  it('refuses what is no address or role, and says when no mail can be sent', async () => {
    assert.match((await run('user invite nobody')).failed, /must look like name@host/)
    assert.match((await run('user invite a@b.example', { Mail__Url: '' })).failed, /Mail:Url is not set/)
    assert.match((await run('user send-reset alice', { Mail__Url: '' })).failed, /Mail:Url is not set.*user recover/)
  })
})

describe('latchkey user send-reset', () => {
  it('sends a link with which the person sets a new password', async () => {
    const { code, said } = await run('user send-reset ALICE')
    assert.equal(code, 0)
    assert.match(said, /^A link to set a new password goes to alice@example\.com\. It works once, until /)
    const browser = new Browser(service)
    const opened = await confirm(browser, 'reset', await linkTo('alice@example.com'))
    assert.equal(opened, '/Account/ResetPassword?ReturnUrl=%2FAccount')
    const set = await browser.submit('/Account/ResetPassword', { password: fresh, ReturnUrl: '/Account' })
    assert.equal(target(set), '/Account')
    assert.equal(target(await new Browser(service).signIn({ password: fresh })), '/')
    assert.match((await run('user send-reset bob')).failed, /There is no user called bob/)
  })
})

describe('latchkey user send-confirmation', () => {
  it('sends a link that confirms the address, and refuses one that is confirmed, not there or unknown', async () => {
    const user = testUser({ name: 'una', email: 'una@example.com', emailConfirmed: false })
    await service.storage.users.create(user)
    await service.storage.users.create(testUser({ name: 'vic', email: '', emailConfirmed: false }))
    assert.match(
      (await run('user send-confirmation una', { Mail__Url: '' })).failed,
      /Mail:Url is not set.*email_verified=true/,
    )
    const { code, said } = await run('user send-confirmation UNA')
    assert.equal(code, 0)
    assert.match(said, /^A link to confirm the address goes to una@example\.com\. It works once, until /)
    const [entry] = await service.storage.audit.newest({ kind: 'confirmation_asked', userId: user.id }, 1)
    assert.partialDeepStrictEqual(entry?.details, { purpose: 'email', mailed: true })
    assert.equal(await confirm(new Browser(service), 'email', await linkTo('una@example.com')), '/Account/Login')
    assert.equal((await service.storage.users.find(user.id))?.emailConfirmed, true)
    assert.match((await run('user send-confirmation una')).failed, /una@example\.com of una is confirmed already/)
    assert.match((await run('user send-confirmation vic')).failed, /vic has no e-mail address/)
    assert.match((await run('user send-confirmation bob')).failed, /There is no user called bob/)
  })
})

import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { Browser, locationOf } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ Accounts__Registration: 'open', Mail__Url: 'file:/nowhere' })
beforeEach(async () => {
  for (const { id } of await waitingMails(service)) await service.storage.mails.sent(id)
  // Notices of a kind are gathered for ten minutes.
  service.advance(600)
})

const told = async () => (await waitingMails(service)).map(({ to, purpose }) => `${to} ${purpose}`)

it('the owner hears of a sign-in from a new browser, once, from the first one on', async () => {
  const browser = await Browser.signedIn(service)
  await browser.signIn()
  assert.deepEqual(await told(), ['alice@example.com new_browser'])
  const [mail] = await waitingMails(service)
  assert.equal(mail?.link, '/Account/Security')
  assert.equal(mail?.facts?.address, '127.0.0.1')
  await new Browser(service).signIn({ password: 'wrong' }).catch(() => {})
  assert.equal((await told()).length, 1, 'a failed sign-in is no news')
})

it('the browser in which somebody registers is no news to them, and the next one is, at once', async () => {
  const [email, browser] = ['new@example.com', new Browser(service)]
  await browser.submit('/Account/Register', { email, password: 'kT7-vw2q-new' })
  const { code = '' } = (await waitingMails(service)).find(({ to }) => to === email) ?? {}
  const entered = await browser.submit('/Account/Confirm', { purpose: 'register', code })
  assert.equal(locationOf(entered).pathname, '/')
  await browser.signIn({ username: email, password: 'kT7-vw2q-new' })
  assert.deepEqual(await told(), [`${email} register`])
  await new Browser(service).signIn({ username: email, password: 'kT7-vw2q-new' })
  assert.deepEqual(await told(), [`${email} register`, `${email} new_browser`])
})

import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { startService } from '../support/service.ts'

const service = await startService({ Mail__Url: 'file:/nowhere' })
after(() => service.stop())

const told = async () => (await waitingMails(service)).map(({ to, purpose }) => `${to} ${purpose}`)

it('the owner hears of a sign-in from a new browser, once, and not when the account is new', async () => {
  await new Browser(service).signIn()
  assert.deepEqual(await told(), [], 'the account was just created')
  service.advance(3600)
  const browser = new Browser(service)
  await browser.signIn()
  await browser.signIn()
  assert.deepEqual(await told(), ['alice@example.com new_browser'])
  const [mail] = await waitingMails(service)
  assert.equal(mail?.link, '/Account/Security')
  assert.equal(mail?.facts?.address, '127.0.0.1')
  await new Browser(service).signIn({ password: 'wrong' }).catch(() => {})
  assert.equal((await told()).length, 1, 'a failed sign-in is no news')
})

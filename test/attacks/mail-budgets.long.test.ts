/** Strangers who use up the mails that an address is sent: whom the account knows gets theirs all the same. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Browser, locationOf } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { addUser, password, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({
  Accounts__Registration: 'open',
  Accounts__SecondFactor__Email: 'true',
  Accounts__SecondFactor: 'required',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})
// The limits of mails are of an hour.
beforeEach(() => service.advance(3601))

let number = 0
async function someone() {
  number += 1
  const name = `owner${number}`
  return await addUser(service, name, { emailConfirmed: true })
}
const mailsTo = async (address: string, purpose: string) =>
  (await waitingMails(service)).filter((mail) => mail.to === address && mail.purpose === purpose)
const forgot = (browser: Browser, email: string) => browser.submit('/Account/ForgotPassword', { email })
const confirm = async (browser: Browser, purpose: string, fields: Readonly<Record<string, string>>) =>
  locationOf(await browser.submit('/Account/Confirm', { purpose, ...fields }))
async function spendAsStrangers(address: string) {
  for (let at = 0; at < 7; at += 1) await forgot(new Browser(service), address)
}
/** Passes the second factor with a mailed code. */
async function signIn(browser: Browser, user: { readonly name: string; readonly email: string }) {
  await browser.signIn({ username: user.name, password })
  await browser.submit('/Account/SecondFactor', { method: 'email' })
  const code = (await mailsTo(user.email, 'signin')).at(-1)?.code ?? ''
  assert.match(code, /^[0-9]{6}$/)
  const entered = await browser.submit('/Account/SecondFactor', { method: 'email', code })
  assert.equal(locationOf(entered).searchParams.get('error'), null)
}

describe('strangers who asked for all mails of an address', () => {
  it('do not keep a sign-in with the right password from its code, in a new browser as well', async () => {
    const user = await someone()
    await spendAsStrangers(user.email)
    assert.equal((await mailsTo(user.email, 'reset')).length, 5)
    await signIn(new Browser(service), user)
  })

  it('do not keep a browser of the owner from a new password, and end nothing that it asked for', async () => {
    const [user, known] = [await someone(), new Browser(service)]
    await signIn(known, user)
    known.cookies.delete('latchkey.session')
    await spendAsStrangers(user.email)
    await forgot(known, user.email)
    assert.equal((await mailsTo(user.email, 'reset')).length, 6)
    service.advance(3601)
    await forgot(known, user.email)
    const { code = '' } = (await mailsTo(user.email, 'reset')).at(-1) ?? {}
    const stranger = new Browser(service)
    await forgot(stranger, user.email)
    assert.equal((await confirm(known, 'reset', { code })).pathname, '/Account/ResetPassword')
    // Nor what it has begun.
    await forgot(stranger, user.email)
    const answer = await known.submit('/Account/ResetPassword', { password: 'kT7-vw2q-new' })
    assert.notEqual(locationOf(answer).searchParams.get('error'), 'code_invalid')
  })

  it('have codes and links that end with what a browser of the owner asks for, and with what an operator sends', async () => {
    const [user, known] = [await someone(), new Browser(service)]
    await signIn(known, user)
    const stranger = new Browser(service)
    await forgot(stranger, user.email)
    const { code = '' } = (await mailsTo(user.email, 'reset')).at(-1) ?? {}
    await forgot(known, user.email)
    assert.equal((await confirm(stranger, 'reset', { code })).searchParams.get('error'), 'code_invalid')
  })

  it('do not keep a signed-in person from confirming a new address, whose mails they used up', async () => {
    const [user, browser] = [await someone(), new Browser(service)]
    await signIn(browser, user)
    const email = `new-${user.email}`
    await spendAsStrangers(email)
    for (let at = 0; at < 7; at += 1)
      await new Browser(service).submit('/Account/Register', { email, password: 'kT7-vw2q-new' })
    const strangers = (await mailsTo(email, 'register')).length
    assert.equal((await browser.self('POST', '/email', { email })).status, 204)
    const asked = await mailsTo(email, 'email')
    assert.deepEqual([strangers, asked.length], [0, 1])
    assert.match((await confirm(browser, 'email', { code: asked[0]?.code ?? '' })).pathname, /Account/)
    assert.equal((await service.storage.users.find(user.id))?.email, email)
  })

  it('cannot pass for the owner: a browser that knows another account, or an own account, adds nothing', async () => {
    const [user, mallory, browser] = [await someone(), await someone(), new Browser(service)]
    await signIn(browser, mallory)
    await spendAsStrangers(user.email)
    await forgot(browser, user.email)
    assert.equal((await mailsTo(user.email, 'reset')).length, 5)
    // An account sends five mails an hour to new addresses, whatever they are.
    for (let at = 0; at < 8; at += 1) await browser.self('POST', '/email', { email: `victim${at}@example.org` })
    const all = await waitingMails(service)
    assert.equal(all.filter(({ to }) => /^victim.*example\.org$/.test(to)).length, 5)
    // And as many with codes in a browser that it knows as anybody.
    for (let at = 0; at < 8; at += 1) await forgot(browser, mallory.email)
    assert.equal((await mailsTo(mallory.email, 'reset')).length, 5)
  })
})

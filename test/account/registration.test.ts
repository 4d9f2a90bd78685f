/** Registration, codes and links by mail, and forgotten passwords, through the front door. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { verifyPassword } from '../../src/secrets/password.ts'
import { someFactors } from '../storage/records.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { mailTo, waitingMails } from '../support/mails.ts'
import { addUser, password, serviceForFile, testUser } from '../support/service.ts'

const service = await serviceForFile({
  Accounts__Registration: 'open',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})
// The limits of mails are of an hour.
beforeEach(() => service.advance(3601))

const fresh = 'kT7-vw2q-new'
let number = 0
const newName = () => {
  number += 1
  return `person${number}`
}

const mailsTo = async (address: string) => (await waitingMails(service)).filter(({ to }) => to === address).length

const target = (response: Response): string => {
  const { pathname, searchParams } = locationOf(response)
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}
const register = (browser: Browser, fields: Readonly<Record<string, string>>) =>
  browser.submit('/Account/Register', { password: fresh, ...fields })
const confirm = (browser: Browser, purpose: string, fields: Readonly<Record<string, string>>) =>
  browser.submit('/Account/Confirm', { purpose, ...fields })
const forgot = (browser: Browser, email: string) => browser.submit('/Account/ForgotPassword', { email })
const isSignedIn = async (browser: Browser): Promise<boolean> => {
  const { user } = (await (await browser.get('/Account/Session')).json()) as { user: unknown }
  return user !== null
}
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** A user with an address of its own. */
async function someone(change: Parameters<typeof testUser>[0] = {}) {
  const name = newName()
  return await addUser(service, name, { createdAtMs: service.now(), ...change })
}

describe('registration', () => {
  it('creates the account once the code is entered, and signs in the browser that asked', async () => {
    const [browser, name] = [new Browser(service), newName()]
    const fields = { email: ` ${name}@example.com `, username: name, ReturnUrl: '/after?x=1' }
    assert.equal(
      target(await register(browser, fields)),
      '/Account/Confirm?purpose=register&ReturnUrl=%2Fafter%3Fx%3D1',
    )
    assert.equal(await service.storage.users.findByName(name), undefined)
    const { code, link, purpose } = await mailTo(service, `${name}@example.com`)
    assert.equal(purpose, 'register')
    assert.match(code, /^\d{6}$/)
    assert.match(link, /^\/Account\/Confirm\?purpose=register#token=[\w-]{64}$/)
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    const confirmed = await confirm(browser, 'register', { code: spaced, ReturnUrl: '/after?x=1' })
    assert.equal(target(confirmed), '/after?x=1')
    assert.equal(await isSignedIn(browser), true)
    const user = await service.storage.users.findByName(name)
    assert.deepEqual([user?.email, user?.emailConfirmed, user?.roles], [`${name}@example.com`, true, []])
    assert.equal(await verifyPassword(user?.passwordHash ?? null, fresh), true)
  })

  it('creates it by a link in another browser, which leads to the login page there, and from there to the account', async () => {
    const [browser, other, name] = [new Browser(service), new Browser(service), newName()]
    await register(browser, { email: `${name}@example.com`, ReturnUrl: '/after' })
    const { token, code } = await mailTo(service, `${name}@example.com`)
    assert.equal(target(await confirm(other, 'register', { token })), '/Account/Login?ReturnUrl=%2FAccount')
    assert.equal(await isSignedIn(other), false)
    // Without a user name the address serves as one. Using one form ends both.
    assert.notEqual(await service.storage.users.findByName(`${name}@example.com`), undefined)
    assert.match(target(await confirm(browser, 'register', { code })), /error=code_invalid/)
    assert.match(target(await confirm(other, 'register', { token })), /error=code_invalid/)
  })

  it('sends bad fields back with what was entered, and never the password', async () => {
    const [browser, taken] = [new Browser(service), await someone()]
    const cases = [
      [{ email: 'nobody' }, 'email_invalid'],
      [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email_invalid'],
      [{ email: 'a@b.example', username: 'x\u200by' }, 'username_invalid'],
      [{ email: 'a@b.example', username: taken.email }, 'username_invalid'],
      [{ email: 'a@b.example', username: 'line\nbreak' }, 'username_invalid'],
      [{ email: 'a@b.example', username: taken.name.toUpperCase() }, 'username_taken'],
      [{ email: 'a@b.example', username: 'fine', password: 'short' }, 'password_too_short'],
      [{ email: 'a@b.example', username: 'fine', password: 'x'.repeat(1025) }, 'password_too_long'],
      [{ email: 'a@b.example', username: 'fine', password: 'Password123' }, 'password_common'],
      [{ email: 'a@b.example', username: 'somebodyfine', password: 'SomebodyFine12' }, 'password_similar'],
    ] as const
    for (const [fields, error] of cases) {
      const back = locationOf(await register(browser, { ...fields, ReturnUrl: '//evil.example/' }))
      assert.equal(back.pathname, '/Account/Register')
      assert.equal(back.searchParams.get('error'), error, JSON.stringify(fields))
      assert.equal(back.searchParams.get('email'), fields.email)
      assert.deepEqual(
        [...back.searchParams.keys()].filter((key) => !['error', 'email', 'username'].includes(key)),
        [],
      )
    }
    assert.equal((await waitingMails(service)).filter(({ to }) => to.includes('b.example')).length, 0)
    const twice = [
      ['email', 'a@b.example'],
      ['email', 'c@d.example'],
      ['password', fresh],
    ] as const
    assert.equal((await browser.submit('/Account/Register', twice)).status, 400)
    const forged = { email: 'a@b.example', password: fresh }
    assert.equal((await browser.post('/Account/Register', forged)).status, 400)
  })

  it('tells the owner of an address that has an account, and the browser nothing', async () => {
    const [browser, known] = [new Browser(service), await someone()]
    const sent = await register(browser, { email: known.email.toUpperCase(), username: newName() })
    assert.equal(target(sent), '/Account/Confirm?purpose=register')
    const mail = await mailTo(service, known.email)
    assert.deepEqual([mail.purpose, mail.code], ['register_existing', ''])
    for (let guess = 0; guess < 5; guess += 1)
      assert.match(target(await confirm(browser, 'register', { code: '000000' })), /error=code_invalid/)
    assert.match(target(await confirm(browser, 'register', { code: '000000' })), /error=too_many_attempts/)
  })

  it('keeps the newest of an address alone, and sends a new code to the browser that asked', async () => {
    const [first, second, name] = [new Browser(service), new Browser(service), newName()]
    const email = `${name}@example.com`
    await register(first, { email, username: `${name}-a` })
    const old = await mailTo(service, email)
    await register(second, { email, username: `${name}-b` })
    for (const proof of [{ code: old.code }, { token: old.token }])
      assert.match(target(await confirm(first, 'register', proof)), /error=code_invalid/)
    const before = await mailTo(service, email)
    assert.equal(
      target(await confirm(second, 'register', { resend: '' })),
      '/Account/Confirm?purpose=register&sent=true',
    )
    const next = await mailTo(service, email)
    assert.notEqual(next.token, before.token)
    assert.match(target(await confirm(second, 'register', { token: before.token })), /error=code_invalid/)
    assert.equal(target(await confirm(second, 'register', { code: next.code })), '/')
    assert.equal((await service.storage.users.findByName(`${name}-b`))?.email, email)
    assert.equal(target(await confirm(new Browser(service), 'register', { resend: '' })), '/Account/Register')
  })

  it('creates one account of one address and one name, however many confirm at once', async () => {
    const [browser, name] = [new Browser(service), newName()]
    const email = `${name}@example.com`
    await register(browser, { email, username: name })
    const { code, token } = await mailTo(service, email)
    const form = { __RequestVerificationToken: await browser.antiforgeryToken(), purpose: 'register' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        browser.post('/Account/Confirm', at % 2 === 0 && at < 6 ? { ...form, code } : { ...form, token }),
      ),
    )
    assert.equal(answers.filter((answer) => target(answer) === '/').length, 1)
    // Another address wanted the same name meanwhile.
    const rival = new Browser(service)
    const wanted = newName()
    await register(rival, { email: `${wanted}@example.com`, username: wanted })
    await service.storage.users.create(testUser({ name: wanted, email: 'elsewhere@example.com' }))
    const late = await confirm(rival, 'register', { code: (await mailTo(service, `${wanted}@example.com`)).code })
    assert.match(target(late), /^\/Account\/Register\?error=username_taken/)
  })

  it('continues without a password on the page that adds a passkey', async () => {
    const [browser, name] = [new Browser(service), newName()]
    await register(browser, { email: `${name}@example.com`, username: name, password: '' })
    const { code } = await mailTo(service, `${name}@example.com`)
    const next = target(await confirm(browser, 'register', { code, ReturnUrl: '/after' }))
    assert.equal(next, '/Account/Register?passkey=true&ReturnUrl=%2Fafter')
    assert.equal(await isSignedIn(browser), true)
    assert.equal((await service.storage.users.findByName(name))?.passwordHash, null)
  })

  it('ends after 24 hours', async () => {
    const [browser, name] = [new Browser(service), newName()]
    await register(browser, { email: `${name}@example.com` })
    const { code, token } = await mailTo(service, `${name}@example.com`)
    service.advance(86_400)
    for (const proof of [{ code }, { token }])
      assert.match(target(await confirm(browser, 'register', proof)), /error=code_invalid/)
  })
})

describe('codes and links', () => {
  it('are of the browser that asked, five attempts, and guesses at once cannot be more', async () => {
    const [browser, other, user] = [new Browser(service), new Browser(service), await someone()]
    await forgot(browser, user.name)
    const { code } = await mailTo(service, user.email)
    assert.match(target(await confirm(other, 'reset', { code })), /error=code_invalid/)
    for (const text of ['', 'letters', '12345', '1234567', '９'.repeat(400)])
      assert.match(target(await confirm(browser, 'reset', { code: text })), /error=code_invalid/)
    const form = { __RequestVerificationToken: await browser.antiforgeryToken(), purpose: 'reset' }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => browser.post('/Account/Confirm', { ...form, code: wrongCode(code) })),
    )
    const errors = answers.map((answer) => locationOf(answer).searchParams.get('error'))
    assert.equal(errors.filter((error) => error === 'code_invalid').length, 5)
    assert.equal(errors.filter((error) => error === 'too_many_attempts').length, 7)
    assert.match(target(await confirm(browser, 'reset', { code })), /error=too_many_attempts/)
  })

  it('are not used up by opening a link, and have the token where no log sees it', async () => {
    const [browser, user] = [new Browser(service), await someone()]
    await forgot(browser, user.email)
    const { link, token, code } = await mailTo(service, user.email)
    const [path = ''] = link.split('#')
    for (let at = 0; at < 3; at += 1) assert.equal((await new Browser(service).get(path)).status, 200)
    assert.equal(
      target(await confirm(new Browser(service), 'reset', { token })),
      '/Account/ResetPassword?ReturnUrl=%2FAccount',
    )
    const log = JSON.stringify(service.log)
    assert.ok(!log.includes(token) && !log.includes(code))
    const trail = JSON.stringify(await service.storage.audit.list({ userId: user.id }, undefined, 50))
    assert.ok(trail.includes('confirmation_asked') && !trail.includes(token) && !trail.includes(`"${code}"`))
  })

  it('lead to local addresses alone, and never to the host that a request names', async () => {
    const [browser, user] = [new Browser(service), await someone()]
    for (const evil of ['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example']) {
      const sent = await browser.submit('/Account/ForgotPassword', { email: user.email, ReturnUrl: evil })
      assert.equal(target(sent), '/Account/Confirm?purpose=reset', evil)
      const failed = await confirm(browser, 'reset', { code: '1', ReturnUrl: evil })
      assert.equal(target(failed), '/Account/Confirm?purpose=reset&error=code_invalid', evil)
      service.advance(3601)
    }
    assert.ok((await mailTo(service, user.email)).link.startsWith('/Account/Confirm?'))
    const { code } = await mailTo(service, user.email)
    const wrongPurpose = await confirm(browser, 'register', { code })
    assert.match(target(wrongPurpose), /error=code_invalid/)
    assert.equal((await confirm(browser, 'other', { code })).status, 400)
  })

  it('lead on when they were used before: a link to the account, another mail to the login page', async () => {
    const [browser, name] = [new Browser(service), newName()]
    const user = await someone()
    await browser.submit('/Account/ForgotPassword', { email: user.email, ReturnUrl: '/after' })
    const { token } = await mailTo(service, user.email)
    await confirm(new Browser(service), 'reset', { token })
    const used = '/Account/Confirm?purpose=reset&error=code_invalid'
    assert.equal(target(await confirm(new Browser(service), 'reset', { token })), `${used}&ReturnUrl=%2FAccount`)
    const back = new Browser(service)
    await forgot(back, user.email)
    const proof = { token: (await mailTo(service, user.email)).token }
    // Whoever opened the step and came back by hand goes on with it.
    for (let at = 0; at < 2; at += 1)
      assert.equal(target(await confirm(back, 'reset', proof)), '/Account/ResetPassword')
    back.cookies.delete('latchkey.confirmation.reset')
    assert.equal(target(await confirm(back, 'reset', proof)), `${used}&ReturnUrl=%2FAccount`)
    // Only whoever has the token learns where.
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const other of [forged, token.slice(0, 30), `${token}A`])
      assert.equal(target(await confirm(new Browser(service), 'reset', { token: other })), used)
    await register(browser, { email: `${name}@example.com` })
    await confirm(browser, 'register', { code: (await mailTo(service, `${name}@example.com`)).code })
    const again = { resend: '', ReturnUrl: '/after' }
    assert.equal(target(await confirm(browser, 'register', again)), '/Account/Login?ReturnUrl=%2Fafter')
    assert.equal(target(await confirm(new Browser(service), 'register', again)), '/Account/Register?ReturnUrl=%2Fafter')
  })

  it('are limited to five mails an hour for an address and twenty for a client, and the page says the same', async () => {
    const [browser, user] = [new Browser(service), await someone()]
    const answers = []
    for (let at = 0; at < 6; at += 1) answers.push(target(await forgot(browser, user.email)))
    assert.deepEqual(new Set(answers), new Set(['/Account/Confirm?purpose=reset']))
    assert.equal(await mailsTo(user.email), 5)
    // The last one that was mailed still works, where its link is opened.
    const { token } = await mailTo(service, user.email)
    assert.equal(
      target(await confirm(new Browser(service), 'reset', { token })),
      '/Account/ResetPassword?ReturnUrl=%2FAccount',
    )
    for (let at = 0; at < 15; at += 1) await forgot(browser, `nobody${at}@example.com`)
    const last = await someone()
    assert.equal(target(await forgot(browser, last.email)), '/Account/Confirm?purpose=reset')
    assert.equal(await mailsTo(last.email), 0)
    // Far beyond it nothing is stored any more.
    const form = { __RequestVerificationToken: await browser.antiforgeryToken() }
    const flood = []
    for (let at = 0; at < 200; at += 1) {
      flood.push((await browser.post('/Account/ForgotPassword', { ...form, email: `flood${at}@example.com` })).status)
    }
    assert.deepEqual(new Set(flood), new Set([302, 429]))
    // Whoever signed in with this browser before does not wait for the strangers of the network.
    const [person, other] = [await someone(), await someone()]
    const known = await Browser.signedIn(service, { username: person.name })
    known.cookies.delete('latchkey.session')
    assert.equal((await forgot(known, other.email)).status, 429)
    assert.equal((await forgot(known, person.email)).status, 302)
    assert.equal((await mailTo(service, person.email)).purpose, 'reset')
  })

  it('are sent ten times a day to an address; after that a mail has a link alone, but for a browser of the owner', async () => {
    const [user, known] = [await someone(), new Browser(service)]
    await known.signIn({ username: user.name })
    const nobody = `nobody-${user.email}`
    const stranger = new Browser(service)
    const guesses = async (browser: Browser) => {
      const answers = []
      for (let at = 0; at < 6; at += 1) answers.push(target(await confirm(browser, 'reset', { code: '000000' })))
      return answers
    }
    for (let at = 0; at < 10; at += 1) {
      await forgot(stranger, user.email)
      await forgot(stranger, nobody)
      assert.notEqual((await mailTo(service, user.email)).code, '')
      if (at % 4 === 3) service.advance(3601)
    }
    await forgot(stranger, user.email)
    const { code, token } = await mailTo(service, user.email)
    assert.equal(code, '')
    // The page answers guesses as before, and as for an address that nobody has.
    const answered = await guesses(stranger)
    assert.match(answered[5] ?? '', /too_many_attempts/)
    await forgot(stranger, nobody)
    assert.deepEqual(await guesses(stranger), answered)
    assert.equal(
      target(await confirm(new Browser(service), 'reset', { token })),
      '/Account/ResetPassword?ReturnUrl=%2FAccount',
    )
    service.advance(3601)
    await forgot(known, user.email)
    const own = await mailTo(service, user.email)
    assert.equal(target(await confirm(known, 'reset', { code: own.code })), '/Account/ResetPassword')
    service.advance(86_400)
    await forgot(stranger, user.email)
    assert.notEqual((await mailTo(service, user.email)).code, '')
  })
})

describe('a forgotten password', () => {
  const reset = (browser: Browser, fields: Readonly<Record<string, string>> = {}) =>
    browser.submit('/Account/ResetPassword', { password: fresh, ...fields })
  async function proven(user: { readonly email: string }) {
    const browser = new Browser(service)
    await forgot(browser, user.email)
    const answer = await confirm(browser, 'reset', {
      code: (await mailTo(service, user.email)).code,
      ReturnUrl: '/after',
    })
    assert.equal(target(answer), '/Account/ResetPassword?ReturnUrl=%2Fafter')
    return browser
  }

  it('is set anew, signs in here, ends the other sessions and leaves grants; the owner is told', async () => {
    const [user, elsewhere] = [await someone(), new Browser(service)]
    await elsewhere.signIn({ username: user.name })
    const browser = await proven(user)
    const bad = await reset(browser, { password: 'Password123', ReturnUrl: '/after' })
    assert.equal(target(bad), '/Account/ResetPassword?error=password_common&ReturnUrl=%2Fafter')
    assert.equal(target(await reset(browser, { ReturnUrl: '/after' })), '/after')
    assert.deepEqual([await isSignedIn(browser), await isSignedIn(elsewhere)], [true, false])
    const changed = await service.storage.users.find(user.id)
    assert.equal(changed?.grantsEndedAtMs, null)
    assert.equal((await mailTo(service, user.email)).purpose, 'password_changed')
    assert.equal(target(await new Browser(service).signIn({ username: user.name, password: fresh })), '/')
    assert.match(target(await new Browser(service).signIn({ username: user.name, password })), /invalid_credentials/)
    // Once.
    assert.match(target(await reset(browser)), /^\/Account\/ForgotPassword\?error=code_invalid/)
  })

  it('ends grants as well with revoke, and a lockout, but no lock of an operator', async () => {
    const lockedOut = { lockedUntilMs: service.now() + 1e9, lockoutBeganAtMs: service.now() }
    const user = await someone(lockedOut)
    const browser = await proven(user)
    assert.equal(target(await reset(browser, { revoke: 'on' })), '/')
    const changed = await service.storage.users.find(user.id)
    assert.notEqual(changed?.grantsEndedAtMs, null)
    assert.equal(changed?.lockedUntilMs, null)
    const disabled = await someone({ disabled: true })
    const barred = await proven(disabled)
    assert.match(target(await reset(barred)), /^\/Account\/Login\?error=account_locked/)
    assert.equal(await isSignedIn(barred), false)
    assert.equal((await service.storage.users.find(disabled.id))?.disabled, true)
  })

  it('is set in the browser that used the code, before a newer request, within the time, and once', async () => {
    const user = await someone()
    const browser = await proven(user)
    assert.match(target(await reset(new Browser(service))), /error=code_invalid/)
    const copied = new Browser(service)
    await forgot(copied, user.email)
    assert.match(target(await reset(browser)), /error=code_invalid/)
    // A cookie from before the code was used has not the secret of after.
    const asked = new Map(copied.cookies)
    const { code } = await mailTo(service, user.email)
    await confirm(copied, 'reset', { code })
    const stale = new Browser(service)
    for (const [name, value] of asked) stale.cookies.set(name, value)
    assert.match(target(await reset(stale)), /error=code_invalid/)
    service.advance(901)
    assert.match(target(await reset(copied)), /error=code_invalid/)
    const again = await proven(user)
    const form = { __RequestVerificationToken: await again.antiforgeryToken() }
    const answers = await Promise.all(
      ['first-one-8', 'second-one-8'].map((one) => again.post('/Account/ResetPassword', { ...form, password: one })),
    )
    assert.equal(answers.filter((answer) => target(answer) === '/').length, 1)
  })

  it('never leads round a second factor', async () => {
    const user = await someone()
    const factors = someFactors(user, { pendingTotp: null, pausedUntilMs: null })
    await service.storage.secondFactors.change(user.id, () => ({ factors }))
    const browser = await proven(user)
    assert.match(target(await reset(browser, { ReturnUrl: '/after' })), /^\/Account\/SecondFactor/)
    assert.equal(await isSignedIn(browser), false)
    assert.equal(
      target(await new Browser(service).signIn({ username: user.name, password: fresh })),
      '/Account/SecondFactor',
    )
  })

  it('of a name or address without an account is answered the same, code form included', async () => {
    const [browser, known] = [new Browser(service), await someone()]
    const shapes = []
    for (const entered of [known.email, known.name, 'nobody@example.com', 'nobody', '', 'x'.repeat(5000)]) {
      const sent = await forgot(browser, entered)
      const cookies = browser.setCookies.map((line) => line.replace(/=[\w-]{64};/, '=…;'))
      const guesses = []
      for (let at = 0; at < 6; at += 1) guesses.push(target(await confirm(browser, 'reset', { code: '999999' })))
      const again = target(await confirm(browser, 'reset', { resend: 'true' }))
      shapes.push(JSON.stringify([sent.status, target(sent), cookies, guesses, again]))
      service.advance(3601)
    }
    assert.equal(new Set(shapes).size, 1, shapes.join('\n'))
  })
})

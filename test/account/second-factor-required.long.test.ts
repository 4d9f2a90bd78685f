/** `Accounts:SecondFactor=required`: setting one up is part of the sign-in, and codes by mail count. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { uuidv7 } from '../../src/secrets/opaque.ts'
import { withPassword } from '../../src/users/changes.ts'
import { sampleSession } from '../protocol/samples.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { addUser, passwordHash, serviceForFile, testUser } from '../support/service.ts'

const service = await serviceForFile({
  Accounts__SecondFactor: 'required',
  Accounts__SecondFactor__Email: 'true',
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '1000',
})
// Nobody has proved these addresses, so that mail is no second factor for them.
for (const name of ['bob', 'carol', 'dave', 'erin']) {
  const person = { name, email: `${name}@example.com`, emailConfirmed: false }
  await service.storage.users.create(testUser(person))
}

const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: service.now() })
const nameIn = async (browser: Browser) => (await browser.userName()) ?? null
const contextIn = async (browser: Browser) => {
  const response = await browser.get('/Account/SecondFactorContext')
  return (await response.json()) as { step?: string; methods?: string[]; error?: string }
}

async function begun(username: string, browser = new Browser(service)) {
  const response = await browser.signIn({ username, ReturnUrl: '/Account?x=1' })
  assert.equal(locationOf(response).pathname, '/Account/SecondFactor')
  return browser
}

describe('a sign-in that has to set up a second factor', () => {
  it('ends with a session once the first code of the new app was right, and only then', async () => {
    const browser = await begun('bob')
    assert.deepEqual([(await contextIn(browser)).step, await nameIn(browser)], ['enrolment', null])
    const started = await browser.self('POST', '/totp', {})
    assert.equal(started.status, 200)
    // The first half proves nothing but this.
    assert.equal((await browser.self('POST', '/recovery-codes', {})).status, 401)
    assert.equal((await browser.self('POST', '/passkeys/options', {})).status, 401)
    assert.equal((await browser.self('POST', '/totp/confirm', { code: '000000' })).body.error, 'code_invalid')
    assert.equal(await nameIn(browser), null)
    const code = codeOf(started.body.secret)
    const twice = await Promise.all([
      browser.self('POST', '/totp/confirm', { code }),
      browser.self('POST', '/totp/confirm', { code }),
    ])
    const statuses = twice.map(({ status }) => status).sort()
    // The other finds the code used, or the sign-in ended, by which of the two comes first.
    assert.ok(statuses[0] === 200 && (statuses[1] === 400 || statuses[1] === 401), `${statuses}`)
    assert.equal(twice.find(({ status }) => status === 200)?.body.return_url, '/Account?x=1')
    assert.equal(await nameIn(browser), 'bob')
    // Another tab still shows a key of its own: no code of that could ever be right.
    assert.equal((await browser.self('POST', '/totp/confirm?step=enrolment', { code })).status, 401)
    assert.equal((await browser.self('POST', '/recovery-codes', {})).body.codes.length, 10)
    assert.equal((await contextIn(browser)).error, 'login_required')
    // Nobody has proved the address, so no notice goes there.
    assert.deepEqual(
      (await waitingMails(service)).filter(({ to }) => to === 'bob@example.com'),
      [],
    )
    const context = await contextIn(await begun('bob'))
    assert.deepEqual([context.step, context.methods], ['second_factor', ['totp', 'recovery']])
  })

  it('does not replace a factor that was set up meanwhile, and ends with a new password', async () => {
    const [first, second] = [await begun('carol'), await begun('carol')]
    const { secret } = (await first.self('POST', '/totp', {})).body
    service.advance(1)
    assert.equal((await first.self('POST', '/totp/confirm', { code: codeOf(secret) })).status, 200)
    assert.equal((await second.self('POST', '/totp', {})).status, 401)
    assert.equal((await second.self('POST', '/totp/confirm', { code: codeOf(secret) })).status, 401)
    const late = await begun('dave')
    service.advance(1)
    const dave = await service.storage.users.findByName('dave')
    await service.storage.users.update(dave?.id ?? '', (user) => withPassword(user, passwordHash, service.now()))
    assert.equal((await late.self('POST', '/totp', {})).status, 401)
  })

  it('needs the anti-forgery header and the browser in which it began, and pauses after five wrong codes', async () => {
    const browser = await begun('erin')
    assert.equal((await browser.fetch('/Account/Self/totp', { method: 'POST' })).status, 400)
    const thief = new Browser(service)
    await thief.antiforgeryToken()
    thief.cookies.set('latchkey.half', browser.cookies.get('latchkey.half') ?? '')
    assert.equal((await thief.self('POST', '/totp', {})).status, 401)
    const { secret } = (await browser.self('POST', '/totp', {})).body
    for (let count = 0; count < 5; count += 1) await browser.self('POST', '/totp/confirm', { code: '000000' })
    const paused = await browser.self('POST', '/totp/confirm', { code: codeOf(secret) })
    assert.deepEqual([paused.status, paused.body.error], [429, 'too_many_attempts'])
  })
})

describe('a remembered browser', () => {
  /** A browser in which the second factor was proved, and was not to be asked for again. */
  async function remembered(name: string) {
    const person = await addUser(service, name, { emailConfirmed: false })
    const first = await begun(name)
    const { secret } = (await first.self('POST', '/totp', {})).body
    assert.equal((await first.self('POST', '/totp/confirm', { code: codeOf(secret) })).status, 200)
    assert.equal((await first.self('POST', '/recovery-codes', {})).status, 200)
    service.advance(60)
    const browser = await begun(name)
    await browser.submit('/Account/SecondFactor', { method: 'totp', code: codeOf(secret), rememberBrowser: 'true' })
    browser.cookies.delete('latchkey.session')
    assert.equal(locationOf(await browser.signIn({ username: name, ReturnUrl: '/' })).pathname, '/')
    return { browser, user: person }
  }
  const signOut = (browser: Browser) => browser.cookies.delete('latchkey.session')
  const isRemembered = async (browser: Browser) =>
    (await browser.self('GET', '/browsers')).body.items.some(
      (one: { remembered_until: string | null }) => one.remembered_until !== null,
    )

  it('is no factor: with the last one removed, the password alone leads to setting one up', async () => {
    const { browser, user } = await remembered('frank')
    assert.equal(await isRemembered(browser), true)
    assert.equal((await browser.self('DELETE', '/totp')).status, 204)
    assert.equal(await isRemembered(browser), false)
    signOut(browser)
    await begun('frank', browser)
    assert.deepEqual([(await contextIn(browser)).step, await nameIn(browser)], ['enrolment', null])
    assert.deepEqual((await service.storage.secondFactors.find(user.id))?.recoveryHashes, [])
    // A factor of tomorrow is asked for in a browser that was remembered for the one of yesterday.
    const { secret } = (await browser.self('POST', '/totp', {})).body
    assert.equal((await browser.self('POST', '/totp/confirm', { code: codeOf(secret) })).status, 200)
    signOut(browser)
    await begun('frank', browser)
  })

  it('is no factor where the memory of it was stored before factors ended it', async () => {
    const { browser, user } = await remembered('gina')
    // As an earlier version left it.
    const { knownBrowsers, secondFactors, users } = service.storage
    const known = (await knownBrowsers.list(user.id)).find((one) => one.secondFactorUntilMs !== null)
    assert.ok(known)
    await secondFactors.change(user.id, ({ factors }) => (factors ? { factors: { ...factors, totp: null } } : {}))
    const found = await users.findForSignIn({ userId: user.id }, [known.id])
    assert.ok(found)
    const session = { ...sampleSession({ userId: user.id }), id: uuidv7(service.now()) }
    await users.recordSignIn(found, () => ({ outcome: 'in', session, browser: known }))
    assert.equal(await isRemembered(browser), true)
    signOut(browser)
    await begun('gina', browser)
    assert.equal((await contextIn(browser)).step, 'enrolment')
    await begun('gina', new Browser(service))
  })
})

describe('a code by mail as the second factor', () => {
  const mailed = async () => (await waitingMails(service)).filter(({ purpose }) => purpose === 'signin')
  const ask = (browser: Browser) => browser.submit('/Account/SecondFactor', { method: 'email' })
  const enter = async (browser: Browser, code: string) =>
    locationOf(await browser.submit('/Account/SecondFactor', { method: 'email', code }))

  it('signs in the person with a confirmed address, once, in the browser that asked, and the newest alone', async () => {
    const [browser, other] = [await begun('alice'), await begun('alice')]
    assert.deepEqual((await contextIn(browser)).methods, ['email'])
    assert.deepEqual(
      [...locationOf(await ask(browser)).searchParams],
      [
        ['method', 'email'],
        ['sent', 'true'],
      ],
    )
    const [first] = await mailed()
    assert.equal(first?.to, 'alice@example.com')
    assert.equal((await enter(other, first?.code ?? '')).searchParams.get('error'), 'code_invalid')
    await ask(browser)
    const newest = (await mailed()).at(-1)?.code ?? ''
    assert.match(newest, /^[0-9]{6}$/)
    if (newest !== first?.code) {
      assert.equal((await enter(browser, first?.code ?? '')).searchParams.get('error'), 'code_invalid')
    }
    assert.equal((await enter(browser, newest)).pathname, '/Account')
    assert.equal(await nameIn(browser), 'alice')
    const again = await begun('alice')
    assert.equal((await enter(again, newest)).searchParams.get('error'), 'code_invalid')
  })

  it('sends at most five mails an hour, and says the same over it', async () => {
    const before = (await mailed()).length
    const browser = await begun('alice')
    for (let count = 0; count < 8; count += 1) assert.ok(locationOf(await ask(browser)).searchParams.has('sent'))
    assert.ok((await mailed()).length <= before + 5)
  })
})

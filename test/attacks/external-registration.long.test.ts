/** What one account at a provider gets by registering: one account at a time, and an answer about few addresses (specification 4.7). */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addressesPerIdentity } from '../../src/users/external-limits.ts'
import type { ExternalLogin } from '../../src/users/user.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { type FakeGithub, startFakeGithub, throughGithub } from '../support/fake-github.ts'
import { waitingMails } from '../support/mails.ts'
import { addUser, password, passwordHash, startService, type TestService, testUser } from '../support/service.ts'

let github: FakeGithub
let service: TestService
let nextId = 90_000
before(async () => {
  github = await startFakeGithub()
})
after(() => github.stop())
beforeEach(() => {
  nextId += 1
})

const taken = Array.from({ length: 12 }, (_, at) => `taken${at}@example.com`)

async function open(t: { after(stop: () => Promise<void>): void }): Promise<void> {
  service = await startService({ ...github.env, Mail__Url: 'file:/nowhere' })
  t.after(() => service.stop())
  for (const email of taken) {
    await service.storage.users.create(testUser({ name: email.replace('@example.com', ''), email }))
  }
}

/** Comes from the provider as the account `id` there. */
async function arrive(id = nextId): Promise<Browser> {
  github.user = { id, login: `user${id}`, name: null, email: null }
  const browser = new Browser(service)
  await throughGithub(browser, '/after')
  return browser
}

/** The error, or where the browser is led. */
async function register(browser: Browser, email: string): Promise<string> {
  const response = await browser.submit('/Account/ExternalLoginRegister', { email, ReturnUrl: '/after' })
  if (response.status !== 302) return String(response.status)
  const location = locationOf(response)
  return location.searchParams.get('error') ?? location.pathname
}
const userNamed = (name: string) => service.storage.users.findByName(name)

describe('an account at a provider', () => {
  it('makes one account here at a time, however often it is unlinked, and another once that one is deleted [C4.5]', async (t) => {
    await open(t)
    assert.equal(await register(await arrive(), 'first@example.com'), '/after')
    const first = await userNamed('first@example.com')
    assert.ok(first)
    for (const email of ['second@example.com', 'third@example.com']) {
      await service.storage.users.update(first.id, (user) => ({ ...user, passwordHash }))
      const owner = await Browser.signedIn(service, { username: 'first@example.com', password })
      assert.equal((await owner.self('DELETE', '/external-logins/GitHub')).status, 204)
      assert.equal(await register(await arrive(), email), 'external_login_in_use')
      assert.equal(await userNamed(email), undefined)
      // Nor is anything told about addresses.
      assert.equal(await register(await arrive(), taken[0] ?? ''), 'external_login_in_use')
      const login: ExternalLogin = {
        provider: 'github',
        subject: String(nextId),
        userId: first.id,
        createdAtMs: service.now(),
      }
      assert.equal(await service.storage.externalLogins.link(login), 'linked')
    }
    await service.storage.users.delete(first.id)
    assert.equal(await register(await arrive(), 'second@example.com'), '/after')
  })

  it('makes one account of simultaneous registrations with different addresses', async (t) => {
    await open(t)
    const browsers = await Promise.all(Array.from({ length: 4 }, () => arrive()))
    const ends = await Promise.all(browsers.map((browser, at) => register(browser, `one${at}@example.com`)))
    assert.deepEqual([...new Set(ends)], ['/after'])
    const made = await Promise.all([0, 1, 2, 3].map((at) => userNamed(`one${at}@example.com`)))
    assert.equal(made.filter((user) => user !== undefined).length, 1)
  })

  it('learns of a few addresses a day whether they are in use, also by asking at once, and of none after that [C4.5]', async (t) => {
    await open(t)
    const browsers = await Promise.all(taken.map(() => arrive()))
    const answers = await Promise.all(browsers.map((browser, at) => register(browser, taken[at] ?? '')))
    const told = taken.filter((_, at) => answers[at] === 'email_in_use')
    assert.equal(told.length, addressesPerIdentity)
    assert.equal(answers.filter((answer) => answer === 'registration_failed').length, taken.length - told.length)
    // Free and taken get one answer now, and nothing is made.
    for (const email of ['free@example.com', 'FREE@example.com', ...taken.filter((one) => !told.includes(one))]) {
      assert.equal(await register(await arrive(), email), 'registration_failed', email)
    }
    assert.equal(await userNamed('free@example.com'), undefined)
    // What was asked already is answered as before, in any spelling.
    assert.equal(await register(await arrive(), told[0]?.toUpperCase() ?? ''), 'email_in_use')
    // Another account at the provider has its own.
    assert.equal(await register(await arrive(nextId + 1_000_000), taken[0] ?? ''), 'email_in_use')
    service.advance(86_401)
    assert.equal(await register(await arrive(), 'free@example.com'), '/after')
  })

  it('shares the requests of its network with all that come from there', async (t) => {
    await open(t)
    const browser = await arrive()
    const answers: string[] = []
    for (let asked = 0; asked < 205; asked += 1) answers.push(await register(browser, taken[0] ?? ''))
    assert.deepEqual([...new Set(answers)], ['email_in_use', '429'])
    assert.equal(answers.indexOf('429'), 200)
    assert.equal(await register(await arrive(nextId + 1_000_000), 'free@example.com'), '429')
    // Whoever has an account gets in.
    const known = await addUser(service, 'known', { passwordHash: null })
    const login = { provider: 'github', subject: '4711', userId: known.id, createdAtMs: service.now() }
    await service.storage.externalLogins.link(login)
    assert.deepEqual(await (await (await arrive(4711)).get('/Account/Session')).json(), { user: { name: 'known' } })
  })
})

describe('the owner of an address with which somebody registers', () => {
  it('is told by mail, without a word of the stranger, and not more often than the limits of mails allow', async (t) => {
    await open(t)
    for (let one = 0; one < 7; one += 1) {
      const stranger = await arrive(nextId + one)
      stranger.cookies.set('latchkey.language', 'ja')
      assert.equal(await register(stranger, '  TAKEN0@example.com'), 'email_in_use')
    }
    const mails = await waitingMails(service)
    assert.deepEqual(
      [...new Set(mails.map(({ to, purpose }) => `${purpose} ${to}`))],
      ['register_existing taken0@example.com'],
    )
    assert.equal(mails.length, 5)
    assert.deepEqual(mails[0]?.data, { username: 'taken0' })
    assert.equal(mails[0]?.language, 'en')
    assert.equal(mails[0]?.code, undefined)
    // A free address gets none.
    assert.equal(await register(await arrive(nextId + 100), 'free@example.com'), '/after')
    assert.equal((await waitingMails(service)).length, 5)
  })
})

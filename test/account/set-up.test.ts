/** The first administrator of a new installation: the link works once, in one browser, for half an hour, until anybody has an account. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { offerSetUp } from '../../src/server/set-up.ts'
import { Authenticator, type Ceremony, flags } from '../support/authenticator.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { startService, type TestService, testUser } from '../support/service.ts'

type CreationOptions = Parameters<Authenticator['create']>[0]

const newPassword = 'kT7-vw2q-new'
const target = (response: Response) => `${locationOf(response).pathname}${locationOf(response).search}`
const over = '/Account/Confirm?purpose=setup&error=code_invalid'

const newInstallation = (env: Readonly<Record<string, string>> = {}) => startService(env, { isNew: true })

async function tokenOf({ settings, storage, now: clock }: TestService, replacing = false): Promise<string> {
  const offer = await offerSetUp({ settings, storage, clock, random: randomBytes }, { replacing })
  return offer?.address.split('#token=')[1] ?? ''
}

const open = async (browser: Browser, token: string) =>
  target(await browser.submit('/Account/Confirm', { purpose: 'setup', token }))

const create = async (browser: Browser, change: Readonly<Record<string, string>> = {}) => {
  const fields = { email: 'ada@example.com', username: 'ada', password: newPassword, ...change }
  return target(await browser.submit('/Account/SetUp', fields))
}

/** Begins the ceremony of a passkey. */
const askOptions = (browser: Browser, change: Readonly<Record<string, string>> = {}) =>
  browser.post('/Account/SetUpPasskeyOptions', { email: 'ada@example.com', username: 'ada', ...change })

const context = async (browser: Browser) => (await (await browser.get('/Account/SetUpContext')).json()) as object

describe('setting up a new installation', () => {
  it('signs the first administrator in, continues in the console, and has the standard scopes', async () => {
    await using service = await newInstallation()
    const token = await tokenOf(service)
    const browser = new Browser(service)
    assert.partialDeepStrictEqual(await context(browser), { open: false })
    assert.equal(await open(browser, token), '/Account/SetUp')
    assert.partialDeepStrictEqual(await context(browser), { open: true, password_min_length: 8, passkeys: true })
    assert.equal(await create(browser), '/admin/')
    assert.equal(await browser.userName(), 'ada')
    const user = await service.storage.users.findByName('ada')
    assert.deepEqual([user?.roles, user?.email, user?.emailConfirmed], [['latchkey-admin'], 'ada@example.com', false])
    const scopes = (await service.storage.scopes.list()).map(({ name }) => name)
    assert.deepEqual(
      ['email', 'profile'].filter((name) => !scopes.includes(name)),
      [],
    )
    const added = await service.storage.audit.newest({ kind: 'scope_added' }, 9)
    assert.deepEqual([...new Set(added.map(({ details }) => details.actor))], [user?.id])
    const [entry] = await service.storage.audit.newest({ kind: 'account_registered' }, 9)
    assert.deepEqual(entry?.details, { method: 'setup', roles: ['latchkey-admin'], password: true })
    // Neither in another browser, nor in this one.
    assert.equal(await open(new Browser(service), token), over)
    assert.equal(await create(browser, { username: 'eve', email: 'eve@example.com' }), over)
    assert.equal((await service.storage.users.list()).length, 1)
  })

  it('makes the account together with a passkey where no password was chosen: whoever leaves before can come back', async () => {
    await using service = await newInstallation()
    const browser = new Browser(service)
    await open(browser, await tokenOf(service))
    // The form alone makes nobody, who could not sign in.
    assert.match(await create(browser, { password: '' }), /^\/Account\/SetUp\?error=password_/)
    assert.equal((await askOptions(browser)).status, 200)
    assert.partialDeepStrictEqual(await context(browser), { open: true })
    assert.deepEqual(await service.storage.users.list(), [])

    const options = (await (await askOptions(browser)).json()) as CreationOptions
    assert.partialDeepStrictEqual(options, {
      user: { name: 'ada' },
      authenticatorSelection: { userVerification: 'required' },
    })
    const authenticator = new Authenticator(service)
    const credential = JSON.stringify(authenticator.create(options))
    assert.equal(await create(browser, { password: '', credential, passkeyName: 'Laptop' }), '/admin/')
    assert.equal(await browser.userName(), 'ada')
    const user = await service.storage.users.findByName('ada')
    assert.ok(user)
    assert.deepEqual([user.passwordHash, user.roles], [null, ['latchkey-admin']])
    const passkeys = await service.storage.passkeys.list(user.id)
    assert.deepEqual(
      passkeys.map(({ name, userId }) => [name, userId]),
      [['Laptop', user.id]],
    )
    const [added] = await service.storage.audit.newest({ kind: 'passkey_added' }, 9)
    assert.deepEqual([added?.userId, added?.details.passkey], [user.id, passkeys[0]?.id])
    const [session] = await service.storage.sessions.ofUser(user.id)
    assert.deepEqual(session?.methods.includes('user'), true)
    assert.equal((await askOptions(browser)).status, 400)
  })

  it('takes a passkey of this ceremony alone: not of another browser or site, not without a person, not after five minutes', async () => {
    await using service = await newInstallation()
    const [browser, other] = [new Browser(service), new Browser(service)]
    await open(browser, await tokenOf(service))
    await open(other, await tokenOf(service))
    assert.equal((await askOptions(new Browser(service))).status, 400)
    const named = await askOptions(browser, { email: 'x' })
    assert.deepEqual(await named.json(), { fault: 'email_invalid' })
    // A query does not count: logs of proxies keep it.
    const queried = await browser.post('/Account/SetUpPasskeyOptions?email=ada%40example.com&username=ada', {})
    assert.notEqual(((await queried.json()) as { fault?: string }).fault, undefined)
    const optionsIn = async (whose: Browser) => (await (await askOptions(whose)).json()) as CreationOptions
    const made = (options: CreationOptions, ceremony: Ceremony = {}) =>
      JSON.stringify(new Authenticator(service).create(options, ceremony))
    const foreign = made(await optionsIn(other))
    const late = made(await optionsIn(browser))
    const unverified = made(await optionsIn(browser), { clear: flags.uv })
    const elsewhere = made(await optionsIn(browser), { origin: 'https://evil.example' })
    const failed = '/Account/SetUp?error=passkey_failed&email=ada%40example.com&username=ada'
    for (const credential of ['', '{}', 'x', foreign, unverified, elsewhere]) {
      assert.equal(await create(browser, { password: '', credential }), failed)
    }
    service.advance(5 * 60)
    assert.equal(await create(browser, { password: '', credential: late }), failed)
    assert.deepEqual(await service.storage.users.list(), [])
    // Of both links one makes an administrator.
    const credentials = [made(await optionsIn(browser)), made(await optionsIn(other))] as const
    const outcomes = await Promise.all([
      create(browser, { password: '', credential: credentials[0] }),
      create(other, { username: 'eve', email: 'eve@example.com', password: '', credential: credentials[1] }),
    ])
    assert.deepEqual(outcomes.toSorted(), [over, '/admin/'].toSorted())
    assert.equal((await service.storage.users.list()).length, 1)
  })

  it('takes no passkey where they are off', async () => {
    await using service = await newInstallation({ Accounts__Passkeys: 'off' })
    const browser = new Browser(service)
    await open(browser, await tokenOf(service))
    assert.equal((await askOptions(browser)).status, 400)
    assert.match(await create(browser, { password: '', credential: '{}' }), /error=password_/)
    assert.deepEqual(await service.storage.users.list(), [])
  })

  it('counts the address as confirmed only where nobody signs in without', async () => {
    await using service = await newInstallation({
      Accounts__RequireConfirmedEmail: 'true',
      Mail__Url: 'file:/nowhere',
    })
    const browser = new Browser(service)
    await open(browser, await tokenOf(service))
    assert.equal(await create(browser), '/admin/')
    assert.equal((await service.storage.users.findByName('ada'))?.emailConfirmed, true)
  })

  it('says what is wrong with what was entered, and keeps it', async () => {
    await using service = await newInstallation()
    const browser = new Browser(service)
    await open(browser, await tokenOf(service))
    const entered = '&email=ada%40example.com&username=ada'
    const refused = [
      [{ email: 'x' }, '/Account/SetUp?error=email_invalid&email=x&username=ada'],
      [
        { username: 'b@example.com' },
        '/Account/SetUp?error=username_invalid&email=ada%40example.com&username=b%40example.com',
      ],
      [{ password: 'short' }, `/Account/SetUp?error=password_too_short${entered}`],
      [{ password: 'password1' }, `/Account/SetUp?error=password_common${entered}`],
    ] as const
    for (const [change, expected] of refused) assert.equal(await create(browser, change), expected)
    assert.equal(await create(browser), '/admin/')
  })

  it('refuses a token that is guessed, used, expired or replaced', async () => {
    await using service = await newInstallation()
    const [used, replaced] = [await tokenOf(service), await tokenOf(service)]
    const wrong = `${used.slice(0, -4)}AAAA`
    for (const token of ['', 'x', wrong, randomBytes(48).toString('base64url')]) {
      assert.equal(await open(new Browser(service), token), over)
    }
    const first = new Browser(service)
    assert.equal(await open(first, used), '/Account/SetUp')
    assert.equal(await open(new Browser(service), used), over)
    const last = await tokenOf(service, true)
    assert.equal(await open(new Browser(service), replaced), over)
    // The link that this browser had opened has ended, too.
    assert.equal(await create(first), over)
    service.advance(30 * 60)
    assert.equal(await open(new Browser(service), last), over)
    const next = new Browser(service)
    assert.equal(await open(next, await tokenOf(service)), '/Account/SetUp')
    service.advance(30 * 60)
    assert.equal(await create(next), over)
    assert.deepEqual(await service.storage.users.list(), [])
  })

  it('lets one of two browsers win, with one link and with two', async () => {
    await using service = await newInstallation()
    const [one, two] = [await tokenOf(service), await tokenOf(service)]
    const browsers = [new Browser(service), new Browser(service), new Browser(service)] as const
    const opened = await Promise.all([open(browsers[0], one), open(browsers[1], one), open(browsers[2], two)])
    assert.deepEqual(opened.toSorted(), [over, '/Account/SetUp', '/Account/SetUp'].toSorted())
    const made = await Promise.all(
      browsers.map((browser, n) => create(browser, { username: `person${n}`, email: `p${n}@example.com` })),
    )
    assert.deepEqual(made.toSorted(), [over, over, '/admin/'].toSorted())
    assert.equal((await service.storage.users.list()).length, 1)
  })

  it('is over once anybody has an account, and stays over when nobody has one any more', async () => {
    await using service = await newInstallation()
    const [opened, other] = [await tokenOf(service), await tokenOf(service)]
    const browser = new Browser(service)
    assert.equal(await open(browser, opened), '/Account/SetUp')
    const made = testUser({ name: 'script' })
    await service.storage.users.create(made)
    assert.partialDeepStrictEqual(await context(browser), { open: false })
    assert.equal(await create(browser), over)
    assert.equal(await open(new Browser(service), other), over)
    await service.storage.users.delete(made.id, [], { force: true })
    assert.equal(await create(browser), over)
    assert.equal(await tokenOf(service), '')
    assert.deepEqual(await service.storage.users.list(), [])
  })

  it('needs the form of this browser: no token of its own, no other site, no opened link, no account', async () => {
    await using service = await newInstallation()
    const browser = new Browser(service)
    await open(browser, await tokenOf(service))
    const fields = { email: 'eve@example.com', username: 'eve', password: newPassword }
    assert.equal((await browser.post('/Account/SetUp', fields)).status, 400)
    const stranger = new Browser(service)
    assert.equal(target(await stranger.submit('/Account/SetUp', fields)), over)
    const forged = { ...fields, __RequestVerificationToken: await stranger.antiforgeryToken() }
    assert.equal((await browser.post('/Account/SetUp', forged)).status, 400)
    const twice = [...Object.entries(fields), ['email', 'x@example.com'] as const]
    assert.equal((await browser.submit('/Account/SetUp', twice)).status, 400)
    assert.deepEqual(await service.storage.users.list(), [])
    // Not by way of another purpose, nor with the token of another link.
    const token = await tokenOf(service)
    for (const purpose of ['invite', 'reset', 'register', 'email']) {
      const answer = await new Browser(service).submit('/Account/Confirm', { purpose, token })
      assert.match(target(answer), /error=code_invalid/)
    }
  })

  it('refuses names of hosts that are not its own', async () => {
    await using service = await newInstallation()
    const { port } = new URL(service.issuer)
    const { request } = await import('node:http')
    const status = await new Promise((resolve) => {
      request(
        { port, host: '127.0.0.1', path: '/Account/SetUp', headers: { host: 'evil.example' } },
        ({ statusCode }) => resolve(statusCode),
      ).end()
    })
    assert.equal(status, 421)
  })

  it('does not exist without a console', async () => {
    await using service = await newInstallation({ Admin__Enabled: 'false' })
    assert.equal(await tokenOf(service), '')
    assert.equal((await new Browser(service).submit('/Account/SetUp', {})).status, 404)
  })

  it('leaves no token in the log of requests and in the audit trail', async () => {
    await using service = await newInstallation()
    const token = await tokenOf(service)
    const browser = new Browser(service)
    await open(new Browser(service), `${token.slice(0, -4)}AAAA`)
    await open(browser, token)
    await create(browser)
    const secret = token.slice(-30)
    const entries = await service.storage.audit.newest({}, 99)
    assert.ok(entries.some(({ kind }) => kind === 'confirmation_asked'))
    assert.ok(service.log.length > 0)
    for (const text of [JSON.stringify(service.log), JSON.stringify(entries)]) assert.ok(!text.includes(secret))
    assert.ok(!JSON.stringify([...browser.cookies]).includes(secret))
  })
})

/** `/Account/Self/…`: sessions, browsers, applications and activity, of their owner alone. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { noSecondFactors } from '../../../src/users/second-factor.ts'
import { describeAgent } from '../../../src/users/user-agent.ts'
import { aLogin, aPasskey } from '../../storage/records.ts'
import {
  authorizePath,
  Browser,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../../support/browser.ts'
import { addClient, addUser, serviceForFile } from '../../support/service.ts'

const service = await serviceForFile()
await addUser(service, 'bob')
await addUser(service, 'carol')
await addClient(service, { id: 'quiet', name: 'Quiet', consent: 'implicit' })

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Signs in with a browser that says what it is. */
async function signedIn(username = 'alice'): Promise<Browser> {
  const browser = new Browser(service)
  const token = await browser.antiforgeryToken()
  const fields = { username, password: 'Passw0rd!', __RequestVerificationToken: token }
  await browser.post('/Account/Login', fields, { 'user-agent': firefox })
  return browser
}

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.self('GET', '')).status === 200

const someFactors = (userId: string) => ({
  ...noSecondFactors(userId),
  totp: { sealedSecret: 'sealed-secret', sinceMs: service.now(), lastStep: 1 },
  recoveryHashes: ['recovery-hash-1', 'recovery-hash-2'],
})

type Item = Readonly<Record<string, unknown>>
const itemsOf = async (browser: Browser, below: string): Promise<Item[]> =>
  (await browser.self('GET', below)).body.items

describe('sessions and browsers', () => {
  it('are listed with browser, system, rough address and times, this one first and marked', async () => {
    const other = await signedIn()
    service.advance(5)
    const browser = await signedIn()
    const [first, ...others] = await itemsOf(browser, '/sessions')
    assert.deepEqual([first?.current, first?.browser, first?.system], [true, 'Firefox', 'Linux'])
    assert.deepEqual([first?.address, first?.methods], ['127.0.0.0/24', ['pwd']])
    assert.ok([first, ...others].every((one) => one?.same_network === true))
    assert.ok(Date.parse(String(first?.created_at)) <= service.now())
    assert.ok(others.length > 0 && others.every(({ current }) => current === false))
    const text = JSON.stringify(await itemsOf(browser, '/sessions'))
    for (const cookie of [...browser.cookies.values(), ...other.cookies.values()]) {
      const secret = cookie.split('.').at(-1) ?? ''
      assert.ok(secret.length > 10 && !text.includes(secret))
    }
    const [known, ...strangers] = await itemsOf(browser, '/browsers')
    assert.deepEqual([known?.current, known?.browser, known?.system], [true, 'Firefox', 'Linux'])
    assert.equal(known?.remembered_until, null)
    assert.ok(strangers.length > 0 && strangers.every(({ current }) => current === false))
  })

  it('end at once, this one included, and never those of another person', async () => {
    const [here, there, bob] = [await signedIn(), await signedIn(), await signedIn('bob')]
    const [his] = await itemsOf(bob, '/sessions')
    const [, theirs] = await itemsOf(here, '/sessions')
    for (const id of [String(his?.id), 'unknown', '%00', '..']) {
      const refused = await here.self('DELETE', `/sessions/${id}`)
      assert.ok(refused.status === 404 || refused.status === 400, `${id}: ${refused.status}`)
    }
    assert.equal(await isSignedIn(bob), true)
    const { status, body } = await here.self('DELETE', `/sessions/${String(his?.id)}`)
    assert.deepEqual([status, body.error, body.code], [404, 'not_found', 'ID9369'])
    assert.equal((await here.self('DELETE', `/sessions/${String(theirs?.id)}`)).status, 204)
    assert.equal((await here.self('DELETE', `/sessions/${String(theirs?.id)}`)).status, 404)
    assert.equal(await isSignedIn(there), false)
    const [mine] = await itemsOf(here, '/sessions')
    assert.equal((await here.self('DELETE', `/sessions/${String(mine?.id)}`)).status, 204)
    assert.equal(await isSignedIn(here), false)
    assert.equal(
      [...here.cookies.keys()].some((name) => name.endsWith('.session')),
      false,
    )
  })

  it('end together but for this one, once for many requests, and the entry says so', async () => {
    const others = [await signedIn(), await signedIn(), await signedIn()]
    const [browser, bob] = [await signedIn(), await signedIn('bob')]
    const answers = await Promise.all([1, 2, 3].map(() => browser.self('DELETE', '/sessions')))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 204, 204],
    )
    assert.deepEqual(await Promise.all(others.map(isSignedIn)), [false, false, false])
    assert.deepEqual([await isSignedIn(browser), await isSignedIn(bob)], [true, true])
    assert.equal((await itemsOf(browser, '/sessions')).length, 1)
    const userId = String((await browser.self('GET', '')).body.id)
    const ended = await service.storage.audit.newest({ userId, kind: 'sign_out' }, 100)
    assert.equal(ended.filter(({ details }) => details.reason === 'all_others_ended').length, 1)
  })

  it('forget a browser of their owner alone; its session goes on', async () => {
    const [browser, bob] = [await signedIn(), await signedIn('bob')]
    const known = (await itemsOf(browser, '/browsers')).find(({ current }) => current)
    assert.equal((await bob.self('DELETE', `/browsers/${String(known?.id)}`)).status, 404)
    assert.equal((await browser.self('DELETE', `/browsers/${String(known?.id)}`)).status, 204)
    assert.equal(
      (await itemsOf(browser, '/browsers')).some(({ id }) => id === known?.id),
      false,
    )
    assert.equal(await isSignedIn(browser), true)
  })
})

describe('a session that is used', () => {
  it('is seen once a day at most, and extended by the account area alone as by applications', async () => {
    const browser = await signedIn('bob')
    const current = async () => (await itemsOf(browser, '/sessions')).find(({ current }) => current)
    const before = await current()
    service.advance(3600)
    await browser.self('GET', '')
    assert.equal((await current())?.last_seen_at, before?.last_seen_at)
    service.advance(86_400)
    await browser.self('GET', '')
    const seen = await current()
    assert.ok(Date.parse(String(seen?.last_seen_at)) - Date.parse(String(before?.last_seen_at)) > 86_400_000)
    assert.equal(seen?.expires_at, before?.expires_at)
    service.advance(8 * 86_400)
    await browser.self('GET', '')
    assert.ok(Date.parse(String((await current())?.expires_at)) > Date.parse(String(before?.expires_at)))
  })
})

describe('applications', () => {
  const browser = new Browser(service)
  let tokens: Awaited<ReturnType<typeof postToken>>
  before(async () => {
    tokens = await postToken(service, codeFields(await obtainCode(browser)))
    const quiet = await browser.get(authorizePath({ client_id: 'quiet' }))
    const code = locationOf(quiet).searchParams.get('code') ?? ''
    assert.equal((await postToken(service, codeFields(code, { client_id: 'quiet' }))).status, 200)
  })

  it('are those with a consent and those with an open grant, with scopes in words and the last use', async () => {
    service.advance(60)
    const refreshed = await postToken(service, refreshFields(tokens.body.refresh_token))
    tokens = refreshed
    const items = await itemsOf(browser, '/applications')
    assert.deepEqual(
      items.map(({ client_id: id }) => id),
      ['demo', 'quiet'],
    )
    const [demo, quiet] = items
    assert.deepEqual(demo?.scopes, ['demo_api', 'offline_access', 'openid'])
    assert.equal(Object.keys(demo?.scope_descriptions ?? {}).length, 3)
    assert.ok(Math.abs(Date.parse(String(demo?.last_used_at)) - service.now()) < 5000)
    assert.ok(Date.parse(String(demo?.created_at)) < Date.parse(String(demo?.last_used_at)))
    assert.equal(quiet?.name, 'Quiet')
  })

  it('lose their access: the refresh token ends, consent is asked for again, for this person alone', async () => {
    const bob = await Browser.signedIn(service, { username: 'bob' })
    assert.equal((await bob.self('DELETE', '/applications/demo')).status, 404)
    const answers = await Promise.all([1, 2, 3].map(() => browser.self('DELETE', '/applications/demo')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404])
    const refused = await postToken(service, refreshFields(tokens.body.refresh_token))
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    const asked = await browser.get(authorizePath())
    assert.equal(locationOf(asked).pathname, '/Account/Consent')
    assert.equal((await browser.self('DELETE', '/applications/quiet')).status, 204)
    assert.deepEqual(await itemsOf(browser, '/applications'), [])
    const userId = String((await browser.self('GET', '')).body.id)
    assert.equal((await service.storage.audit.newest({ userId, kind: 'consent_revoked' }, 10)).length, 2)
  })

  it('are named by ids with any characters', async () => {
    const id = 'https://app.example/a b?c=%2F'
    assert.equal((await browser.self('DELETE', `/applications/${encodeURIComponent(id)}`)).status, 404)
  })
})

describe('activity', () => {
  it('is the own trail, newest first and by pages, in which no operator and no exact address is named', async () => {
    const browser = await signedIn()
    const bob = await signedIn('bob')
    const userId = String((await browser.self('GET', '')).body.id)
    const event = { kind: 'user_changed', userId, clientId: 'demo', traceId: null, address: '192.0.2.77' } as const
    await service.storage.audit.append(
      Array.from({ length: 60 }, (_, at) => ({ ...event, atMs: service.now() + at, details: { actor: 'root', at } })),
    )
    const first = (await browser.self('GET', '/activity')).body
    assert.equal(first.items.length, 50)
    const [newest] = first.items
    assert.deepEqual(
      [newest.kind, newest.client_id, newest.client_name, newest.address, newest.by_operator, newest.details],
      ['user_changed', 'demo', 'Demo client', '192.0.2.0/24', true, { at: 59 }],
    )
    const second = (await browser.self('GET', `/activity?cursor=${first.next}`)).body
    assert.equal(second.items[0].details.at, 9)
    assert.equal(second.next, null, 'the last page says so')
    assert.ok(second.items.some(({ kind }: { kind: string }) => kind === 'sign_in'))
    const his = JSON.stringify((await bob.self('GET', `/activity?cursor=${first.next}`)).body)
    assert.ok(!his.includes('"at":9') && !JSON.stringify(first).includes('root'))
    for (const cursor of ['x', '', `${first.next}&cursor=${first.next}`, 'LTEuMC4w', 'x'.repeat(5000)]) {
      assert.equal((await browser.self('GET', `/activity?cursor=${cursor}`)).status, 400, cursor.slice(0, 20))
    }
  })
})

describe('the export', () => {
  it('is one file with everything about this person in words, without a secret, and is recorded', async () => {
    const browser = await signedIn('carol')
    const { body: profile } = await browser.self('GET', '')
    const carol = await service.storage.users.find(profile.id)
    assert.ok(carol)
    await service.storage.passkeys.add(aPasskey(carol, { name: 'My phone' }), { id: 'c', expiresAtMs: 1 })
    await service.storage.secondFactors.change(carol.id, () => ({ factors: someFactors(carol.id) }))
    await service.storage.externalLogins.link(aLogin(carol, { subject: 'at-the-provider' }))
    await browser.self('PATCH', '', { nickname: 'Caz' })
    const consent = { id: 'of-demo', userId: carol.id, clientId: 'demo', scopes: ['openid'] }
    await service.storage.authorizations.store({ ...consent, createdAtMs: service.now() })
    const answer = await browser.get('/Account/Self/export')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="account.json"')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const text = await answer.text()
    const file = JSON.parse(text)
    assert.deepEqual([file.account.username, file.account.nickname, file.service], ['carol', 'Caz', service.issuer])
    assert.equal(file.sign_in.password, true)
    assert.equal(file.sign_in.recovery_codes_left, 2)
    assert.equal(file.sign_in.passkeys[0].name, 'My phone')
    assert.equal(file.sign_in.external_logins[0].account, 'at-the-provider')
    assert.deepEqual([file.sessions.length, file.sessions[0].address], [1, '127.0.0.1'])
    assert.equal(file.browsers.length, 1)
    const demo = await service.storage.clients.find('demo')
    const [consented] = file.consents
    assert.deepEqual([consented.client_id, consented.client_name], ['demo', demo?.name])
    assert.ok(file.activity.some(({ kind }: { kind: string }) => kind === 'sign_in'))
    assert.equal(file.activity_is_complete, true)
    const [session] = await service.storage.sessions.ofUser(carol.id)
    const [passkey] = await service.storage.passkeys.list(carol.id)
    const secrets = [session?.secretHash, passkey?.publicKey, passkey?.credentialId, carol.passwordHash]
    for (const secret of [...secrets, 'sealed-secret', 'recovery-hash', ...browser.cookies.values()]) {
      assert.ok(secret && !text.includes(secret), secret ?? '')
    }
    for (const other of ['alice', 'bob@']) assert.ok(!text.includes(other))
    assert.equal((await service.storage.audit.newest({ userId: carol.id, kind: 'data_exported' }, 9)).length, 1)
  })

  it('is where it is alone: other paths below the account area are problem details (RFC 9457)', async () => {
    for (const [path, method] of [
      ['/Account/Self/exports', 'GET'],
      ['/account/self/nothing/there', 'DELETE'],
      ['/Account/Self/sessions', 'PUT'],
    ] as const) {
      const answer = await fetch(new URL(path, service.issuer), { method, headers: { accept: 'text/html' } })
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'application/problem+json'], path)
    }
  })

  it('needs a recent sign-in, and HEAD does nothing', async () => {
    const browser = await signedIn('bob')
    const head = await browser.fetch('/Account/Self/export', { method: 'HEAD' })
    assert.equal(head.status, 404)
    service.advance(601)
    const { status, body } = await browser.self('GET', '/export')
    assert.deepEqual([status, body.error], [403, 'reauthentication_required'])
    await browser.signIn({ username: 'bob' })
    assert.equal((await browser.self('GET', '/export')).status, 200)
  })
})

describe('what a browser calls itself', () => {
  const cases: readonly (readonly [string, string | null, string | null])[] = [
    [firefox, 'Firefox', 'Linux'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'Chrome', 'Windows'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge', 'Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.0 Safari/605.1', 'Safari', 'macOS'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 CriOS/140.0 Safari/604', 'Chrome', 'iOS'],
    [
      'Mozilla/5.0 (Linux; Android 15; SM-S9) AppleWebKit/537 SamsungBrowser/28.0 Chrome/130 Mobile',
      'Samsung Internet',
      'Android',
    ],
    ['Mozilla/5.0 (X11; CrOS x86_64 1) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 OPR/120', 'Opera', 'ChromeOS'],
    ['', null, null],
    ['<script>alert(1)</script>', null, null],
  ]
  it('is recognised roughly, and never repeated', () => {
    for (const [agent, browser, system] of cases) assert.deepEqual(describeAgent(agent), { browser, system }, agent)
    assert.deepEqual(describeAgent(null), { browser: null, system: null })
  })
})

/** Signing in with passkeys, alone and as the second factor, and what gets round none of the checks. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noSecondFactors } from '../../src/users/second-factor.ts'
import { type Algorithm, type AssertionJson, Authenticator, type Ceremony, flags } from '../support/authenticator.ts'
import { authorizePath, Browser, claimsOf, codeFields, locationOf, obtainCode, postToken } from '../support/browser.ts'
import { waitingMails } from '../support/mails.ts'
import { addClient, serviceForFile, startService, testUser } from '../support/service.ts'

const service = await serviceForFile({
  Mail__Url: 'file:/nowhere',
  RateLimit__LoginPerMinute: '100',
  Server__TrustProxy: '127.0.0.1',
})
const { storage } = service
await addClient(service, { id: 'known', consent: 'implicit' })

/** A person with a password and passkeys. */
async function person(name: string, authenticators: readonly Authenticator[]) {
  const user = testUser({ name, email: `${name}@example.com` })
  await storage.users.create(user)
  const browser = await Browser.signedIn(service, { username: name })
  for (const one of authenticators) await addPasskey(browser, one)
  return user
}

async function addPasskey(browser: Browser, authenticator: Authenticator): Promise<void> {
  const credential = authenticator.create((await browser.self('POST', '/passkeys/options')).body)
  const added = await browser.self('POST', '/passkeys', { name: 'key', credential })
  assert.equal(added.status, 200, JSON.stringify(added.body))
}

async function askFor(browser: Browser, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const RequestVerificationToken = await browser.antiforgeryToken()
  const sent = { 'content-type': 'application/json', RequestVerificationToken, ...headers }
  const response = await browser.fetch('/Account/PasskeyOptions', {
    method: 'POST',
    headers: sent,
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service under test can hold anything
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

const optionsFor = async (browser: Browser, purpose = 'signin') => (await askFor(browser, { purpose })).body

async function post(browser: Browser, credential: unknown, fields: Readonly<Record<string, string>> = {}) {
  const text = typeof credential === 'string' ? credential : JSON.stringify(credential)
  return browser.submit('/Account/PasskeyLogin', { credential: text, ReturnUrl: '/after', ...fields })
}

/** Signs in as a page would; `ceremony` changes what the authenticator says. */
async function signIn(authenticator: Authenticator, ceremony: Ceremony = {}, browser = new Browser(service)) {
  return post(browser, authenticator.get(await optionsFor(browser), ceremony))
}

/** The path that a sign-in leads to; of a refused one, its error. */
function ended(response: Response): string {
  const { pathname, searchParams } = locationOf(response)
  if (pathname !== '/Account/Login') return response.status === 302 ? pathname : String(response.status)
  assert.equal(searchParams.get('method'), 'passkey')
  assert.equal(searchParams.get('ReturnUrl'), '/after')
  return searchParams.get('error') ?? ''
}

const lastEntry = async (userId: string) => (await storage.audit.list({ userId }, undefined, 100)).at(-1)

describe('a sign-in by passkey', () => {
  const keys = {
    ES256: new Authenticator(service, { counter: 7 }),
    EdDSA: new Authenticator(service, { algorithm: 'EdDSA', synced: true }),
    RS256: new Authenticator(service, { algorithm: 'RS256' }),
  }

  it('is offered to any passkey of this host, without naming one, and never from a cache', async () => {
    const { status, headers, body } = await askFor(new Browser(service), { purpose: 'signin' })
    const { challenge, ...rest } = body
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.ok(Buffer.from(challenge, 'base64url').length >= 16)
    const expected = { rpId: 'localhost', timeout: 300_000, userVerification: 'required', allowCredentials: [] }
    assert.deepEqual(rest, expected)
  })

  it('leads where the request wanted to go, for each algorithm, and is told as two factors in the id token', async () => {
    const user = await person('alma', Object.values(keys))
    for (const [algorithm, authenticator] of Object.entries(keys) as [Algorithm, Authenticator][]) {
      const browser = new Browser(service)
      assert.equal(ended(await signIn(authenticator, {}, browser)), '/after', algorithm)
      const accepted = await browser.get(
        authorizePath({ client_id: 'known', acr_values: authenticator.synced ? 'phr' : 'phrh' }),
      )
      const code = locationOf(accepted).searchParams.get('code') ?? ''
      const { body } = await postToken(service, codeFields(code, { client_id: 'known' }))
      const { amr, acr, sub } = claimsOf(body.id_token)
      const method = authenticator.synced ? 'swk' : 'hwk'
      assert.deepEqual([sub, amr, acr], [user.id, [method, 'user', 'mfa'], authenticator.synced ? 'phr' : 'phrh'])
      const entry = (await storage.audit.list({ userId: user.id }, undefined, 100)).findLast(
        ({ kind }) => kind === 'sign_in',
      )
      assert.equal(entry?.details.method, 'passkey')
    }
    const stored = await storage.passkeys.list(user.id)
    assert.deepEqual(
      stored.map(({ counter, lastUsedAtMs }) => [counter, lastUsedAtMs !== null]),
      [
        [8, true],
        [0, true],
        [0, true],
      ],
    )
  })

  it('keeps the browser signed in if that was wished', async () => {
    for (const [fields, expected] of [
      [{ rememberMe: 'true' }, true],
      [{}, false],
    ] as const) {
      const browser = new Browser(service)
      await post(browser, keys.EdDSA.get(await optionsFor(browser)), fields)
      const line = browser.setCookies.find((one) => one.startsWith('latchkey.session=')) ?? ''
      assert.equal(/max-age=/i.test(line), expected)
    }
  })

  it('answers each challenge once, even when it is posted many times at once', async () => {
    const browser = new Browser(service)
    const options = await optionsFor(browser)
    const answers = [1, 2, 3, 4].map(() => keys.EdDSA.get(options))
    const token = await browser.antiforgeryToken()
    const posted = await Promise.all(
      answers.map((credential) => {
        const same = new Browser(service)
        for (const [name, value] of browser.cookies) same.cookies.set(name, value)
        const fields = { credential: JSON.stringify(credential), ReturnUrl: '/after' }
        return same.post('/Account/PasskeyLogin', { ...fields, __RequestVerificationToken: token })
      }),
    )
    assert.deepEqual(posted.map(ended).toSorted(), ['/after', ...Array(3).fill('invalid_credentials')])
    assert.equal(ended(await post(browser, keys.EdDSA.get(options))), 'invalid_credentials')
  })

  it('answers a challenge of this browser and this purpose, within five minutes', async () => {
    const [mine, other] = [new Browser(service), new Browser(service)]
    await other.antiforgeryToken()
    const theirs = keys.EdDSA.get(await optionsFor(mine))
    assert.equal(ended(await post(other, theirs)), 'invalid_credentials')
    assert.equal(ended(await post(mine, theirs)), '/after')

    const creation = (await mine.self('POST', '/passkeys/options')).body
    assert.equal(ended(await post(mine, keys.EdDSA.get({ ...creation, rpId: 'localhost' }))), 'invalid_credentials')
    const own = Buffer.from('of my own').toString('base64url')
    assert.equal(ended(await post(mine, keys.EdDSA.get({ challenge: own, rpId: 'localhost' }))), 'invalid_credentials')

    const [inTime, late] = [keys.EdDSA.get(await optionsFor(mine)), keys.EdDSA.get(await optionsFor(mine))]
    service.advance(299)
    assert.equal(ended(await post(mine, inTime)), '/after')
    service.advance(1)
    assert.equal(ended(await post(mine, late)), 'invalid_credentials')
  })

  it('works in each of several tabs, with options that a page may also read', async () => {
    const browser = new Browser(service)
    const tabs = [await optionsFor(browser), await optionsFor(browser)]
    // biome-ignore lint/suspicious/noExplicitAny: an answer of the service under test can hold anything
    tabs.push((await (await browser.get('/Account/PasskeyOptions?purpose=signin')).json()) as any)
    for (const options of tabs) assert.equal(ended(await post(browser, keys.EdDSA.get(options))), '/after')
  })

  it('is refused for what was signed elsewhere, unverified, for another host or person (WebAuthn §7.2)', async () => {
    const ceremonies: Readonly<Record<string, Ceremony>> = {
      'another origin': { origin: 'https://evil.example' },
      'another port': { origin: 'http://localhost:1' },
      'a frame of another origin': { crossOrigin: true },
      'a page above it': { topOrigin: 'https://evil.example' },
      'another host': { rpId: 'evil.example' },
      'a new credential': { type: 'webauthn.create' },
      'no user verification': { clear: flags.uv },
      'no user presence': { clear: flags.up },
      'backed up without being eligible': { clear: flags.be, set: flags.bs },
      'bytes too many': { extra: Buffer.alloc(1) },
      'extensions that are none': { set: flags.ed, extra: Buffer.alloc(2000, 0x81) },
      'another person': { userHandle: Buffer.from('somebody else').toString('base64url') },
      nobody: { userHandle: null },
      'an empty handle': { userHandle: '' },
    }
    for (const [what, ceremony] of Object.entries(ceremonies)) {
      const browser = new Browser(service)
      assert.equal(ended(await signIn(keys.EdDSA, ceremony, browser)), 'invalid_credentials', what)
      assert.equal(browser.cookies.has('latchkey.session'), false, what)
    }
    assert.equal(Object.keys(ceremonies).length, 14)
  })

  it('is refused without a hint whether there is such a passkey', async () => {
    const stranger = new Authenticator(service)
    stranger.userHandle = keys.ES256.userHandle
    const known = new Authenticator(service)
    const browser = new Browser(service)
    const answered = async (credential: AssertionJson) => {
      const response = await post(browser, credential)
      return [response.status, response.headers.get('location'), await response.text(), browser.setCookies]
    }
    const unknown = await answered(stranger.get(await optionsFor(browser)))
    // Signed by another key than that of the credential it names.
    const { response } = known.get(await optionsFor(browser), { userHandle: keys.ES256.userHandle })
    const { credentialId: id } = keys.ES256
    const forged = await answered({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
    assert.deepEqual(unknown, forged)
  })

  it('is refused, and its owner told, when the signature counter goes back (WebAuthn §7.2 step 22)', async () => {
    const authenticator = new Authenticator(service, { counter: 40 })
    const user = await person('berta', [authenticator])
    assert.equal(ended(await signIn(authenticator)), '/after')
    for (const counter of [41, 40, 1, 0])
      assert.equal(ended(await signIn(authenticator, { counter })), 'invalid_credentials')
    const entry = await lastEntry(user.id)
    assert.deepEqual([entry?.kind, entry?.details.reason], ['sign_in_failed', 'counter_back'])
    const { createdAtMs } = (await service.storage.passkeys.list(user.id))[0] ?? {}
    const mails = (await waitingMails(service, 600_000)).filter(
      ({ to, purpose }) => to === user.email && purpose === 'passkey_refused',
    )
    // The owner hears of it twice in ten minutes at most, and reads nothing that somebody could have chosen.
    assert.equal(mails.length, 1)
    assert.deepEqual(mails[0]?.data, { username: 'berta', added: { atMs: createdAtMs } })
    assert.equal(ended(await signIn(authenticator, { counter: 2 ** 32 - 1 })), '/after')

    // Two at once with the same counter: a copy.
    const twin = new Authenticator(service, { counter: 0 })
    await person('bella', [twin])
    const browsers = [new Browser(service), new Browser(service), new Browser(service)]
    const together = await Promise.all(browsers.map((browser) => signIn(twin, { counter: 5 }, browser)))
    assert.deepEqual(together.map(ended).toSorted(), ['/after', 'invalid_credentials', 'invalid_credentials'])
  })

  it('ends with the passkey', async () => {
    const authenticator = new Authenticator(service)
    const user = await person('cora', [authenticator])
    const browser = new Browser(service)
    const options = await optionsFor(browser)
    const [passkey] = await storage.passkeys.list(user.id)
    await storage.passkeys.remove(user.id, passkey?.id ?? '', { providers: [] })
    assert.equal(ended(await post(browser, authenticator.get(options))), 'invalid_credentials')
  })

  it('has the outcomes of a sign-in by password: lock, lockout, unconfirmed address, other sites, rate limit', async () => {
    const authenticator = new Authenticator(service)
    const user = await person('dora', [authenticator])
    const change = (changes: object) => storage.users.update(user.id, (one) => ({ ...one, ...changes }))
    await change({ disabled: true })
    assert.equal(ended(await signIn(authenticator)), 'invalid_credentials')
    const soon = service.now() + 60_000
    await change({ disabled: false, lockedUntilMs: soon, lockoutBeganAtMs: service.now() })
    assert.equal(ended(await signIn(authenticator)), 'invalid_credentials')
    await change({ lockedUntilMs: null, lockoutBeganAtMs: null })
    assert.equal(ended(await signIn(authenticator)), '/after')

    const atRoot = new Browser(service)
    const proof = authenticator.get(await optionsFor(atRoot))
    assert.equal((await post(atRoot, proof, { ReturnUrl: '~/foo' })).headers.get('location'), '/foo')

    const browser = new Browser(service)
    const credential = authenticator.get(await optionsFor(browser))
    const outside = await post(browser, credential, { ReturnUrl: 'https://evil.example/' })
    assert.equal(outside.status, 500)
    assert.equal(browser.cookies.has('latchkey.session'), false)
    const twice = await browser.submit('/Account/PasskeyLogin', [
      ['credential', '{}'],
      ['credential', '{}'],
    ])
    assert.equal(twice.status, 400)
    const forged = await browser.post('/Account/PasskeyLogin', { credential: '{}' })
    assert.deepEqual([forged.status, await forged.text()], [400, ''])

    const away = { 'x-forwarded-for': '198.51.100.7' }
    const token = await browser.antiforgeryToken()
    const fields = { credential: '{}', ReturnUrl: '/after', __RequestVerificationToken: token }
    for (let guess = 0; guess < 100; guess += 1) {
      assert.equal((await browser.post('/Account/PasskeyLogin', fields, away)).status, 302)
    }
    const limited = await browser.post('/Account/PasskeyLogin', fields, away)
    assert.equal(limited.status, 429)
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
  })

  it('is refused for any malformed input, with bounded work', async () => {
    const browser = new Browser(service)
    const good = keys.EdDSA.get(await optionsFor(browser))
    const withResponse = (change: object) => ({ ...good, response: { ...good.response, ...change } })
    const text = (value: string | Uint8Array) => Buffer.from(value).toString('base64url')
    const credentials: unknown[] = [
      '',
      'null',
      '[]',
      '{',
      '['.repeat(16_000),
      `{"a":${'['.repeat(8000)}${']'.repeat(8000)}}`,
      'x'.repeat(50_000),
      { ...good, id: 5 },
      { ...good, id: '' },
      { ...good, rawId: 'AAAA' },
      { ...good, id: '../../x', rawId: '../../x' },
      { ...good, type: undefined },
      { ...good, response: null },
      withResponse({ clientDataJSON: text('{"challenge":{"toString":1}}') }),
      withResponse({ clientDataJSON: text('{"__proto__":{"challenge":"x"}}') }),
      withResponse({ clientDataJSON: text([0xff, 0xfe] as unknown as Uint8Array) }),
      withResponse({ clientDataJSON: text('x'.repeat(9000)) }),
      withResponse({ authenticatorData: text(Buffer.alloc(36)) }),
      withResponse({ authenticatorData: text(Buffer.alloc(4000, 255)) }),
      withResponse({ authenticatorData: 7 }),
      withResponse({ signature: '' }),
      withResponse({ signature: text(Buffer.alloc(9000)) }),
      withResponse({ signature: text(Buffer.alloc(70, 0x30)) }),
      withResponse({ userHandle: {} }),
      withResponse({ userHandle: 'A'.repeat(200) }),
    ]
    for (const credential of credentials) {
      assert.equal(
        ended(await post(browser, credential)),
        'invalid_credentials',
        JSON.stringify(credential).slice(0, 90),
      )
    }
    assert.equal(credentials.length, 25)
    const fresh = keys.EdDSA.get(await optionsFor(browser))
    assert.equal(ended(await post(browser, { ...fresh, clientExtensionResults: { prf: {} }, more: 1 })), '/after')
  })
})

describe('a passkey as the second factor', () => {
  const [first, spare, stranger] = [
    new Authenticator(service),
    new Authenticator(service, { synced: true }),
    new Authenticator(service),
  ]

  /** The password was right, and the page of the second factor is shown. */
  async function halfSignedIn(): Promise<Browser> {
    const browser = new Browser(service)
    const response = await browser.signIn({ username: 'emma', ReturnUrl: '/after' })
    assert.equal(locationOf(response).pathname, '/Account/SecondFactor')
    return browser
  }
  const prove = (browser: Browser, credential: unknown) =>
    browser.submit('/Account/SecondFactor', { method: 'passkey', credential: JSON.stringify(credential) })

  it('is one of those of the person, and counts with the password', async () => {
    const { id } = await person('emma', [first, spare])
    // Passkeys are asked for after the password once recovery codes stand in for them.
    const factors = { ...noSecondFactors(id), recoveryHashes: ['hash'] }
    await storage.secondFactors.change(id, () => ({ factors }))
    await person('fanny', [stranger])
    const browser = await halfSignedIn()
    const options = await optionsFor(browser, 'second_factor')
    assert.deepEqual(
      options.allowCredentials.map(({ id, transports }: { id: string; transports: string[] }) => [id, transports]),
      [first, spare].map(({ credentialId }) => [credentialId, ['internal', 'hybrid']]),
    )
    // An authenticator that is told which credential need not name the person.
    const done = await prove(browser, first.get(options, { userHandle: null }))
    assert.equal(locationOf(done).pathname, '/after')
    const accepted = await browser.get(authorizePath({ client_id: 'known', acr_values: 'phrh' }))
    const { body } = await postToken(
      service,
      codeFields(locationOf(accepted).searchParams.get('code') ?? '', { client_id: 'known' }),
    )
    const { amr, acr } = claimsOf(body.id_token)
    assert.deepEqual([amr, acr], [['pwd', 'hwk', 'user', 'mfa'], 'phrh'])
  })

  it('is refused if it is of another person, for another purpose, unverified, or used before', async () => {
    const refused = async (browser: Browser, credential: unknown) => {
      const { pathname, searchParams } = locationOf(await prove(browser, credential))
      assert.deepEqual([pathname, searchParams.get('error')], ['/Account/SecondFactor', 'code_invalid'])
      assert.equal(browser.cookies.has('latchkey.session'), false)
    }
    const browser = await halfSignedIn()
    const options = await optionsFor(browser, 'second_factor')
    await refused(browser, stranger.get(options))
    await refused(browser, stranger.get(options, { userHandle: first.userHandle }))
    await refused(browser, first.get(options, { userHandle: stranger.userHandle }))
    await refused(browser, first.get(options, { clear: flags.uv }))
    await refused(browser, first.get(await optionsFor(browser, 'signin')))
    await refused(browser, {})
    const credential = spare.get(options)
    assert.equal(ended(await post(new Browser(service), credential)), 'invalid_credentials')
    assert.equal(locationOf(await prove(browser, credential)).pathname, '/after')
    const other = await halfSignedIn()
    await refused(other, credential)
  })

  it('has options for a sign-in that was begun in this browser alone', async () => {
    const nobody = await askFor(new Browser(service), { purpose: 'second_factor' })
    assert.deepEqual([nobody.status, nobody.body.error], [401, 'login_required'])
    for (const body of [{ purpose: 'create' }, { purpose: 5 }, {}, { purpose: 'signin', more: 1 }, []]) {
      assert.equal((await askFor(new Browser(service), body)).status, 400)
    }
    for (const query of ['', '?purpose=create', '?purpose=second_factor', '?purpose=signin']) {
      const { status } = await new Browser(service).get(`/Account/PasskeyOptions${query}`)
      assert.equal(status, 400, query)
    }
    const forged = await askFor(new Browser(service), { purpose: 'signin' }, { RequestVerificationToken: 'x' })
    assert.deepEqual([forged.status, forged.body.code], [400, 'ID9007'])
  })
})

describe('without passkeys', () => {
  it('nothing about them answers, with Accounts:Passkeys off', async () => {
    await using off = await startService({
      Accounts__Passkeys: 'off',
      Accounts__PasskeyRelatedOrigins: 'https://shop.example',
    })
    const browser = new Browser(off)
    await obtainCode(browser)
    const answers = [
      (await askFor(browser, { purpose: 'signin' }).catch(() => ({ status: 404 }))).status,
      (await browser.submit('/Account/PasskeyLogin', { credential: '{}' })).status,
      (await browser.get('/Account/Self/passkeys')).status,
      (await browser.get('/.well-known/passkey-endpoints')).status,
      (await browser.get('/.well-known/webauthn')).status,
    ]
    assert.deepEqual(answers, Array(5).fill(404))
  })
})

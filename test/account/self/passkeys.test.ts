/** `/Account/Self/passkeys`: adding, naming and removing passkeys, with a software authenticator. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { type Algorithm, Authenticator, type Cbor, type Ceremony, encode, flags } from '../../support/authenticator.ts'
import { Browser } from '../../support/browser.ts'
import { waitingMails } from '../../support/mails.ts'
import { addUser, serviceForFile } from '../../support/service.ts'

const related = 'https://shop.example'
const service = await serviceForFile({ Accounts__PasskeyRelatedOrigins: related, Mail__Url: 'file:/nowhere' })
for (const name of ['bob', 'carol', 'erin']) {
  await addUser(service, name)
}

/** Somebody without passkeys, signed in. Two would make a password ask for one of them. */
async function newcomer(name = `newcomer-${randomBytes(4).toString('hex')}`): Promise<Browser> {
  await addUser(service, name)
  return signedIn(name)
}

const signedIn = (username: string) => Browser.signedIn(service, { username })

const optionsFor = async (browser: Browser) => (await browser.self('POST', '/passkeys/options')).body

/** Adds a passkey as a page would; `ceremony` changes what the authenticator says. */
async function add(browser: Browser, authenticator: Authenticator, ceremony: Ceremony = {}, name = 'My key') {
  const credential = authenticator.create(await optionsFor(browser), ceremony)
  return browser.self('POST', '/passkeys', { name, credential })
}

const alice = await signedIn('alice')
const list = async (browser: Browser) => (await browser.self('GET', '/passkeys')).body.items

describe('the passkeys of a person', () => {
  it('are created for the host of the issuer, discoverable, with user verification and without attestation', async () => {
    const { challenge, user, pubKeyCredParams, ...options } = await optionsFor(alice)
    assert.ok(challenge.length >= 22)
    assert.deepEqual(
      pubKeyCredParams.map(({ alg }: { alg: number }) => alg),
      [-7, -8, -257],
    )
    assert.equal(user.name, 'alice')
    assert.doesNotMatch(Buffer.from(user.id, 'base64url').toString(), /alice/)
    assert.deepEqual(options, {
      rp: { id: 'localhost', name: 'Latchkey' },
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
      extensions: { credProps: true },
    })
  })

  it('are added for each algorithm, listed, renamed and removed, with an audit entry and a mail each', async () => {
    const made: Authenticator[] = []
    for (const algorithm of ['ES256', 'EdDSA', 'RS256'] satisfies Algorithm[]) {
      const authenticator = new Authenticator(service, { algorithm, synced: algorithm === 'ES256', counter: 1 })
      made.push(authenticator)
      const { status, body } = await add(alice, authenticator, {}, ` ${algorithm} `)
      assert.equal(status, 200)
      const { id, created_at: createdAt, ...rest } = body
      const expected = {
        name: algorithm,
        last_used_at: null,
        synced: algorithm === 'ES256',
        attested: false,
        second_factor: false,
      }
      assert.deepEqual(rest, { ...expected, credential_id: authenticator.credentialId })
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.match(createdAt, /^\d{4}-.*Z$/)
    }
    const again = await optionsFor(alice)
    assert.deepEqual(
      again.excludeCredentials.map(({ id }: { id: string }) => id),
      made.map(({ credentialId }) => credentialId),
    )
    const { body } = await alice.self('GET', '/passkeys')
    assert.equal(body.items.length, 3)
    assert.deepEqual([body.rp_id, body.user_handle], ['localhost', made[0]?.userHandle])

    const [first] = body.items
    const renamed = await alice.self('PATCH', `/passkeys/${first.id}`, { name: 'Telefon 📱' })
    assert.deepEqual([renamed.status, renamed.body], [200, { ...first, name: 'Telefon 📱' }])
    for (const { id } of body.items) assert.equal((await alice.self('DELETE', `/passkeys/${id}`)).status, 204)
    assert.deepEqual(await list(alice), [])
    assert.equal((await alice.self('DELETE', `/passkeys/${first.id}`)).status, 404)

    const { id: userId } = (await alice.self('GET', '')).body
    const entries = await service.storage.audit.list({ userId }, undefined, 20)
    const kinds = entries.map(({ kind }) => kind).filter((kind) => kind.startsWith('passkey'))
    const expected = [...Array(3).fill('passkey_added'), ...Array(3).fill('passkey_removed')]
    assert.deepEqual(kinds.toSorted(), expected)
    // Entries outlive the account, so that they have nothing a person wrote.
    const details = entries.filter(({ kind }) => kind.startsWith('passkey')).map((entry) => Object.keys(entry.details))
    for (const names of details) assert.deepEqual(names.toSorted(), ['passkey', 'synced'])
    const mails = (await waitingMails(service, 600_000)).filter(({ purpose }) => purpose.startsWith('passkey'))
    assert.deepEqual(mails.map(({ purpose }) => purpose).toSorted(), ['passkey_added', 'passkey_removed'])
    const [mail] = mails
    assert.deepEqual([mail?.to, mail?.link], ['alice@example.com', '/Account/Security'])
    assert.deepEqual(mail?.data, { username: 'alice' })
  })

  it('are read, renamed and removed by their owner alone', async () => {
    const bob = await signedIn('bob')
    const { body } = await add(bob, new Authenticator(service))
    assert.equal((await alice.self('PATCH', `/passkeys/${body.id}`, { name: 'mine' })).body.code, 'ID9334')
    assert.equal((await alice.self('DELETE', `/passkeys/${body.id}`)).body.code, 'ID9334')
    assert.deepEqual(await list(bob), [body])
    assert.deepEqual(await list(alice), [])
    assert.equal((await new Browser(service).self('GET', '/passkeys')).status, 401)
  })

  it('are kept if nobody could sign in without them', async () => {
    const frank = await addUser(service, 'frank')
    const browser = await signedIn('frank')
    const [one, two] = [await add(browser, new Authenticator(service)), await add(browser, new Authenticator(service))]
    await service.storage.users.update(frank.id, (user) => ({ ...user, passwordHash: null }))
    const removals = await Promise.all([one, two].map(({ body }) => browser.self('DELETE', `/passkeys/${body.id}`)))
    const [removed, kept] = removals.toSorted((a, b) => a.status - b.status)
    assert.deepEqual([removed?.status, kept?.status, kept?.body.error], [204, 409, 'last_sign_in_method'])
    assert.equal((await list(browser)).length, 1)
  })

  it('are twenty at most, however many are added at once', async () => {
    const carol = await signedIn('carol')
    const authenticators = Array.from({ length: 24 }, () => new Authenticator(service))
    const credentials: object[] = []
    for (const one of authenticators) credentials.push(one.create(await optionsFor(carol)))
    const added = await Promise.all(
      credentials.map((credential, at) => carol.self('POST', '/passkeys', { name: `key ${at}`, credential })),
    )
    const count = (wanted: number) => added.filter(({ status }) => status === wanted).length
    assert.deepEqual([count(200), count(409)], [20, 4])
    assert.equal(added.find(({ status }) => status === 409)?.body.error, 'too_many_passkeys')
    assert.equal((await list(carol)).length, 20)
    assert.equal((await carol.self('POST', '/passkeys/options')).body.error, 'too_many_passkeys')
  })

  it('need a recent sign-in to be added and removed, and the anti-forgery header for every change', async () => {
    const erin = await signedIn('erin')
    const { body } = await add(erin, new Authenticator(service))
    const forged = await erin.fetch('/Account/Self/passkeys/options', { method: 'POST' })
    assert.equal(forged.status, 400)
    assert.equal((await erin.fetch(`/Account/Self/passkeys/${body.id}`, { method: 'DELETE' })).status, 400)
    service.advance(601)
    const refused = [
      await erin.self('POST', '/passkeys/options'),
      await erin.self('POST', '/passkeys', { name: 'x', credential: {} }),
      await erin.self('DELETE', `/passkeys/${body.id}`),
    ]
    assert.deepEqual(
      refused.map(({ status, body: problem }) => [status, problem.error]),
      Array(3).fill([403, 'reauthentication_required']),
    )
    assert.equal((await erin.self('PATCH', `/passkeys/${body.id}`, { name: 'renamed' })).status, 200)
  })
})

describe('a new credential', () => {
  it('is taken from a page of a related origin, which browsers find by its list (WebAuthn Level 3 §5.11)', async () => {
    const dave = await newcomer()
    assert.equal((await add(dave, new Authenticator(service), { origin: related })).status, 200)
    const document = await fetch(new URL('.well-known/webauthn', service.issuer))
    assert.match(document.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(await document.json(), { origins: [related] })
  })

  it('is refused if it was made elsewhere, for another host, unverified, or for something else (WebAuthn §7.1)', async () => {
    const dave = await newcomer()
    const before = await list(dave)
    const ceremonies: Readonly<Record<string, Ceremony>> = {
      'another origin': { origin: 'https://evil.example' },
      'another port': { origin: 'http://localhost:1' },
      'another host': { rpId: 'evil.example' },
      'a frame of another origin': { crossOrigin: true },
      'a page above it': { topOrigin: 'https://evil.example' },
      'an assertion': { type: 'webauthn.get' },
      'no user verification': { clear: flags.uv },
      'no user presence': { clear: flags.up },
      'no credential': { clear: flags.at },
      'backed up without being eligible': { set: flags.bs },
      'bytes too many': { extra: Buffer.alloc(4) },
    }
    for (const [what, ceremony] of Object.entries(ceremonies)) {
      const { status, body } = await add(dave, new Authenticator(service), ceremony)
      assert.equal(status, 400, what)
      assert.match(body.error, /^passkey_(invalid|challenge_invalid)$/, what)
    }
    assert.equal(Object.keys(ceremonies).length, 11)
    assert.deepEqual(await list(dave), before)
  })

  it('is refused with a key that is not of the algorithms or costs too much', async () => {
    const dave = await newcomer()
    const key = (members: ReadonlyArray<readonly [number, Cbor]>) => encode(new Map(members))
    const bytes = (length: number) => Buffer.alloc(length, 255)
    const keys = {
      'not on the curve': key([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(32)],
        [-3, bytes(32)],
      ]),
      'another curve': key([
        [1, 2],
        [3, -7],
        [-1, 2],
        [-2, bytes(32)],
        [-3, bytes(32)],
      ]),
      'no coordinate': key([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(32)],
      ]),
      'RSA of 1,024 bits': key([
        [1, 3],
        [3, -257],
        [-1, bytes(128)],
        [-2, Buffer.from([1, 0, 1])],
      ]),
      'RSA of 16,384 bits': key([
        [1, 3],
        [3, -257],
        [-1, bytes(2048)],
        [-2, Buffer.from([1, 0, 1])],
      ]),
      'RSA with a long exponent': key([
        [1, 3],
        [3, -257],
        [-1, bytes(256)],
        [-2, bytes(256)],
      ]),
      'RSA with SHA-1': key([
        [1, 3],
        [3, -65535],
        [-1, bytes(256)],
        [-2, Buffer.from([1, 0, 1])],
      ]),
      'a text': key([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, 'x'.repeat(32)],
        [-3, 'y'.repeat(32)],
      ]),
    }
    for (const [what, publicKey] of Object.entries(keys)) {
      const { status, body } = await add(dave, new Authenticator(service), { publicKey })
      assert.deepEqual([status, body.error], [400, 'passkey_invalid'], what)
    }
    assert.equal(Object.keys(keys).length, 8)
  })

  it('is taken with an attestation that nobody asked for, which is not read', async () => {
    const dave = await newcomer()
    const attStmt = new Map<string, Cbor>([
      ['x5c', [Buffer.from('no certificate')]],
      ['sig', Buffer.alloc(8)],
    ])
    assert.equal((await add(dave, new Authenticator(service), { fmt: 'packed', attStmt })).status, 200)
  })

  it('answers a challenge once, within five minutes, in the browser and for the person it was given to', async () => {
    const dave = await newcomer('gina')
    const other = await signedIn('gina')
    const options = await optionsFor(dave)
    const credential = new Authenticator(service).create(options)
    const attempt = (browser: Browser, one: object) => browser.self('POST', '/passkeys', { name: 'x', credential: one })
    assert.equal((await attempt(other, credential)).body.error, 'passkey_challenge_invalid')
    const twice = await Promise.all([attempt(dave, credential), attempt(dave, credential)])
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 400])
    const used = new Authenticator(service).create(options)
    assert.equal((await attempt(dave, used)).body.error, 'passkey_challenge_invalid')
    const forged = new Authenticator(service).create({
      ...options,
      challenge: Buffer.from('guess').toString('base64url'),
    })
    assert.equal((await attempt(dave, forged)).body.error, 'passkey_challenge_invalid')

    const late = new Authenticator(service).create(await optionsFor(dave))
    service.advance(300)
    assert.equal((await attempt(dave, late)).body.error, 'passkey_challenge_invalid')

    const owned = new Authenticator(service)
    assert.equal((await add(dave, owned)).status, 200)
    assert.equal((await add(dave, owned)).body.error, 'passkey_taken')
    await dave.signIn({ username: 'bob' })
    assert.equal((await add(dave, owned)).body.error, 'passkey_taken')
  })

  it('is refused for any malformed input, with bounded work', async () => {
    const dave = await newcomer()
    const good = new Authenticator(service).create(await optionsFor(dave))
    const withResponse = (change: object) => ({ ...good, response: { ...good.response, ...change } })
    const object = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
    const nested = (head: number, depth: number) => Buffer.concat([Buffer.alloc(depth, head), Buffer.from([0])])
    const credentials: unknown[] = [
      null,
      [],
      'not json',
      '{',
      7,
      {},
      { ...good, id: 'other' },
      { ...good, rawId: undefined },
      { ...good, type: 'password' },
      { ...good, id: 'A'.repeat(2000), rawId: 'A'.repeat(2000) },
      { ...good, response: [] },
      withResponse({ clientDataJSON: 'e30' }),
      withResponse({ clientDataJSON: object(Buffer.from('"text"')) }),
      withResponse({ clientDataJSON: object(Buffer.from('[[[[')) }),
      withResponse({ clientDataJSON: 'x'.repeat(9000) }),
      withResponse({ clientDataJSON: 5 }),
      withResponse({ attestationObject: '' }),
      withResponse({ attestationObject: '====' }),
      withResponse({ attestationObject: object(encode(new Map())) }),
      withResponse({ attestationObject: object(encode('text')) }),
      withResponse({ attestationObject: object(nested(0x81, 8000)) }),
      withResponse({ attestationObject: object(nested(0xa1, 8000)) }),
      withResponse({ attestationObject: object(nested(0xc1, 8000)) }),
      // A text, an array and a map that are said to be 4 GB long.
      ...[0x7a, 0x9a, 0xba].map((head) =>
        withResponse({ attestationObject: object(Buffer.from([head, 255, 255, 255, 255])) }),
      ),
      withResponse({ attestationObject: object(encode(new Map([['authData', Buffer.alloc(37)]]))) }),
      withResponse({ attestationObject: object(encode(new Map([['authData', Buffer.alloc(60, 255)]]))) }),
    ]
    for (const credential of credentials) {
      const { status, body } = await dave.self('POST', '/passkeys', { name: 'x', credential })
      const sent = (JSON.stringify(credential) ?? '').slice(0, 80)
      assert.deepEqual([status, body.error.replace('challenge_', '')], [400, 'passkey_invalid'], sent)
    }
    assert.equal(credentials.length, 28)
    const names = ['', ' ', 'x'.repeat(101), 'a\u0007b', 5]
    for (const name of names) {
      const { status, body } = await dave.self('POST', '/passkeys', { name, credential: good })
      assert.deepEqual([status, body.error.replace('member', 'name')], [400, 'name_invalid'])
    }
    assert.equal((await dave.self('POST', '/passkeys', { name: 'at last', credential: good })).status, 200)
    assert.equal(
      (await dave.self('POST', '/passkeys', { name: 'as text', credential: JSON.stringify(good) })).status,
      400,
    )
  })
})

describe('password managers', () => {
  it('find the page for passkeys and passwords below /.well-known', async () => {
    const page = new URL('Account/Security', service.issuer)
    const endpoints = await fetch(new URL('.well-known/passkey-endpoints', service.issuer))
    assert.deepEqual(await endpoints.json(), { enroll: page.href, manage: page.href })
    const change = await new Browser(service).get('/.well-known/change-password')
    assert.deepEqual(
      [change.status, new URL(change.headers.get('location') ?? '', service.issuer).href],
      [302, page.href],
    )
  })
})

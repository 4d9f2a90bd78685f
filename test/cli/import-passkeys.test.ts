/** Passkeys and security keys of another system at the same host (connections, section 7). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Authenticator, flags } from '../support/authenticator.ts'
import { Browser, locationOf } from '../support/browser.ts'
import type { TestService } from '../support/service.ts'
import { aspNetData, skipped } from './aspnet-data.ts'
import {
  enter,
  halfWay,
  keycloakApp,
  keycloakCodes,
  keycloakKey,
  passkeyOptions,
  proved,
  provedBy,
  realmOf,
  serviceOn,
} from './factors-place.ts'
import { find, lines, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'
import { wholeFolder } from './whole-tables.ts'

const origin = { issuer: 'http://localhost:1/' }
const key = (counter?: number) => new Authenticator(origin, counter === undefined ? {} : { counter })
/** As it answers at the service, to whom its handle is the id of the person there. */
const at = (service: { readonly issuer: string }, id: string, one: Authenticator): Authenticator => {
  one.userHandle = Buffer.from(id).toString('base64url')
  Object.defineProperty(one, 'origin', { value: new URL(service.issuer).origin })
  return one
}
const idOf = (number = 0) => `6a3f1df9-f03a-43c0-9bd9-7e57731f64${number + 10}`
const said = ({ findings }: Result, source: string) =>
  findings
    .filter((one) => one.source === source)
    .map(({ severity, member, reason }) => `${severity} ${member}: ${reason}`)
const ofRealm = ({ findings }: Result) => findings.filter(({ kind }) => kind === 'realm').map(({ member }) => member)
const mail = { Mail__Url: 'file:/nowhere' }

async function stepAfterPassword(service: TestService, username: string): Promise<string> {
  const browser = new Browser(service)
  const { pathname, search } = locationOf(await browser.signIn({ username, password: `password of ${username}` }))
  assert.equal(await browser.userName(), undefined)
  return pathname + search
}

async function imported(t: TestContext, realm: string) {
  const place = placeWith(t, { 'realm.json': realm })
  return { place, found: await result(place, 'keycloak realm.json') }
}

/** An export of the kind, and a place into which it was imported. */
async function arrived(t: TestContext, place: Workplace, kind: string) {
  const { code, stderr } = await place.run(`export ${kind} ${kind}.out`)
  assert.equal(code, 0, stderr)
  const there = placeWith(t, { 'all.out': readFileSync(join(place.folder, `${kind}.out`), 'utf8') })
  const found = await result(there, `${kind} all.out`)
  assert.deepEqual([found.failed, said(found, 'alice')], [0, []])
  return { stderr, there }
}

describe('a passkey of Keycloak', () => {
  it('signs in by itself, with its counter, name, time and transports', async (t) => {
    const own = key(41)
    const { place, found } = await imported(
      t,
      realmOf(
        { alice: [keycloakKey(own, 'webauthn-passwordless', { counter: 41 })] },
        { webAuthnPolicyPasswordlessRpId: 'localhost' },
      ),
    )
    assert.deepEqual([said(found, 'alice'), found.created], [[], 1])
    await using service = await serviceOn(place)
    at(service, idOf(), own)
    const [kept] = await service.storage.passkeys.list(idOf())
    const { name, counter, transports, aaguid, createdAtMs, isSecondFactor, attested } = kept ?? assert.fail()
    assert.deepEqual(
      { name, counter, transports, aaguid, createdAtMs, isSecondFactor, attested },
      {
        ...{ name: 'Laptop', counter: 41, transports: ['internal', 'hybrid'] },
        ...{ aaguid: 'adce0002-35bc-c60a-648b-0b25f1f05503', createdAtMs: 1_795_468_365_032 },
        ...{ isSecondFactor: undefined, attested: false },
      },
    )
    assert.equal(await enter(service, own), 'alice')
    // Its counter goes on from there.
    assert.equal(await enter(service, own, { counter: 41 }), 'invalid_credentials')
    // The handle of somebody else names nobody.
    assert.equal(
      await enter(service, own, { userHandle: Buffer.from(idOf(7)).toString('base64url') }),
      'invalid_credentials',
    )
    assert.equal(await enter(service, own, { userHandle: null }), 'invalid_credentials')
    assert.equal(await enter(service, own, { clear: flags.uv }), 'invalid_credentials')
    // As there, it is not asked for after the password.
    const browser = await Browser.signedIn(service, { username: 'alice', password: 'password of alice' })
    assert.equal(await browser.userName(), 'alice')
  })

  it('that was a second factor is asked for after the password, tests nobody, and signs nobody in by itself', async (t) => {
    const own = key(1)
    const { place, found } = await imported(t, realmOf({ alice: [keycloakKey(own, 'webauthn', { counter: 1 })] }))
    assert.deepEqual(said(found, 'alice'), [])
    assert.deepEqual(ofRealm(found), ['webAuthnPolicyRpId'])
    await using service = await serviceOn(place)
    at(service, idOf(), own)
    assert.equal(await enter(service, own), 'invalid_credentials')
    const browser = await halfWay(service, 'alice')
    const options = await passkeyOptions(browser, 'second_factor')
    assert.equal(options.userVerification, 'preferred')
    assert.deepEqual(
      options.allowCredentials.map(({ id }: { readonly id: string }) => id),
      [own.credentialId],
    )
    assert.equal(await provedBy(browser, own, { clear: flags.up }), 'code_invalid')
    assert.equal(await provedBy(browser, own, { clear: flags.uv, userHandle: null }), null)
    const { items } = (await browser.self('GET', '/passkeys')).body
    assert.deepEqual(
      items.map(({ name, second_factor }: { name: string; second_factor: boolean }) => [name, second_factor]),
      [['Laptop', true]],
    )
    // It stays a factor when recovery codes were made and none is left.
    await browser.self('POST', '/recovery-codes')
    await service.storage.users.update(idOf(), (user) => {
      const { hadSecondFactor: _, ...others } = user
      return others
    })
    await service.storage.secondFactors.change(idOf(), ({ factors }) =>
      factors === undefined ? {} : { factors: { ...factors, recoveryHashes: [] } },
    )
    assert.equal(await provedBy(await halfWay(service, 'alice'), own), null)
  })

  it('that was a second factor is no last way to sign in, and ends with an operator’s reset', async (t) => {
    const [second, own] = [key(), key()]
    const credentials = [keycloakKey(second, 'webauthn'), keycloakKey(own, 'webauthn-passwordless')]
    const { place } = await imported(t, realmOf({ alice: credentials }))
    await using service = await serviceOn(place)
    at(service, idOf(), own)
    await service.storage.users.update(idOf(), (user) => ({ ...user, passwordHash: null }))
    const browser = new Browser(service)
    const credential = JSON.stringify(own.get(await passkeyOptions(browser, 'signin')))
    await browser.submit('/Account/PasskeyLogin', { credential, ReturnUrl: '/after' })
    const passkeys = await service.storage.passkeys.list(idOf())
    const signsIn = passkeys.find(({ isSecondFactor }) => isSecondFactor !== true)?.id
    assert.equal((await browser.self('DELETE', `/passkeys/${signsIn}`)).body.error, 'last_sign_in_method')
    await service.stop()
    await place.run('user reset-second-factor alice')
    const left = await place.withStorage((storage) => storage.passkeys.list(idOf()))
    assert.deepEqual(
      left.map(({ id }) => id),
      [signsIn],
    )
  })

  it('comes with recovery codes, which stand in for it', async (t) => {
    const credentials = [keycloakKey(key(), 'webauthn'), keycloakCodes(['7JJD2WJI2FCU'])]
    const { place } = await imported(t, realmOf({ alice: credentials }))
    await using service = await serviceOn(place)
    assert.equal(await proved(await halfWay(service, 'alice'), 'recovery', '7JJD2WJI2FCU'), null)
  })
})

describe('a passkey of Keycloak that cannot work here', () => {
  it('is named with the reason, and whoever had no other second factor is held: never the password alone', async (t) => {
    const own = key()
    const p384 = Buffer.from(own.publicKey)
    // ES384 (RFC 9053 §2.1) in place of ES256: 26 becomes 38 22.
    const other = Buffer.concat([p384.subarray(0, 3), Buffer.from([3, 0x38, 0x22]), p384.subarray(5)])
    const people = {
      bad: [keycloakKey(own, 'webauthn', { credentialPublicKey: 'pQECAyYgASFYIA' })],
      ids: [keycloakKey(own, 'webauthn', { credentialId: 'AAEC8' })],
      curve: [keycloakKey(key(), 'webauthn', { credentialPublicKey: other.toString('base64url') })],
      count: [keycloakKey(key(), 'webauthn', { counter: -1 })],
      pass: [keycloakKey(own, 'webauthn-passwordless', { credentialPublicKey: 'AA' })],
    }
    const { place, found } = await imported(t, realmOf(people))
    assert.equal(found.created, 5)
    const reasons = {
      ...{ bad: 'has a public key that cannot be read', ids: 'has no credential id in base64url' },
      ...{ curve: 'has a public key of a kind or size that is not checked here' },
      count: 'has a signature counter that is no number',
    }
    for (const [name, reason] of Object.entries(reasons)) {
      const [lost = '', held = ''] = said(found, name)
      assert.equal(lost, `lost credentials.webauthn: ${name}: The passkey "Laptop" ${reason}.`)
      assert.match(held, /^held credentials: .*No second factor of this person can come/)
      assert.equal((await find(place, name)).hadSecondFactor, true)
    }
    assert.match(said(found, 'pass').join(), /^lost credentials.webauthn-passwordless/)
    await using service = await serviceOn(place, mail)
    assert.equal(await stepAfterPassword(service, 'bad'), '/Account/Confirm?purpose=signin')
  })

  it('belongs to another host, by the policy, the address of the realm or an operator’s word', async (t) => {
    const realms: readonly (readonly [string, object, string])[] = [
      ['policy', { webAuthnPolicyRpId: 'acme.example' }, ''],
      ['address', { attributes: { frontendUrl: 'https://sso.acme.example/auth' } }, ''],
      ['word', {}, ' --passkey-host Login.Acme.Example'],
    ]
    for (const [name, more, options] of realms) {
      const place = placeWith(t, { 'realm.json': realmOf({ alice: [keycloakKey(key(), 'webauthn')] }, more) })
      const found = await result(place, `keycloak realm.json${options}`)
      assert.match(
        said(found, 'alice').join(),
        /lost credentials.webauthn: .* belongs to the host [a-z.]*acme.example, and this service is at localhost/,
        name,
      )
      assert.deepEqual(await place.withStorage((storage) => storage.passkeys.list(idOf())), [])
      assert.equal((await find(place, 'alice')).hadSecondFactor, true)
    }
  })

  it('has the credential id of somebody else’s, here or in the file: the first keeps it', async (t) => {
    const own = key()
    const people = { alice: [keycloakKey(own, 'webauthn')], bob: [keycloakKey(own, 'webauthn')] }
    const place = placeWith(t, { 'realm.json': realmOf(people) })
    const dry = await result(place, 'keycloak realm.json --dry-run')
    const found = await result(place, 'keycloak realm.json')
    assert.deepEqual(found, dry)
    assert.equal(found.created, 2)
    assert.deepEqual(said(found, 'alice'), [])
    const [lost = '', held = ''] = said(found, 'bob')
    assert.equal(lost, 'lost passkeys: The passkey "Laptop" of bob has the credential id of one of alice.')
    assert.match(held, /^held passkeys: No second factor of bob can come/)
    await using service = await serviceOn(place, mail)
    at(service, idOf(), own)
    assert.equal(await provedBy(await halfWay(service, 'alice'), own), null)
    assert.equal(await stepAfterPassword(service, 'bob'), '/Account/Confirm?purpose=signin')
  })
})

describe('an import of the same people again', () => {
  it('adds what is new, and leaves the counter of what is there', async (t) => {
    const [own, more] = [key(5), key()]
    const first = realmOf({ alice: [keycloakKey(own, 'webauthn-passwordless', { counter: 5 })] })
    const both = [keycloakKey(own, 'webauthn-passwordless', { counter: 5 }), keycloakKey(more, 'webauthn-passwordless')]
    const place = placeWith(t, { 'realm.json': first, 'again.json': realmOf({ alice: both }) })
    await result(place, 'keycloak realm.json')
    const service = await serviceOn(place)
    assert.equal(await enter(service, at(service, idOf(), own)), 'alice')
    await service.stop()
    const again = await result(place, 'keycloak again.json --on-conflict update')
    assert.equal(again.updated, 1)
    const counters = await place.withStorage(async (storage) =>
      (await storage.passkeys.list(idOf())).map((one) => one.counter),
    )
    assert.deepEqual(counters.sort(), [0, 6])
  })
})

describe('passkeys in an export', () => {
  it('leave in either kind, and work where they are imported at the same host', async (t) => {
    const [second, own] = [key(), key()]
    const credentials = [keycloakKey(second, 'webauthn'), keycloakKey(own, 'webauthn-passwordless')]
    const { place } = await imported(t, realmOf({ alice: [...credentials, keycloakApp('GEZDGNBVGY3TQOJQGEZDGNBV')] }))
    for (const kind of ['users', 'keycloak']) {
      const { stderr, there } = await arrived(t, place, kind)
      assert.doesNotMatch(stderr, /passkeys|no other one that leaves/)
      await using service = await serviceOn(there)
      const [, passkey] = [at(service, idOf(), second), at(service, idOf(), own)]
      assert.equal(await enter(service, passkey), 'alice')
      assert.equal(await enter(service, second), 'invalid_credentials')
      assert.equal(await provedBy(await halfWay(service, 'alice'), second), null)
    }
  })

  it('stand in for an app where the key is asked for after the password, and not in Keycloak', async (t) => {
    const [second, own] = [key(), key()]
    const people = { alice: [keycloakKey(second, 'webauthn')], bob: [keycloakKey(own, 'webauthn-passwordless')] }
    const { place } = await imported(t, realmOf(people))
    const users = await arrived(t, place, 'users')
    assert.doesNotMatch(users.stderr, /no other one that leaves/)
    assert.equal((await find(users.there, 'alice')).requiredActions, undefined)
    await using service = await serviceOn(users.there)
    at(service, idOf(), second)
    assert.equal(await enter(service, second), 'invalid_credentials')
    assert.equal(await provedBy(await halfWay(service, 'alice'), second), null)

    const realm = await arrived(t, place, 'keycloak')
    assert.match(realm.stderr, /not exported, for 1 person: second factors of people who have no other one that leaves/)
    const [alice, bob] = JSON.parse(readFileSync(join(place.folder, 'keycloak.out'), 'utf8')).users
    assert.deepEqual([alice.requiredActions, alice.emailVerified], [['CONFIGURE_TOTP', 'VERIFY_EMAIL'], false])
    assert.deepEqual([alice.attributes.hadSecondFactor, bob.attributes.hadSecondFactor], [['true'], undefined])
    // Where the key can be asked for again, the password is not enough either.
    await using back = await serviceOn(realm.there, mail)
    assert.equal(await stepAfterPassword(back, 'alice'), '/Account/SecondFactor')
  })
})

describe('passkeys in a file of users', () => {
  it('come with the person, and those that cannot are left out by name', async (t) => {
    const own = key()
    const one = { credential_id: own.credentialId, public_key: Buffer.from(own.publicKey).toString('base64url') }
    const bob = { id: 'bob-id', username: 'bob', email: 'bob@acme.example' }
    const place = placeWith(t, {
      'people.jsonl': lines(
        {
          ...bob,
          passkeys: [
            { ...one, name: 'Phone' },
            { ...one, name: 'Copy' },
            { ...one, rp_id: 'acme.example' },
          ],
        },
        { username: 'carol', passkeys: ['x'] },
        { username: 'dave', passkeys: [{ ...one, public_key: '', second_factor: true }] },
      ),
    })
    const found = await result(place, 'users people.jsonl')
    assert.deepEqual([found.created, found.rows.map(({ line }) => line)], [2, [2]])
    assert.match(found.rows[0]?.reason ?? '', /passkeys must be a list of at most 100 objects/)
    assert.deepEqual(said(found, 'bob'), [
      'lost passkeys: bob: The passkey "Copy" is there twice.',
      'lost passkeys: bob: The passkey "Passkey" belongs to the host acme.example, and this service is at localhost.',
    ])
    assert.equal((await find(place, 'dave')).hadSecondFactor, true)
    await using service = await serviceOn(place)
    assert.equal(await enter(service, at(service, 'bob-id', own)), 'bob')
  })

  it('sign in who was here under another id before, by the handle of the former system alone, there and after an export (WebAuthn §7.2)', async (t) => {
    const own = key()
    const handle = (text: string) => Buffer.from(text).toString('base64url')
    const passkey = { credential_id: own.credentialId, public_key: Buffer.from(own.publicKey).toString('base64url') }
    const alice = { username: 'alice', email: 'alice@acme.example', email_verified: true }
    const place = placeWith(t, {
      'here.jsonl': lines(alice, { ...alice, id: 'former', username: 'former', email: 'former@acme.example' }),
      'there.jsonl': lines({ ...alice, passkeys: [{ ...passkey, user_handle: handle('former') }] }),
    })
    await result(place, 'users here.jsonl')
    const { id } = await find(place, 'alice')
    const found = await result(place, 'users there.jsonl --on-conflict update')
    assert.deepEqual([found.updated, said(found, 'alice')], [1, []])
    {
      await using service = await serviceOn(place)
      // Who has that id here is somebody else: the credential says who it is.
      assert.equal(await enter(service, at(service, 'former', own)), 'alice')
      for (const userHandle of [handle(id), handle('other'), '', null]) {
        assert.equal(await enter(service, own, { userHandle }), 'invalid_credentials')
      }
    }
    const { there } = await arrived(t, place, 'users')
    await using service = await serviceOn(there)
    assert.equal(await enter(service, at(service, 'former', own)), 'alice')
    assert.equal(await enter(service, own, { userHandle: handle(id) }), 'invalid_credentials')
  })

  it('come without the id of the former system with a finding, and with the handle that it gave', async (t) => {
    const [own, named, odd] = [key(), key(), key()]
    const record = (one: Authenticator) => ({
      ...{ credential_id: one.credentialId, public_key: Buffer.from(one.publicKey).toString('base64url') },
    })
    const place = placeWith(t, {
      'people.jsonl': lines(
        { username: 'ann', passkeys: [{ ...record(own), user_handle: null }] },
        { username: 'ben', passkeys: [{ ...record(named), user_handle: 'Zm9ybWVy' }] },
        { username: 'cid', id: 'cid-id', passkeys: [{ ...record(odd), user_handle: 'A'.repeat(88) }] },
      ),
    })
    const found = await result(place, 'users people.jsonl')
    assert.match(said(found, 'ann').join(), /^changed passkeys: ann comes without the id of the former system/)
    assert.deepEqual(said(found, 'ben'), [])
    assert.match(said(found, 'cid').join(), /^lost passkeys: .* has a user handle that is not 1 to 64 bytes/)
    await using service = await serviceOn(place)
    assert.equal(await enter(service, at(service, 'former', named)), 'ben')
  })
})

/** `Data` of a row of ASP.NET Core Identity 10; `bytes`: as its database keeps them. */
function identityData(own: Authenticator, userId: string, rpId: string, bytes: (text: string) => string, more: object) {
  const made = own.create({
    challenge: 'AA',
    rp: { id: rpId },
    user: { id: Buffer.from(userId).toString('base64url') },
  })
  return JSON.stringify({
    ...{ Name: 'Laptop', CreatedAt: '2026-11-23T23:31:47.93391+00:00', SignCount: 3, Transports: ['internal'] },
    ...{ IsBackedUp: false, IsBackupEligible: false, IsUserVerified: true },
    PublicKey: bytes(Buffer.from(own.publicKey).toString('base64url')),
    AttestationObject: bytes(made.response.attestationObject),
    ClientDataJson: bytes(made.response.clientDataJSON),
    ...more,
  })
}

describe('a passkey of ASP.NET Core Identity', () => {
  const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64')
  const hex = (text: string) => Buffer.from(text, 'base64url').toString('hex').toUpperCase()
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const tables = (rows: readonly string[]) => ({
    AspNetUsers: `Id,UserName,Email,EmailConfirmed,TwoFactorEnabled\n1,ann,ann@example.com,1,0\n2,ben,ben@example.com,1,1\n`,
    AspNetUserPasskeys: `CredentialId,UserId,Data\n${rows.join('\n')}\n`,
  })
  const row = (own: Authenticator, id: string, data: string) =>
    `\\x${Buffer.from(own.credentialId, 'base64url').toString('hex')},${id},${quoted(data)}`

  it('signs in by itself, whether bytes are Base64 or hexadecimal, and after the password of whoever had a second factor', async (t) => {
    const [ann, ben] = [key(3), key(3)]
    const rows = [
      row(ann, '1', identityData(ann, '1', 'localhost', base64, {})),
      row(ben, '2', identityData(ben, '2', 'localhost', hex, { Name: null })),
    ]
    const place = placeWith(t, wholeFolder('tables', tables(rows)))
    const found = await result(place, 'aspnet-identity tables')
    assert.deepEqual(said(found, 'ann'), [])
    assert.match(said(found, 'ben').join(), /^changed TwoFactorEnabled: .* asks for a passkey after the password/)
    await using service = await serviceOn(place)
    const kept = [...(await service.storage.passkeys.list('1')), ...(await service.storage.passkeys.list('2'))]
    assert.deepEqual(
      kept.map(({ name, counter, synced, createdAtMs }) => [
        name,
        counter,
        synced,
        new Date(createdAtMs).toISOString(),
      ]),
      [
        ['Laptop', 3, false, '2026-11-23T23:31:47.933Z'],
        ['Passkey', 3, false, '2026-11-23T23:31:47.933Z'],
      ],
    )
    for (const [name, id, own] of [
      ['ann', '1', ann],
      ['ben', '2', ben],
    ] as const) {
      assert.equal(await enter(service, at(service, id, own)), name)
    }
  })

  it('of another host, or that cannot be read, is named, and its person comes', async (t) => {
    const [far, bad] = [key(), key()]
    const rows = [
      row(far, '1', identityData(far, '1', 'acme.example', base64, {})),
      row(bad, '1', identityData(bad, '1', 'localhost', base64, { PublicKey: 'pQ==' })),
      row(bad, '2', 'no JSON'),
    ]
    const place = placeWith(t, wholeFolder('tables', tables(rows)))
    const found = await result(place, 'aspnet-identity tables')
    assert.equal(found.created, 2)
    const [first = '', second = ''] = said(found, 'ann')
    assert.match(first, /^lost AspNetUserPasskeys: .*belongs to the host .*, and this service is at localhost/)
    assert.match(second, /^lost AspNetUserPasskeys: .*has a public key that cannot be read/)
    assert.match(said(found, 'ben').join(), /has no credential id.*held TwoFactorEnabled/)
    assert.deepEqual(await place.withStorage((storage) => storage.passkeys.list('1')), [])
  })

  it('of a real database comes', async (t) => {
    if (skipped(t)) return
    const place = placeWith(t, {})
    await result(place, `aspnet-identity ${aspNetData.path('aspnet-acme.sqlite')}`)
    const id = 'a2f536db-c7b1-49c0-80f8-11c201e325e4'
    const [kept] = await place.withStorage((storage) => storage.passkeys.list(id))
    assert.deepEqual([kept?.name, kept?.counter, kept?.aaguid], ['Laptop', 1, '01020304-0506-0708-0102-030405060708'])
  })
})

/** Attestation of passkeys, where an operator names the manufacturers of authenticators (WebAuthn §6.5). */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Authenticator, type Cbor, type Ceremony } from '../../support/authenticator.ts'
import { authorizePath, Browser, claimsOf, codeFields, locationOf, postToken } from '../../support/browser.ts'
import { certificate, oids, pemOf, type Subject } from '../../support/certificates.ts'
import { addClient, addUser, serviceForFile, startService } from '../../support/service.ts'

const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const named = (cn: string, ou = 'Authenticator Attestation'): Subject => [
  [[oids.c, 'CH']],
  [[oids.o, 'Keys Ltd']],
  [[oids.ou, ou]],
  [[oids.cn, cn]],
]
/** Certificates live around the time of the service, which tests move on. */
const from = new Date(Date.now() - 86_400_000)
const until = new Date(Date.now() + 86_400_000)

const root = pair()
const rootName = named('Root', 'Roots')
const rootDer = certificate({ subject: rootName, keys: root, ca: true, from, until }).der
const byRoot = { subject: rootName, privateKey: root.privateKey }

/** A statement of the format `packed`, signed by the key of the first certificate. */
const packed =
  (key: KeyObject, x5c: readonly Uint8Array[]): NonNullable<Ceremony['attest']> =>
  (signed) =>
    new Map<string, Cbor>([
      ['alg', -7],
      ['sig', sign('sha256', signed, key)],
      ['x5c', x5c],
    ])

const folder = await mkdtemp(join(tmpdir(), 'latchkey-attestation-'))
const file = join(folder, 'manufacturers.pem')
const other = certificate({ subject: named('Another'), ca: true, from, until }).der
await writeFile(file, `Manufacturers\n${pemOf(other)}\n${pemOf(rootDer)}`)
const service = await serviceForFile({ Accounts__PasskeyManufacturers: file })
await addClient(service, { id: 'known', consent: 'implicit' })
after(async () => {
  await rm(folder, { recursive: true })
})

/** Adds a passkey for a new person, signs in with it, and returns what the id token and the account area say. */
async function told(ceremony: Ceremony, { synced = false } = {}) {
  const name = `person-${randomBytes(6).toString('hex')}`
  await addUser(service, name)
  const browser = await Browser.signedIn(service, { username: name })
  const authenticator = new Authenticator(service, { synced })
  const options = (await browser.self('POST', '/passkeys/options')).body
  assert.equal(options.attestation, 'direct')
  const credential = authenticator.create(options, ceremony)
  const added = await browser.self('POST', '/passkeys', { name: 'key', credential })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  const { acr, amr } = await signedInWith(authenticator)
  return { attested: added.body.attested, acr, amr: amr[0] }
}

async function signedInWith(authenticator: Authenticator) {
  const browser = new Browser(service)
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json', RequestVerificationToken: await browser.antiforgeryToken() },
    body: JSON.stringify({ purpose: 'signin' }),
  }
  const options = (await (await browser.fetch('/Account/PasskeyOptions', sent)).json()) as { challenge: string }
  const ReturnUrl = authorizePath({ client_id: 'known', acr_values: 'phrh phr' })
  const credential = JSON.stringify(authenticator.get(options))
  const entered = await browser.submit('/Account/PasskeyLogin', { credential, ReturnUrl })
  const answer = await browser.get(entered.headers.get('location') ?? '')
  const code = locationOf(answer).searchParams.get('code')
  assert.ok(code, 'a code')
  const { body } = await postToken(service, codeFields(code, { client_id: 'known' }))
  return claimsOf(body.id_token)
}

const hardware = { attested: true, acr: 'phrh', amr: 'hwk' }
const software = { attested: false, acr: 'phr', amr: 'swk' }

describe('a passkey, where an operator names manufacturers', () => {
  it('is bound to hardware if its attestation leads to one of them, over an intermediate certificate too', async () => {
    const keys = pair()
    const { der } = certificate({ subject: named('Key'), keys, issuer: byRoot, from, until })
    assert.deepEqual(await told({ fmt: 'packed', attest: packed(keys.privateKey, [der]) }), hardware)
    const middle = pair()
    const middleName = named('Middle', 'Middles')
    const middleDer = certificate({ subject: middleName, keys: middle, issuer: byRoot, ca: true, from, until }).der
    const issuer = { subject: middleName, privateKey: middle.privateKey }
    const leaf = certificate({ subject: named('Key'), keys, issuer, from, until }).der
    for (const x5c of [
      [leaf, middleDer],
      [leaf, middleDer, rootDer],
    ]) {
      assert.deepEqual(await told({ fmt: 'packed', attest: packed(keys.privateKey, x5c) }), hardware)
    }
    assert.deepEqual(
      await told({ fmt: 'packed', attest: packed(keys.privateKey, [leaf]) }),
      software,
      'a link is missing',
    )
  })

  it('is one that may be copied otherwise, whatever it says of itself, and signs in as such', async () => {
    const keys = pair()
    const { der } = certificate({ subject: named('Key'), keys, issuer: byRoot, from, until })
    const late = { from: new Date(from.getTime() - 86_400_000), until: new Date(Date.now() - 3_600_000) }
    const expired = certificate({ subject: named('Key'), keys, issuer: byRoot, ...late }).der
    const own = certificate({ subject: named('Key'), keys, from, until }).der
    const imitated = certificate({
      subject: named('Key'),
      keys,
      issuer: { subject: rootName, privateKey: keys.privateKey },
      from,
      until,
    }).der
    // A certificate that may issue none issued the second one.
    const issuer = { subject: named('Key'), privateKey: keys.privateKey }
    const forged = pair()
    const byLeaf = certificate({ subject: named('Key'), keys: forged, issuer, from, until }).der
    const unit = certificate({ subject: named('Key', 'Anything'), keys, issuer: byRoot, from, until }).der
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 17 })
    const dear = certificate({ subject: named('Key'), keys: rsa, issuer: byRoot, from, until }).der
    const statements: [string, Ceremony][] = [
      ['none', {}],
      ['signed by another key', { fmt: 'packed', attest: packed(pair().privateKey, [der]) }],
      ['expired', { fmt: 'packed', attest: packed(keys.privateKey, [expired]) }],
      ['of its own', { fmt: 'packed', attest: packed(keys.privateKey, [own]) }],
      ['with the name of the root', { fmt: 'packed', attest: packed(keys.privateKey, [imitated]) }],
      ['issued by a leaf', { fmt: 'packed', attest: packed(forged.privateKey, [byLeaf, der]) }],
      ['of another unit', { fmt: 'packed', attest: packed(keys.privateKey, [unit]) }],
      ['with a dear key', { fmt: 'packed', attest: packed(keys.privateKey, [dear]) }],
      ['with many certificates', { fmt: 'packed', attest: packed(keys.privateKey, [der, ...Array(5).fill(rootDer)]) }],
      ['with a certificate that is none', { fmt: 'packed', attest: packed(keys.privateKey, [Buffer.from('x')]) }],
      ['of a format without one', { fmt: 'apple', attest: packed(keys.privateKey, [der]) }],
      ['in a statement that is none', { fmt: 'packed', attStmt: 'x' }],
    ]
    for (const [what, ceremony] of statements) assert.deepEqual(await told(ceremony), software, what)
  })

  it('that is synced is one that may be copied, although it is attested', async () => {
    const keys = pair()
    const { der } = certificate({ subject: named('Key'), keys, issuer: byRoot, from, until })
    const synced = await told({ fmt: 'packed', attest: packed(keys.privateKey, [der]) }, { synced: true })
    assert.deepEqual(synced, { attested: true, acr: 'phr', amr: 'swk' })
  })
})

describe('a file of manufacturers', () => {
  it('that is missing, empty or broken refuses the start by its name', async () => {
    const broken = join(folder, 'broken.pem')
    for (const [content, fault] of [
      [undefined, /Accounts:PasskeyManufacturers: .*broken\.pem cannot be read/],
      ['', /has no certificate/],
      ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /number 1/],
    ] as const) {
      if (content !== undefined) await writeFile(broken, content)
      await assert.rejects(startService({ Accounts__PasskeyManufacturers: broken }), fault)
    }
  })
})

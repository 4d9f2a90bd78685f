/** `latchkey import … --sync` and `--compare`: authenticator apps and passkeys (connections, section 7, Again). */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { appsOf, withApps } from '../../src/users/second-factor.ts'
import { Authenticator } from '../support/authenticator.ts'
import { keycloakApp, keycloakCodes, keycloakKey, realmOf } from './factors-place.ts'
import { countsOf, find, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'

const day = 86_400_000
const [first, second, third] = ['GEZDGNBVGY3TQOJQ', 'JBSWY3DPEHPK3PXP', 'KRSXG5CTMVRXEZLU'].map((one) =>
  keycloakApp(one.repeat(2), {}, one),
) as [object, object, object]
const key = (type: 'webauthn' | 'webauthn-passwordless') =>
  keycloakKey(new Authenticator({ issuer: 'http://localhost:1/' }, {}), type)
const realm = (people: Readonly<Record<string, readonly object[]>>): string =>
  realmOf(people as Parameters<typeof realmOf>[0], {
    ...{ webAuthnPolicyRpId: 'localhost', webAuthnPolicyPasswordlessRpId: 'localhost' },
  })
const idOf = (at: number) => `6a3f1df9-f03a-43c0-9bd9-7e57731f64${at + 10}`
const reasons = ({ findings }: Result) => findings.filter(({ kind }) => kind === 'person').map(({ reason }) => reason)

/** A workplace that these people came to a day ago. */
async function moved(t: TestContext, people: Readonly<Record<string, readonly object[]>>): Promise<Workplace> {
  const place = placeWith(t, { 'realm.json': realm(people) })
  assert.equal((await result(place, 'keycloak realm.json')).created, Object.keys(people).length)
  place.nowMs += day
  return place
}

async function sync(place: Workplace, people: Readonly<Record<string, readonly object[]>>, options = '--sync') {
  writeFileSync(join(place.folder, 'realm.json'), realm(people))
  const found = await result(place, `keycloak realm.json ${options}`)
  place.nowMs += day
  return found
}

const apps = (place: Workplace, at: number) =>
  place.withStorage(async ({ secondFactors }) => appsOf(await secondFactors.find(idOf(at))).map(({ name }) => name))
const keys = (place: Workplace, at: number) =>
  place.withStorage(async ({ passkeys }) => (await passkeys.list(idOf(at))).length)

describe('import --sync of several authenticator apps', () => {
  it('brings them all where one changed there, and leaves them all where one was removed here', async (t) => {
    const place = await moved(t, { alice: [first, second], bob: [first, second] })
    const same = { alice: [second, first], bob: [first, second] }
    assert.deepEqual(countsOf(await sync(place, same)), [2, 0, 0, 2, 0])
    await place.withStorage(({ secondFactors }) =>
      secondFactors.change(idOf(1), ({ factors = assert.fail() }) => ({
        factors: withApps(factors, appsOf(factors).slice(1)),
      })),
    )
    const found = await sync(place, { alice: [first, third], bob: [first, third] })
    assert.deepEqual(reasons(found), ['totp_secret of bob was changed here as well, and stays as it is here.'])
    assert.deepEqual(
      [await apps(place, 0), await apps(place, 1)],
      [['GEZDGNBVGY3TQOJQ', 'KRSXG5CTMVRXEZLU'], ['JBSWY3DPEHPK3PXP']],
    )
  })
})

describe('import --sync of passkeys', () => {
  it('names those that are new or gone there, adds and removes none, and does not bring back what was removed here', async (t) => {
    const [one, two] = [key('webauthn-passwordless'), key('webauthn-passwordless')]
    const place = await moved(t, { alice: [one], bob: [one] })
    // The second person of one credential id comes without it.
    assert.deepEqual([await keys(place, 0), await keys(place, 1)], [1, 0])
    assert.deepEqual(reasons(await sync(place, { alice: [one], bob: [one] })), [])
    const named =
      'The passkeys of alice changed there, and stay as they are here. --on-conflict update brings new ones.'
    assert.deepEqual(reasons(await sync(place, { alice: [one, two], bob: [one] })), [named])
    assert.equal(await keys(place, 0), 1)
    assert.deepEqual(reasons(await sync(place, { alice: [], bob: [one] })), [named])
    assert.equal(await keys(place, 0), 1)
    const compared = await place.run('import keycloak realm.json --compare --json')
    assert.equal(compared.code, 2)
    const { differences } = JSON.parse(compared.stdout)
    assert.deepEqual(
      differences.filter(({ member }: { member: string }) => member === 'passkeys'),
      ['alice', 'bob'].map((source) => ({ kind: 'person', source, member: 'passkeys' })),
    )
    await place.withStorage(async ({ passkeys }) => {
      const [kept] = await passkeys.list(idOf(0))
      assert.equal(await passkeys.remove(idOf(0), kept?.id ?? '', { providers: [] }), 'removed')
    })
    assert.deepEqual(reasons(await sync(place, { alice: [one], bob: [one] })), [named])
    assert.equal(await keys(place, 0), 0)
    await sync(place, { alice: [one, two], bob: [] }, '--on-conflict update')
    assert.equal(await keys(place, 0), 2)
  })

  it('holds whoever has a security key in place of the app there', async (t) => {
    const place = await moved(t, { alice: [first] })
    const found = await sync(place, { alice: [key('webauthn')] })
    assert.match(reasons(found).join(), /The passkeys of alice changed there/)
    assert.deepEqual([await apps(place, 0), await keys(place, 0)], [[], 0])
    assert.equal((await find(place, 'alice')).hadSecondFactor, true)
  })

  it('keeps the recovery codes of a passkey where the app ended there', async (t) => {
    const [own, codes] = [key('webauthn-passwordless'), keycloakCodes(['2V7XK9QWRT00'])]
    const place = await moved(t, { alice: [first, own, codes] })
    await sync(place, { alice: [own] })
    const factors = await place.withStorage(({ secondFactors }) => secondFactors.find(idOf(0)))
    assert.deepEqual([appsOf(factors).length, factors?.recoveryHashes.length], [0, 1])
  })
})

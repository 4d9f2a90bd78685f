import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { secretUses } from '../../src/keys/lifecycle.ts'
import { uuidv7 } from '../../src/secrets/opaque.ts'
import { placeAfter, workplace } from './run.ts'

/** Two signing keys, the key of the audit trail, and a secret for each use. */
const ringSize = 3 + secretUses.length
/** Those that a rotation renews: all but the secret of pairwise subject identifiers. */
const renewed = ringSize - 1

type PrintedKey = { use: string; algorithm: string; state: string; active_at: string; expires_at: string | null }

describe('latchkey keys', () => {
  it('lists nothing but a hint before the first start [C2.21]', async (t) => {
    const place = workplace(t)
    assert.match((await place.run('keys list')).stdout, /There are no keys yet/)
    assert.deepEqual(await place.json('keys list'), [])
  })

  it('rotates: successors are published, the old keys stay active until they take over [C2.21]', async (t) => {
    const place = workplace(t)
    const added = (await place.json('keys rotate')) as PrintedKey[]
    assert.deepEqual(
      added.map(({ use, algorithm, state }) => `${use} ${algorithm} ${state}`),
      [
        'sign ES256 published',
        'sign RS256 published',
        ...secretUses.filter((use) => use !== 'pairwise').map((use) => `${use} secret published`),
        'audit ES256 published',
      ],
    )
    const listed = (await place.json('keys list')) as PrintedKey[]
    assert.equal(listed.filter(({ state }) => state === 'active').length, ringSize)
    assert.equal(listed.length, ringSize + renewed)
    place.nowMs += 5 * 60_000
    const later = (await place.json('keys list')) as PrintedKey[]
    assert.equal(later.filter(({ state }) => state === 'active').length, ringSize)
    assert.equal(later.filter(({ state }) => state === 'retired').length, renewed)
    assert.match((await place.run('keys list')).stdout, /^ID +USE +ALGORITHM +STATE +ACTIVE FROM +KEPT UNTIL\n/)
  })

  it('publishes successors as long ahead as it is told, 300 seconds or more', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    place.nowMs += 300_000
    const added = (await place.json('keys rotate --ahead 43200')) as PrintedKey[]
    assert.equal(added.length, renewed)
    const activeAtMs = place.nowMs + 43_200_000
    assert.ok(added.every(({ active_at, state }) => state === 'published' && Date.parse(active_at) === activeAtMs))
    const states = async () =>
      ((await place.json('keys list')) as PrintedKey[]).filter(({ state }) => state === 'active')
    const before = await states()
    place.nowMs = activeAtMs - 1000
    assert.deepEqual(await states(), before)
    place.nowMs = activeAtMs
    const renewing = (await states()).filter(({ use }) => use !== 'pairwise')
    assert.ok(renewing.every(({ active_at }) => Date.parse(active_at) === activeAtMs))
    for (const wrong of ['299', '2592001', '1.5', '-300', 'x', '1e3']) {
      await place.misuses(`keys rotate --ahead=${wrong}`, /must be a whole number from 300 to 2592000/)
    }
    await place.misuses('keys rotate --ahead 300 --lost-master-key', /cannot be used with/)
  })

  it("has a client's key as soon as the algorithm is set, whatever else signs with that algorithm", async (t) => {
    const place = workplace(t)
    const env = { OAuth__AccessTokenAlgorithm: 'RS256' }
    await place.run('keys rotate', { env })
    const signing = async () =>
      ((await place.json('keys list', { env })) as PrintedKey[])
        .filter(({ use, state }) => use === 'sign' && state === 'active')
        .map(({ algorithm }) => algorithm)
        .sort()
    assert.deepEqual(await signing(), ['RS256'])
    await place.run('client add app --redirect-uri https://app.example/', { env })
    // The audit trail has a key of the same algorithm.
    await place.json('client set app id_token_signed_response_alg=ES256', { env })
    assert.deepEqual(await signing(), ['ES256', 'RS256'])
  })

  it('of a type that some libraries refuse come with a warning, and go with the last client that asks', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    const active = async () =>
      ((await place.json('keys list')) as PrintedKey[]).filter(({ state }) => state === 'active' || state === 'retired')
    const before = (await active()).length
    const added = await place.run(
      'client add app id_token_signed_response_alg=EdDSA --redirect-uri https://app.example/',
    )
    assert.match(
      added.stderr,
      /^warning: app: EdDSA puts a key of the type OKP .*OpenIddict 6\.0 \(\.NET\) and ruby-jwt/,
    )
    assert.equal((await active()).length, before + 1)
    const examined = await place.run('doctor')
    assert.equal(examined.code, 0)
    assert.match(examined.stdout, /! EdDSA puts a key of the type OKP .*ruby-jwt.*\n.*latchkey keys rotate/)
    await place.run('client set app id_token_signed_response_alg=RS256')
    assert.equal((await active()).length, before)
    assert.doesNotMatch((await place.run('doctor')).stdout, /OKP/)
    place.nowMs += 1000
    await place.run('client set app userinfo_signed_response_alg=EdDSA')
    assert.equal((await active()).length, before + 1)
    assert.equal((await place.run('client delete app --yes')).code, 0)
    assert.equal((await active()).length, before)
  })

  it('prints no private part', async (t) => {
    const place = workplace(t)
    const { stdout } = await place.run('keys rotate --json')
    assert.doesNotMatch(stdout, /"(?:d|wrapped|publicJwk)"/)
  })

  it('says in one line what to do when the master key is gone, and how to go on without it', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    rmSync(join(place.folder, 'data', 'latchkey.db.key'))
    await place.refuses('keys rotate', /Restore it from a backup.*latchkey keys rotate --lost-master-key/)
    const { stdout } = await place.run('keys rotate --lost-master-key')
    assert.match(stdout, new RegExp(`${ringSize} new keys are in use`))
    assert.equal((await place.run('doctor')).code, 0)
  })

  it('gives up no keys that still decrypt, and says what to run in place of that', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    const before = await place.json('keys list')
    const advice = new RegExp(
      `${ringSize + renewed} keys decrypt with the one from \\S+latchkey\\.db\\.key.* run: latchkey keys rotate$`,
      'm',
    )
    await place.refuses('keys rotate --lost-master-key', advice)
    assert.deepEqual(await place.json('keys list'), before)
    // A second time: what was lost stays lost, and what was made in its place is not given up either.
    rmSync(join(place.folder, 'data', 'latchkey.db.key'))
    assert.equal((await place.run('keys rotate --lost-master-key')).code, 0)
    await place.refuses('keys rotate --lost-master-key', /The master key is not lost/)
    place.nowMs += 1000
    assert.equal((await place.run('keys rotate')).code, 0)
  })

  it('refuses another master key [C2.24]', async (t) => {
    const place = await placeAfter(t, 'keys rotate')
    const env = { Keys__MasterKey: Buffer.alloc(32).toString('base64') }
    await place.refuses('keys rotate', /cannot be decrypted with the master key from Keys:MasterKey/, { env })
    const { code, stdout } = await place.run('doctor', { env })
    assert.equal(code, 1)
    assert.match(stdout, /✗ The keys in the database cannot be decrypted/)
  })
})

describe('latchkey authorizations', () => {
  it('lists what a user consented to, and takes it back [C2.23]', async (t) => {
    const place = await placeAfter(
      t,
      'user add alice --email a@b --no-password',
      'client add app --redirect-uri https://a.example/ --scope offline_access',
    )
    assert.match((await place.run('authorizations list --user alice')).stdout, /No consent of alice is stored/)
    const id = uuidv7(place.nowMs)
    await place.withStorage(async (storage) => {
      const user = await storage.users.findByName('alice')
      const scopes = ['offline_access', 'openid']
      await storage.authorizations.store({
        id,
        userId: user?.id ?? '',
        clientId: 'app',
        scopes,
        createdAtMs: place.nowMs,
      })
    })
    const [listed] = (await place.json('authorizations list --user ALICE')) as Record<string, unknown>[]
    assert.deepEqual([listed?.id, listed?.client_id, listed?.scopes], [id, 'app', ['offline_access', 'openid']])
    assert.equal(listed?.created_at, '2027-01-01T00:00:00.000Z')
    assert.deepEqual(await place.json(`authorizations revoke ${id}`), { id, revoked: true })
    await place.refuses(`authorizations revoke ${id}`, /There is no consent/)
    assert.deepEqual(await place.json('authorizations list --user alice'), [])
  })

  it('needs a user who is there', async (t) => {
    const place = workplace(t)
    await place.refuses('authorizations list --user bob', /There is no user called bob/)
    await place.misuses('authorizations list', /required option '--user/)
  })

  it('publishes the key of an algorithm that a client registers, at once and one for all clients', async (t) => {
    const place = workplace(t)
    const algorithms = async () =>
      ((await place.json('keys list')) as PrintedKey[])
        .filter(({ use }) => use === 'sign')
        .map(({ algorithm }) => algorithm)
    const client = '--redirect-uri https://a.example/ id_token_signed_response_alg'
    await place.run(`client add early ${client}=PS256`)
    assert.deepEqual(await algorithms(), [], 'before the first start there is no key ring')
    await place.run('keys rotate')
    await place.run(`client add one ${client}=EdDSA`)
    await place.run(`client add two ${client}=EdDSA`)
    await place.run('client set two authorization_signed_response_alg=PS256')
    assert.deepEqual((await algorithms()).sort(), ['ES256', 'ES256', 'EdDSA', 'PS256', 'RS256', 'RS256'])
    rmSync(join(place.folder, 'data', 'latchkey.db.key'))
    await place.run(`client add three ${client}=RS256`)
    await place.refuses(`client add four ${client}=ML-DSA-65`, /ML-DSA-65 needs the setting OAuth:PostQuantum/)
  })
})

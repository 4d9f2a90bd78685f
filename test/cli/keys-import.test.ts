import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { calculateJwkThumbprint } from 'jose'
import { openKeyRing } from '../../src/keys/ring.ts'
import { settingsFrom } from '../support/settings.ts'
import { type Workplace, workplace } from './run.ts'

type Listed = { id: string; use: string; algorithm: string; state: string; expires_at: string | null }

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const ed = generateKeyPairSync('ed25519')
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' }) as Record<string, string>
const day = 86_400_000

function placeWith(t: TestContext, content: unknown): Workplace & { file: (content: unknown) => string } {
  const place = workplace(t)
  const file = (text: unknown): string => {
    writeFileSync(join(place.folder, 'keys'), typeof text === 'string' ? text : JSON.stringify(text))
    return join(place.folder, 'keys')
  }
  file(content)
  return Object.assign(place, { file })
}

const imported = async (place: Workplace) =>
  ((await place.json('keys list')) as Listed[]).filter(({ use }) => use === 'imported')

/** The key set of a server on the database of the folder. */
const keySetOf = (place: Workplace) =>
  place.withStorage(async (storage) => {
    const url = { Database__Url: `sqlite:${join(place.folder, 'data/latchkey.db')}` }
    const ring = await openKeyRing({ storage, settings: settingsFrom(url, place.folder), clock: () => place.nowMs })
    return (JSON.parse(ring.keySet()) as { keys: Record<string, string>[] }).keys
  })

describe('latchkey keys import', () => {
  it('takes a JWK Set, drops private parts and keys for encryption, and keeps kid and alg', async (t) => {
    const place = placeWith(t, {
      keys: [
        { ...jwkOf(rsa.privateKey), kid: 'old-rsa', alg: 'RS512', use: 'sig', x5c: ['AAAA'] },
        { ...jwkOf(ec.publicKey) },
        { ...jwkOf(rsa.publicKey), kid: 'enc', use: 'enc', alg: 'RSA-OAEP' },
      ],
    })
    const run = await place.run('keys import keys')
    assert.match(
      run.stdout,
      /old-rsa \(RS512\), .* 1 that do not sign were left out\. They verify id_token_hint, and sign nothing\./,
    )
    const thumbprint = await calculateJwkThumbprint(jwkOf(ec.publicKey))
    const found = await imported(place)
    assert.deepEqual(
      found.map(({ id, algorithm, state }) => [id, algorithm, state]).sort(),
      [
        ['old-rsa', 'RS512', 'retired'],
        [thumbprint, 'ES384', 'retired'],
      ].sort(),
    )
    assert.ok(found.every(({ expires_at: at }) => Date.parse(at ?? '') === place.nowMs + 30 * day))
    const published = (await keySetOf(place)).find(({ kid }) => kid === 'old-rsa')
    const { n, e } = jwkOf(rsa.publicKey)
    assert.deepEqual(published, { e, kty: 'RSA', n, kid: 'old-rsa', alg: 'RS512', use: 'sig' })
    const written = await place.withStorage(({ keys }) => keys.list())
    assert.ok(!JSON.stringify(written).includes(jwkOf(rsa.privateKey).d ?? '-'))
    assert.match((await place.run('keys list')).stdout, /old-rsa +imported +RS512 +retired/)
    assert.match((await place.run('doctor')).stdout, /In the key set, from a former system: .*old-rsa until /)
  })

  it('takes PEM, public or private, with the kid and the end that it is told', async (t) => {
    const place = placeWith(t, ed.privateKey.export({ format: 'pem', type: 'pkcs8' }))
    await place.json('keys import keys --kid ed --until 2099-01-01T00:00:00Z')
    place.file(rsa.publicKey.export({ format: 'pem', type: 'spki' }))
    await place.json('keys import keys')
    place.file(ec.privateKey.export({ format: 'pem', type: 'sec1' }))
    await place.json('keys import keys --kid ec')
    const [first, ...more] = (await imported(place)).toSorted((a, b) => Number(b.id === 'ed') - Number(a.id === 'ed'))
    assert.deepEqual([first?.id, first?.algorithm, first?.expires_at], ['ed', 'EdDSA', '2099-01-01T00:00:00.000Z'])
    const ids = more.map(({ id }) => id).sort()
    assert.deepEqual(ids, [await calculateJwkThumbprint(jwkOf(rsa.publicKey)), 'ec'].sort())
  })

  it('refuses a kid that is in use, also one that left the key set, and adds nothing then', async (t) => {
    const place = placeWith(t, '')
    const own = ((await place.json('keys rotate')) as Listed[]).find(({ use }) => use === 'sign')?.id ?? ''
    place.file({
      keys: [
        { ...jwkOf(ec.publicKey), kid: 'new' },
        { ...jwkOf(rsa.publicKey), kid: own },
      ],
    })
    await place.refuses('keys import keys', new RegExp(`the kid ${own} is in use`))
    assert.deepEqual(await imported(place), [])
    place.file({ keys: [{ ...jwkOf(ec.publicKey), kid: 'new' }] })
    await place.json('keys import keys')
    await place.refuses('keys import keys', /the kid new is in use/)
    place.file(jwkOf(rsa.publicKey))
    await place.refuses('keys import keys --kid new', /the kid new is in use/)
  })

  it('refuses files without a key that signs, and a time that is over', async (t) => {
    const place = placeWith(t, '')
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    for (const [content, pattern] of [
      ['', /neither a JWK Set nor PEM/],
      ['{', /no JSON/],
      [{ keys: 'x' }, /no JWK Set/],
      [{ keys: [] }, /no key that signs/],
      [{ keys: [{ kty: 'oct', k: 'AAAA', kid: 'a' }] }, /none of the types RSA, EC and OKP/],
      [{ keys: [{ ...jwkOf(rsa.publicKey), alg: 'HS256' }] }, /another algorithm/],
      [{ keys: [{ ...jwkOf(rsa.publicKey), kid: 7 }] }, /a kid that is no text/],
      [{ keys: [jwkOf(weak.publicKey)] }, /1024 bits/],
      [{ keys: [jwkOf(rsa.publicKey), jwkOf(rsa.publicKey)] }, /two keys with the kid/],
      [
        rsa.privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }),
        /without a password/,
      ],
    ] as const) {
      place.file(content)
      await place.refuses('keys import keys', pattern)
    }
    place.file({ keys: [jwkOf(rsa.publicKey), jwkOf(ec.publicKey)] })
    await place.refuses('keys import keys --kid a', /--kid names one key, and it has 2/)
    await place.refuses('keys import keys --until 2020-01-01T00:00:00Z', /--until is in the past/)
    await place.misuses('keys import keys --until tomorrow', /Write it like/)
    await place.refuses('keys import nothing', /there is no file .*nothing/)
    assert.deepEqual(await imported(place), [])
  })

  it('keeps them through a rotation and a backup, and drops them at their end', async (t) => {
    const place = placeWith(t, { ...jwkOf(ec.publicKey), kid: 'old' })
    await place.json('keys import keys')
    await place.json('keys rotate')
    const kept = join(place.folder, 'kept.db')
    for (const line of [`db backup ${kept}`, `db restore ${kept} --force`])
      assert.equal((await place.run(line)).code, 0, line)
    assert.deepEqual(
      (await imported(place)).map(({ id }) => id),
      ['old'],
    )
    const has = async () => (await keySetOf(place)).some(({ kid }) => kid === 'old')
    place.nowMs += 30 * day - 1
    assert.ok(await has())
    place.nowMs += 1
    assert.ok(!(await has()))
    assert.deepEqual(
      (await imported(place)).map(({ state }) => state),
      ['expired'],
    )
    await place.withStorage((storage) => storage.sweep(place.nowMs, 100))
    assert.deepEqual(await imported(place), [])
  })
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { argon2idOf, chooseImplementation, nativeArgon2id, nodeArgon2id } from '../../src/secrets/argon2.ts'
import { argon2Implementation } from '../../src/secrets/hash-threads.ts'
import { hashPassword, verifyPassword } from '../../src/secrets/password.ts'

const packageItself = createRequire(import.meta.url)('@node-rs/argon2')
const native = nativeArgon2id()
const today = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

describe('the two implementations of Argon2id (RFC 9106)', () => {
  it('compute the same bytes, for the parameters of today and for those of imported hashes', () => {
    const parameters = [
      today,
      { memory: 8, passes: 1, parallelism: 1, tagLength: 4 },
      { memory: 64, passes: 3, parallelism: 4, tagLength: 32 },
      { memory: 1024, passes: 3, parallelism: 4, tagLength: 64 },
    ]
    for (const chosen of parameters) {
      for (const message of ['Passw0rd!', 'pässword ✓ 😀', 'x'.repeat(1024), ' ', '\u0000']) {
        const request = { ...chosen, message, nonce: randomBytes(16) }
        assert.deepEqual(Buffer.from(native(request)), Buffer.from(nodeArgon2id(request)))
      }
    }
  })

  it('verify the PHC strings of each other', async () => {
    assert.deepEqual(await argon2Implementation(), { name: '@node-rs/argon2' }, 'it is installed where tests run')
    const password = 'Passw0rd!'
    const ours = await hashPassword(password)
    assert.equal(await packageItself.verify(ours, password), true)
    assert.equal(await packageItself.verify(ours, 'passw0rd!'), false)
    const [, salt = '', hash = ''] = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([^$]+)\$([^$]+)$/.exec(ours) ?? []
    const request = { ...today, message: password, nonce: Buffer.from(salt, 'base64') }
    assert.equal(Buffer.from(nodeArgon2id(request)).toString('base64').replaceAll('=', ''), hash)
    const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, algorithm: 2 }
    assert.equal(await verifyPassword(await packageItself.hash(password, options), password), true)
  })
})

describe('the choice of an implementation', () => {
  it('falls on the package when that computes what node:crypto does', () => {
    assert.deepEqual(chooseImplementation(), { name: '@node-rs/argon2' })
  })

  it('falls on node:crypto when the package is not installed, which is no fault', () => {
    const load = () => createRequire('/nowhere/')('@node-rs/argon2')
    assert.deepEqual(chooseImplementation(load), {
      name: 'node:crypto',
      reason: '@node-rs/argon2 is not installed',
      isFault: false,
    })
  })

  it('falls on node:crypto and says why when the package is of no use', () => {
    const cases: ReadonlyArray<readonly [load: () => unknown, reason: RegExp]> = [
      [() => ({ hashRawSync: () => Buffer.alloc(32, 1) }), /^@node-rs\/argon2 computes another hash than node:crypto$/],
      [() => ({ hashRawSync: () => new Uint8Array() }), /computes another hash/],
      [() => ({ hashRawSync: () => assert.fail('out of order') }), /^@node-rs\/argon2 fails: out of order$/],
      [() => ({}), /^@node-rs\/argon2 fails: hashRawSync is not a function$/],
      [
        () => {
          throw new Error('Cannot find native binding.\nA long story')
        },
        /^@node-rs\/argon2 cannot be loaded: Cannot find native binding\.$/,
      ],
    ]
    for (const [load, reason] of cases) {
      const chosen = chooseImplementation(load)
      assert.ok(chosen.name === 'node:crypto' && chosen.isFault, String(reason))
      assert.match(chosen.reason, reason)
    }
  })

  it('leaves to node:crypto what the package alone refuses', () => {
    const request = { ...today, message: 'x', nonce: new Uint8Array(16), memory: 64, passes: 1 }
    const hash = argon2idOf({ name: '@node-rs/argon2' })
    assert.deepEqual(Buffer.from(hash(request)), Buffer.from(nodeArgon2id(request)))
    const long = { ...request, nonce: new Uint8Array(100_000) }
    assert.deepEqual(Buffer.from(hash(long)), Buffer.from(nodeArgon2id(long)))
  })
})

describe('the memory of hashes', () => {
  it('is 19 MiB for each that runs, however many wait, and is given back', () => {
    const program = `
      import { hashesAtOnce, hashPassword, verifyPassword } from ${JSON.stringify(new URL('../../src/secrets/password.ts', import.meta.url))}
      const phc = await hashPassword('Passw0rd!')
      const before = process.memoryUsage.rss()
      const most = async () => {
        await Promise.all(Array.from({ length: 60 }, () => verifyPassword(phc, 'guess')))
        return process.resourceUsage().maxRSS * 1024 - before
      }
      const first = await most()
      const later = await most()
      console.log(JSON.stringify({ hashesAtOnce, first, later, left: process.memoryUsage.rss() - before }))`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    assert.ok(stdout.startsWith('{'), stderr)
    const { hashesAtOnce, first, later, left } = JSON.parse(stdout) as Record<string, number>
    assert.ok(hashesAtOnce !== undefined && first !== undefined && later !== undefined && left !== undefined)
    const mebibyte = 1_048_576
    // Beside the hash a thread has a stack and a heap of its own.
    const bound = hashesAtOnce * (19 + 16) * mebibyte + 16 * mebibyte
    assert.ok(first < bound && later < bound, `${first / mebibyte} and ${later / mebibyte} MiB at most`)
    assert.ok(left < bound - hashesAtOnce * 19 * mebibyte, `${left / mebibyte} MiB left`)
  })
})

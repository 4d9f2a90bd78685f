import assert from 'node:assert/strict'
import { argon2Sync, pbkdf2Sync, scryptSync } from 'node:crypto'
import { describe, it } from 'node:test'
import bcrypt from 'bcryptjs'
import { referenceCostMs } from '../../src/secrets/hash-cost.ts'
import {
  acceptHash,
  isWeakHash,
  needsRehash,
  provesStored,
  verifyPassword,
  wrapHash,
} from '../../src/secrets/password.ts'
import { aspNetV2, aspNetV3, base64 } from '../fixtures/foreign-hashes.ts'

const password = 'Pässw0rd ✓'
const salt = Buffer.from('0123456789abcdef')

const phc = (name: string, hash: Uint8Array, of: Uint8Array = salt) => `$${name}$${base64(of)}$${base64(hash)}`
const pbkdf2 = (rounds: number, length: number, digest: string) => pbkdf2Sync(password, salt, rounds, length, digest)
const argon2 = (kind: 'argon2i' | 'argon2d') =>
  argon2Sync(kind, { message: password, nonce: salt, memory: 64, passes: 2, parallelism: 2, tagLength: 24 })

/** The project of the vector that Firebase publishes with its algorithm. */
const firebaseKey = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA'

/** Each with whether it is weak, and a password if it is not the one above. */
const hashes: readonly (readonly [name: string, text: string, isWeak: boolean, password?: string])[] = [
  ['ASP.NET Identity version 2', aspNetV2(password), true],
  ['ASP.NET Identity version 3, HMAC-SHA256', aspNetV3(password, 1, 10_000), true],
  ['ASP.NET Identity version 3, HMAC-SHA512', aspNetV3(password, 2, 100_000), true],
  ['ASP.NET Identity version 3, HMAC-SHA1', aspNetV3(password, 0, 2000), true],
  ['ASP.NET Identity version 3 with enough rounds', aspNetV3(password, 2, 210_000), false],
  ['PBKDF2 as a PHC string', phc('pbkdf2-sha256$i=1000', pbkdf2(1000, 32, 'sha256')), true],
  ['PBKDF2 as passlib writes it', phc('pbkdf2-sha512$1200', pbkdf2(1200, 64, 'sha512')), true],
  ['PBKDF2 without a digest, which is SHA-1', phc('pbkdf2$i=1000', pbkdf2(1000, 20, 'sha1')), true],
  ['PBKDF2 with 600,000 rounds', phc('pbkdf2-sha256$i=600000,l=32', pbkdf2(600_000, 32, 'sha256')), false],
  ['scrypt', phc('scrypt$ln=10,r=8,p=2', scryptSync(password, salt, 32, { N: 1024, r: 8, p: 2 })), false],
  ['Argon2i', phc('argon2i$v=19$m=64,t=2,p=2', argon2('argon2i')), false],
  ['Argon2d', phc('argon2d$v=19$m=64,t=2,p=2', argon2('argon2d')), false],
  ['bcrypt with a low cost', bcrypt.hashSync(password, 4), true],
  ['bcrypt with a sufficient cost', bcrypt.hashSync(password, 10), false],
  ['the vector of bcrypt', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', true, 'U*U'],
  [
    'the vector of Firebase',
    `$firebase-scrypt$ln=14,r=8,sep=Bw,key=${firebaseKey}$42xEC+ixf3L2lw$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ`,
    false,
    'user1password',
  ],
]

describe('password hashes of other systems', () => {
  for (const [name, text, isWeak, known = password] of hashes) {
    it(`verify as they are, and wrapped if they are weak: ${name}`, async () => {
      const stored = acceptHash(text)
      assert.ok(stored !== undefined, text)
      assert.equal(acceptHash(stored), stored, 'the canonical form is its own')
      assert.equal(await verifyPassword(stored, known), true)
      assert.equal(await verifyPassword(stored, `${known}x`), false)
      assert.equal(needsRehash(stored), true)
      assert.equal(isWeakHash(stored), isWeak)

      const wrapped = await wrapHash(stored)
      assert.equal(wrapped !== undefined, isWeak)
      if (wrapped === undefined) return
      assert.match(wrapped, /^wrapped:.+:\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.ok(!wrapped.includes(stored.slice(-20)), 'the old hash is not in it')
      assert.equal(await verifyPassword(wrapped, known), true)
      assert.equal(await verifyPassword(wrapped, `${known}x`), false)
      assert.equal(needsRehash(wrapped), true)
      assert.equal(await wrapHash(wrapped), undefined)
      assert.equal(provesStored(stored, wrapped), true)
      assert.equal(provesStored(wrapped, stored), false)
    })
  }

  it('match the password as it was typed', async () => {
    const typed = 'pa\u0308sswor\uff44'
    assert.equal(await verifyPassword(acceptHash(aspNetV2(typed)) ?? '', typed), true)
  })

  it('are refused when they are malformed, or their parameters are none', async () => {
    const v3 = Buffer.from(aspNetV3(password, 1, 1000).slice(7), 'base64')
    const changed = (at: number, value: number) => {
      const copy = Buffer.from(v3)
      copy[at] = value
      return `aspnet:${copy.toString('base64')}`
    }
    const malformed = [
      'aspnet:',
      'aspnet:AA==',
      'aspnet:not Base64',
      changed(0, 2),
      changed(4, 9),
      changed(11, 255),
      `aspnet:${v3.subarray(0, 20).toString('base64')}`,
      '$2b$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
      '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
      '$2b$05$CCCC',
      phc('pbkdf2-sha256$i=0', Buffer.alloc(32)),
      phc('pbkdf2-sha256$i=-1', Buffer.alloc(32)),
      phc('pbkdf2-sha256$i=1000,l=31', Buffer.alloc(32)),
      phc('pbkdf2-sha256$i=1000', Buffer.alloc(3)),
      phc('pbkdf2-md5$i=1000', Buffer.alloc(32)),
      phc('scrypt$ln=63,r=8,p=1', Buffer.alloc(32)),
      phc('argon2i$v=16$m=64,t=2,p=2', Buffer.alloc(32)),
      phc('argon2id$m=64,t=2,p=2', Buffer.alloc(32)),
      `$pbkdf2-sha256$i=1000$${'A'.repeat(2000)}$${'A'.repeat(43)}`,
      'wrapped:x:y',
      'Passw0rd!',
      '',
    ]
    for (const text of malformed) assert.equal(acceptHash(text), undefined, text)
    for (const text of malformed) assert.equal(await verifyPassword(text, password), false, text)
  })

  it('have a cost that follows from their parameters alone', async () => {
    const costOf = referenceCostMs
    const rounds = (count: number) => costOf(phc(`pbkdf2-sha256$i=${count}`, Buffer.alloc(32)))
    assert.ok(rounds(10_000_000) > 50 * rounds(100_000))
    assert.ok(costOf(`$2b$14$${'C'.repeat(21)}.${'C'.repeat(31)}`) > 10 * costOf(bcrypt.hashSync(password, 4)))
    assert.ok(costOf(phc('scrypt$ln=20,r=8,p=1', Buffer.alloc(32))) > 100)
    const argon2id = (memory: number) => phc(`argon2id$v=19$m=${memory},t=3,p=1`, Buffer.alloc(32))
    assert.ok(costOf(argon2id(4_000_000)) > 100 * costOf(argon2id(19_456)))
    assert.equal(costOf('Passw0rd!'), 0)
  })

  it('with parameters that the runtime refuses match nothing', async () => {
    const vast = phc('scrypt$ln=24,r=64,p=64', Buffer.alloc(32))
    assert.equal(acceptHash(vast), vast)
    assert.equal(await verifyPassword(phc('argon2i$v=19$m=8,t=1,p=2', Buffer.alloc(32)), password), false)
  })
})

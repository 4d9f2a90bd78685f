import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import {
  hashPassword,
  isHashable,
  needsRehash,
  PasswordHashingBusy,
  verifyPassword,
} from '../../src/secrets/password.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')

describe('password hashes', () => {
  it('are PHC strings of Argon2id with 19 MiB, two passes and one lane', async () => {
    const phc = await hashPassword('Passw0rd!', (bytes) => new Uint8Array(bytes).fill(1))
    const expected = argon2Sync('argon2id', {
      message: 'Passw0rd!',
      nonce: new Uint8Array(16).fill(1),
      memory: 19_456,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    })
    assert.equal(phc, `$argon2id$v=19$m=19456,t=2,p=1$${base64(new Uint8Array(16).fill(1))}$${base64(expected)}`)
  })

  it('differ for the same password', async () => {
    assert.notEqual(await hashPassword('Passw0rd!'), await hashPassword('Passw0rd!'))
  })

  it('match their own password alone', async () => {
    const phc = await hashPassword('Passw0rd!')
    assert.equal(await verifyPassword(phc, 'Passw0rd!'), true)
    for (const wrong of ['passw0rd!', 'Passw0rd', 'Passw0rd! ', ''])
      assert.equal(await verifyPassword(phc, wrong), false)
  })

  it('match every spelling of the same characters (NFKC)', async () => {
    const phc = await hashPassword('pässword\u00e9')
    assert.equal(await verifyPassword(phc, 'pa\u0308sswor\uff44e\u0301'), true)
  })

  it('match a password hashed as it was typed, and both forms are tried whether or not one matches', async () => {
    const typed = 'pa\u0308sswor\uff44'
    const nonce = new Uint8Array(16).fill(2)
    const made = argon2Sync('argon2id', { message: typed, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 })
    const phc = `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(made)}`
    assert.equal(await verifyPassword(phc, typed), true)
    assert.equal(await verifyPassword(phc, typed.normalize('NFKC')), false)
    assert.equal(await verifyPassword(phc, `${typed}x`), false)
  })

  it('never match nobody, not even an empty password, and cost as much', async () => {
    assert.equal(await verifyPassword(null, ''), false)
    const known = await hashPassword('Passw0rd!')
    const cost = async (phc: string | null) => {
      const start = process.cpuUsage()
      await verifyPassword(phc, 'guess')
      const { user, system } = process.cpuUsage(start)
      return user + system
    }
    // The least of several: other work of the process only adds.
    const least = async (phc: string | null) =>
      Math.min(await cost(phc), await cost(phc), await cost(phc), await cost(phc))
    const [somebody, nobody] = [await least(known), await least(null)]
    assert.ok(nobody > somebody / 2 && nobody < somebody * 2, `${nobody} µs for nobody, ${somebody} µs for somebody`)
  })

  it('that are not hashes of ours never match', async () => {
    const malformed = [
      '',
      'Passw0rd!',
      '$2b$10$abcdefghijklmnopqrstuv',
      '$argon2id$v=19$m=0,t=0,p=0$c2FsdHNhbHQ$aGFzaGhhc2g',
    ]
    for (const phc of malformed) assert.equal(await verifyPassword(phc, 'Passw0rd!'), false, phc)
  })

  it('with older parameters match, and ask to be replaced', async () => {
    const nonce = Buffer.alloc(16, 2)
    const hash = argon2Sync('argon2id', {
      message: 'old',
      nonce,
      memory: 8192,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    })
    const phc = `$argon2id$v=19$m=8192,t=1,p=1$${base64(nonce)}$${base64(hash)}`
    assert.equal(await verifyPassword(phc, 'old'), true)
    assert.equal(needsRehash(phc), true)
    assert.equal(needsRehash(await hashPassword('new')), false)
  })

  it('are not made of what is too long or not text', async () => {
    assert.equal(isHashable('x'.repeat(1024)), true)
    assert.equal(isHashable('é'.repeat(513)), false)
    assert.equal(isHashable('\ud800'), false)
    await assert.rejects(hashPassword('x'.repeat(1025)), RangeError)
    const phc = await hashPassword('x'.repeat(1024))
    assert.equal(await verifyPassword(phc, 'x'.repeat(1025)), false)
  })
})

describe('a flood of password checks', () => {
  it('is refused beyond what can wait, and everything accepted is answered', async () => {
    const phc = await hashPassword('Passw0rd!')
    const answers = await Promise.allSettled(Array.from({ length: 130 }, () => verifyPassword(phc, 'guess')))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    assert.ok(refused.length >= 27 && refused.length <= 29, `${refused.length} were refused`)
    for (const { reason } of refused) assert.ok(reason instanceof PasswordHashingBusy)
    assert.equal(await verifyPassword(phc, 'Passw0rd!'), true)
  })
})

describe('the threads that hash passwords', () => {
  it('are replaced when they end while they have nothing to do', async () => {
    const phc = await hashPassword('Passw0rd!')
    const threads: Worker[] = []
    const post = Worker.prototype.postMessage
    Worker.prototype.postMessage = function (...message: Parameters<typeof post>) {
      threads.push(this)
      post.apply(this, message)
    }
    try {
      assert.equal(await verifyPassword(phc, 'Passw0rd!'), true)
      await threads[0]?.terminate()
      assert.equal(await verifyPassword(phc, 'Passw0rd!'), true)
    } finally {
      Worker.prototype.postMessage = post
    }
    assert.equal(threads.length, 2)
    assert.notEqual(threads[0], threads[1])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pooledRandom } from '../../src/secrets/random.ts'

describe('random bytes', () => {
  it('are as many as were asked for, also more than are drawn at once', () => {
    const random = pooledRandom()
    for (const bytes of [0, 1, 16, 4095, 4096, 4097, 100_000]) assert.equal(random(bytes).length, bytes)
  })

  it('are never handed out twice', () => {
    const random = pooledRandom()
    const seen = new Set<string>()
    for (let at = 0; at < 10_000; at += 1) seen.add(Buffer.from(random(12 + (at % 7))).toString('hex'))
    assert.equal(seen.size, 10_000)
  })

  it('stay what they are while others are drawn', () => {
    const random = pooledRandom()
    const taken = random(16)
    const before = Buffer.from(taken).toString('hex')
    for (let at = 0; at < 1000; at += 1) random(16)
    assert.equal(Buffer.from(taken).toString('hex'), before)
  })
})

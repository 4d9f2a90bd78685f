import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  clientSecretMatches,
  hashSecret,
  mintOpaque,
  parseOpaque,
  secretMatches,
  uuidv7,
} from '../../src/secrets/opaque.ts'

describe('UUIDs of version 7 (RFC 9562 §5.7)', () => {
  it('spell the example of RFC 9562 Appendix A.6', () => {
    // Time 2022-02-22T19:22:22Z, rand_a 0xcc3, rand_b 0x18c4dc0c0c07398f.
    const random = () => Buffer.from('0000000000000cc318c4dc0c0c07398f', 'hex')
    assert.equal(uuidv7(0x017f22e279b0, random), '017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  })

  it('sort by the time they were made at', () => {
    const times = [0, 1, 255, 256, 65_536, 1_700_000_000_000, 2_000_000_000_000]
    const ids = times.map((time) => uuidv7(time))
    assert.deepEqual(ids.toSorted(), ids)
  })

  it('differ within a millisecond', () => {
    assert.equal(new Set(Array.from({ length: 100 }, () => uuidv7(1))).size, 100)
  })
})

describe('opaque values', () => {
  const id = uuidv7(1_700_000_000_000)

  it('carry the id in front and 256 random bits behind, and only a hash is for storing', () => {
    const { value, secret, secretHash } = mintOpaque(id)
    assert.match(value, /^[A-Za-z0-9_-]{64}$/)
    assert.equal(secret.length, 32)
    assert.equal(secretHash, createHash('sha256').update(secret).digest('base64url'))
    const parsed = parseOpaque(value)
    assert.equal(parsed?.id, id)
    assert.equal(parsed?.secretHash, secretHash)
  })

  it('are made of the randomness that is given', () => {
    const { value } = mintOpaque(id, (bytes) => new Uint8Array(bytes))
    assert.equal(Buffer.from(value, 'base64url').subarray(16).toString('hex'), '00'.repeat(32))
  })

  it('in any other form are not read', () => {
    const { value } = mintOpaque(id)
    const malformed = [
      '',
      value.slice(1),
      `${value}A`,
      `${value}=`,
      `+${value.slice(1)}`,
      `${value.slice(0, 63)} `,
      `\u0141${value.slice(1)}`,
      'A'.repeat(64),
    ]
    for (const text of malformed) assert.equal(parseOpaque(text), undefined, text)
  })

  it('are compared as hashes', () => {
    assert.equal(secretMatches(hashSecret('a'), hashSecret('a')), true)
    assert.equal(secretMatches(hashSecret('a'), hashSecret('b')), false)
    assert.equal(secretMatches(hashSecret('a'), ''), false)
    assert.equal(clientSecretMatches('a', hashSecret('a')), true)
    assert.equal(clientSecretMatches(hashSecret('a'), hashSecret('a')), false)
  })
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { seal, unseal } from '../../src/secrets/seal.ts'

const secret = randomBytes(32)
const sealed = (text: string, label = 'a use') => seal(secret, label, text, randomBytes)

describe('sealed values (NIST SP 800-38D)', () => {
  it('open to what was sealed, any text', () => {
    for (const text of ['', 'a', 'Grüße ☂', 'x'.repeat(5000)]) assert.equal(unseal(secret, 'a use', sealed(text)), text)
  })

  it('are different each time, the iv included', () => {
    const values = Array.from({ length: 1000 }, () => Buffer.from(sealed('the same'), 'base64url'))
    assert.equal(new Set(values.map((value) => value.subarray(16, 28).toString('hex'))).size, values.length)
    assert.equal(new Set(values.map((value) => value.subarray(28).toString('hex'))).size, values.length)
  })

  it('open in another process, which knows nothing but the secret', () => {
    const value = sealed('across')
    const copy = Uint8Array.from(secret)
    assert.equal(unseal(copy, 'a use', value), 'across')
    // And once more, when the key has been derived.
    assert.equal(unseal(copy, 'a use', value), 'across')
  })

  it('do not open for another use, though that key was derived from the same salt', () => {
    const value = sealed('for one use')
    assert.equal(unseal(secret, 'a use', value), 'for one use')
    assert.equal(unseal(secret, 'another use', value), undefined)
  })

  it('do not open under another secret', () => {
    assert.equal(unseal(randomBytes(32), 'a use', sealed('mine')), undefined)
  })

  it('do not open when a single bit was changed, whichever it is', () => {
    const bytes = Buffer.from(sealed('exact'), 'base64url')
    for (let at = 0; at < bytes.length * 8; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at >> 3] = (changed[at >> 3] as number) ^ (1 << (at & 7))
      assert.equal(unseal(secret, 'a use', changed.toString('base64url')), undefined)
    }
  })

  it('do not open when cut, extended, or spelt in another way', () => {
    const value = sealed('exact')
    const others = [
      value.slice(0, -4),
      `${value}AAAA`,
      `${value}=`,
      ` ${value}`,
      '',
      'a',
      value.replace(/^./, '+'),
      value.replace(/^./, '\u0141'),
    ]
    for (const other of others) assert.equal(unseal(secret, 'a use', other), undefined)
  })

  it('forget keys of old salts without forgetting how to open their values', () => {
    const values = Array.from({ length: 200 }, (_, at) => seal(Uint8Array.from(secret), 'a use', `${at}`, randomBytes))
    values.forEach((value, at) => {
      assert.equal(unseal(secret, 'a use', value), `${at}`)
    })
    assert.equal(unseal(secret, 'a use', values[0] as string), '0')
  })
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { KeyRing, RingSecret } from '../../src/keys/key-ring.ts'
import { sealText, unsealText } from '../../src/secrets/sealed.ts'
import { type SignedFormat, signedTexts } from '../../src/secrets/signed.ts'

/** The part of a key ring that signing asks for; the last secret is the active one. */
function ringOf(...secrets: readonly RingSecret[]): KeyRing {
  const find = (id: string) => secrets.find((secret) => secret.id === id)
  const ring: Pick<KeyRing, 'secret' | 'secretById'> = {
    secret: () => secrets.at(-1) as RingSecret,
    secretById: (_use, id) => find(id),
  }
  return ring as KeyRing
}

const secret = (id: string): RingSecret => ({ id, bytes: randomBytes(32) })
const format: SignedFormat<string> = {
  use: 'antiforgery',
  digest: 'sha256',
  maxLength: 256,
  message: (text, bound) => ['test v1', bound, text].join('\n'),
}

describe('a signed text', () => {
  const [before, now] = [secret('before'), secret('now')]
  const signed = signedTexts(ringOf(before, now), format)

  it('comes back as it was, dots included', () => {
    assert.deepEqual(signed.verify(signed.sign('a.b.c', 'alice'), 'alice'), { text: 'a.b.c' })
  })

  it('is genuine under a secret that was replaced, and not under one that has gone', () => {
    const old = signedTexts(ringOf(before), format).sign('text', 'alice')
    assert.deepEqual(signed.verify(old, 'alice'), { text: 'text' })
    assert.equal(signedTexts(ringOf(now), format).verify(old, 'alice'), 'not_ours')
  })

  it('is forged when the text, the signature or what it is bound to is another', () => {
    const value = signed.sign('text', 'alice')
    const [id, , signature] = value.split('.')
    for (const [wrong, bound] of [
      [`${id}.test.${signature}`, 'alice'],
      [`${id}.text.${signature?.slice(1)}`, 'alice'],
      [`${id}.text.`, 'alice'],
      [value, 'bob'],
    ] as const) {
      assert.equal(signed.verify(wrong, bound), 'forged', wrong)
    }
  })

  it('has three parts and a bounded length', () => {
    for (const wrong of [
      '',
      '.',
      'now',
      'now.text',
      `now.${'a'.repeat(256)}.b`,
      signed.sign('text', 'alice').slice(4),
    ]) {
      assert.equal(signed.verify(wrong, 'alice'), 'not_ours', wrong)
    }
  })
})

describe('a sealed text', () => {
  const ring = ringOf(secret('a'), secret('b'))
  const sealed = sealText(ring, 'external', 'use one', 'text', randomBytes)

  it('opens for its own use alone', () => {
    assert.equal(unsealText(ring, 'external', 'use one', sealed), 'text')
    assert.equal(unsealText(ring, 'external', 'use two', sealed), undefined)
  })

  it('does not open when it is not of this form, or under a secret that has gone', () => {
    assert.equal(unsealText(ringOf(secret('a')), 'external', 'use one', sealed), undefined)
    for (const wrong of ['', '.', 'b', 'b.', sealed.slice(2), `${sealed}A`]) {
      assert.equal(unsealText(ring, 'external', 'use one', wrong), undefined, wrong)
    }
  })
})

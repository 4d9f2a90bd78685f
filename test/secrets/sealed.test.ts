/** Values that pass through a browser, as they are and compressed, and the cookies that carry the longest. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { maxChunkedLength, sealedForChunks } from '../../src/browser/cookie-chunks.ts'
import { inflatedAtMost, sealCompressed, sealText, unsealText } from '../../src/secrets/sealed.ts'
import { maxReturnUrlLength } from '../../src/users/local-url.ts'

const secret = { id: 'k1', bytes: randomBytes(32) } as never
const keys = { secret: () => secret, secretById: () => secret }
const open = (value: string) => unsealText(keys, 'external', 'label', value)
const addressOf = (length: number) => {
  const start = '/connect/authorize?state='
  return (
    start +
    randomBytes(length)
      .toString('base64url')
      .slice(0, length - start.length)
  )
}

describe('sealed texts', () => {
  it('open whether they were compressed or not, for their label alone', () => {
    for (const text of ['{"a":1}', addressOf(16_384), 'ü'.repeat(9000), '']) {
      assert.equal(open(sealText(keys, 'external', 'label', text, randomBytes)), text)
      const compressed = sealCompressed(keys, 'external', 'label', text, randomBytes)
      assert.equal(open(compressed), text)
      assert.equal(unsealText(keys, 'external', 'other', compressed), undefined)
      assert.equal(open(`${compressed.slice(0, -4)}AAAA`), undefined)
    }
  })

  it('open to nothing if they are longer than what a compressed one may unfold to, and are not compressed for cookies', () => {
    for (const [length, opens] of [
      [inflatedAtMost, true],
      [inflatedAtMost + 1, false],
    ] as const) {
      const text = 'x'.repeat(length)
      const compressed = sealCompressed(keys, 'external', 'label', text, randomBytes)
      assert.equal(open(compressed), opens ? text : undefined)
      const sealed = sealedForChunks(keys, 'label', text, randomBytes)
      assert.equal(sealed.length <= maxChunkedLength, opens)
      assert.equal(open(sealed), text)
    }
  })

  it('with the longest return address of a sign-in fit into the cookies, whatever its state is', () => {
    for (const length of [100, 8192, 10_500, maxReturnUrlLength]) {
      const content = JSON.stringify({ half: { returnUrl: addressOf(length), rest: 'x'.repeat(500) } })
      const sealed = sealedForChunks(keys, 'label', content, randomBytes)
      assert.ok(sealed.length <= maxChunkedLength, `${length}: ${sealed.length}`)
      assert.equal(open(sealed), content)
    }
  })
})

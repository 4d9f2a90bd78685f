import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jsonBytesAtMost } from '../../src/protocol/json-value.ts'

describe('the bound of the bytes of a JSON text', () => {
  const values: readonly unknown[] = [
    ...['', 'plain', '"\\/', '\u0000\u001f\u2028', 'ä€𝄞', '\ud800\udfff\ud800', 'x'.repeat(1000)],
    ...[0, -0.1, Number.MAX_SAFE_INTEGER, -1.2345678901234567e-308, Number.NaN, true, false, null, undefined],
    ...[[], {}, [[], [null, undefined]], { a: undefined, 'ü"\n': [1, 'b', { c: ['𝄞'.repeat(9)] }] }],
  ]
  for (const [index, value] of values.entries()) {
    it(`holds for an escaped, long, nested or absent value (RFC 8259 §7): ${index}`, () => {
      const made = JSON.stringify({ value, list: [value] })
      assert.ok(jsonBytesAtMost({ value, list: [value] }) >= Buffer.byteLength(made), made)
    })
  }
})

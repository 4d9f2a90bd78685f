import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseFormText, toQuery } from '../../src/http/parameters.ts'
import { isRefusal } from '../../src/refusal.ts'

describe('form text (RFC 6749 Appendix B)', () => {
  it('decodes names and values, plus as space, in order, with repeats', () => {
    assert.deepEqual(parseFormText('a=1&b%20c=%E2%82%AC+x&a=2&d&=e&&'), [
      ['a', '1'],
      ['b c', '€ x'],
      ['a', '2'],
      ['d', ''],
      ['', 'e'],
    ])
    assert.deepEqual(parseFormText(''), [])
  })

  for (const text of ['a=%', 'a=%zz', 'a=%e2%82', 'a=%ff', '%c0%80=x', 'a=%00', 'a%00=b', 'a=%ED%A0%80']) {
    it(`refuses ${text}`, () => {
      const parsed = parseFormText(text)
      assert.ok(isRefusal(parsed))
      assert.equal(parsed.id, 'ID9003')
    })
  }

  it('refuses more than 256 parameters', () => {
    assert.ok(!isRefusal(parseFormText(Array.from({ length: 256 }, (_, index) => `p${index}=`).join('&'))))
    assert.ok(isRefusal(parseFormText(Array.from({ length: 257 }, (_, index) => `p${index}=`).join('&'))))
  })

  it('writes back what it read', () => {
    const parameters = [
      ['a', '&=?#%+ ü'],
      ['a', '2'],
    ] as const
    assert.deepEqual(parseFormText(toQuery(parameters).slice(1)), parameters)
  })

  it('writes each character as the URL Standard does (§5.2), and half of a surrogate pair as U+FFFD', () => {
    assert.equal(toQuery([]), '')
    for (let code = 0; code < 0x10000; code += 1) {
      const part = `a${String.fromCharCode(code)}`
      const expected = `?${new URLSearchParams([[part, part]])}`
      if (toQuery([[part, part]]) !== expected) assert.fail(`${code}: ${toQuery([[part, part]])} and not ${expected}`)
    }
    const all = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).join('')
    assert.equal(toQuery([['all', `${all}😀`]]), `?${new URLSearchParams([['all', `${all}😀`]])}`)
  })
})

/** What stands in the places of a text, and which of its cases is said. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Message } from '#messages'
import { parseMessage } from '../scripts/messages.ts'
import { fillMessage, type Values } from '../src/message.ts'

/** Fills a text that is compiled as the build does it. */
function say(text: string, values: Readonly<Record<string, unknown>>, language = 'en'): string {
  const compiled = parseMessage(text, language).compiled as unknown as Message<string, string>
  return fillMessage(compiled, values as Values<unknown, string, string>, language).join('')
}

describe('a text with places', () => {
  it('has the values where the language wants them, and values are not read for places', () => {
    assert.equal(say('{b}, then {a}, then {b}', { a: '{b}', b: 'B' }), 'B, then {b}, then B')
    assert.equal(say("It''s {a}", { a: 1 }), "It's 1")
  })

  it('keeps what is not text as it is', () => {
    const element = { type: 'bdi' }
    assert.deepEqual(fillMessage('A {a}.' as unknown as Message<'a'>, { a: element }, 'en'), ['A ', element, '.'])
  })

  it('says a number in the form that its language has for it (Unicode CLDR)', () => {
    const inPolish = (count: number) =>
      say('{count, plural, one {# kod} few {# kody} many {# kodów} other {# kodu}}', { count }, 'pl')
    assert.deepEqual([1, 2, 5, 12, 22, 1.5].map(inPolish), [
      '1 kod',
      '2 kody',
      '5 kodów',
      '12 kodów',
      '22 kody',
      '1,5 kodu',
    ])
    const inArabic = (count: number) =>
      say('{n, plural, zero {0:#} one {1:#} two {2:#} few {3:#} many {11:#} other {100:#}}', { n: count }, 'ar')
    assert.deepEqual(
      [0, 1, 2, 3, 10, 11, 99, 100].map((count) => inArabic(count).split(':')[0]),
      ['0', '1', '2', '3', '3', '11', '11', '100'],
    )
    assert.equal(say('{n, plural, other {#件}}', { n: 1234 }, 'ja'), '1,234件')
  })

  it('says a certain number apart, and chooses by a value', () => {
    const text = '{n, plural, =0 {none} one {one} other {{n} of {name}}}'
    assert.deepEqual(
      [0, 1, 7].map((n) => say(text, { n, name: 'X' })),
      ['none', 'one', '7 of X'],
    )
    const select = '{kind, select, web {a page} other {something}}'
    assert.deepEqual(
      ['web', '2'].map((kind) => say(select, { kind })),
      ['a page', 'something'],
    )
  })

  it('takes the number of a plural form in digits, as a queued mail has it', () => {
    assert.equal(say('{n, plural, one {# left} other {# are left}}', { n: '1' }), '1 left')
  })
})

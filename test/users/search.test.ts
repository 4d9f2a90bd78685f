/** What people are found by. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  fullNameOf,
  isNamed,
  isValued,
  roleKey,
  searchKeys,
  valueKey,
  valueKeys,
  valueWordsAtMost,
  wordKey,
  wordsAtMost,
  wordsOf,
} from '../../src/users/search.ts'

describe('the words of a full name', () => {
  it('are those of the name, or else of given and family name', () => {
    assert.equal(fullNameOf({ name: 'Ada', given_name: 'B', family_name: 'C' }), 'Ada')
    assert.equal(fullNameOf({ given_name: 'B', family_name: 'C' }), 'B C')
    assert.equal(fullNameOf({ family_name: 'C' }), 'C')
    assert.equal(fullNameOf({ nickname: 'N' }), '')
  })

  it('are in normal form, without punctuation, in every script', () => {
    for (const [text, words] of [
      ['  Ada   LOVELACE ', ['ada', 'lovelace']],
      ["Sinéad O'Connor-Straße", ['sinéad', 'o', 'connor', 'strasse']],
      ['JOSE\u0301', ['josé']],
      ['Ａｄａ ﬁn', ['ada', 'fin']],
      ['Лев Толстой', ['лев', 'толстой']],
      ['สมชาย ใจดี', ['สมชาย', 'ใจดี']],
      ['%_*\\ \'"<>', []],
      ['🦊 \ud800 \0', []],
    ] as const) {
      assert.deepEqual(wordsOf(text), words, text)
    }
  })

  it('are at most eight, each by its first 64 bytes, which end with a whole character', () => {
    const keys = searchKeys({ claims: { name: 'a b c d e f g h i j a' }, roles: ['r', 'r'], attributes: {} })
    assert.deepEqual(keys, [roleKey('r'), ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(wordKey)])
    assert.equal(wordsAtMost, 8)
    assert.equal(wordKey('x'.repeat(200)).length, 1 + 128)
    assert.equal(wordKey('山'.repeat(30)).length, 1 + 2 * 63)
    assert.ok(wordKey('lovelace').startsWith(wordKey('love')))
  })

  it('are begun by every word of a search', () => {
    const user = { claims: { name: 'Ada Lovelace' } }
    assert.ok(isNamed(user, ['lov', 'a']))
    assert.ok(!isNamed(user, ['lov', 'b']))
    assert.ok(!isNamed({ claims: {} }, ['a']))
  })
})

describe('the words of values', () => {
  it('are those of texts and numbers, at most eight of a value and 64 of a person, and none of yes and no', () => {
    const attributes = { department: 'Sales & Support', level: 7, teams: ['Team a', 'team B'], active: true }
    assert.deepEqual(valueKeys(attributes), ['sales', 'support', '7', 'team', 'a', 'b'].map(valueKey))
    assert.equal(valueKeys({ text: 'a b c d e f g h i j' }).length, wordsAtMost)
    assert.equal(valueKeys({ many: Array.from({ length: 100 }, (_, at) => `n${at}`) }).length, valueWordsAtMost)
    const keys = searchKeys({ claims: { name: 'a' }, roles: ['r'], attributes: { b: 'a' } })
    assert.deepEqual(keys, [roleKey('r'), valueKey('a'), wordKey('a')])
  })

  it('are begun by every word of a search, in the values of searchable attributes alone', () => {
    const user = { attributes: { department: 'Field Sales', number: 'X-1' } }
    assert.ok(isValued(user, ['sal', 'field'], ['department']))
    assert.ok(isValued(user, ['sales', 'x'], ['department', 'number']))
    assert.ok(!isValued(user, ['sales', 'x'], ['department']))
    assert.ok(!isValued(user, ['x'], []))
    assert.ok(!isValued(user, ['function'], ['constructor', 'toString']))
  })
})

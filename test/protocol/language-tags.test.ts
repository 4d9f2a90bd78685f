import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { acceptedLanguages, lookUpLanguage, uiLocales } from '../../src/protocol/language-tags.ts'

const available = ['en', 'de', 'fr', 'pt-BR', 'zh-Hans', 'ar']

describe('the lookup of a language (RFC 4647 §3.4)', () => {
  const cases: readonly (readonly [ranges: string, tag: string | undefined])[] = [
    ['de', 'de'],
    ['DE-at', 'de'],
    ['de-Latn-AT-1996', 'de'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-Hans-CN', 'zh-Hans'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['pt-x-private', 'pt-BR'],
    ['sv fr de', 'fr'],
    ['sv', undefined],
    ['d', undefined],
    ['', undefined],
  ]
  for (const [ranges, tag] of cases) {
    it(`finds ${tag ?? 'nothing'} for '${ranges}'`, () => {
      assert.equal(lookUpLanguage(uiLocales(ranges), available), tag)
    })
  }

  it('looks at no more than twenty ranges', () => {
    assert.equal(lookUpLanguage([...Array(20).fill('sv'), 'de'], available), undefined)
  })
})

describe('Accept-Language (RFC 9110 §12.5.4)', () => {
  it('is read by weight, without what is refused, wildcards and nonsense', () => {
    assert.deepEqual(acceptedLanguages('sv;q=0.5, de-AT , fr;q=0, *;q=0.1, en;q=0.8, ;;, x y'), ['de-AT', 'en', 'sv'])
    assert.deepEqual(acceptedLanguages(''), [])
  })

  it('takes no longer for a header of nothing but blanks', () => {
    assert.deepEqual(acceptedLanguages(`${' '.repeat(16_000)},de`), ['de'])
  })
})

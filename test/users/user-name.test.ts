import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { confusablesSource } from '../../scripts/make-confusables.ts'
import { skeletonOf } from '../../src/users/skeleton.ts'
import { userNameFault } from '../../src/users/user-name.ts'

describe('the profile of user names (UTS 39 §3.1, §5.2)', () => {
  const good = [
    'alice',
    'Alice B',
    "o'brien-smith_2.x+y",
    'alice@example.com',
    'Ünal',
    'u\u0308nal',
    'Sébastien',
    'STRAẞE',
    'Алиса',
    'Ελένη',
    'דני',
    'حسن',
    'नमस्ते',
    'தமிழ்',
    '山田太郎',
    '山田Taro',
    'ヤマダ',
    '홍길동 Gil',
    '王小明 Wang',
    'иван@example.com',
    'sébastien.o’brien',
  ]
  it('takes the names that people have, in every recommended script', () => {
    for (const name of good) assert.equal(userNameFault(name), undefined, name)
  })

  const bad: readonly (readonly [name: string, why: RegExp])[] = [
    ['', /not be empty/],
    [' alice', /begin or end with a space/],
    ['x'.repeat(257), /at most 256 characters/],
    ['ali\u200bce', /U\+200B/],
    ['ali\u200dce', /U\+200D/],
    ['ali\u200cce', /U\+200C/],
    ['ali\u2060ce', /U\+2060/],
    ['ali\u00adce', /U\+00AD/],
    ['\ufeffalice', /U\+FEFF|space/],
    ['ali\u202ece', /control/],
    ['ａlice', /U\+FF41/],
    ['𝒶lice', /U\+1D4B6/],
    ['ﬁona', /U\+FB01/],
    ['alice😀', /U\+1F600/],
    ['alice\u3164', /U\+3164|space/],
    ['ᎪᏞᏆ', /U\+13AA/],
    ['а\u006cice', /Cyrillic and Latin/],
    ['αlice', /Greek and Latin/],
    ['日本Кирилл', /Han and Cyrillic/],
    ['a\u0301\u0301', /one mark twice/],
    ['a\u0301\u0302\u0303\u0304\u0305', /more than 4 marks/],
  ]
  for (const [name, why] of bad) {
    it(`refuses ${JSON.stringify(name.slice(0, 20))}, and says why`, () => {
      assert.match(userNameFault(name) ?? '', why)
    })
  }
})

describe('what a user name looks like (UTS 39 §4)', () => {
  it('is the same for look-alikes, whatever their case, and different for others', () => {
    for (const name of ['paypa1', 'PaypaI', 'раураl', 'ｐaypal', 'pay\u200bpal', 'PAYPAl', 'payp\u0430l']) {
      assert.equal(skeletonOf(name), skeletonOf('paypal'), name)
    }
    assert.equal(skeletonOf('rnark'), skeletonOf('mark'))
    assert.equal(skeletonOf('Alice  B'), skeletonOf('alice B'))
    assert.equal(skeletonOf('u\u0308nal'), skeletonOf('ünal'))
    const names = ['alice', 'alic', 'malice', 'alice2', 'álice', 'bob', 'bo b', 'unal', 'ünal', '山田', '山口']
    assert.equal(new Set(names.map(skeletonOf)).size, names.length)
  })

  it('does not change when it is looked at again', () => {
    for (const name of ['Paypal 10', 'Ünal', 'иван@example.com', '山田']) {
      assert.equal(skeletonOf(skeletonOf(name)), skeletonOf(name), name)
    }
  })

  it('is made from the data of the pinned package: after an update, run scripts/make-confusables.ts', () => {
    const file = new URL('../../src/users/confusables.generated.ts', import.meta.url)
    assert.equal(readFileSync(file, 'utf8'), confusablesSource())
    assert.ok(confusablesSource().length > 50_000)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSettingMessages, settingLanguages, settingProblems } from '../../scripts/setting-messages.ts'
import { languageTags } from '../../src/protocol/language-tags.ts'
import { settingTexts } from '../../src/settings/reference.ts'

describe('the translations of what settings mean', () => {
  it('are there in every language of the pages but English', () => {
    assert.deepEqual(settingLanguages().toSorted(), languageTags.filter((tag) => tag !== 'en').toSorted())
  })

  it('are whole, with the code and the links of the English text', () => {
    const texts = settingTexts()
    assert.ok(texts.length >= 130, `only ${texts.length} were found`)
    const problems = settingLanguages().flatMap((tag) =>
      settingProblems(texts, readSettingMessages(tag)).map((problem) => `${tag}: ${problem}`),
    )
    assert.deepEqual(problems, [])
  })

  it('are refused when one is missing, empty, gone or without its code', () => {
    const one = (id: string, text: string) => `msgid "${id}"\nmsgstr "${text}"\n\n`
    const texts = ['Takes `0`.', 'See [this](that.md).', 'Port', 'Host']
    const file =
      one(texts[0] ?? '', 'Nimmt `1`.') + one(texts[1] ?? '', 'Siehe dies.') + one('Port', '') + one('Old', 'Alt')
    assert.deepEqual(settingProblems(texts, file), [
      '"Takes `0`.": `0` is missing',
      '"See [this](that.md).": ](that.md) is missing',
      '"Port": there is no translation',
      '"Host": there is no translation',
      '"Old": there is no such text any more',
    ])
  })
})

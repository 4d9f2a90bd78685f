/** The catalogues of mails: every language says the same, with the same values. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadCatalogue } from '../../src/mail/catalogues.ts'
import type { MailValue } from '../../src/mail/mail.ts'
import { writeMail } from '../../src/mail/rendering.ts'
import english, { type MailTexts } from '../../src/mail/texts/en.ts'
import { languageTags } from '../../src/protocol/language-tags.ts'

const placeholders = (...texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort()

const common = ['{host}', '{service}', '{to}']
/** What each mail has to name; how often and where is up to the language. */
function valuesOf(texts: MailTexts): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(texts.mails).map(([purpose, { subject, paragraphs }]) => [
      purpose,
      placeholders(subject, ...paragraphs).filter((name) => !common.includes(name)),
    ]),
  )
}

const values: Readonly<Record<string, MailValue>> = new Proxy(
  {},
  { get: (_, name) => (name === 'when' ? { atMs: Date.UTC(2030, 0, 31, 12) } : `<${String(name)}>`) },
)
const by = { service: 'Example & Co', issuer: 'https://id.example.com/', accentColor: '#ffcc00' }

for (const tag of languageTags) {
  const { language, texts } = await loadCatalogue(tag)
  describe(`mails in ${tag}`, () => {
    it('are there, in that language', () => {
      assert.equal(language, tag, 'English ones would be sent in its place')
      if (tag === 'en') return
      assert.notEqual(texts, english)
      for (const [purpose, { subject, paragraphs }] of Object.entries(texts.mails)) {
        const source = english.mails[purpose as keyof typeof english.mails]
        assert.notEqual(subject, source.subject, purpose)
        for (const paragraph of paragraphs) {
          assert.ok(!(source.paragraphs as readonly string[]).includes(paragraph), `${purpose}: ${paragraph}`)
        }
      }
    })

    it('have the keys and values of the English ones, and name them in every mail', () => {
      assert.deepEqual(Object.keys(texts.mails).sort(), Object.keys(english.mails).sort())
      assert.deepEqual(Object.keys(texts.common).sort(), Object.keys(english.common).sort())
      assert.deepEqual(valuesOf(texts), valuesOf(english))
      for (const [key, text] of Object.entries(texts.common)) {
        assert.deepEqual(placeholders(text), placeholders(english.common[key as keyof typeof english.common]), key)
      }
      assert.equal(texts.direction, tag === 'ar' ? 'rtl' : 'ltr')
    })

    for (const purpose of Object.keys(english.mails)) {
      it(`are written whole: ${purpose}`, () => {
        const content = { purpose, language: tag, data: values, code: '012345', validSeconds: 900 }
        const link = '/Account/Confirm?purpose=reset#token=t'
        const facts = { atMs: Date.UTC(2030, 0, 31, 12), browser: 'Firefox, Linux', address: '192.0.2.1' }
        const mail = writeMail('ada@example.com', { ...content, link, facts }, { language, texts }, by)
        for (const part of [mail.subject, mail.text]) assert.doesNotMatch(part, /[{}]|undefined|\[object/)
        assert.ok(mail.subject.length > 5 && mail.subject.length < 120, mail.subject)
        assert.doesNotMatch(mail.subject, /\n/)
        assert.ok(mail.text.includes('https://id.example.com/Account/Confirm?purpose=reset#token=t'))
        assert.ok(mail.text.includes('012345') && mail.html.includes('012345'))
        assert.match(mail.html, new RegExp(`<html lang="${tag}" dir="${texts.direction}">`))
        assert.doesNotMatch(mail.html, /<username>|Example & Co|src=|<img|<link|url\(/)
        assert.match(mail.html, /background:#ffcc00;color:#000000/)
      })
    }
  })
}

it('a mail links to this service alone', () => {
  const content = { purpose: 'reset', language: 'en', data: values } as const
  const catalogue = { language: 'en', texts: english } as const
  for (const link of ['https://evil.example/', '//evil.example/x', '/\\evil.example', 'javascript:alert(1)']) {
    assert.throws(() => writeMail('ada@example.com', { ...content, link }, catalogue, by), /this service alone/, link)
  }
})

/** Mails are written whole in every language. What each text has to name is checked in `test/repository/messages.test.ts`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadCatalogue } from '../../src/mail/catalogues.ts'
import type { MailValue } from '../../src/mail/mail.ts'
import { writeMail } from '../../src/mail/rendering.ts'
import { noBrand } from '../../src/protocol/branding/brand.ts'
import { languageTags } from '../../src/protocol/language-tags.ts'

const { texts: english } = await loadCatalogue('en')

const values: Readonly<Record<string, MailValue>> = new Proxy(
  {},
  { get: (_, name) => (name === 'when' ? { atMs: Date.UTC(2030, 0, 31, 12) } : `<${String(name)}>`) },
)
const by = { brand: { ...noBrand, name: 'Example & Co', accent_color: '#ffcc00' }, issuer: 'https://id.example.com/' }

for (const tag of languageTags) {
  const { language, texts } = await loadCatalogue(tag)
  describe(`mails in ${tag}`, () => {
    it('are there, in that language', () => {
      assert.equal(language, tag, 'English ones would be sent in its place')
      if (tag === 'en') return
      assert.notEqual(texts, english)
      assert.equal(texts.direction, tag === 'ar' ? 'rtl' : 'ltr')
      const purposes = Object.keys(english.mails) as (keyof typeof english.mails)[]
      assert.ok(purposes.length >= 20)
      for (const purpose of purposes) {
        const [said, source] = [texts.mails[purpose], english.mails[purpose]]
        assert.notDeepEqual(said.subject, source.subject, purpose)
        for (const [index, paragraph] of said.paragraphs.entries()) {
          assert.notDeepEqual(paragraph, source.paragraphs[index], `${purpose}: ${paragraph}`)
        }
      }
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

/** The logo of mails: which picture it is, how a program that tells the dark theme shows another one, and the name beside it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadCatalogue } from '../../src/mail/catalogues.ts'
import { writeMail } from '../../src/mail/rendering.ts'
import { type BrandMembers, noBrand } from '../../src/protocol/branding/brand.ts'

const catalogue = await loadCatalogue('en')

const urlOf = (content: Buffer | string, type: string) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`
function png(width: number, height: number): string {
  const file = Buffer.alloc(40)
  file.write('\x89PNG\r\n\x1a\n', 'latin1')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return urlOf(file, 'image/png')
}
const svg = urlOf('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"/>', 'image/svg+xml')
const webp = urlOf('RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x3f\0\0\x1f\0\0', 'image/webp')

function mailOf(brand: Partial<BrandMembers>) {
  const by = { brand: { ...noBrand, name: 'Orchard', ...brand }, issuer: 'https://id.example.com/' }
  const content = { purpose: 'reset', language: 'en', data: { username: 'ada' } } as const
  return writeMail('ada@example.com', content, catalogue, by)
}
const imagesOf = ({ html }: { html: string }): string[] => html.match(/<img[^>]*>/g) ?? []

describe('the logo of a mail', () => {
  it('is the picture for mails, or a PNG of the pages; without one, the initial of the name', () => {
    for (const brand of [{}, { logo: svg }, { logo: webp, logo_dark: png(32, 32) }]) {
      const mail = mailOf(brand)
      assert.deepEqual([imagesOf(mail), mail.logos], [[], undefined])
      assert.match(mail.html, />O<\/div>/)
    }
    for (const brand of [{ logo: png(90, 30) }, { logo: svg, logo_mail: png(90, 30) }, { logo_mail: png(90, 30) }]) {
      const mail = mailOf(brand)
      assert.equal(imagesOf(mail).length, 1)
      assert.match(imagesOf(mail)[0] ?? '', /src="cid:logo@latchkey" width="96" height="32" alt="" /)
      assert.deepEqual(
        mail.logos?.map(({ cid, filename, type }) => [cid, filename, type]),
        [['logo@latchkey', 'logo.png', 'image/png']],
      )
    }
    const [chosen] = mailOf({ logo: png(32, 32), logo_mail: png(64, 32) }).logos ?? []
    assert.deepEqual(chosen && urlOf(chosen.bytes, 'image/png'), png(64, 32))
  })

  it('is another picture in the dark theme, where the program tells it; the others show the light one', () => {
    for (const brand of [
      { logo: png(90, 30), logo_dark: png(32, 32) },
      { logo: svg, logo_mail: png(90, 30), logo_dark: svg, logo_mail_dark: png(32, 32) },
    ]) {
      const mail = mailOf(brand)
      const [light = '', dark = '', ...more] = imagesOf(mail)
      assert.match(light, /class="logo-light" src="cid:logo@latchkey"/)
      assert.match(dark, /class="logo-dark" src="cid:logo-dark@latchkey".*style="display:none;mso-hide:all"/)
      assert.deepEqual(more, [])
      assert.deepEqual(
        mail.logos?.map(({ cid }) => cid),
        ['logo@latchkey', 'logo-dark@latchkey'],
      )
      assert.match(mail.html, /prefers-color-scheme: dark.*\.logo-light { display: none !important }/)
    }
    // A dark picture alone would be all that most programs show.
    assert.deepEqual(imagesOf(mailOf({ logo: svg, logo_mail_dark: png(32, 32) })), [])
  })

  it('stands without the name if it has the name, which programs without pictures show in its place', () => {
    const named = />Orchard<\/td>/
    assert.match(mailOf({ logo: png(90, 30) }).html, named)
    assert.match(mailOf({ logo: svg, show_name: false }).html, named)
    const alone = mailOf({ logo: svg, logo_mail: png(90, 30), show_name: false })
    assert.doesNotMatch(alone.html, named)
    assert.match(imagesOf(alone)[0] ?? '', /alt="Orchard"/)
  })
})

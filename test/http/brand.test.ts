/** The looks that an operator chose: name, logo, accent colour and links, in the pages that the service answers with. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { contrast, isReadableAccent, nearestReadableAccent, themesOf } from '../../src/protocol/contrast.ts'
import { readSettings } from '../../src/settings/read.ts'
import { closing, temporaryFolder } from '../support/lifetime.ts'
import { serviceForFile, startService } from '../support/service.ts'

const folder = temporaryFolder()
const fileWith = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
/** The beginning of a picture of this size. */
function png(width: number, height: number): Buffer {
  const file = Buffer.alloc(40)
  file.write('\x89PNG\r\n\x1a\n', 'latin1')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return file
}
const logo = fileWith('logo.svg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"/>')

const service = await serviceForFile({
  Brand__Name: 'Orchard & "Sons" <b>',
  Brand__LogoFile: logo,
  Brand__AccentColor: '#0B57D0',
  Brand__SupportUrl: 'https://orchard.example/help',
  Brand__TermsUrl: 'https://orchard.example/terms',
  Brand__PrivacyUrl: 'https://orchard.example/privacy',
})

const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(new URL(path, service.address), { headers })
  return { response, text: await response.text() }
}

describe('the brand', () => {
  it('names the service in pages, their titles and what is written without scripts', async () => {
    const escaped = 'Orchard &amp; &quot;Sons&quot; &lt;b&gt;'
    const { text } = await read('/Account/Login')
    assert.ok(text.includes(`<title>${escaped}</title>`))
    assert.ok(text.includes(`<span>${escaped}</span>`))
    assert.ok(!text.includes('<b>') && !text.includes('Latchkey'))
    const [, facts = ''] = /<script type="application\/json" id="site">(.*?)<\/script>/.exec(text) ?? []
    const { name, logo, support, terms, privacy } = JSON.parse(facts)
    assert.deepEqual([name, logo.width], ['Orchard & "Sons" <b>', 96])
    const links = ['help', 'terms', 'privacy'].map((page) => `https://orchard.example/${page}`)
    assert.deepEqual([support, terms, privacy], links)
    assert.match(text, /<link rel="icon" href="\/assets\/icon-/, 'a wide logo is no icon')
    const missing = await read('/connect/nothing', { accept: 'text/html' })
    assert.ok(missing.text.includes(`<title>Page not found · ${escaped}</title>`))
    assert.ok(missing.text.includes('class="own"'))
  })

  it('serves the logo from this origin, as an image that can do nothing', async () => {
    const { text } = await read('/Account/Login')
    const [address = ''] = /\/assets\/logo-[0-9a-f]{12}\.svg/.exec(text) ?? []
    const { response } = await read(address)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'image/svg+xml')
    assert.match(response.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(response.headers.get('cache-control') ?? '', /immutable/)
  })

  it('gives the colours as a style sheet of this origin, with links that are readable in light and dark', async () => {
    const { text } = await read('/Account/Login')
    const [address = ''] = /\/assets\/brand-[0-9a-f]{12}\.css/.exec(text) ?? []
    const sheet = await read(address)
    assert.match(sheet.response.headers.get('content-type') ?? '', /^text\/css/)
    assert.match(sheet.text, /^:root\{--accent:#0b57d0;.*@media\(prefers-color-scheme:dark\)/)
  })

  it('has an icon of our own in light and dark colours where there is no logo', async (t) => {
    const plain = closing(t, await startService())
    const text = await (await fetch(new URL('/Account/Login', plain.address))).text()
    const icons = [...new Set(text.match(/\/assets\/(?:icon|favicon)-\w+\.svg/g))]
    assert.equal(icons.length, 2)
    const images = await Promise.all(icons.map(async (icon) => (await fetch(new URL(icon, plain.address))).text()))
    assert.deepEqual(images.map((image) => /rx="9" fill="(#\w+)"/.exec(image)?.[1]).sort(), ['#0b6b61', '#58bfaf'])
  })

  it('has its style sheet and its icon under addresses that stay, too', async () => {
    const sheet = await read('/branding.css')
    assert.match(sheet.response.headers.get('content-type') ?? '', /^text\/css/)
    assert.equal(sheet.response.headers.get('cache-control'), 'no-cache')
    assert.match(sheet.text, /^:root\{--accent:#0b57d0;/)
    const again = await read('/branding.css', { 'if-none-match': sheet.response.headers.get('etag') ?? '' })
    assert.equal(again.response.status, 304)
    // RFC 9110 §15.4.5.
    for (const name of ['vary', 'cache-control', 'etag'])
      assert.equal(again.response.headers.get(name), sheet.response.headers.get(name))
    const icon = await read('/favicon.ico')
    assert.equal(icon.response.headers.get('content-type'), 'image/svg+xml')
    assert.match(icon.text, />O<\/text>/)
  })

  const unusable: readonly (readonly [name: string, content: string | Buffer, problem: RegExp])[] = [
    [
      'script.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      /must not contain scripts/,
    ],
    ['event.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', /must not contain scripts/],
    ['foreign.svg', '<svg><foreignObject><p>x</p></foreignObject></svg>', /must not contain scripts/],
    ['remote.svg', '<svg><image href="https://evil.example/x.png"/></svg>', /addresses of other files/],
    ['import.svg', '<svg><style>@import "https://evil.example/x.css"</style></svg>', /addresses of other files/],
    ['entity.svg', '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', /no SVG, PNG or WebP image/],
    ['text.png', 'not an image', /no SVG, PNG or WebP image/],
    ['animated.svg', '<svg><a><animate attributeName="href" values="javascript:alert(1)"/></a></svg>', /scripts/],
    ['bomb.png', png(60_000, 60_000), /at most 4096 pixels/],
    ['empty.png', png(0, 0), /no SVG, PNG or WebP image/],
    [
      'large.png',
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(300_000)]),
      /larger than 256 KiB/,
    ],
  ]
  for (const [name, content, problem] of unusable) {
    it(`does not start with the logo ${name}`, async () => {
      await assert.rejects(startService({ Brand__LogoFile: fileWith(name, content) }), problem)
    })
  }

  it('takes a PNG alone for mails, and says beside a logo whether the name stands there', async (t) => {
    const picture = fileWith('mail.png', png(64, 32))
    await assert.rejects(startService({ Brand__LogoMailFile: logo }), /Brand:LogoMailFile: .* is no PNG image/)
    await assert.rejects(startService({ Brand__LogoMailDarkFile: logo }), /Brand:LogoMailDarkFile: .* is no PNG image/)
    const env = { Brand__LogoFile: logo, Brand__LogoMailFile: picture, Brand__ShowName: 'false' }
    const alone = closing(t, await startService(env))
    const text = await (await fetch(new URL('/Account/Login', alone.address))).text()
    assert.match(text, /<span class="hidden">Latchkey<\/span>/)
    const [, facts = ''] = /<script type="application\/json" id="site">(.*?)<\/script>/.exec(text) ?? []
    assert.equal(JSON.parse(facts).logo.alone, true)
  })

  it('does not start with a logo that is not there', async () => {
    await assert.rejects(startService({ Brand__LogoFile: join(folder, 'missing.svg') }), /missing\.svg cannot be read/)
  })
})

describe('Brand:AccentColor', () => {
  const problemsOf = (colour: string): string => {
    const read = readSettings({ env: { Brand__AccentColor: colour }, cwd: folder })
    return read.ok ? '' : read.problems.join(' ')
  }

  it('is refused when it cannot be told from the page, with the nearest colour that can', () => {
    for (const colour of ['#ffff00', '#ffffff', '#000000', '#006400', '#fafafa']) {
      const [, nearest = ''] = /the nearest one is (#[0-9a-f]{6})/.exec(problemsOf(colour)) ?? []
      assert.notEqual(nearest, '', colour)
      assert.equal(problemsOf(nearest), '', nearest)
    }
    for (const colour of ['#0b57d0', '#D32F2F', '#0b6b61']) assert.equal(problemsOf(colour), '', colour)
    for (const nonsense of ['blue', '#fff', '#12345', '0b57d0']) assert.match(problemsOf(nonsense), /hexadecimal/)
  })

  it('has the contrast of WCAG 2.2 wherever it is used, whatever the colour', () => {
    let readable = 0
    for (let value = 0; value < 0x1000000; value += 0x10357) {
      const colour = nearestReadableAccent(`#${value.toString(16).padStart(6, '0')}`)
      assert.ok(isReadableAccent(colour), colour)
      readable += 1
      const { light, dark } = themesOf(colour)
      for (const [theme, backgrounds] of [
        [light, ['#ffffff', '#f5f7f6', light.tint]],
        [dark, ['#141a19', '#080c0b', dark.tint]],
      ] as const) {
        assert.ok(contrast(theme.accent, theme['on-accent']) >= 4.5, colour)
        assert.ok(contrast(theme['accent-strong'], theme['on-accent']) >= 4.5, colour)
        for (const background of backgrounds)
          assert.ok(contrast(theme.link, background) >= 4.5, `${colour} ${background}`)
      }
    }
    assert.ok(readable > 200)
  })
})

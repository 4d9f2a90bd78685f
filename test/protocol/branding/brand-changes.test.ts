/** What a brand may be, and what is refused: nothing of it becomes a style, a script or an address of its own. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLogoAlone, noBrand } from '../../../src/protocol/branding/brand.ts'
import { changeBrand } from '../../../src/protocol/branding/brand-changes.ts'
import { brandImage, imageOfUrl } from '../../../src/protocol/branding/brand-image.ts'
import { allTokens, initialOf, looksOf, styleSheetOf } from '../../../src/protocol/branding/looks.ts'
import { contrast, nearestReadableAccent, tintedPage } from '../../../src/protocol/contrast.ts'
import { tokens } from '../../../src/protocol/design-tokens.generated.ts'
import { isRefusal } from '../../../src/refusal.ts'

const urlOf = (content: string | Buffer, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`
const png = (width = 64, height = 32) => {
  const file = Buffer.alloc(64)
  file.write('\x89PNG\r\n\x1a\n', 'latin1')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return file
}
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"/>'

function problemsOf(changes: Record<string, unknown>, before = noBrand): readonly string[] {
  const judged = changeBrand(before, changes)
  return isRefusal(judged) && 'problems' in judged ? judged.problems.map(({ message }) => message) : []
}
function accepted(changes: Record<string, unknown>, before = noBrand) {
  const judged = changeBrand(before, changes)
  assert.ok(!isRefusal(judged), JSON.stringify(judged))
  return judged
}

describe('a change of the brand', () => {
  it('sets members and takes them back to their defaults', () => {
    const changed = accepted({ name: 'Orchard', accent_color: '#0B57D0', corner_radius: 0, background: 'tinted' })
    assert.deepEqual([changed.name, changed.accent_color, changed.corner_radius], ['Orchard', '#0b57d0', 0])
    assert.deepEqual(
      accepted({ name: null, accent_color: null, corner_radius: null, background: null }, changed),
      noBrand,
    )
  })

  const refused: Readonly<Record<string, readonly unknown[]>> = {
    name: ['', ' ', 'a\nb', 'x'.repeat(61), 'Or\u202echard', 7],
    accent_color: ['red', '#fff', '#0b57d0;}', 'url(x)', 'var(--x)', '#0b57d0\n', 7],
    accent_color_dark: ['#00000g', '</style>'],
    corner_radius: ['10', '1px;}body{display:none', -1, 25, 1.5, Number.NaN, '0'],
    background: ['url(https://evil.example)', 'none', 7],
    support_url: [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'http://orchard.example/',
      '/help',
      '//x',
      'https://a:b@orchard.example/',
      7,
    ],
    imprint_url: [' javascript:alert(1)', `https://orchard.example/${'x'.repeat(2000)}`],
    logo: [
      'https://evil.example/x.png',
      'data:image/png,x',
      urlOf('not an image'),
      urlOf('<html><svg></svg></html>', 'image/svg+xml'),
      urlOf('<svg><script>alert(1)</script></svg>', 'image/png'),
      urlOf('<svg onload="alert(1)"/>', 'image/svg+xml'),
      urlOf(Buffer.concat([png(), Buffer.alloc(20 * 1024)])),
      urlOf(png(5000, 1)),
      7,
    ],
    logo_mail: [urlOf(svg, 'image/png'), urlOf('<svg><script/></svg>'), 'https://evil.example/x.png', 7],
    logo_mail_dark: [urlOf(svg)],
    show_name: ['false', 0, 'yes'],
    colour: ['#0b57d0'],
    __proto__: [{}],
  }
  for (const [member, values] of Object.entries(refused)) {
    for (const [at, value] of values.entries()) {
      it(`refuses ${member} ${at + 1}: ${String(value).slice(0, 40).replaceAll(/\s/g, ' ')}`, () => {
        assert.equal(problemsOf({ [member]: value }).length, 1)
      })
    }
  }

  it('has a PNG for mails, and a logo without the name beside it', () => {
    const changed = accepted({
      logo_mail: urlOf(png(), 'text/html'),
      logo_mail_dark: urlOf(png(8, 8)),
      show_name: false,
    })
    assert.deepEqual([changed.logo_mail, changed.show_name], [urlOf(png()), false])
    assert.equal(isLogoAlone(changed), false)
    assert.equal(isLogoAlone({ ...changed, logo: urlOf(svg) }), true)
    assert.equal(accepted({ show_name: true }).show_name, true)
  })

  it('keeps a logo with the type of its content, whatever type it was sent with', () => {
    assert.equal(accepted({ logo: urlOf(svg, 'text/html') }).logo, urlOf(svg, 'image/svg+xml'))
    assert.equal(accepted({ logo_dark: urlOf(png(), 'image/svg+xml') }).logo_dark, urlOf(png()))
    assert.match(String(imageOfUrl('data:image/png;base64,iVBORw0KGgo=')), /no SVG/)
  })

  it('leaves alone what a setting fixes, and names the setting', () => {
    const fixed = new Map([['name', 'Brand:Name']] as const)
    const inForce = { ...noBrand, name: 'Fixed' }
    assert.deepEqual(changeBrand(noBrand, { name: 'Fixed', corner_radius: 3 }, fixed, inForce), {
      ...noBrand,
      corner_radius: 3,
    })
    const judged = changeBrand(noBrand, { name: 'Orchard' }, fixed, inForce)
    assert.ok(isRefusal(judged) && 'problems' in judged)
    assert.match(judged.problems[0]?.message ?? '', /^name is set by Brand:Name/)
  })
})

describe('the accent colour', () => {
  it('is judged in each theme that shows it, and refused with the nearest ones for both', () => {
    const [problem = ''] = problemsOf({ accent_color: '#2b1a4f' })
    assert.match(problem, /1\.2:1 with the dark page, where 3:1 is needed/)
    const [, nearest = '', inLight = '', inDark = ''] =
      /nearest one is (#\w{6}), or (#\w{6}) in light and (#\w{6}) in dark/.exec(problem) ?? []
    assert.equal(inLight, '#2b1a4f')
    accepted({ accent_color: nearest })
    accepted({ accent_color: inLight, accent_color_dark: inDark })
    // Without its dark companion it has to do in both again.
    assert.equal(
      problemsOf({ accent_color_dark: null }, { ...noBrand, accent_color: inLight, accent_color_dark: inDark }).length,
      1,
    )
    assert.match(problemsOf({ accent_color_dark: '#000000' })[0] ?? '', /^accent_color_dark has a contrast of 1\.\d:1/)
  })

  it('tints the page no more than text and buttons on it can bear, whatever the colour', () => {
    for (let value = 0; value < 0x1000000; value += 0x30357) {
      const accent = nearestReadableAccent(`#${value.toString(16).padStart(6, '0')}`)
      for (const theme of ['light', 'dark'] as const) {
        const page = tintedPage(accent, theme)
        assert.ok(contrast(accent, page) >= 3, accent)
        assert.ok(contrast(tokens[theme].muted, page) >= 4.5, accent)
      }
    }
  })
})

describe('the looks of a brand', () => {
  it('are no style sheet at all by default', () => {
    assert.equal(styleSheetOf(noBrand), '')
    const own: Record<string, string> = { ...tokens.dark, link: tokens.dark.accent }
    const found = allTokens(noBrand, 'dark')
    for (const [token, value] of Object.entries(own)) assert.equal(found[token], value, token)
    assert.equal(found['radius-m'], tokens.fixed['radius-m'])
    assert.equal(found['radius-l'], tokens.fixed['radius-l'])
    assert.equal(found['radius-s'], tokens.fixed['radius-s'])
  })

  it('are small, and have the dark accent in the dark theme alone', () => {
    const brand = { ...noBrand, accent_color: '#0b57d0', accent_color_dark: '#8ab4f8', corner_radius: 4 }
    const sheet = styleSheetOf({ ...brand, background: 'tinted' })
    assert.ok(sheet.length < 600, `${sheet.length} bytes`)
    assert.match(
      sheet,
      /^:root\{--accent:#0b57d0;.*--radius-m:0\.25rem.*@media\(prefers-color-scheme:dark\)\{:root\{--accent:#8ab4f8/,
    )
    assert.doesNotMatch(sheet.split('@media')[0] ?? '', /8ab4f8/)
    assert.equal(looksOf({ ...brand, background: 'plain' }).light.glow, tokens.light.page)
  })

  it('show the initial of another name where there is no logo', () => {
    assert.equal(initialOf({ ...noBrand, name: 'éclair' }), 'É')
    assert.equal(initialOf(noBrand), undefined)
    assert.equal(initialOf({ ...noBrand, name: 'Orchard', logo: urlOf(svg) }), undefined)
  })
})

describe('a logo', () => {
  it('has its width from the content of the file, in bounds', () => {
    const widthOf = (bytes: Buffer) => {
      const image = brandImage(bytes, 1e6)
      assert.ok(typeof image === 'object', String(image))
      return image.width
    }
    assert.equal(widthOf(Buffer.from(svg)), 96)
    assert.equal(widthOf(png(64, 32)), 64)
    assert.equal(widthOf(png(4000, 10)), 192)
    assert.equal(widthOf(png(10, 4000)), 16)
    const webp = Buffer.alloc(32)
    webp.write('RIFF', 'latin1')
    webp.write('WEBPVP8X', 8, 'latin1')
    webp.writeUIntLE(99, 24, 3)
    webp.writeUIntLE(49, 27, 3)
    assert.equal(widthOf(webp), 64)
    assert.match(String(brandImage(Buffer.from('RIFF\0\0\0\0WEBP'), 1e6)), /no SVG/)
  })
})

/** The brand at the command line, and in configuration files. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Workplace, workplace } from './run.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"/>'
const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
/** One pixel, and a line break after it. */
const png = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
  Buffer.from('\n'),
])
const write = (place: Workplace, name: string, text: string | Buffer) => writeFileSync(join(place.folder, name), text)

describe('latchkey branding', () => {
  it('shows and sets the brand, takes a logo from a file, and leaves one entry for each change', async (t) => {
    const place = workplace(t)
    write(place, 'logo.png', svg)
    const set = await place.json('branding set name=Orchard accent_color=#0B57D0 corner_radius=4 logo=logo.png')
    assert.partialDeepStrictEqual(set, { name: 'Orchard', accent_color: '#0b57d0', corner_radius: 4, logo: url })
    assert.match((await place.run('branding set name=Orchard')).stdout, /^Nothing to change/)
    assert.match((await place.run('branding set accent_color=')).stdout, /^Changed accent_color\./)
    const { stdout } = await place.run('branding show', { env: { Brand__Name: 'Fixed' } })
    assert.match(stdout, /name +Fixed \(Brand:Name\)/)
    assert.match(stdout, /logo +data:image\/svg\+xml;base64\n/)
    const entries = (await place.json('audit list --kind branding_changed')) as { details: { members: string[] } }[]
    const members = entries.map(({ details }) => details.members)
    assert.deepEqual(members.sort(), [['accent_color'], ['name', 'accent_color', 'corner_radius', 'logo']])
  })

  it('takes a PNG for mails from a file, and whether the name stands beside the logo', async (t) => {
    const place = workplace(t)
    write(place, 'mail.png', png)
    const mailed = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    const set = await place.json('branding set logo_mail=mail.png show_name=false')
    assert.partialDeepStrictEqual(set, { logo_mail: mailed, show_name: false })
    assert.match((await place.run('branding set show_name=')).stdout, /^Changed show_name\./)
    write(place, 'export.yaml', (await place.run('export --kind branding')).stdout)
    assert.deepEqual(((await place.json('apply export.yaml')) as { changes: object[] }).changes, [])
  })

  it('refuses what the rules refuse, and what a setting fixes', async (t) => {
    const place = workplace(t)
    write(place, 'logo.svg', '<svg onload="alert(1)"/>')
    for (const [words, told, env] of [
      ['accent_color=#ffff00', /the nearest one is #[0-9a-f]{6}/, {}],
      ['support_url=javascript:alert(1)', /must be an https URL/, {}],
      ['logo=logo.svg', /must not contain scripts/, {}],
      ['logo_mail=logo.svg', /must not contain scripts/, {}],
      ['show_name=no', /show_name must be true or false/, {}],
      ['logo=missing.svg', /missing\.svg cannot be read/, {}],
      ['logo=/dev/zero', /logo: \/dev\/zero is larger than 20 KiB/, {}],
      ['corner_radius=99', /whole number from 0 to 24/, {}],
      ['nonsense=1', /is not a member of the brand/, {}],
      ['name=Other', /is set by Brand:Name/, { Brand__Name: 'Fixed' }],
    ] as const) {
      const { code, stderr } = await place.run(`branding set ${words}`, { env })
      assert.equal(code, 1, words)
      assert.match(stderr, told)
    }
    assert.partialDeepStrictEqual(await place.json('branding show'), { name: null, logo: null })
  })
})

describe('the brand in configuration files', () => {
  it('is applied whole, changes nothing the second time, and is exported as it is taken back', async (t) => {
    const place = workplace(t)
    assert.doesNotMatch((await place.run('export')).stdout, /branding/)
    write(place, 'site.yaml', `branding:\n  name: Orchard\n  accent_color: "#0b57d0"\n  logo: ${url}\n`)
    const planned = (await place.json('apply site.yaml --plan')) as { changes: object[] }
    assert.partialDeepStrictEqual(planned.changes, [{ action: 'update', kind: 'branding', id: 'branding', before: {} }])
    assert.doesNotMatch(JSON.stringify(planned), /PHN2Zy/)
    const { stdout } = await place.run('apply site.yaml')
    assert.match(stdout, /~ branding\n {4}name: /)
    assert.deepEqual(((await place.json('apply site.yaml')) as { changes: object[] }).changes, [])
    write(place, 'export.yaml', (await place.run('export')).stdout)
    assert.match(readFileSync(join(place.folder, 'export.yaml'), 'utf8'), /branding:\n {2}name: Orchard\n/)
    assert.deepEqual(((await place.json('apply export.yaml --prune')) as { changes: object[] }).changes, [])
    // What a file leaves out takes its default; a file without the brand leaves it alone.
    write(place, 'site.yaml', 'branding: {corner_radius: 2}\n')
    await place.run('apply site.yaml')
    assert.partialDeepStrictEqual(await place.json('branding show'), { name: null, corner_radius: 2, logo: null })
    write(place, 'site.yaml', 'scopes: []\n')
    await place.run('apply site.yaml --prune')
    assert.partialDeepStrictEqual(await place.json('branding show'), { corner_radius: 2 })
    assert.equal(((await place.json('audit list --kind branding_changed')) as object[]).length, 2)
  })

  it('has logos in files beside the file, which are judged by their content', async (t) => {
    const place = workplace(t)
    mkdirSync(join(place.folder, 'looks'))
    write(place, 'looks/logo.png', svg)
    // A picture is no text, and a line break at the end belongs to it.
    write(place, 'looks/pixel.png', png)
    write(place, 'looks/site.yaml', `branding: {logo: ./logo.png, logo_dark: "\${file:pixel.png}"}\n`)
    await place.run('apply looks/site.yaml')
    const dark = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    assert.partialDeepStrictEqual(await place.json('branding show'), { logo: url, logo_dark: dark })
    assert.deepEqual(((await place.json('apply looks/site.yaml')) as { changes: object[] }).changes, [])

    write(place, 'script.svg', '<svg onload="alert(1)"/>')
    write(place, 'text.svg', 'a text')
    write(place, 'large.svg', `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(20_480)}</svg>`)
    write(place, 'huge.svg', `<svg>${' '.repeat(262_144)}</svg>`)
    for (const [path, told] of [
      ['script.svg', /site\.yaml, line 1, branding: logo must not contain scripts/],
      ['text.svg', /logo is no SVG, PNG or WebP image/],
      ['large.svg', /The file large\.svg is missing, is no regular file, or has more than 20 KiB/],
      ['huge.svg', /The file huge\.svg is missing, is no regular file, or has more than 20 KiB/],
      ['missing.svg', /The file missing\.svg is missing/],
      ['looks', /The file looks is missing, is no regular file/],
      ['/dev/zero', /The file \/dev\/zero is missing, is no regular file/],
      ['https://cdn.example/logo.svg', /is missing, is no regular file/],
    ] as const) {
      write(place, 'site.yaml', `branding: {logo: "${path}"}\n`)
      const { code, stderr } = await place.run('apply site.yaml')
      assert.equal(code, 1, path)
      assert.match(stderr, told)
    }
    assert.partialDeepStrictEqual(await place.json('branding show'), { logo: url })
  })

  it('is refused whole, with its place in the file', async (t) => {
    const place = workplace(t)
    for (const [text, told] of [
      ['branding: []\n', /site\.yaml, line 1: branding must be an object/],
      ['branding: {branding: x}\n', /branding must be an object/],
      ['branding: {name: Orchard, accent_color: red}\n', /site\.yaml, line 1, branding: accent_color must be a colour/],
      ['branding: {colour: red}\n', /colour is not a member of the brand/],
    ] as const) {
      write(place, 'site.yaml', text)
      const { code, stderr } = await place.run('apply site.yaml')
      assert.equal(code, 1, text)
      assert.match(stderr, told)
    }
    assert.partialDeepStrictEqual(await place.json('branding show'), { name: null })
  })
})

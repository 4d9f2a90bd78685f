import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readTokens } from '../../scripts/tokens.ts'
import { htmlMail } from '../../src/mail/html.ts'
import { noBrand } from '../../src/protocol/branding/brand.ts'
import { assertNone } from '../support/values.ts'
import { filesBelow, read } from './sources.ts'

describe('the design tokens', () => {
  const { fixed, light, dark } = readTokens()
  const sheets = ['pages', 'examples/demo-client'].flatMap((folder) => filesBelow(folder, ['.css']))
  const others = sheets.filter((sheet) => sheet !== 'pages/kit/tokens.css')

  it('have the only colours, sizes of type and radii of every style sheet', () => {
    assert.ok(others.length >= 6, `only ${others.length} sheets were found`)
    const typed = others.flatMap((sheet) =>
      read(sheet)
        .split('\n')
        .filter((line) => /#[0-9a-f]{3,8}\b|\brgb\(|(?:font-size|border-radius|gap): [\d.]+rem/.test(line))
        .map((line) => `${sheet}: ${line.trim()}`),
    )
    assert.deepEqual(typed, [])
  })

  it('are each named by a sheet, and each that is named is there', () => {
    const named = new Set(
      sheets.flatMap((sheet) => [...read(sheet).matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name ?? '')),
    )
    const own = sheets.flatMap((sheet) => [...read(sheet).matchAll(/^ +--([\w-]+):/gm)].map(([, name]) => name ?? ''))
    assert.ok(named.size >= 30, `only ${named.size} tokens are named`)
    assertNone([...named].filter((name) => !own.includes(name)))
    assertNone([...Object.keys({ ...fixed, ...light })].filter((name) => !named.has(name)))
  })

  it('have a value in the dark for each colour', () => {
    assert.ok(Object.keys(light).length >= 15)
    assert.deepEqual(Object.keys(dark), Object.keys(light))
  })

  it('are values in the built pages, which have no page of the kit, and in emails', () => {
    assert.equal(existsSync('dist/pages/kit'), false)
    const built = filesBelow('dist/pages', ['.css']).map(read).join('')
    assert.ok(built.includes(`--radius-l:${fixed['radius-l']}`))
    assert.doesNotMatch(built, /var\(--(?:space|size)-/)
    const body = { subject: 'S', lead: 'L', action: { label: 'A', url: 'https://id.example/' }, code: undefined }
    const more = { valid: undefined, rest: [], facts: [], footer: 'F' }
    const html = htmlMail({ ...body, ...more }, { language: 'en', direction: 'ltr', brand: noBrand, logo: undefined })
    assert.match(html, new RegExp(`border-radius:10px;background:${light.accent}`))
    assert.doesNotMatch(html, /var\(--/)
  })
})

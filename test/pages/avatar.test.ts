/** The initials that stand for people, and the colours behind them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { initialsOf } from '../../pages/kit/initials.ts'
import { readTokens } from '../../scripts/tokens.ts'
import { contrast } from '../../src/protocol/contrast.ts'

const { light, dark } = readTokens()
const colours = Object.keys(light).filter((name) => name.startsWith('avatar-'))

describe('an avatar', () => {
  it('has initials that are readable on each of its colours, in both themes (WCAG 2.2, 1.4.3)', () => {
    assert.equal(colours.length, 6)
    for (const [theme, values] of Object.entries({ light, dark })) {
      for (const name of colours) {
        const ratio = contrast(values.card as string, values[name] as string)
        assert.ok(ratio >= 4.5, `${theme} ${name}: ${ratio.toFixed(2)}`)
      }
    }
  })

  it('has the first letters of the first and the last word of a name, and one of a username or an address', () => {
    const named = { 'Ada Lovelace': 'AL', 'Zoë van Dyke': 'ZD', 'Anna Meyer-Lund': 'AM', bob: 'B', 王小明: '王' }
    const written = {
      'jane.doe': 'J',
      'jane.doe@example.com': 'J',
      'demo-client': 'D',
      'R (9)': 'R',
    }
    for (const [name, initials] of Object.entries({ ...named, ...written, 'ליאת כהן': 'לכ', '': '', '…': '' }))
      assert.equal(initialsOf(name, 'en'), initials, name)
    assert.equal(initialsOf('ilker demir', 'tr'), 'İD')
  })

  it('keeps letters apart that would join into one shape (Unicode, U+200C)', () => {
    assert.equal(initialsOf('عمر خليل', 'ar'), 'ع\u200cخ')
    assert.equal(initialsOf('عمر', 'ar'), 'ع')
    assert.equal(initialsOf('عمر Khalil', 'ar'), 'عK')
  })

  it('has a rule of its sheet for each colour', () => {
    const sheet = readFileSync(new URL('../../pages/kit/avatar.css', import.meta.url), 'utf8')
    for (const name of colours) assert.ok(sheet.includes(`.${name} {\n  background: var(--${name});`), name)
  })
})

/** What people wrote, in files for spreadsheets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvCell, csvLine } from '../../pages/console/save-file.ts'

describe('a cell of a file for spreadsheets', () => {
  for (const [what, text, written] of [
    ['a formula', '=1+1', "'=1+1"],
    ['a formula of other spreadsheets', '@SUM(1)', "'@SUM(1)"],
    ['a formula in wide letters', '＝1', "'＝1"],
    ['one after blanks', ' =1', "' =1"],
    ['one in a cell that ends at a semicolon, as in German', 'Eve;=1+1', "Eve;'=1+1"],
    ['one after a tab', 'Eve\t-1', "Eve\t'-1"],
    ['one in a line of its own', 'Eve\n+1', '"Eve\n\'+1"'],
    ['one in quotes', 'Eve;"=1"', '"Eve;\'""=1"""'],
    ['several', 'a;=1;b;@2', "a;'=1;b;'@2"],
  ] as const) {
    it(`has an apostrophe before ${what}`, () => assert.equal(csvCell(text), written))
  }

  it('is as it was written where nothing begins a formula (RFC 4180 §2)', () => {
    for (const text of ['Jean-Luc', 'a;b', 'eve+news@example.com', 'C-100', 'x = 1', ''])
      assert.equal(csvCell(text), text)
    assert.equal(csvLine(['a,b', 'say "a"', ['x', 'y'], null]), '"a,b","say ""a""",x y,\r\n')
  })
})

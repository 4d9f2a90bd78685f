import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mutantsOf, withMutant } from '../../scripts/mutants.ts'

describe('the faults of the mutation check', () => {
  const faulty = (source: string): string[] =>
    mutantsOf('sample.ts', source).map((mutant) => withMutant(source, mutant).trim())

  for (const [what, source, expected] of [
    ['a guard that never or always holds', 'if (a) throw b', ['if (true) throw b', 'if (false) throw b', 'if (a) ;']],
    ['a condition without one of its parts', 'x = a && b', [';', 'x = a', 'x = (b)']],
    ['a default that is never or always taken', 'const x = a ?? b', ['const x = a', 'const x = (b)']],
    ['another comparison', 'const x = a < b', ['const x = a <= b']],
    ['a statement that is left out', 'await f(a)', [';']],
    ['another truth value', 'const x = true', ['const x = false']],
    ['a bound that is off by one', 'const x = 60', ['const x = 61']],
    ['a missing negation', 'const x = !a', ['const x = a']],
    ['an object without a member', 'const x = { a, b }', ['const x = { b }', 'const x = { a,  }']],
    ['a list without an item', 'const x = [a, b]', ['const x = [b]', 'const x = [a, ]']],
    ['a pattern that matches within', 'const x = /^a$/', ['const x = /a$/', 'const x = /^a/']],
    ['a call that narrows nothing', 'const x = a.trim()', ['const x = a']],
    ['one of several', 'const x = a.every(b)', ['const x = a.some(b)']],
  ] as const) {
    it(`are ${what}`, () => assert.deepEqual(faulty(source), expected))
  }

  it('spare types, imports and texts', () => {
    assert.deepEqual(faulty("import a from 'b'; type C = { d: 1 }; const x: C | true = a + 'text'"), [])
  })

  it('take names of inherited members for what they are', () => {
    assert.deepEqual(faulty('const x = a.toString().constructor()'), [])
  })

  it('name the line and the change', () => {
    const [mutant] = mutantsOf('sample.ts', '// one\nconst x = a\n  .trim()\n')
    assert.equal(mutant?.line, 2)
    assert.equal(mutant?.change, 'a .trim() → a')
  })
})

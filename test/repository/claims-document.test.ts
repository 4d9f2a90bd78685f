/** `docs/claims.md` names what the declarations of fields say. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldEntries } from '../../src/person-fields.ts'
import { scopeClaims } from '../../src/protocol/claims/standard-claims.ts'
import { assertNone } from '../support/values.ts'
import { read } from './sources.ts'

const rows = read('docs/claims.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)))

describe('docs/claims.md', () => {
  it('says which values each field of a person may have', () => {
    const explained = rows.flatMap(([, names = []]) => names)
    assertNone(fieldEntries.map(([name]) => name).filter((name) => !explained.includes(name)))
  })

  it('says which claims each scope hands over', () => {
    for (const [scope, claims] of Object.entries(scopeClaims)) {
      const [, , found] = rows.findLast(([, names = []]) => names.length === 1 && names[0] === scope) ?? []
      assert.deepEqual(found, claims, scope)
    }
  })
})

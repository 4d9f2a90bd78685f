import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personFields } from '../../src/person-fields.ts'
import { fieldFault } from '../../src/users/field-values.ts'

describe('a web address of a person (OpenID Connect Core §5.1)', () => {
  const faultOf = (value: string) => fieldFault(personFields.website, value)

  for (const value of ['https://example.com/~alice', 'http://example.com', 'HTTPS://example.com']) {
    it(`may be ${value}`, () => assert.equal(faultOf(value), undefined))
  }

  for (const value of [
    'javascript:alert(1)',
    'x-http://example.com',
    'httpsx://example.com',
    'ftp://example.com',
    '//example.com',
    'https://example.com/ a',
    'https://example.com/"',
    'https://example.com/<b>',
    'https://example.com\\a',
  ]) {
    it(`is never ${value}`, () => {
      assert.equal(faultOf(value), 'must be an address that begins with https:// or http://')
    })
  }
})

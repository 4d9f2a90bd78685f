import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isCodeChallenge, verifyCodeVerifier } from '../../src/protocol/authorization-request/pkce.ts'
import { appendixB } from './samples.ts'

describe('PKCE (RFC 7636)', () => {
  it('accepts the verifier and challenge printed in Appendix B [S4.2.7]', () => {
    assert.equal(verifyCodeVerifier(appendixB.verifier, appendixB.challenge), undefined)
  })

  it('refuses another verifier with ID2052 (§4.6) [S4.2.10]', () => {
    const refusal = verifyCodeVerifier(`${appendixB.verifier}x`, appendixB.challenge)
    assert.equal(refusal?.id, 'ID2052')
    assert.equal(refusal?.error, 'invalid_grant')
  })

  for (const [what, verifier] of [
    ['42 characters', 'a'.repeat(42)],
    ['129 characters', 'a'.repeat(129)],
    ['a character outside the unreserved set', `${'a'.repeat(42)}+`],
    ['a trailing newline', `${'a'.repeat(43)}\n`],
    ['nothing', ''],
  ] as const) {
    it(`refuses a verifier of ${what} (§4.1)`, () => {
      assert.equal(verifyCodeVerifier(verifier, appendixB.challenge)?.id, 'ID2052')
    })
  }

  it('takes only 43 canonical base64url characters as a challenge (§4.2)', () => {
    assert.ok(isCodeChallenge(appendixB.challenge))
    assert.ok(!isCodeChallenge(appendixB.challenge.slice(1)))
    assert.ok(!isCodeChallenge(`${appendixB.challenge}=`))
    // The last character would carry bits that no SHA-256 value has.
    assert.ok(!isCodeChallenge(`${appendixB.challenge.slice(0, 42)}N`))
  })
})

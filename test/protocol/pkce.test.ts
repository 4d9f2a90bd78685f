import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
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
    ['a leading blank', ` ${'a'.repeat(43)}`],
    ['nothing', ''],
  ] as const) {
    it(`refuses a verifier of ${what} (§4.1)`, () => {
      // The challenge is its own, so that nothing but the syntax is wrong.
      const refusal = verifyCodeVerifier(verifier, hash('sha256', verifier, 'base64url'))
      assert.equal(refusal?.id, 'ID2052')
      assert.equal(refusal?.detail?.rule, 'a verifier has 43 to 128 of the characters A-Z a-z 0-9 - . _ ~')
      assert.equal(refusal?.detail?.receivedLength, verifier.length)
    })
  }

  it('says when the challenge was sent as its verifier, and never which was (§4.6)', () => {
    const { challenge } = appendixB
    assert.deepEqual(verifyCodeVerifier(challenge, challenge)?.detail, {
      parameter: 'code_verifier',
      method: 'S256',
      rule: 'the challenge itself was sent',
      receivedLength: 43,
    })
    assert.deepEqual(verifyCodeVerifier('a'.repeat(44), challenge)?.detail, {
      parameter: 'code_verifier',
      method: 'S256',
      rule: 'another verifier belongs to the challenge',
      receivedLength: 44,
    })
  })

  it('refuses any verifier of a stored challenge that is no hash (§4.6)', () => {
    assert.equal(verifyCodeVerifier(appendixB.verifier, appendixB.challenge.slice(0, 20))?.id, 'ID2052')
  })

  it('takes only 43 canonical base64url characters as a challenge (§4.2)', () => {
    assert.ok(isCodeChallenge(appendixB.challenge))
    assert.ok(!isCodeChallenge(appendixB.challenge.slice(1)))
    assert.ok(!isCodeChallenge(`${appendixB.challenge}=`))
    assert.ok(!isCodeChallenge(`.${appendixB.challenge}`))
    // The last character would carry bits that no SHA-256 value has.
    assert.ok(!isCodeChallenge(`${appendixB.challenge.slice(0, 42)}N`))
  })
})

/** Proof Key for Code Exchange (RFC 7636), method S256 only. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Refusal, refuse } from './refusals/index.ts'

/** 43 to 128 unreserved characters (RFC 7636 §4.1). */
const verifierSyntax = /^[A-Za-z0-9\-._~]{43,128}$/
/** base64url of 32 bytes without padding: the last character carries two bits of padding, so 16 are possible. */
const challengeSyntax = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Whether `value` can be the S256 challenge of any verifier (RFC 7636 §4.2). */
export function isCodeChallenge(value: string): boolean {
  return challengeSyntax.test(value)
}

/**
 * Checks a code verifier against the stored challenge (RFC 7636 §4.6).
 * Refuses with `code_verifier_mismatch`, also when the verifier is malformed: it can match no challenge then.
 */
export function verifyCodeVerifier(verifier: string, challenge: string): Refusal | undefined {
  // What is told about a verifier is its length, never the value.
  const refused = (rule: string): Refusal =>
    refuse('code_verifier_mismatch', 'code_verifier', { method: 'S256', rule, receivedLength: verifier.length })
  if (!verifierSyntax.test(verifier)) return refused('a verifier has 43 to 128 of the characters A-Z a-z 0-9 - . _ ~')
  const expected = Buffer.from(challenge, 'base64url')
  const actual = createHash('sha256').update(verifier, 'ascii').digest()
  const matches = expected.length === actual.length && timingSafeEqual(expected, actual)
  if (matches) return undefined
  // The challenge was in an address already, so comparing with it gives nothing away.
  return refused(verifier === challenge ? 'the challenge itself was sent' : 'another verifier belongs to the challenge')
}

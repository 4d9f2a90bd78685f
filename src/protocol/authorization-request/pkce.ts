/** Proof Key for Code Exchange (RFC 7636), method S256 only. */
import { hash, timingSafeEqual } from 'node:crypto'
import { type Refusal, refuse } from '../refusals/index.ts'

/** 43 to 128 unreserved characters (RFC 7636 §4.1). */
const verifierSyntax = /^[A-Za-z0-9\-._~]{43,128}$/
/** Unpadded base64url of 32 bytes: the last character has two unused bits, which leaves 16 possibilities. */
const challengeSyntax = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Whether `value` can be an S256 challenge (RFC 7636 §4.2). */
export function isCodeChallenge(value: string): boolean {
  return challengeSyntax.test(value)
}

/**
 * Checks a code verifier against the stored challenge (RFC 7636 §4.6). Refuses with `code_verifier_mismatch`, also for
 * a malformed verifier, which matches no challenge.
 */
export function verifyCodeVerifier(verifier: string, challenge: string): Refusal | undefined {
  // Reports the verifier's length, never its value.
  const refused = (rule: string): Refusal =>
    refuse('code_verifier_mismatch', 'code_verifier', { method: 'S256', rule, receivedLength: verifier.length })
  if (!verifierSyntax.test(verifier)) return refused('a verifier has 43 to 128 of the characters A-Z a-z 0-9 - . _ ~')
  const expected = Buffer.from(challenge, 'base64url')
  const actual = hash('sha256', verifier, 'buffer')
  const matches = expected.length === actual.length && timingSafeEqual(expected, actual)
  if (matches) return undefined
  // The challenge was part of a URL already, so comparing with it reveals nothing.
  return refused(verifier === challenge ? 'the challenge itself was sent' : 'another verifier belongs to the challenge')
}

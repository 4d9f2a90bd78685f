/** Refusals about proof keys (RFC 7636), in the authorization request and at the token endpoint. */
import type { RefusalEntry } from './entry.ts'

export const pkceRefusals = {
  code_challenge_method_without_challenge: {
    error: 'invalid_request',
    id: 'ID2037',
    description: 'The code_challenge_method was sent without a code_challenge.',
    why: 'A method without a challenge protects nothing; the challenge was probably lost in transit.',
    fix: 'Send both, or neither if the client may go without PKCE.',
    source: 'RFC 7636 §4.3',
  },
  code_challenge_method_missing: {
    error: 'invalid_request',
    id: 'ID2029',
    description:
      'The mandatory parameter code_challenge_method is missing; without it plain is meant, which is refused.',
    why: 'A challenge without a method is read as plain, where the challenge is the secret itself and travels through the browser.',
    fix: 'Send code_challenge_method=S256.',
    source: 'RFC 7636 §4.3, RFC 9700 §2.1.1',
  },
  code_challenge_method_unsupported: {
    error: 'invalid_request',
    id: 'ID2032',
    description: 'The code_challenge_method is not supported; use S256.',
    why: 'With S256 an authorization request reveals nothing that redeems the code. No other supported method has this property.',
    fix: 'Send code_challenge_method=S256.',
    source: 'RFC 7636 §4.4.1, RFC 9700 §2.1.1',
  },
  code_challenge_malformed: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The code_challenge is not a base64url SHA-256 value of 43 characters.',
    why: 'No verifier can match it, so the code would be refused later.',
    fix: 'Send base64url(SHA-256(ASCII(code_verifier))) without padding.',
    source: 'RFC 7636 §4.2',
  },
  code_challenge_missing: {
    error: 'invalid_request',
    id: 'ID2054',
    description: 'This client must send a code_challenge (PKCE).',
    why: 'Without PKCE a stolen code is enough to get tokens.',
    fix: "Switch PKCE with S256 on in the application's library, which then sends a code_challenge with code_challenge_method=S256. Where a confidential client has a library that cannot: latchkey client set ID require_pkce=false.",
    source: 'RFC 7636 §4.4.1, RFC 9700 §2.1.1',
  },
  code_verifier_missing: {
    error: 'invalid_request',
    id: 'ID2054',
    description: 'The mandatory parameter code_verifier is missing (PKCE).',
    why: 'The code was requested with a challenge, and only the verifier proves that the same client redeems it.',
    fix: 'Send the code_verifier whose challenge was in the authorization request.',
    source: 'RFC 7636 §4.5',
  },
  code_verifier_withheld: {
    error: 'invalid_grant',
    id: 'ID2054',
    description: 'The code_verifier of this code is missing (PKCE).',
    why: 'Under the profile fapi2 a code without its verifier is refused like one with a wrong one: the sender did not ask for it.',
    fix: 'Send the code_verifier whose challenge was in the pushed request.',
    source: 'FAPI 2.0 Security Profile §5.3.2.2, RFC 7636 §4.6',
  },
  code_verifier_unexpected: {
    error: 'invalid_request',
    id: 'ID2073',
    description: 'A code_verifier was sent, but the authorization request had no code_challenge.',
    why: 'A verifier without a challenge suggests that an attacker removed the challenge from the authorization request.',
    fix: 'Send the code_challenge with the authorization request.',
    source: 'RFC 9700 §2.1.1',
  },
  code_verifier_mismatch: {
    error: 'invalid_grant',
    id: 'ID2052',
    description: 'The code_verifier does not match the code_challenge.',
    why: 'Only the client that started the sign-in knows the verifier. The most frequent innocent causes are a second tab that overwrote the stored verifier, and hashing or encoding it in another way.',
    fix: 'Send the 43 to 128 characters whose SHA-256 was sent as code_challenge.',
    source: 'RFC 7636 §4.6',
  },
} as const satisfies Record<string, RefusalEntry>

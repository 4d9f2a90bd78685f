/** Refusals about DPoP proofs and tokens that are bound to a key (RFC 9449). */
import type { RefusalEntry } from './entry.ts'

export const dpopRefusals = {
  dpop_proof_invalid: {
    error: 'invalid_dpop_proof',
    id: 'ID9180',
    description: 'The DPoP proof is not valid.',
    why: 'A proof is signed for one request: its method, its address without the query, its time, and the access token it goes with. It contains the public key with which it is signed.',
    fix: "Make a new proof for every request. Use the address from the discovery document for htu, and a clock that is right. 'latchkey explain <trace id>' says which rule was broken.",
    source: 'RFC 9449 §4.3, §5',
  },
  dpop_proof_missing: {
    error: 'invalid_dpop_proof',
    id: 'ID9181',
    description: 'The request needs a DPoP proof.',
    why: 'The client is registered for tokens that are bound to a key, or the code, refresh token or access token is bound to one. Without a proof, a thief could use it.',
    fix: 'Send the header DPoP, with a proof that is signed with the key to which the token is bound.',
    source: 'RFC 9449 §5, §5.2, §7.1',
  },
  dpop_proof_reused: {
    error: 'invalid_dpop_proof',
    id: 'ID9182',
    description: 'The DPoP proof was used before.',
    why: 'A proof is accepted once, so that a copied one is useless.',
    fix: 'Make a new proof with a new jti for every request, for a repeated one as well.',
    source: 'RFC 9449 §11.1',
  },
  dpop_key_mismatch: {
    error: 'invalid_dpop_proof',
    id: 'ID9183',
    description: 'The DPoP proof is signed with another key.',
    why: 'The code or access token is bound to a key, by dpop_jkt or by the proof with which it was requested.',
    fix: 'Sign the proof with the key that started the flow.',
    source: 'RFC 9449 §7.1, §10',
  },
  refresh_token_key_mismatch: {
    error: 'invalid_grant',
    id: 'ID9184',
    description: 'The refresh token is bound to another key.',
    why: 'The refresh tokens of a public client are bound to the key or certificate of its first token request, so that a thief cannot use them.',
    fix: 'Keep the key or certificate for as long as the refresh token. If it is lost, let the user sign in again.',
    source: 'RFC 9449 §5, RFC 8705 §4',
  },
  dpop_nonce_required: {
    error: 'use_dpop_nonce',
    id: 'ID9185',
    description: 'The DPoP proof needs a nonce of this service.',
    why: 'The nonce shows that the proof was made just now. It changes every few minutes.',
    fix: 'Repeat the request with a new proof that contains the value of the DPoP-Nonce header as nonce.',
    source: 'RFC 9449 §8, §9',
  },
  access_token_bound: {
    error: 'invalid_token',
    id: 'ID9186',
    description: 'The access token is bound to a key and is no bearer token.',
    why: 'Accepting it without the key would let a thief use it.',
    fix: "Send it as 'Authorization: DPoP', with a DPoP proof.",
    source: 'RFC 9449 §7.1, §7.2',
  },
  access_token_unbound: {
    error: 'invalid_token',
    id: 'ID9187',
    description: 'The access token is not bound to a key.',
    why: 'The scheme DPoP is for tokens that were requested with a DPoP proof.',
    fix: "Send a DPoP proof with the token request, or send the token as 'Authorization: Bearer'.",
    source: 'RFC 9449 §7.1',
  },
} as const satisfies Record<string, RefusalEntry>

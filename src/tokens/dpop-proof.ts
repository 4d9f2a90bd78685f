/** DPoP proofs as JWTs (RFC 9449 §4.2): their parts, and the signature of the key that they contain. */
import { hash } from 'node:crypto'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { compactVerify } from 'jose/jws/compact/verify'
import { importJWK } from 'jose/key/import'
import type { ProofHeader, ProofKey } from '../protocol/token/dpop.ts'

type Members = Readonly<Record<string, unknown>>

/** Returns header and claims, not verified yet; undefined: not a JWT. */
export function decodeProof(proof: string): { readonly header: Members; readonly claims: Members } | undefined {
  try {
    const header = decodeProtectedHeader(proof) as Members
    const claims: unknown = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null ? { header, claims: claims as Members } : undefined
  } catch {
    return undefined
  }
}

/** Whether the proof was signed with the key in its header, which was checked. */
export async function isSignedByItsKey(proof: string, { algorithm, key }: ProofHeader): Promise<boolean> {
  try {
    await compactVerify(proof, await importJWK({ ...key }, algorithm), { algorithms: [algorithm] })
    return true
  } catch {
    // A wrong signature, or a key that is no point of its curve.
    return false
  }
}

/** Returns the SHA-256 thumbprint of a key (RFC 7638 §3), whose members are in lexicographic order. */
export function thumbprintOf(key: ProofKey): string {
  return hash('sha256', JSON.stringify(key), 'base64url')
}

/** Returns the hash of an access token for `ath` (§4.2). */
export function accessTokenHash(accessToken: string): string {
  return hash('sha256', accessToken, 'base64url')
}

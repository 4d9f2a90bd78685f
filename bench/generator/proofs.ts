/** DPoP proofs (RFC 9449 §4.2), made for each request as a client makes them. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'

/** Returns a function that makes a proof for a POST to `url`, always with the same key (ES256). */
export function proofsFor(url: string): () => string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = part({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) })
  return () => {
    const claims = { jti: randomUUID(), htm: 'POST', htu: url, iat: Math.floor(Date.now() / 1000) }
    const text = `${header}.${part(claims)}`
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }
}

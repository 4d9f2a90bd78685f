/** DPoP proofs of test clients, right ones and wrong ones (RFC 9449 §4.2). */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'

type Members = Readonly<Record<string, unknown>>

export type ProofParts = {
  readonly method?: string
  readonly url: string | URL
  /** Adds `ath`. */
  readonly accessToken?: string
  /** Epoch milliseconds; default: now. */
  readonly nowMs?: number
  /** Replace members; undefined removes one. */
  readonly header?: Members
  readonly claims?: Members
}

const algorithms = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  Ed25519: () => generateKeyPairSync('ed25519'),
}

export type DpopAlgorithm = keyof typeof algorithms

export class DpopKey {
  readonly algorithm: DpopAlgorithm
  readonly privateKey: KeyObject
  readonly jwk: Readonly<Record<string, string>>

  constructor(algorithm: DpopAlgorithm = 'ES256') {
    const { privateKey, publicKey } = algorithms[algorithm]()
    this.algorithm = algorithm
    this.privateKey = privateKey
    this.jwk = publicKey.export({ format: 'jwk' }) as Readonly<Record<string, string>>
  }

  /** RFC 7638 §3. */
  get thumbprint(): string {
    const members = ['crv', 'e', 'kty', 'n', 'x', 'y'].filter((name) => name in this.jwk)
    const text = JSON.stringify(Object.fromEntries(members.map((name) => [name, this.jwk[name]])))
    return createHash('sha256').update(text).digest('base64url')
  }

  proof({ method = 'POST', url, accessToken, nowMs = Date.now(), header, claims }: ProofParts): string {
    const ath = accessToken === undefined ? undefined : createHash('sha256').update(accessToken).digest('base64url')
    const head = { typ: 'dpop+jwt', alg: this.algorithm, jwk: this.jwk, ...header }
    const iat = Math.floor(nowMs / 1000)
    return this.sign(head, { jti: randomUUID(), htm: method, htu: String(url), iat, ath, ...claims })
  }

  sign(header: Members, claims: unknown): string {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part(header)}.${part(claims)}`
    return `${text}.${this.signatureOf(Buffer.from(text)).toString('base64url')}`
  }

  private signatureOf(bytes: Buffer): Buffer {
    if (this.algorithm === 'ES256') return sign('sha256', bytes, { key: this.privateKey, dsaEncoding: 'ieee-p1363' })
    if (this.algorithm === 'PS256') return sign('sha256', bytes, { key: this.privateKey, padding: 6, saltLength: 32 })
    return sign(null, bytes, this.privateKey)
  }
}

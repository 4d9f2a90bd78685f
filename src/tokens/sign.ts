/**
 * Signs JWTs in compact form (RFC 7515 §3.1, RFC 7519). Implemented here although `jose` could do it: the library sends
 * every signature to the thread pool, and for elliptic curves that round trip costs more than the signature
 * (`docs/growing.md`).
 */
import { constants as cryptoConstants, type KeyObject, type SignKeyObjectInput, sign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { SigningKey } from '../keys/key-ring.ts'

const signInThreadPool = promisify<string | null, Buffer, SignKeyObjectInput, Buffer>(sign)

/** Cached per key: the input for `sign`, and the encoded headers. */
type Prepared = { readonly input: SignKeyObjectInput; readonly headers: Map<string, string> }

const prepared = new WeakMap<KeyObject, Prepared>()

/** Returns the claims as a JWT of media type `typ`, signed with the key's algorithm and `kid`. */
export async function signJwt(signer: SigningKey | Promise<SigningKey>, typ: string, claims: object): Promise<string> {
  return startJwt(signer, typ, claims)
}

/** A JWT, or the promise of one whose key or signature has to be waited for. */
export type StartedJwt = string | Promise<string>

/** Like `signJwt`, but returns the JWT itself if nothing has to be waited for. */
export function startJwt(signer: SigningKey | Promise<SigningKey>, typ: string, claims: object): StartedJwt {
  return signer instanceof Promise ? signer.then((key) => signWith(key, typ, claims)) : signWith(signer, typ, claims)
}

/** Calls `use` with the JWT: now, or when it is signed. */
export function whenSigned<Result>(
  jwt: StartedJwt,
  use: (jwt: string) => Result | Promise<Result>,
): Result | Promise<Result> {
  return jwt instanceof Promise ? jwt.then(use) : use(jwt)
}

function signWith(key: SigningKey, typ: string, claims: object): StartedJwt {
  const { input, headers } = prepare(key)
  let header = headers.get(typ)
  if (header === undefined) {
    header = base64url(JSON.stringify({ alg: key.algorithm, typ, kid: key.kid }))
    headers.set(typ, header)
  }
  const signed = `${header}.${base64url(JSON.stringify(claims))}`
  const bytes = Buffer.from(signed, 'ascii')
  const complete = (signature: Buffer): string => `${signed}.${signature.toString('base64url')}`
  if (isSignedHere(key)) return complete(sign(digestOf(key), bytes, input))
  return signInThreadPool(digestOf(key), bytes, input).then(complete)
}

/** With a single processor another thread gains nothing but still costs the round trip. */
const isAlone = availableParallelism() === 1

/** Signs elliptic curves on the main thread. The others take an order of magnitude longer and would block the event loop. */
function isSignedHere({ algorithm }: SigningKey): boolean {
  return isAlone || algorithm === 'ES256' || algorithm === 'EdDSA'
}

/** Ed25519 and ML-DSA include their own hash (RFC 8032 §5.1, FIPS 204 §5.2). */
function digestOf({ algorithm }: SigningKey): 'sha256' | null {
  return algorithm === 'EdDSA' || algorithm === 'ML-DSA-65' ? null : 'sha256'
}

function prepare(key: SigningKey): Prepared {
  let known = prepared.get(key.privateKey)
  if (known === undefined) {
    known = { input: { key: key.privateKey, ...parametersOf(key) }, headers: new Map() }
    prepared.set(key.privateKey, known)
  }
  return known
}

function parametersOf({ algorithm }: SigningKey): Omit<SignKeyObjectInput, 'key'> {
  switch (algorithm) {
    case 'ES256':
      // RFC 7518 §3.4: the concatenation of R and S, not a DER structure.
      return { dsaEncoding: 'ieee-p1363' }
    case 'PS256':
      // RFC 7518 §3.5: the salt is as long as the hash.
      return { padding: cryptoConstants.RSA_PKCS1_PSS_PADDING, saltLength: cryptoConstants.RSA_PSS_SALTLEN_DIGEST }
    default:
      return {}
  }
}

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}

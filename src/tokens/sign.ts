/**
 * Signs JWTs in the compact form (RFC 7515 §3.1, RFC 7519). This is the one place where the service does by hand what a
 * library does as well: the library hands every signature to the thread pool, and for an elliptic curve the way there
 * and back costs more than the signature. It saves a third of a refresh; `docs/performance.md` has the figures.
 */
import { constants as cryptoConstants, type KeyObject, type SignKeyObjectInput, sign } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { SigningKey } from '../keys/key-ring.ts'
import type { ClaimsSet } from '../protocol/claims.ts'

const signInThreadPool = promisify<string | null, Buffer, SignKeyObjectInput, Buffer>(sign)

/** A key as it is needed here, made once: the key itself, and the headers that were written with it. */
type Prepared = { readonly input: SignKeyObjectInput; readonly headers: Map<string, string> }

const prepared = new WeakMap<KeyObject, Prepared>()

/** The claims as a JWT of media type `typ`, under the key's algorithm and `kid`. */
export async function signJwt(key: SigningKey, typ: string, claims: ClaimsSet): Promise<string> {
  const { input, headers } = prepare(key)
  let header = headers.get(typ)
  if (header === undefined) {
    header = base64url(JSON.stringify({ alg: key.algorithm, typ, kid: key.kid }))
    headers.set(typ, header)
  }
  const signed = `${header}.${base64url(JSON.stringify(claims))}`
  const bytes = Buffer.from(signed, 'ascii')
  const signature = isSignedHere(key)
    ? sign(digestOf(key), bytes, input)
    : await signInThreadPool(digestOf(key), bytes, input)
  return `${signed}.${signature.toString('base64url')}`
}

/** With a single processor another thread gains nothing, and the way there and back is paid all the same. */
const isAlone = availableParallelism() === 1

/** 20 µs on an elliptic curve; ten times that with RSA, in which the event loop could answer others. */
function isSignedHere({ algorithm }: SigningKey): boolean {
  return isAlone || algorithm === 'ES256' || algorithm === 'EdDSA'
}

/** Ed25519 hashes by itself (RFC 8032 §5.1). */
function digestOf({ algorithm }: SigningKey): 'sha256' | null {
  return algorithm === 'EdDSA' ? null : 'sha256'
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
      // RFC 7518 §3.4: R and S one after the other, not the DER structure around them.
      return { dsaEncoding: 'ieee-p1363' }
    case 'PS256':
      // RFC 7518 §3.5: a salt as long as the hash.
      return { padding: cryptoConstants.RSA_PKCS1_PSS_PADDING, saltLength: cryptoConstants.RSA_PSS_SALTLEN_DIGEST }
    default:
      return {}
  }
}

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}

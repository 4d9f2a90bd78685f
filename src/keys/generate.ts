/** Generates keys, already encrypted for the database. */
import { generateKeyPair as generateNodeKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { exportJWK } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import { uuidv7 } from '../secrets/opaque.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import { isForSigning, type Purpose } from './lifecycle.ts'
import { wrapKey } from './wrapping.ts'

export type KeyMaking = {
  readonly masterKey: Uint8Array
  readonly random: (bytes: number) => Uint8Array
  readonly createdAtMs: number
  readonly activeAtMs: number
  /** Whether clients alone ask for a key. */
  readonly isForClients: (purpose: Purpose) => boolean
}

const generateInThreadPool = promisify(generateNodeKeyPair)

/**
 * Generates a key for each purpose, without an expiry. RSA keys have 2048 bits and are generated off the main thread.
 */
export function generateKeys(purposes: readonly Purpose[], making: KeyMaking): Promise<StoredKey[]> {
  return Promise.all(
    purposes.map((purpose) =>
      isForSigning(purpose) ? generateSigningKey(purpose, making) : generateSecret(purpose, making),
    ),
  )
}

async function generateSigningKey({ use, algorithm }: Purpose, making: KeyMaking): Promise<StoredKey> {
  const { publicJwk, privateJwk } = await generatePair(algorithm)
  // RFC 7638: the id is the thumbprint of the key, so it cannot stand for another key.
  const kid = await calculateJwkThumbprint(publicJwk)
  const content = Buffer.from(JSON.stringify(privateJwk))
  const jwk = JSON.stringify({ ...publicJwk, kid, alg: algorithm, use: 'sig' })
  return store({ id: kid, use, algorithm }, jwk, content, making)
}

async function generatePair(algorithm: string): Promise<{ publicJwk: JWK; privateJwk: JWK }> {
  if (algorithm === 'ML-DSA-65') {
    // Web Crypto, which the library uses, has this algorithm as an experiment.
    const pair = await generateInThreadPool('ml-dsa-65')
    return { publicJwk: jwkOf(pair.publicKey), privateJwk: jwkOf(pair.privateKey) }
  }
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 })
  return { publicJwk: await exportJWK(publicKey), privateJwk: await exportJWK(privateKey) }
}

const jwkOf = (key: KeyObject): JWK => key.export({ format: 'jwk' }) as JWK

function generateSecret({ use, algorithm }: Purpose, making: KeyMaking): Promise<StoredKey> {
  const id = uuidv7(making.createdAtMs, making.random)
  return store({ id, use, algorithm }, null, making.random(32), making)
}

async function store(
  identity: Purpose & { readonly id: string },
  publicJwk: string | null,
  content: Uint8Array,
  { masterKey, createdAtMs, activeAtMs, isForClients }: KeyMaking,
): Promise<StoredKey> {
  const wrapped = await wrapKey(masterKey, identity, content)
  return {
    ...identity,
    publicJwk,
    wrapped,
    createdAtMs,
    activeAtMs,
    expiresAtMs: null,
    isForClients: isForClients(identity),
  }
}

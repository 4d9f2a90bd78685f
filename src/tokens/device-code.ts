/** Makes and recognises the codes of the device authorization grant (RFC 8628 §3.2). Only their hashes are stored. */
import { createHmac } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'
import { userCodeAlphabet, userCodeLength } from '../protocol/device/user-code.ts'
import { mintOpaque, parseOpaque, uuidv7 } from '../secrets/opaque.ts'

type Random = (bytes: number) => Uint8Array

export type MintedCodes = {
  readonly id: string
  /** The device code. */
  readonly deviceCode: string
  readonly secretHash: string
  /** Eight letters, not grouped. */
  readonly userCode: string
  readonly userCodeHash: string
}

export function mintCodes(keys: KeyRing, random: Random, nowMs: number): MintedCodes {
  const id = uuidv7(nowMs, random)
  const { value, secretHash } = mintOpaque(id, random)
  const userCode = mintUserCode(random)
  return {
    id,
    deviceCode: value,
    secretHash,
    userCode,
    userCodeHash: hashUserCode(keys.secret('code').bytes, userCode),
  }
}

/** Parses a device code; undefined: malformed. */
export const readDeviceCode = parseOpaque

/** Returns the hashes that a stored user code may have: one for each secret of the ring. */
export function userCodeHashes(keys: KeyRing, userCode: string): readonly string[] {
  return keys.secretsOf('code').map(({ bytes }) => hashUserCode(bytes, userCode))
}

/** A user code has 34 bits: a plain hash could be reversed by trying all of them. */
function hashUserCode(secret: Uint8Array, userCode: string): string {
  return createHmac('sha256', secret).update(`latchkey user code v1\n${userCode}`).digest('base64url')
}

/** Bytes from this value on are discarded, so that every letter is equally likely. */
const unbiased = 256 - (256 % userCodeAlphabet.length)

function mintUserCode(random: Random): string {
  let letters = ''
  while (letters.length < userCodeLength) {
    for (const byte of random(userCodeLength)) {
      if (byte < unbiased && letters.length < userCodeLength)
        letters += userCodeAlphabet[byte % userCodeAlphabet.length]
    }
  }
  return letters
}

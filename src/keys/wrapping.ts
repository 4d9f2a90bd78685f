/** Encrypts private keys and secrets at rest: AES-256-GCM under the master key, as compact JWE (RFC 7516). */
import { compactDecrypt } from 'jose/jwe/compact/decrypt'
import { CompactEncrypt } from 'jose/jwe/compact/encrypt'
import type { StoredKey } from '../storage/port/keys.ts'

/** The ciphertext is bound to these: it cannot be decrypted as the key of another row. */
export type KeyIdentity = Pick<StoredKey, 'id' | 'use' | 'algorithm'>

export function wrapKey(masterKey: Uint8Array, identity: KeyIdentity, content: Uint8Array): Promise<string> {
  return new CompactEncrypt(content)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...bindings(identity) })
    .encrypt(masterKey)
}

/** Returns undefined if the key was encrypted under another master key or for another row, or is damaged. */
export async function unwrapKey(masterKey: Uint8Array, key: StoredKey): Promise<Uint8Array | undefined> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(key.wrapped, masterKey, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    const isBound = Object.entries(bindings(key)).every(([name, value]) => protectedHeader[name] === value)
    return isBound ? plaintext : undefined
  } catch {
    return undefined
  }
}

/** Members of the protected header, which the authentication tag covers. */
function bindings({ id, use, algorithm }: KeyIdentity): Record<string, string> {
  return { kid: id, latchkey_use: use, latchkey_algorithm: algorithm }
}

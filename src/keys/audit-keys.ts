/** Selects the keys that may verify checkpoints of the audit trail. */
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import type { StoredKey } from '../storage/port/keys.ts'
import { unwrapKey } from './wrapping.ts'

/**
 * Returns the audit keys of a ring whose creator had the master key. Write access to the database alone would allow
 * adding a key. A key's id is the thumbprint of its public part (RFC 7638), and the encryption of the private part is
 * bound to that id. `trusted`: ids of keys accepted without that proof, because their master key is lost.
 */
export async function provenAuditKeys(
  ring: readonly StoredKey[],
  masterKey: Uint8Array,
  trusted: readonly string[],
): Promise<StoredKey[]> {
  const proven: StoredKey[] = []
  for (const key of ring.filter(({ use }) => use === 'audit')) {
    const isOurs = trusted.includes(key.id) || (await unwrapKey(masterKey, key)) !== undefined
    if (isOurs && (await isNamedByItself(key))) proven.push(key)
  }
  return proven
}

async function isNamedByItself({ id, publicJwk }: StoredKey): Promise<boolean> {
  try {
    return (await calculateJwkThumbprint(JSON.parse(publicJwk ?? '') as JWK)) === id
  } catch {
    return false
  }
}

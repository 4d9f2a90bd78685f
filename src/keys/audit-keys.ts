/** Which keys checkpoints of the audit trail may be signed with, when they are verified. */
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import type { StoredKey } from '../storage/port/port.ts'
import { unwrapKey } from './wrapping.ts'

/**
 * The audit keys of a ring that were made by who has the master key: whoever can write to the database alone could add
 * a key of their own. A key is named by its public part (RFC 7638), and its name is bound to the encrypted private part.
 * `trusted`: ids of keys that are accepted all the same, because the master key that they were made under is lost.
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

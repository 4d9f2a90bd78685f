/** The bundled list of common passwords. `docs/accounts.md` names its source. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/**
 * Bytes of a stored hash. With 48 bits and fewer than 2^18 entries, a password that is not in the list is taken for one
 * of them with a probability below 2^-30.
 */
export const commonPasswordHashBytes = 6

let loading: Promise<Buffer> | undefined

/** Whether the password is in the list, in upper or lower case. Reads the list on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= readFile(new URL('frequent-passwords.bin', import.meta.url))
  const list = await loading
  const wanted = commonPasswordHash(password)
  let [from, to] = [0, list.length / commonPasswordHashBytes]
  while (from < to) {
    const middle = (from + to) >> 1
    const order = wanted.compare(list, middle * commonPasswordHashBytes, (middle + 1) * commonPasswordHashBytes)
    if (order === 0) return true
    if (order > 0) from = middle + 1
    else to = middle
  }
  return false
}

/** Returns the hash of the password's folded form: the first bytes of its SHA-256. */
export function commonPasswordHash(password: string): Buffer {
  const folded = password.normalize('NFKC').toLowerCase()
  return hash('sha256', folded, 'buffer').subarray(0, commonPasswordHashBytes)
}

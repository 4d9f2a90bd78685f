import { randomFillSync } from 'node:crypto'

/** Two hundred identifiers or so. */
const poolBytes = 4096

/**
 * A source of cryptographically secure bytes that draws many from the generator at once: a request needs several short
 * values, and the cost of a call hardly depends on its length. Never returns a byte twice.
 */
export function pooledRandom(): (bytes: number) => Uint8Array {
  let pool = new Uint8Array(0)
  let used = 0
  return (bytes) => {
    if (bytes > poolBytes) return randomFillSync(new Uint8Array(bytes))
    if (used + bytes > pool.length) {
      // A new array, because views of the old one are still in use.
      pool = randomFillSync(new Uint8Array(poolBytes))
      used = 0
    }
    const taken = pool.subarray(used, used + bytes)
    used += bytes
    return taken
  }
}

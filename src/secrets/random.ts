import { randomFillSync } from 'node:crypto'

/** Enough for about two hundred identifiers. */
const poolBytes = 4096

/**
 * Returns a pooled source of cryptographically secure bytes. Draws many at once, because the cost of a draw hardly
 * depends on its length and a request needs several short values. Never returns a byte twice.
 */
export function pooledRandom(): (bytes: number) => Uint8Array {
  let pool = new Uint8Array(0)
  let used = 0
  return (bytes) => {
    if (bytes > poolBytes) return randomFillSync(new Uint8Array(bytes))
    if (used + bytes > pool.length) {
      // Allocates a new pool, because views of the old one are still in use.
      pool = randomFillSync(new Uint8Array(poolBytes))
      used = 0
    }
    const taken = pool.subarray(used, used + bytes)
    used += bytes
    return taken
  }
}

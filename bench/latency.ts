/** Latencies as a histogram whose buckets grow by two per cent, so that runs can be added up. */

const growth = Math.log(1.02)

export class Latencies {
  readonly #counts = new Map<number, number>()

  add(milliseconds: number, count = 1): void {
    this.#addTo(Math.max(0, Math.round(Math.log(Math.max(milliseconds * 1000, 1)) / growth)), count)
  }

  addAll(pairs: ReadonlyArray<readonly [number, number]>): void {
    for (const [bucket, count] of pairs) this.#addTo(bucket, count)
  }

  #addTo(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count)
  }

  toPairs(): [number, number][] {
    return [...this.#counts].sort(([a], [b]) => a - b)
  }

  /** Milliseconds below which `share` (0 to 1) of the operations stayed; null: there were none. */
  quantile(share: number): number | null {
    const pairs = this.toPairs()
    const total = pairs.reduce((sum, [, count]) => sum + count, 0)
    let seen = 0
    for (const [bucket, count] of pairs) {
      seen += count
      if (seen >= total * share) return Math.exp(bucket * growth) / 1000
    }
    return null
  }
}

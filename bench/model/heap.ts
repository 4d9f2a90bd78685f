/** Values in the order of their keys; those of equal keys as they came. */
export class Heap<T> {
  readonly #entries: { readonly key: number; readonly order: number; readonly value: T }[] = []
  #added = 0

  get size(): number {
    return this.#entries.length
  }

  /** The smallest key; undefined: there is none. */
  first(): number | undefined {
    return this.#entries[0]?.key
  }

  add(key: number, value: T): void {
    this.#added += 1
    let at = this.#entries.push({ key, order: this.#added, value }) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  take(): T | undefined {
    const first = this.#entries[0]
    const last = this.#entries.pop()
    if (first === undefined || last === undefined) return undefined
    if (this.#entries.length > 0) this.#entries[0] = last
    for (let at = 0; ; ) {
      let smallest = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#entries.length && this.#isBefore(child, smallest)) smallest = child
      }
      if (smallest === at) return first.value
      this.#swap(at, smallest)
      at = smallest
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#entries[one], this.#entries[other]]
    return a !== undefined && b !== undefined && (a.key < b.key || (a.key === b.key && a.order < b.order))
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#entries[one], this.#entries[other]]
    if (a === undefined || b === undefined) return
    this.#entries[one] = b
    this.#entries[other] = a
  }
}

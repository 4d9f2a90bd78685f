/**
 * A position in a trail that several processes append to. Entries of one writer arrive in order, but those of another can
 * be committed with a time before the newest one. A position therefore has the last number of each writer of late, and
 * a follower of the trail reads again from some seconds before the newest time.
 */
import type { AuditKey } from './entry.ts'

/** How far back to look for entries that were committed after newer ones. */
export const lateMs = 15_000

/** Writers in the text of a position: more than work at once. */
const writersAtMost = 50

const form = /^\d{1,15}(?:_[0-9a-z]{16}\.\d{1,15}){0,50}$/

type Last = Pick<AuditKey, 'seq' | 'atMs'>

export class Position {
  #newestMs: number
  readonly #lasts: Map<string, Last>

  /** `newestMs`: the time of the newest entry. */
  constructor(newestMs: number, tails: Iterable<AuditKey> = []) {
    this.#newestMs = newestMs
    this.#lasts = new Map()
    for (const tail of tails) this.take(tail)
  }

  /** Reads the text of a position; undefined: it is none. */
  static read(text: string): Position | undefined {
    if (!form.test(text)) return undefined
    const [newest, ...lasts] = text.split('_')
    const atMs = Number(newest)
    const tails = lasts.map((last) => ({ atMs, writer: last.slice(0, 16), seq: Number(last.slice(17)) }))
    return new Position(atMs, tails)
  }

  copy(): Position {
    return new Position(
      this.#newestMs,
      [...this.#lasts].map(([writer, last]) => ({ writer, ...last })),
    )
  }

  /** Moves on to the entry. Returns false for one that was passed before. */
  take({ atMs, writer, seq }: AuditKey): boolean {
    if (seq <= (this.#lasts.get(writer)?.seq ?? 0)) return false
    this.#lasts.set(writer, { seq, atMs })
    this.#newestMs = Math.max(this.#newestMs, atMs)
    return true
  }

  /**
   * Returns the time to read on from. An entry from the future, of a clock that is ahead, does not hide those of the
   * others. `backMs`: how far back to look, if less than usual.
   */
  readFromMs(nowMs: number, backMs = lateMs): number {
    return Math.min(this.#newestMs, nowMs) - backMs
  }

  /** Forgets writers whose last entry is before what is read from now on. */
  forget(nowMs: number): void {
    const fromMs = this.readFromMs(nowMs)
    for (const [writer, { atMs }] of this.#lasts) if (atMs < fromMs) this.#lasts.delete(writer)
  }

  toString(): string {
    const lasts = [...this.#lasts].sort(([, a], [, b]) => b.atMs - a.atMs).slice(0, writersAtMost)
    return [Math.max(0, this.#newestMs), ...lasts.map(([writer, { seq }]) => `${writer}.${seq}`)].join('_')
  }
}

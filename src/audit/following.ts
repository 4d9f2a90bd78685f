/**
 * Follows a trail that several processes append to. Entries of one writer arrive in order, but those of another can be
 * committed with a time before the newest one. A position therefore has the last number of each writer of late, and what
 * follows the trail reads again from some seconds before the newest time.
 */
import type { AuditFilter } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { AuditEntry, AuditKey } from './entry.ts'
import { isRoutine } from './kinds.ts'

/** How far back to look for entries that were committed after newer ones. */
export const lateMs = 10_000

/** Writers that have no entry this recent are new to a position at the end of the trail. */
const recentMs = 5 * 60_000

/** Rows read at once. */
const portion = 200

/** Writers in the text of a position: more than work at once. */
const writersAtMost = 50

const form = /^\d{1,15}(?:_[0-9a-z]{16}\.\d{1,15}){0,50}$/

type Last = Pick<AuditKey, 'seq' | 'atMs'>

export class Position {
  #newestMs: number
  readonly #lasts = new Map<string, Last>()

  /** `newestMs`: the time of the newest entry. */
  constructor(newestMs: number, tails: Iterable<AuditKey> = []) {
    this.#newestMs = newestMs
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

  /** Returns the end of the trail, by the clocks of the writers. */
  static async end({ tails }: Pick<Storage['audit'], 'tails'>, nowMs: number): Promise<Position> {
    return new Position(nowMs - recentMs + lateMs, await tails(nowMs - recentMs, Number.MAX_SAFE_INTEGER))
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
   * others.
   */
  readFromMs(nowMs: number): number {
    return Math.min(this.#newestMs, nowMs) - lateMs
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

/**
 * Returns a function that reads the next page of the trail from a position on, and passes on the entries that are new and match,
 * each when the position has moved on to it. It resolves to whether that was the end of the trail. Without the members of the
 * filter in the query, most of which have no index, a page costs the same whatever is asked for.
 */
export function following(
  audit: Pick<Storage['audit'], 'list'>,
  position: Position,
  filter: AuditFilter,
): (nowMs: number, show: (entry: AuditEntry) => void) => Promise<boolean> {
  let last: AuditEntry | undefined
  return async (nowMs, show) => {
    if (last === undefined) position.forget(nowMs)
    const rows = await audit.list({ sinceMs: position.readFromMs(nowMs) }, last, portion)
    for (const entry of rows) if (position.take(entry) && matches(entry, filter)) show(entry)
    last = rows.length < portion ? undefined : rows.at(-1)
    return last === undefined
  }
}

function matches(entry: AuditEntry, { sinceMs, untilMs, kind, withoutClientId, ...members }: AuditFilter): boolean {
  if (entry.atMs < (sinceMs ?? entry.atMs) || entry.atMs > (untilMs ?? entry.atMs)) return false
  if (kind !== undefined && ![kind].flat().includes(entry.kind)) return false
  if (withoutClientId !== undefined && entry.clientId === withoutClientId && isRoutine(entry.kind, entry.details)) {
    return false
  }
  const names = Object.keys(members) as (keyof typeof members)[]
  return names.every((name) => members[name] === undefined || members[name] === entry[name])
}

/**
 * Reads for several requests with one statement. A reading is sent by itself while few of its kind are under way; what comes
 * meanwhile waits for one of them to end, and goes together: one plan, one round trip, and an answer for each. What comes
 * alone waits for no company, and nothing waits long for a statement that is held up.
 */
import type { SpanMark, StorageTracing } from '../../telemetry/tracing.ts'
import { StorageUnavailable } from '../port/unavailable.ts'
import type { Gathered, Statement, Value } from '../sql/statement.ts'
import { isLostRace } from './errors.ts'

/** Sends a text with its values. */
export type Send = (text: string, parameters: Value[]) => Promise<unknown[]>

export type GatheringParts = {
  /** Sends one reading. */
  readonly alone: (statement: Statement) => Promise<unknown[]>
  readonly send: Send
  /** How many readings may wait, and for how long. */
  readonly waitingAtMost: number
  readonly waitMs: number
  /** The error of one that may not wait. */
  readonly refusal: (reason: 'full' | 'late') => Error
  /** Milliseconds that never jump. */
  readonly monotonic: () => number
  /** Calls `work` after so many milliseconds. */
  readonly later: (work: () => void, ms: number) => void
  /** Absent: nothing is traced. */
  readonly tracing?: StorageTracing | undefined
}

/** Readings of one kind under way at once. With one alone, the database would rest while an answer travels. */
const underWayAtMost = 2
/** A reading that waited so long goes beside those under way, which a lock or a slow connection may hold up. */
const heldUpAfterMs = 5
/** Readings of one kind under way when they are held up. */
const underWayInAll = 8
/** What one statement reads for at most: the last of them is answered with the first. */
const membersAtMost = 64
/** The column with the number of the member that a row is for. */
const memberColumn = 'gathered_member'

type Member = {
  readonly statement: Statement
  readonly sinceMs: number
  readonly span: SpanMark | undefined
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}
type Kind = { readonly waiting: Member[]; underWay: number; isWatched: boolean }

export type Gathering = {
  /** Reads a statement with `gathered`. */
  read(statement: Statement): Promise<unknown[]>
  /** How many readings wait. */
  waiting(): number
}

export function gathering(parts: GatheringParts): Gathering {
  const { alone, send, waitingAtMost, waitMs, refusal, monotonic, later, tracing } = parts
  const kinds = new Map<string, Kind>()
  let waiting = 0

  const readAlone = ({ statement, resolve, reject }: Member): Promise<void> => alone(statement).then(resolve, reject)

  async function readTogether(members: readonly Member[]): Promise<void> {
    const read = () =>
      readGathered(
        members.map(({ statement }) => statement),
        send,
      )
    try {
      const spans = members.flatMap(({ span }) => span ?? [])
      const rows = await (tracing === undefined ? read() : tracing.storageBatch(spans, read))
      for (const [at, { resolve }] of members.entries()) resolve(rows[at] ?? [])
    } catch (error) {
      // The fault of one of them is not that of the others. Without a database none of them would fare better.
      if (isOfAll(error)) for (const { reject } of members) reject(error)
      else await Promise.all(members.map(readAlone))
    }
  }

  /** Refuses those that have waited longer than they may. */
  function refuseLate({ waiting: queue }: Kind): void {
    const sinceMs = monotonic() - waitMs
    for (let [oldest] = queue; oldest !== undefined && oldest.sinceMs < sinceMs; [oldest] = queue) {
      queue.shift()
      waiting -= 1
      oldest.reject(refusal('late'))
    }
  }

  /** Takes those that go together. */
  function next(kind: Kind): Member[] {
    refuseLate(kind)
    const members = kind.waiting.splice(0, membersAtMost)
    waiting -= members.length
    return members
  }

  async function work(kind: Kind, first: Member[]): Promise<void> {
    kind.underWay += 1
    for (let members = first; members.length > 0; members = next(kind)) {
      const [only, another] = members
      await (only !== undefined && another === undefined ? readAlone(only) : readTogether(members))
    }
    kind.underWay -= 1
  }

  /** Looks after those that wait as long as there are any. */
  function watch(kind: Kind): void {
    if (kind.isWatched) return
    kind.isWatched = true
    later(() => {
      kind.isWatched = false
      refuseLate(kind)
      const [oldest] = kind.waiting
      if (oldest === undefined) return
      const isHeldUp = monotonic() - oldest.sinceMs >= heldUpAfterMs
      if (isHeldUp && kind.underWay < underWayInAll) void work(kind, next(kind))
      if (kind.waiting.length > 0) watch(kind)
    }, heldUpAfterMs)
  }

  return {
    read(statement) {
      const { text, parameters } = statement.toSql('postgres')
      // No stored text has NUL, and no array may.
      if (parameters.some((value) => typeof value === 'string' && value.includes('\0'))) return Promise.resolve([])
      const kind = kinds.get(text) ?? { waiting: [], underWay: 0, isWatched: false }
      kinds.set(text, kind)
      const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
      const member = { statement, sinceMs: monotonic(), span: tracing?.spanHere(), resolve, reject }
      if (kind.underWay < underWayAtMost) void work(kind, [member])
      else if (waiting >= waitingAtMost) reject(refusal('full'))
      else {
        waiting += 1
        kind.waiting.push(member)
        watch(kind)
      }
      return promise
    },
    waiting: () => waiting,
  }
}

/** Whether an error says that the database cannot be used, rather than something of one reading. */
const isOfAll = (error: unknown): boolean => error instanceof StorageUnavailable && !isLostRace(error.cause)

/** Reads statements that differ in their values alone with one. Resolves to the rows of each. */
export async function readGathered(statements: readonly Statement[], send: Send): Promise<unknown[][]> {
  const [first] = statements
  if (first === undefined) return []
  const values = statements.map(({ toSql }) => toSql('postgres').parameters)
  const parameters = placesOf(first).map((place, at) =>
    isOwn(place) ? arrayOf(values.map((own) => own[at] ?? null)) : place,
  )
  const found = statements.map((): unknown[] => [])
  for (const row of await send(gatheredText(first), parameters)) {
    found[Number((row as Record<string, unknown>)[memberColumn]) - 1]?.push(row)
  }
  return found
}

const placesOf = ({ gathered }: Statement) => gathered?.('postgres') ?? []
const isOwn = (place: Gathered) => typeof place === 'object' && place !== null

const texts = new Map<string, string>()

/** Returns the statement for any number of members: where each has a value of its own, the parameter is an array of these. */
export function gatheredText(statement: Statement): string {
  const { text } = statement.toSql('postgres')
  const known = texts.get(text)
  if (known !== undefined) return known
  const places = placesOf(statement)
  const own = places.flatMap((place, at) => (isOwn(place) ? [{ ...place, number: at + 1 }] : []))
  const arrays = own.map(({ type, number }) => `$${number}::${type}[]`).join(', ')
  const names = own.map(({ number }) => `v${number}`).join(', ')
  const each = text.replace(/\$(\d+)/g, (place, number) =>
    isOwn(places[number - 1] ?? null) ? `gathered.v${number}` : place,
  )
  const gathered =
    `select gathered.member as ${memberColumn}, found.* ` +
    `from unnest(${arrays}) with ordinality as gathered(${names}, member) cross join lateral (${each}) as found`
  texts.set(text, gathered)
  return gathered
}

/** Returns the values as the text of an array (PostgreSQL 8.15.2). */
function arrayOf(values: readonly Value[]): string {
  const one = (value: Value) =>
    typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : (value ?? 'NULL')
  return `{${values.map(one).join(',')}}`
}

/**
 * Reads for several requests with one statement. A reading is sent by itself while few of its kind are under way; what comes
 * meanwhile waits for one of them to end, and goes together: one plan, one round trip, and an answer for each. What comes
 * alone waits for no company.
 */
import { StorageUnavailable } from '../port/unavailable.ts'
import type { Gathered, Statement, Value } from '../sql/statement.ts'

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
}

/** Readings of one kind under way at once. With one alone, the database would rest while an answer travels. */
const underWayAtMost = 2
/** What one statement reads for at most: the last of them is answered with the first. */
const membersAtMost = 64
/** The column with the number of the member that a row is for. */
const memberColumn = 'gathered_member'

type Member = {
  readonly statement: Statement
  readonly sinceMs: number
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}
type Kind = { readonly waiting: Member[]; underWay: number }

/** Returns a function that reads a statement with `gathered`. */
export function gathering(parts: GatheringParts): (statement: Statement) => Promise<unknown[]> {
  const { alone, send, waitingAtMost, waitMs, refusal, monotonic } = parts
  const kinds = new Map<string, Kind>()
  let waiting = 0

  const readAlone = ({ statement, resolve, reject }: Member): Promise<void> => alone(statement).then(resolve, reject)

  async function readTogether(members: readonly Member[]): Promise<void> {
    try {
      const statements = members.map(({ statement }) => statement)
      const rows = await readGathered(statements, send)
      for (const [at, { resolve }] of members.entries()) resolve(rows[at] ?? [])
    } catch (error) {
      // The fault of one of them is not that of the others.
      if (!(error instanceof StorageUnavailable)) await Promise.all(members.map(readAlone))
      else for (const { reject } of members) reject(error)
    }
  }

  /** Takes those that waited no longer than they may. */
  function next({ waiting: queue }: Kind): Member[] {
    const members: Member[] = []
    const sinceMs = monotonic() - waitMs
    while (members.length < membersAtMost) {
      const member = queue.shift()
      if (member === undefined) break
      waiting -= 1
      if (member.sinceMs < sinceMs) member.reject(refusal('late'))
      else members.push(member)
    }
    return members
  }

  async function work(kind: Kind, first: Member): Promise<void> {
    kind.underWay += 1
    await readAlone(first)
    for (let members = next(kind); members.length > 0; members = next(kind)) {
      const [only, another] = members
      await (only !== undefined && another === undefined ? readAlone(only) : readTogether(members))
    }
    kind.underWay -= 1
  }

  return (statement) => {
    const { text, parameters } = statement.toSql('postgres')
    // No stored text has NUL, and no array may.
    if (parameters.some((value) => typeof value === 'string' && value.includes('\0'))) return Promise.resolve([])
    const kind = kinds.get(text) ?? { waiting: [], underWay: 0 }
    kinds.set(text, kind)
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
    const member = { statement, sinceMs: monotonic(), resolve, reject }
    if (kind.underWay < underWayAtMost) void work(kind, member)
    else if (waiting >= waitingAtMost) reject(refusal('full'))
    else {
      waiting += 1
      kind.waiting.push(member)
    }
    return promise
  }
}

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
function gatheredText(statement: Statement): string {
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

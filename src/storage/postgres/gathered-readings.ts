/** Reads for several requests with one statement. */
import { StorageUnavailable } from '../port/unavailable.ts'
import type { Statement } from '../sql/statement.ts'
import { isLostRace } from './errors.ts'
import { gatheredParameters, gatheredPlaces, type Send } from './gathered-text.ts'
import { type GatheringBounds, gathering } from './gathering.ts'

export type ReadingParts = {
  /** Sends one reading. */
  readonly alone: (statement: Statement) => Promise<unknown[]>
  readonly send: Send
} & GatheringBounds

/** `read`: reads a statement with `gathered`; `waiting`, `drained`: as those of a gathering. */
export function gatheringReadings({ alone, send, ...bounds }: ReadingParts) {
  const readings = gathering<Statement, unknown[]>({
    ...bounds,
    kindOf: (statement) => statement.toSql('postgres').text,
    alone,
    together: (statements) => readGathered(statements, send),
    // Without a database none of them would fare better.
    isOfAll: (error) => error instanceof StorageUnavailable && !isLostRace(error.cause),
  })
  return {
    async read(statement: Statement): Promise<unknown[]> {
      // No stored text has NUL, and no array may.
      const { parameters } = statement.toSql('postgres')
      if (parameters.some((value) => typeof value === 'string' && value.includes('\0'))) return []
      return readings.run(statement)
    },
    waiting: readings.waiting,
    drained: readings.drained,
  }
}

/** Reads statements that differ in their values alone with one. Resolves to the rows of each. */
export async function readGathered(statements: readonly Statement[], send: Send): Promise<unknown[][]> {
  const [first] = statements
  if (first === undefined) return []
  const found = statements.map((): unknown[] => [])
  const { toRow } = first.toSql('postgres')
  if (toRow === undefined) throw new Error(`Only what selects rows is gathered: ${first.toSql('postgres').text}`)
  for (const values of await send(gatheredText(first), gatheredParameters(statements))) {
    // The last value is the number of the member that the row is for.
    found[Number(values.at(-1)) - 1]?.push(toRow(values))
  }
  return found
}

const texts = new Map<string, string>()

/** Returns the statement for any number of members. */
export function gatheredText(statement: Statement): string {
  const { text } = statement.toSql('postgres')
  const known = texts.get(text)
  if (known !== undefined) return known
  const { arrays, names, text: each } = gatheredPlaces(statement)
  const gathered =
    'select found.*, gathered.member as gathered_member ' +
    `from unnest(${arrays}) with ordinality as gathered(${names.join(', ')}, member) cross join lateral (${each}) as found`
  texts.set(text, gathered)
  return gathered
}

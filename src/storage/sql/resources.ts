/** Resources that put claims of their own into access tokens. */
import type { Resource } from '../../protocol/claims/resource-rules.ts'
import type { Engine } from '../engine.ts'
import type { ResourceChange } from '../port/resources.ts'
import { inCatalogue, raised } from './catalogue.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type ResourcesTable } from './tables.ts'

const all = prepare('resources.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('resources').select(columns.resources),
)
const insertResource = prepare('resources.insertResource', (db, p: Placeholders<ResourcesTable>) =>
  db.insertInto('resources').values(pick(p, columns.resources)),
)
const updateResource = prepare('resources.updateResource', (db, p: Placeholders<ResourcesTable>) =>
  db
    .updateTable('resources')
    .set(pick(p, ['claims', 'version']))
    .where('identifier', '=', p.identifier),
)
const deleteResource = prepare('resources.deleteResource', (db, p: Placeholders<{ identifier: string }>) =>
  db.deleteFrom('resources').where('identifier', '=', p.identifier),
)

/** By identifier, ascending. Those without rules are not there. */
export function sqlResources(engine: Engine) {
  return inCatalogue(engine, () => readResources(engine), statementOf)
}

/** By identifier, ascending. */
export async function readResources(engine: Engine): Promise<ReadonlyMap<string, Resource>> {
  const rows = await engine.read(all({}))
  const sorted = rows.toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1))
  return new Map(
    sorted.map(({ identifier, claims, version }) => [
      identifier,
      { identifier, claims: JSON.parse(claims) as Resource['claims'], version },
    ]),
  )
}

const insertFree = prepare('resources.insertFree', (db, p: Placeholders<ResourcesTable>) =>
  db
    .insertInto('resources')
    .values(pick(p, columns.resources))
    .onConflict((conflict) => conflict.doNothing()),
)
const updateOf = prepare('resources.updateOf', (db, p: Placeholders<ResourcesTable & { decided_on: number }>) =>
  db
    .updateTable('resources')
    .set(pick(p, ['claims', 'version']))
    .where('identifier', '=', p.identifier)
    .where('version', '=', p.decided_on),
)
const deleteOf = prepare('resources.deleteOf', (db, p: Placeholders<{ identifier: string; decided_on: number }>) =>
  db.deleteFrom('resources').where('identifier', '=', p.identifier).where('version', '=', p.decided_on),
)

/** Returns the commit that makes `before` to `after`, on exactly that version. Absent: the resource has no rules. */
export function resourceStatements(before: Resource | undefined, after: Resource | undefined): readonly Statement[] {
  const { identifier = '' } = after ?? before ?? {}
  const decided_on = before?.version ?? 0
  const row = { identifier, claims: JSON.stringify(after?.claims ?? []), version: decided_on + 1 }
  if (after === undefined)
    return before === undefined ? [] : [raised(), mustChange(deleteOf({ identifier, decided_on }))]
  return [raised(), mustChange(before === undefined ? insertFree(row) : updateOf({ ...row, decided_on }))]
}

/** The version of a resource counts its changes, whoever decided them. */
function statementOf({ identifier, after }: ResourceChange, known: ReadonlyMap<string, Resource>): Statement {
  const before = known.get(identifier)
  if (after === undefined) return mustChange(deleteResource({ identifier }))
  const row = { identifier, claims: JSON.stringify(after.claims), version: (before?.version ?? 0) + 1 }
  return before === undefined ? insertResource(row) : mustChange(updateResource(row))
}

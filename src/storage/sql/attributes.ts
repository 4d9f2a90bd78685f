/** Fields of people that an operator declares. Their values are stored with each person. */
import type { Attribute } from '../../users/attributes.ts'
import type { Engine } from '../engine.ts'
import type { AttributeChange } from '../port/attributes.ts'
import { inCatalogue } from './catalogue.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { type AttributesTable, columns } from './tables.ts'

const all = prepare('attributes.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('attributes').select(columns.attributes),
)
const insertAttribute = prepare('attributes.insertAttribute', (db, p: Placeholders<AttributesTable>) =>
  db.insertInto('attributes').values(pick(p, columns.attributes)),
)
const updateAttribute = prepare(
  'attributes.updateAttribute',
  (db, p: Placeholders<Omit<AttributesTable, 'created_at_ms'>>) =>
    db
      .updateTable('attributes')
      .set(pick(p, ['definition', 'version']))
      .where('name', '=', p.name),
)
const deleteAttribute = prepare('attributes.deleteAttribute', (db, p: Placeholders<{ name: string }>) =>
  db.deleteFrom('attributes').where('name', '=', p.name),
)

/** By name, in the order of their declaration. */
export function sqlAttributes(engine: Engine) {
  return inCatalogue(engine, () => readAttributes(engine), statementOf)
}

/** By name, in the order of their declaration. */
export async function readAttributes(engine: Engine): Promise<ReadonlyMap<string, Attribute>> {
  const declared = (await engine.read(all({}))).map(toAttribute)
  return new Map(declared.toSorted(byAge).map((attribute) => [attribute.name, attribute]))
}

const byAge = (one: Attribute, other: Attribute): number =>
  one.createdAtMs - other.createdAtMs || (one.name < other.name ? -1 : 1)

/** The version of an attribute counts its changes, whoever decided them. */
function statementOf({ name, after }: AttributeChange, known: ReadonlyMap<string, Attribute>): Statement {
  const before = known.get(name)
  if (after === undefined) return mustChange(deleteAttribute({ name }))
  const { created_at_ms, ...row } = toRow({ ...after, version: (before?.version ?? 0) + 1 })
  return before === undefined ? insertAttribute({ ...row, created_at_ms }) : mustChange(updateAttribute(row))
}

function toRow({ name, createdAtMs, version, ...definition }: Attribute): AttributesTable {
  return { name, definition: JSON.stringify(definition), created_at_ms: createdAtMs, version }
}

function toAttribute({ name, definition, created_at_ms: createdAtMs, version }: AttributesTable): Attribute {
  return {
    ...(JSON.parse(definition) as Omit<Attribute, 'name' | 'createdAtMs' | 'version'>),
    name,
    createdAtMs,
    version,
  }
}

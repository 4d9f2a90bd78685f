/** Fields of people that an operator declares. Their values are stored with each person. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Attribute } from '../../users/attributes.ts'
import type { Engine } from '../engine.ts'
import type { AttributeChange, Attributes } from '../port/attributes.ts'
import { raisedFrom, readVersion } from './catalogue.ts'
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

export function sqlAttributes(engine: Engine) {
  async function readAll(): Promise<Attributes> {
    // The version first: attributes that are newer than it are read again with the next version.
    const [found] = await engine.read(readVersion({}))
    const attributes = (await engine.read(all({}))).map(toAttribute)
    return {
      version: found?.version ?? 0,
      attributes: new Map(attributes.toSorted(byAge).map((attribute) => [attribute.name, attribute])),
    }
  }
  return {
    /** All attributes, the first declared first, with the version of the catalogue. */
    all: readAll,
    /**
     * Runs `decide` on all attributes, and commits its changes if nobody changed the catalogue meanwhile; otherwise decides again, so
     * `decide` must be pure. Changes nothing if it returns none. Resolves to what was decided last.
     */
    async change<Decided extends { readonly changes?: readonly AttributeChange[] }>(
      decide: (attributes: ReadonlyMap<string, Attribute>) => Decided,
      events?: AuditEvents,
    ): Promise<Decided> {
      for (;;) {
        const { version, attributes } = await readAll()
        const decided = decide(attributes)
        const statements = (decided.changes ?? []).map((change) => statementOf(change, attributes.get(change.name)))
        if (statements.length === 0) return decided
        if ((await engine.commit([raisedFrom(version), ...statements], events)).applied) return decided
      }
    },
  }
}

const byAge = (one: Attribute, other: Attribute): number =>
  one.createdAtMs - other.createdAtMs || (one.name < other.name ? -1 : 1)

/** The version of an attribute counts its changes, whoever decided them. */
function statementOf({ name, after }: AttributeChange, before: Attribute | undefined): Statement {
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

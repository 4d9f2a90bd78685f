/** Fields of people that an operator declares. Their values are stored with each person. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Attribute } from '../../users/attributes.ts'
import type { User } from '../../users/user.ts'
import { type AttributeValue, textToAttributes } from '../../users/user-attributes.ts'
import type { Engine } from '../engine.ts'
import { AttributeBeingDeleted, type AttributeChange, ValuesChanged, ValuesShared } from '../port/attributes.ts'
import { countHolders, holdersAfter, holdersOf, sharing } from './attribute-values.ts'
import { type Decided, inCatalogue } from './catalogue.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import { isFree, type RemoveSoon, removalOf } from './removals.ts'
import type { Statement } from './statement.ts'
import { type AttributesTable, columns } from './tables.ts'

const all = prepare('attributes.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('attributes').select(columns.attributes),
)
const insertAttribute = prepare('attributes.insertAttribute', (db, p: Placeholders<AttributesTable>, { sql }) =>
  db
    .insertInto('attributes')
    .columns(columns.attributes)
    .expression(db.selectNoFrom(selected(p, columns.attributes)).where(isFree('attribute', sql, p.name))),
)
const updateAttribute = prepare(
  'attributes.updateAttribute',
  (db, p: Placeholders<Omit<AttributesTable, 'created_at_ms' | 'checks'>>) =>
    db
      .updateTable('attributes')
      .set(pick(p, ['definition', 'is_unique', 'version']))
      .where('name', '=', p.name),
)
const deleteAttribute = prepare('attributes.deleteAttribute', (db, p: Placeholders<{ name: string }>) =>
  db.deleteFrom('attributes').where('name', '=', p.name),
)
/** Whoever stores a value of it has done so before, or stores this number with it. */
const beginCheck = prepare('attributes.beginCheck', (db, p: Placeholders<{ name: string }>, { sql }) =>
  db.updateTable('attributes').set({ checks: sql<number>`checks + 1` }).where('name', '=', p.name),
)
const checksOf = prepare('attributes.checksOf', (db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('attributes').select('checks').where('name', '=', p.name),
)
type Checked = { name: string; checked: number }
const storedSince = prepare('attributes.storedSince', (db, p: Placeholders<Checked>, { sql }) =>
  db
    .selectFrom('attribute_values')
    .select('user_id')
    .where('attribute', '=', p.name)
    .where('checks', '>=', p.checked)
    .limit(sql.lit(1)),
)
/** Changes nothing, but only if no value was stored since the check. */
const requireUnchanged = prepare('attributes.requireUnchanged', (db, p: Placeholders<Checked>, { sql }) =>
  db
    .updateTable('attributes')
    .set({ version: sql<number>`version` })
    .where('name', '=', p.name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attribute_values')
            .select('user_id')
            .where('attribute', '=', p.name)
            .where('checks', '>=', p.checked),
        ),
      ),
    ),
)
/** Changes nothing, but only if no two people have the same value. */
const requireUnshared = prepare('attributes.requireUnshared', (db, p: Placeholders<{ name: string }>, { sql }) =>
  db
    .updateTable('attributes')
    .set({ version: sql<number>`version` })
    .where('name', '=', p.name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attribute_values')
            .select('value')
            .where('attribute', '=', p.name)
            .groupBy('value')
            .having(({ fn }) => fn.countAll(), '>', 1),
        ),
      ),
    ),
)
const markValues = prepare('attributes.markValues', (db, p: Placeholders<{ name: string; is_unique: number }>) =>
  db
    .updateTable('attribute_values')
    .set({ is_unique: p.is_unique })
    .where('attribute', '=', p.name)
    .where('is_unique', '<>', p.is_unique),
)
const isBeingRemoved = prepare('attributes.isBeingRemoved', (db, p: Placeholders<{ name: string }>, { sql }) =>
  db.selectFrom('removals').select('name').where('kind', '=', sql.lit('attribute')).where('name', '=', p.name),
)

/** People whom a refusal names. */
const misfitsAtMost = 10

export function sqlAttributes(engine: Engine, removeSoon: RemoveSoon) {
  const verbs = inCatalogue(engine, () => readAttributes(engine), statementsOf, requireFree(engine))
  return {
    /** By name, in the order of their declaration. */
    all: verbs.all,
    /**
     * Decides on all attributes, as `inCatalogue` says. What is deleted leaves people in small commits. Rejects with `ValuesShared` where
     * one would become unique that cannot be, with `AttributeBeingDeleted` where values of a former one are still there.
     */
    async change<Result extends Decided<AttributeChange>>(
      decide: (known: ReadonlyMap<string, Attribute>) => Result,
      events?: AuditEvents,
    ): Promise<Result> {
      const decided = await verbs.change(decide, events)
      const deleted = (decided.changes ?? []).filter(({ after }) => after === undefined)
      await removeSoon(deleted.map(({ name }) => ({ kind: 'attribute', name })))
      return decided
    },
    /** How many people have a value. */
    count: (name: string): Promise<number> => countHolders(engine, name),
    /** Returns the next people with a value, in windows after an id (empty: the first); empty: there are no more. */
    async people(
      name: string,
      after: string,
    ): Promise<readonly { readonly id: string; readonly name: string; readonly value: AttributeValue | undefined }[]> {
      const rows = await holdersAfter(engine, name, after)
      return rows.map(({ id, name: userName, attributes }) => ({
        id,
        name: userName,
        value: textToAttributes(attributes)[name],
      }))
    },
    /** Returns the user names of the first people whose value does not fit, at most ten. Reads all who have one. */
    unfit: (name: string, fits: (value: AttributeValue) => boolean): Promise<readonly string[]> =>
      unfitPeople(engine, name, fits),
    /** The same for a change that rests on it and carries `checked`. */
    async misfits(
      name: string,
      fits: (value: AttributeValue) => boolean,
    ): Promise<{ readonly people: readonly string[]; readonly checked: number }> {
      await engine.commit([beginCheck({ name })])
      const [row] = await engine.read(checksOf({ name }))
      return { people: await unfitPeople(engine, name, fits), checked: row?.checks ?? 0 }
    },
    /** Returns the user names of people whose value another person has, too; at most ten. */
    sharing: (name: string): Promise<readonly string[]> => sharing(engine, name),
    /** Returns the people with the value, in no order; undefined: they are more than `holdersAtMost`. */
    holders: (name: string, value: string | number | boolean): Promise<readonly User[] | undefined> =>
      holdersOf(engine, name, value),
  }
}

async function unfitPeople(engine: Engine, name: string, fits: (value: AttributeValue) => boolean): Promise<string[]> {
  const found: string[] = []
  for (let after = ''; ; ) {
    const rows = await holdersAfter(engine, name, after)
    for (const row of rows) {
      const value = textToAttributes(row.attributes)[name]
      if (value !== undefined && !fits(value)) found.push(row.name)
    }
    const last = rows.at(-1)
    if (found.length >= misfitsAtMost || last === undefined) return found.slice(0, misfitsAtMost).sort()
    after = last.id
  }
}

/** By name, in the order of their declaration. */
export async function readAttributes(engine: Engine): Promise<ReadonlyMap<string, Attribute>> {
  const declared = (await engine.read(all({}))).map(toAttribute)
  return new Map(declared.toSorted(byAge).map((attribute) => [attribute.name, attribute]))
}

const byAge = (one: Attribute, other: Attribute): number =>
  one.createdAtMs - other.createdAtMs || (one.name < other.name ? -1 : 1)

const statementsOf = (
  { name, after, checked }: AttributeChange,
  known: ReadonlyMap<string, Attribute>,
): readonly Statement[] => attributeStatements(name, known.get(name), after, checked)

/** The version of an attribute counts its changes, whoever decided them. The commit raises the version of the catalogue besides. */
export function attributeStatements(
  name: string,
  before: Attribute | undefined,
  after: Attribute | undefined,
  checked?: number,
): readonly Statement[] {
  if (after === undefined) return [mustChange(deleteAttribute({ name })), removalOf({ kind: 'attribute', name })]
  const { created_at_ms, checks, ...row } = toRow({ ...after, version: (before?.version ?? 0) + 1 })
  if (before === undefined) return [mustChange(insertAttribute({ ...row, created_at_ms, checks }))]
  // The row first: whoever is about to store a value waits for the end of the commit, or was before it.
  const unchanged = checked === undefined ? [] : [mustChange(requireUnchanged({ name, checked }))]
  const update = [mustChange(updateAttribute(row)), ...unchanged]
  if (before.unique === after.unique) return update
  const unshared = after.unique ? [mustChange(requireUnshared({ name }))] : []
  return [...update, ...unshared, markValues({ name, is_unique: row.is_unique })]
}

/** Throws where a change can never be committed. */
function requireFree(engine: Engine) {
  return async (changes: readonly AttributeChange[], known: ReadonlyMap<string, Attribute>): Promise<void> => {
    for (const { name, after, checked } of changes) {
      if (checked !== undefined) await requireChecked(engine, name, checked)
      if (!known.has(name) && (await engine.read(isBeingRemoved({ name }))).length > 0) {
        throw new AttributeBeingDeleted(name)
      }
      const people = after?.unique === true && known.has(name) ? await sharing(engine, name) : []
      if (people.length > 0) throw new ValuesShared(name, people)
    }
  }
}

/** Throws `ValuesChanged` if values were stored since the check. */
export async function requireChecked(engine: Engine, name: string, checked: number): Promise<void> {
  if ((await engine.read(storedSince({ name, checked }))).length > 0) throw new ValuesChanged(name)
}

function toRow({ name, createdAtMs, version, ...definition }: Attribute): AttributesTable {
  const isUnique = Number(definition.unique)
  const row = { name, definition: JSON.stringify(definition), is_unique: isUnique, created_at_ms: createdAtMs, version }
  return { ...row, checks: 0 }
}

function toAttribute({ name, definition, created_at_ms: createdAtMs, version }: AttributesTable): Attribute {
  return {
    ...(JSON.parse(definition) as Omit<Attribute, 'name' | 'createdAtMs' | 'version'>),
    name,
    createdAtMs,
    version,
  }
}

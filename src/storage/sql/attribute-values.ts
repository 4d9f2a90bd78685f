/** Keeps the texts by which values of attributes are found and compared, as the rows of these people are. */
import { createHash } from 'node:crypto'
import { isFullDate, keysOf } from '../../users/attribute-values.ts'
import type { User } from '../../users/user.ts'
import { type AttributeValue, attributesToText, textToAttributes } from '../../users/user-attributes.ts'
import type { Engine } from '../engine.ts'
import { ValueRefused } from '../port/attributes.ts'
import { holdersAtMost } from '../port/users.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { forgetValues } from './search-keys.ts'
import type { Statement } from './statement.ts'
import { listToText, textToList } from './tables.ts'
import { toUser, userColumns } from './user-row.ts'

type Named = { user_id: string; attribute: string }

type Fitting = { many: string; types: string; choices: string }

/**
 * Adds nothing if the attribute is not declared, if it is of another type than the value, or if another person has the value of a unique
 * one. Holds the declaration until the commit, so that it changes before or after. `where true`: without it SQLite reads `on conflict` as the
 * condition of a join.
 */
const add = prepare(
  'attribute-values.add',
  (db, p: Placeholders<Named & Fitting & { keys: string }>, { sql, eachOf, keepingRows }) => {
    // Of the definition, which is JSON: a text that has quotation marks has each of them escaped there.
    const has = (part: unknown) => sql<boolean>`replace(definition, ${part}, '') <> definition`
    const isOfType = sql<boolean>`exists ${db
      .selectFrom(eachOf(p.types))
      .select('each.value')
      .where(has(sql.ref('each.value')))}`
    const isChosen = sql<boolean>`not exists ${db
      .selectFrom(eachOf(p.choices))
      .select('each.value')
      .where(sql<boolean>`replace(definition, ${sql.ref('each.value')}, '') = definition`)}`
    const kept = keepingRows(
      db
        .selectFrom('attributes')
        .select(['name', 'is_unique', 'checks'])
        .where('name', '=', p.attribute)
        .where(has(p.many))
        .where(sql<boolean>`(${isOfType} or (${has(sql.lit('"type":"choice"'))} and ${isChosen}))`),
    )
    return db
      .insertInto('attribute_values')
      .columns(['user_id', 'attribute', 'value', 'is_unique', 'checks'])
      .expression(
        db
          .selectFrom(eachOf(p.keys))
          .innerJoin(kept.as('kept'), (on) => on.onTrue())
          .select([p.user_id.as('user_id'), 'kept.name', 'each.value', 'kept.is_unique', 'kept.checks'])
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) => conflict.doNothing())
  },
)
const remove = prepare('attribute-values.remove', (db, p: Placeholders<Named>) =>
  db.deleteFrom('attribute_values').where('user_id', '=', p.user_id).where('attribute', '=', p.attribute),
)
const holderOf = prepare('attribute-values.holderOf', (db, p: Placeholders<Named & { keys: string }>, { isOneOf }) =>
  db
    .selectFrom('attribute_values')
    .select('user_id')
    .where('attribute', '=', p.attribute)
    .where(isOneOf('value', p.keys))
    .where('is_unique', '=', 1)
    .where('user_id', '<>', p.user_id),
)
const declared = prepare('attribute-values.declared', (db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('attributes').select(['name', 'definition']).where('name', '=', p.name),
)
const counted = prepare('attribute-values.counted', (db, p: Placeholders<{ attribute: string }>) =>
  db
    .selectFrom('attribute_values')
    .select(({ fn }) => fn.count<number>('user_id').distinct().as('people'))
    .where('attribute', '=', p.attribute),
)
/** People with the attribute after an id, a window of them. */
export const valueWindow = 200
const holders = prepare(
  'attribute-values.holders',
  (db, p: Placeholders<{ attribute: string; after: string }>, { sql }) =>
    db
      .selectFrom('users')
      .select(['id', 'name', 'attributes', 'version'])
      .where((eb) =>
        eb(
          'id',
          'in',
          db
            .selectFrom('attribute_values')
            .select('user_id')
            .distinct()
            .where('attribute', '=', p.attribute)
            .where('user_id', '>', p.after)
            .orderBy('user_id')
            .limit(sql.lit(valueWindow)),
        ),
      )
      .orderBy('id'),
)
type Without = { id: string; attributes: string | null; decided_on: number; now_ms: number }
const withoutValue = prepare('attribute-values.withoutValue', (db, p: Placeholders<Without>, { sql }) =>
  db
    .updateTable('users')
    .set({ attributes: p.attributes, version: sql<number>`version + 1`, updated_at_ms: p.now_ms })
    .where('id', '=', p.id)
    .where('version', '=', p.decided_on),
)
const found = prepare('attribute-values.found', (db, p: Placeholders<{ attribute: string; value: string }>, { sql }) =>
  db
    .selectFrom('attribute_values')
    .innerJoin('users', 'users.id', 'attribute_values.user_id')
    .select(userColumns)
    .where('attribute_values.attribute', '=', p.attribute)
    .where('attribute_values.value', '=', p.value)
    .limit(sql.lit(holdersAtMost + 1)),
)
/** Values that several people have, with the people: at most ten rows. */
const shared = prepare('attribute-values.shared', (db, p: Placeholders<{ attribute: string }>, { sql }) =>
  db
    .selectFrom('attribute_values as one')
    .innerJoin('users', 'users.id', 'one.user_id')
    .select(['users.name as name', 'one.value as value'])
    .where('one.attribute', '=', p.attribute)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('attribute_values as other')
          .select('other.user_id')
          .whereRef('other.attribute', '=', 'one.attribute')
          .whereRef('other.value', '=', 'one.value')
          .whereRef('other.user_id', '<>', 'one.user_id'),
      ),
    )
    .orderBy('one.value')
    .orderBy('users.normalized_name')
    .limit(sql.lit(10)),
)

/** A text that fits in an index: of a long one, its hash. */
const indexed = (key: string): string =>
  key.length <= 200 ? key : `sha256:${createHash('sha256').update(key).digest('base64url')}`

/** The texts by which a value is found, as a stored list. */
export const keysFor = (value: Parameters<typeof keysOf>[0]): string =>
  listToText([...new Set(keysOf(value).map(indexed))])

/** Returns what a declaration has that such a value fits. */
function fittingOf(value: AttributeValue): Fitting {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const types = {
    text: (one: unknown) => typeof one === 'string',
    date: (one: unknown) => typeof one === 'string' && isFullDate(one),
    integer: (one: unknown) => typeof one === 'number',
    boolean: (one: unknown) => typeof one === 'boolean',
  }
  const fitting = Object.entries(types).filter(([, fits]) => items.every(fits))
  return {
    many: `"many":${Array.isArray(value)}`,
    types: listToText(fitting.map(([type]) => `"type":"${type}"`)),
    choices: listToText(items.map((one) => `"value":${JSON.stringify(one)}`)),
  }
}

/** The same for a declaration that was read. */
export function isFitting(definition: string, value: AttributeValue): boolean {
  const { many, types, choices } = fittingOf(value)
  const has = (part: string) => definition.includes(part)
  const isOfType = textToList(types).some(has)
  return has(many) && (isOfType || (has('"type":"choice"') && textToList(choices).every(has)))
}

/** Whether the value is another; the order of lists counts. */
const isOther = (before: User | undefined, after: User, name: string): boolean =>
  JSON.stringify(before?.attributes[name]) !== JSON.stringify(after.attributes[name])

/** Returns the attributes with another value. `before` undefined: the user is new. */
export function changedNames(before: User | undefined, after: User): string[] {
  if (before?.attributes === after.attributes) return []
  const names = new Set([...Object.keys(before?.attributes ?? {}), ...Object.keys(after.attributes)])
  return [...names].filter((name) => isOther(before, after, name))
}

/** Returns what follows the change of a user's row in the same commit, which is not applied where a value may not be. */
export function valueStatements(before: User | undefined, after: User): Statement[] {
  const changed = changedNames(before, after)
  const gone = changed.filter((name) => before?.attributes[name] !== undefined)
  const added = changed.flatMap((attribute) => {
    const value = after.attributes[attribute]
    return value === undefined
      ? []
      : [mustChange(add({ user_id: after.id, attribute, keys: keysFor(value), ...fittingOf(value) }))]
  })
  return [...gone.map((attribute) => remove({ user_id: after.id, attribute })), ...added]
}

/** Throws `ValueRefused` if a new value may not be. For a commit that was not applied. */
export async function requireValues(engine: Engine, before: User | undefined, after: User): Promise<undefined> {
  for (const attribute of changedNames(before, after)) {
    const value = after.attributes[attribute]
    if (value === undefined) continue
    const [known] = await engine.read(declared({ name: attribute }))
    if (known === undefined) throw new ValueRefused(attribute, 'undeclared')
    if (!isFitting(known.definition, value)) throw new ValueRefused(attribute, 'unfit')
    const [other] = await engine.read(holderOf({ user_id: after.id, attribute, keys: keysFor(value) }))
    if (other !== undefined) throw new ValueRefused(attribute, 'taken')
  }
  return undefined
}

/** Returns the people with the value, in no order; undefined: they are more than `holdersAtMost`. */
export async function holdersOf(
  engine: Engine,
  attribute: string,
  value: string | number | boolean,
): Promise<User[] | undefined> {
  const [key = ''] = keysOf(value).map(indexed)
  const people = await engine.read(found({ attribute, value: key }))
  return people.length > holdersAtMost ? undefined : people.map(toUser)
}

export async function countHolders(engine: Engine, attribute: string): Promise<number> {
  const [row] = await engine.read(counted({ attribute }))
  return Number(row?.people ?? 0)
}

/** Returns the next people with a value, with what each has. */
export async function holdersAfter(engine: Engine, attribute: string, after: string) {
  return await engine.read(holders({ attribute, after }))
}

/** Returns the names of the first people who have a value that another has, too. */
export async function sharing(engine: Engine, attribute: string): Promise<string[]> {
  return (await engine.read(shared({ attribute }))).map(({ name }) => name)
}

/** Returns the commit that takes the value of a deleted attribute from these people, on what was read of them. */
export function takeValues(
  attribute: string,
  people: Awaited<ReturnType<typeof holdersAfter>>,
  nowMs: number,
): Statement[] {
  return people.flatMap(({ id, attributes, version }) => {
    const before = textToAttributes(attributes)
    const { [attribute]: _, ...rest } = before
    const without = { id, attributes: attributesToText(rest), decided_on: version, now_ms: nowMs }
    return [mustChange(withoutValue(without)), remove({ user_id: id, attribute }), ...forgetValues(id, before, rest)]
  })
}

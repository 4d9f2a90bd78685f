/**
 * Takes what was deleted from the rows that have it, in windows along the primary key or by an index, so that no commit holds
 * many rows.
 */
import type { Engine } from '../engine.ts'
import type { Removal } from '../port/configuration.ts'
import { holdersAfter, takeValues, valueWindow } from './attribute-values.ts'
import { forgetConsentsOfClient } from './forgotten-consents.ts'
import { mustChange, type Placeholders, pick, prepare, type Tools } from './prepared.ts'
import { lasts, type Part, rowsAtOnce, taking } from './removal-windows.ts'
import { forgetClientIn } from './session-clients.ts'
import type { Statement } from './statement.ts'
import { columns, type RemovalsTable } from './tables.ts'

/** Commits that follow a deletion at once, before it is acknowledged: with few rows, nothing is left for later. */
export const commitsAtOnce = 16
/** None of them begins later than this after the first, however many deletions one commit had. */
export const beginsWithinMs = 200

type Key = { kind: string; name: string }
type Place = Pick<RemovalsTable, 'part' | 'after_id'>

const all = prepare('removals.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('removals').select(columns.removals),
)
const one = prepare('removals.one', (db, p: Placeholders<Key>) =>
  db.selectFrom('removals').select(columns.removals).where('kind', '=', p.kind).where('name', '=', p.name),
)
const insert = prepare('removals.insert', (db, p: Placeholders<RemovalsTable>) =>
  db
    .insertInto('removals')
    .values(pick(p, columns.removals))
    .onConflict((conflict) => conflict.doNothing()),
)
const move = prepare('removals.move', (db, p: Placeholders<Key & Place>) =>
  db
    .updateTable('removals')
    .set({ part: p.part, after_id: p.after_id })
    .where('kind', '=', p.kind)
    .where('name', '=', p.name),
)
const end = prepare('removals.end', (db, p: Placeholders<Key>) =>
  db.deleteFrom('removals').where('kind', '=', p.kind).where('name', '=', p.name),
)

type OfClient = { client_id: string }
const grantsOfClient = prepare('removals.grantsOfClient', (db, p: Placeholders<OfClient>, { sql }) =>
  db
    .deleteFrom('grants')
    .where(
      'id',
      'in',
      db.selectFrom('grants').select('id').where('client_id', '=', p.client_id).limit(sql.lit(rowsAtOnce)),
    ),
)
const consentsOfClient = prepare('removals.consentsOfClient', (db, p: Placeholders<OfClient>, { sql }) =>
  db
    .deleteFrom('authorizations')
    .where(
      'id',
      'in',
      db.selectFrom('authorizations').select('id').where('client_id', '=', p.client_id).limit(sql.lit(rowsAtOnce)),
    ),
)
const membersOfGroup = prepare('removals.membersOfGroup', (db, p: Placeholders<{ group_id: string }>, { sql }) =>
  db
    .deleteFrom('group_members')
    .where('group_id', '=', p.group_id)
    .where(
      'user_id',
      'in',
      db.selectFrom('group_members').select('user_id').where('group_id', '=', p.group_id).limit(sql.lit(rowsAtOnce)),
    ),
)
const markedClient = prepare('removals.markedClient', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db.deleteFrom('clients').where('id', '=', p.id).where('deleted', '=', sql.lit(1)),
)

/** The tables that have it, in the order of the work; a client, a group or an attribute is found by an index. */
const parts: Readonly<Record<Removal['kind'], readonly Part[]>> = {
  client: [],
  group: [],
  scope: ['grants', 'authorizations'],
  role: ['users'],
  attribute: [],
}

/** Marks what the same commit deletes. `atMs`: when people lost a role. */
export function removalOf({ kind, name }: Removal, atMs = 0): Statement {
  return insert({ kind, name, at_ms: atMs, part: parts[kind][0] ?? '', after_id: '' })
}

/** Whether a table may take a name: nothing of the kind with it is being removed. */
export function isFree(kind: Removal['kind'], sql: Tools['sql'], name: Placeholders<{ name: string }>['name']) {
  return sql<boolean>`not exists (select 1 from removals where removals.kind = ${sql.lit(kind)} and removals.name = ${name})`
}

export function sqlRemovals(engine: Engine) {
  return {
    /** Returns those whose rows are not all done, in no particular order. */
    async list(): Promise<Removal[]> {
      return (await engine.read(all({}))).map(({ kind, name }) => ({ kind: kind as Removal['kind'], name }))
    },
    /**
     * Goes on until nothing is left or `mayGoOn` says no, which is asked before each commit. Returns whether nothing is left. Several
     * processes may do it at once. During a rolling upgrade, what only the newer version knows is left to it.
     */
    async goOn(mayGoOn: () => boolean): Promise<boolean> {
      for (const row of await engine.read(all({}))) {
        if (!(await removeRows(engine, row, mayGoOn))) return false
      }
      return true
    },
  }
}

/** Follows the commit of deletions. What it cannot do, the service does later. */
export type RemoveSoon = (removals: readonly Removal[]) => Promise<void>

/** `monotonic`: milliseconds that never jump. */
export function removingSoon(engine: Engine, monotonic: () => number): RemoveSoon {
  return async (removals) => {
    const endMs = monotonic() + beginsWithinMs
    for (const { kind, name } of removals) {
      let left = commitsAtOnce
      const mayGoOn = () => {
        left -= 1
        return left >= 0 && monotonic() < endMs
      }
      if (monotonic() >= endMs) return
      // The deletion itself is done, whatever becomes of its rows now.
      await engine
        .read(one({ kind, name }))
        .then(async ([row]) => row && (await removeRows(engine, row, mayGoOn)))
        .catch(() => {})
    }
  }
}

type Remover = (engine: Engine, row: RemovalsTable) => Promise<RemovalsTable | undefined>

const removers: Readonly<Record<Removal['kind'], Remover>> = {
  client: removeOfClient,
  group: removeOfGroup,
  scope: removeWindow,
  role: removeWindow,
  attribute: removeOfAttribute,
}

/** A kind that only a newer version knows has none: its processes do it. */
const removerOf = (kind: string): Remover | undefined =>
  Object.hasOwn(removers, kind) ? removers[kind as Removal['kind']] : undefined

/** Returns whether no row has it any more, as far as this version knows it. */
async function removeRows(engine: Engine, row: RemovalsTable, mayGoOn: () => boolean): Promise<boolean> {
  const remove = removerOf(row.kind)
  let next: RemovalsTable | undefined = remove && row
  while (remove !== undefined && next !== undefined) {
    if (!mayGoOn()) return false
    next = await remove(engine, next)
  }
  return true
}

/** Whoever changes meanwhile is read again. */
async function removeOfAttribute(engine: Engine, row: RemovalsTable): Promise<RemovalsTable | undefined> {
  const people = await holdersAfter(engine, row.name, '')
  const isEnd = people.length < valueWindow
  const { applied } = await engine.commit([
    ...takeValues(row.name, people, row.at_ms),
    ...(isEnd ? [mustChange(end(row))] : []),
  ])
  return isEnd && applied ? undefined : row
}

async function removeOfClient(engine: Engine, row: RemovalsTable): Promise<RemovalsTable | undefined> {
  const id = row.name
  const of = { client_id: id }
  const { changes } = await engine.commit([
    grantsOfClient(of),
    consentsOfClient(of),
    forgetConsentsOfClient(id),
    ...forgetClientIn(id),
  ])
  if (changes.some((rows) => rows >= rowsAtOnce)) return row
  await engine.commit([mustChange(end(row)), markedClient({ id })])
  return undefined
}

async function removeOfGroup(engine: Engine, row: RemovalsTable): Promise<RemovalsTable | undefined> {
  const { changes } = await engine.commit([membersOfGroup({ group_id: row.name })])
  if (changes.some((rows) => rows >= rowsAtOnce)) return row
  await engine.commit([mustChange(end(row))])
  return undefined
}

async function removeWindow(engine: Engine, row: RemovalsTable): Promise<RemovalsTable | undefined> {
  const { kind, part, after_id: after } = row
  const [window] = await engine.read(lasts[part as Part]({ after }))
  const last = window?.last ?? null
  const done = last === null ? [] : taking(row, last)
  const isEnd = Number(window?.rows ?? 0) < rowsAtOnce
  if (last !== null && !isEnd) {
    const next = { ...row, after_id: last }
    await engine.commit([...done, move(next)])
    return next
  }
  const following = parts[kind as Removal['kind']]
  const nextPart = following[following.indexOf(part as Part) + 1]
  const next = nextPart === undefined ? undefined : { ...row, part: nextPart, after_id: '' }
  await engine.commit([...done, next === undefined ? end(row) : move(next)])
  return next
}

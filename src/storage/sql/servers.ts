/** The processes that serve from a database, and whether the database was moved. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Engine } from '../engine.ts'
import type { Arrival, Move, Server } from '../port/servers.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { arriving, columns, type MovesTable, type ServersTable } from './tables.ts'

/** The keys of the rows of `moves`; earlier versions know the first one alone. */
const mark = 'moved'
/** Beside the first, until every row is in the other database. */
const underWay = 'copying'

const all = prepare('servers.all', (db, _: Placeholders<Record<never, never>>) =>
  db
    .selectFrom('servers')
    .select([...columns.servers])
    .orderBy('started_at_ms')
    .orderBy('id'),
)

const upsert = prepare('servers.upsert', (db, p: Placeholders<ServersTable>) =>
  db
    .insertInto('servers')
    .values(pick(p, columns.servers))
    .onConflict((conflict) => conflict.column('id').doUpdateSet(pick(p, ['seen_at_ms']))),
)

const remove = prepare('servers.remove', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('servers').where('id', '=', p.id),
)

const removeBefore = prepare('servers.removeBefore', (db, p: Placeholders<{ seen_at_ms: number }>) =>
  db.deleteFrom('servers').where('seen_at_ms', '<', p.seen_at_ms),
)

const marks = prepare('servers.marks', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('moves').select(['name', 'moved_to', 'at_ms', 'settled']),
)

const insertMark = prepare(
  'servers.insertMark',
  (db, p: Placeholders<Pick<MovesTable, 'name' | 'moved_to' | 'at_ms'>>) =>
    db
      .insertInto('moves')
      .values({ name: p.name, moved_to: p.moved_to, at_ms: p.at_ms, settled: 0 })
      .onConflict((conflict) => conflict.doNothing()),
)

const settleMove = prepare('servers.settleMove', (db, _: Placeholders<Record<never, never>>) =>
  db.updateTable('moves').set({ settled: 1 }).where('name', '=', mark),
)

const removeMark = prepare('servers.removeMark', (db, p: Placeholders<Pick<MovesTable, 'name'>>) =>
  db.deleteFrom('moves').where('name', '=', p.name),
)

const removeArrival = prepare('servers.removeArrival', (db, p: Placeholders<Pick<MovesTable, 'moved_to' | 'at_ms'>>) =>
  db.deleteFrom('moves').where('name', '=', arriving).where('moved_to', '=', p.moved_to).where('at_ms', '=', p.at_ms),
)

/**
 * A server sends its first heartbeat before it checks for a move, and a move marks the database before it checks for
 * servers. At least one of the two therefore detects the other.
 */
export function sqlServers(engine: Engine) {
  return {
    /** Returns the servers that have not left, oldest first. Includes servers that were killed. */
    async list(): Promise<Server[]> {
      return (await engine.read(all({}))).map(toServer)
    },
    /** Records a heartbeat. The first one registers the server. */
    async beat({ id, host, pid, startedAtMs, seenAtMs }: Server): Promise<void> {
      await engine.commit([upsert({ id, host, pid, started_at_ms: startedAtMs, seen_at_ms: seenAtMs })])
    },
    async leave(id: string): Promise<void> {
      await engine.commit([remove({ id })])
    },
    /** Deletes servers whose last heartbeat is older. */
    async forgetBefore(seenAtMs: number): Promise<void> {
      await engine.commit([removeBefore({ seen_at_ms: seenAtMs })])
    },
    /** Undefined: the database was not moved. */
    async findMove(): Promise<Move | undefined> {
      const found = await engine.read(marks({}))
      const row = found.find(({ name }) => name === mark)
      const isCopied = !found.some(({ name }) => name === underWay)
      return row && { to: row.moved_to, atMs: row.at_ms, isSettled: row.settled === 1, isCopied }
    },
    /** Marks the database with an unsettled move. Returns false if it is marked already. */
    async markMoved({ to, atMs }: Pick<Move, 'to' | 'atMs'>, events?: AuditEvents): Promise<boolean> {
      const insert = (name: string) => insertMark({ name, moved_to: to, at_ms: atMs })
      return (await engine.commit([mustChange(insert(mark)), insert(underWay)], events)).applied
    },
    /** Settles the move: no process serves from the database. Does nothing without a mark. */
    async settleMove(): Promise<void> {
      await engine.commit([settleMove({})])
    },
    /** Every row is in the other database. Returns false if the mark is not that of a copy under way any more. */
    async endMove(): Promise<boolean> {
      return (await engine.commit([mustChange(removeMark({ name: underWay }))])).applied
    },
    /** Removes the mark. Returns false if there was none. */
    async reopen(events?: AuditEvents): Promise<boolean> {
      const removed = [mustChange(removeMark({ name: mark })), removeMark({ name: underWay })]
      return (await engine.commit(removed, events)).applied
    },
    /** Undefined: no copy into the database is under way. `RowWriter` marks one. */
    async findArrival(): Promise<Arrival | undefined> {
      const row = (await engine.read(marks({}))).find(({ name }) => name === arriving)
      return row && { from: row.moved_to, atMs: row.at_ms }
    },
    /** The copy into the database, or only this one, has ended or is given up. */
    async endArrival(only?: Arrival): Promise<void> {
      const end = only ? removeArrival({ moved_to: only.from, at_ms: only.atMs }) : removeMark({ name: arriving })
      await engine.commit([end])
    },
  }
}

function toServer(row: ServersTable): Server {
  const { id, host, pid, started_at_ms: startedAtMs, seen_at_ms: seenAtMs } = row
  return { id, host, pid, startedAtMs, seenAtMs }
}

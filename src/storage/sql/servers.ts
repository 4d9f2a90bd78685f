import type { Engine } from '../engine.ts'
import type { Server, Servers } from '../port/servers.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { columns, type MovesTable, type ServersTable } from './tables.ts'

/** The key of the only row of `moves`. */
const mark = 'moved'

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

const move = prepare('servers.move', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('moves').select(['moved_to', 'at_ms', 'settled']).where('name', '=', mark),
)

const insertMove = prepare('servers.insertMove', (db, p: Placeholders<Pick<MovesTable, 'moved_to' | 'at_ms'>>) =>
  db
    .insertInto('moves')
    .values({ name: mark, moved_to: p.moved_to, at_ms: p.at_ms, settled: 0 })
    .onConflict((conflict) => conflict.doNothing()),
)

const settleMove = prepare('servers.settleMove', (db, _: Placeholders<Record<never, never>>) =>
  db.updateTable('moves').set({ settled: 1 }).where('name', '=', mark),
)

const removeMove = prepare('servers.removeMove', (db, _: Placeholders<Record<never, never>>) =>
  db.deleteFrom('moves').where('name', '=', mark),
)

export function sqlServers(engine: Engine): Servers {
  return {
    async list() {
      return (await engine.read(all({}))).map(toServer)
    },
    async beat({ id, host, pid, startedAtMs, seenAtMs }) {
      await engine.commit([upsert({ id, host, pid, started_at_ms: startedAtMs, seen_at_ms: seenAtMs })])
    },
    async leave(id) {
      await engine.commit([remove({ id })])
    },
    async forgetBefore(seenAtMs) {
      await engine.commit([removeBefore({ seen_at_ms: seenAtMs })])
    },
    async findMove() {
      const [row] = await engine.read(move({}))
      return row && { to: row.moved_to, atMs: row.at_ms, isSettled: row.settled === 1 }
    },
    async markMoved({ to, atMs }, events) {
      return (await engine.commit([mustChange(insertMove({ moved_to: to, at_ms: atMs }))], events)).applied
    },
    async settleMove() {
      await engine.commit([settleMove({})])
    },
    async reopen(events) {
      return (await engine.commit([mustChange(removeMove({}))], events)).applied
    },
  }
}

function toServer(row: ServersTable): Server {
  const { id, host, pid, started_at_ms: startedAtMs, seen_at_ms: seenAtMs } = row
  return { id, host, pid, startedAtMs, seenAtMs }
}

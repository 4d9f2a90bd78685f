/** Requests that are carried out once, however often they are sent (`Idempotency-Key`). */
import type { Engine } from '../engine.ts'
import { type IdempotencyKey, IdempotencyKeyTaken, type IdempotentAnswer, type UsedKey } from '../port/idempotency.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { columns, type IdempotencyKeysTable } from './tables.ts'

const byId = prepare('idempotency.byId', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('idempotency_keys').select(columns.idempotency_keys).where('id', '=', p.id),
)

/** The primary key decides the race. A key that has expired may be used anew, whether or not it was swept. */
const insertKey = prepare('idempotency.insertKey', (db, p: Placeholders<IdempotencyKeysTable & { now_ms: number }>) =>
  db
    .insertInto('idempotency_keys')
    .values(pick(p, columns.idempotency_keys))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(pick(p, ['body_hash', 'status', 'answer', 'expires_at_ms']))
        .where('idempotency_keys.expires_at_ms', '<=', p.now_ms),
    ),
)
const putAnswer = prepare('idempotency.putAnswer', (db, p: Placeholders<IdempotencyKeysTable>) =>
  db
    .insertInto('idempotency_keys')
    .values(pick(p, columns.idempotency_keys))
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ status: p.status, answer: p.answer })),
)

const toRow = ({ id, bodyHash, expiresAtMs }: Omit<IdempotencyKey, 'usedAtMs'>) => ({
  id,
  body_hash: bodyHash,
  expires_at_ms: expiresAtMs,
})

export function sqlIdempotency(engine: Engine) {
  return {
    async find(id: string): Promise<UsedKey | undefined> {
      const [row] = await engine.read(byId({ id }))
      if (row === undefined) return undefined
      const { body_hash: bodyHash, status, answer, expires_at_ms: expiresAtMs } = row
      return { id, bodyHash, expiresAtMs, answered: status === null || answer === null ? null : { status, answer } }
    },
    /** Keeps the answer of a request; also of one that changed nothing, whose key is not stored yet. */
    async complete(key: Omit<IdempotencyKey, 'usedAtMs'>, { status, answer }: IdempotentAnswer): Promise<void> {
      await engine.commit([putAnswer({ ...toRow(key), status, answer })])
    },
  }
}

/** Returns the engine with the key in its first commit that applies. */
export function keyedEngine(engine: Engine, key: IdempotencyKey): Engine {
  let isStored = false
  return {
    ...engine,
    async commit(statements, events, underWay) {
      if (isStored) return engine.commit(statements, events, underWay)
      const insertion = mustChange(insertKey({ ...toRow(key), status: null, answer: null, now_ms: key.usedAtMs }))
      const { applied, changes } = await engine.commit([insertion, ...statements], events, underWay)
      if (!applied && changes.length === 0) throw new IdempotencyKeyTaken('Another request has used the key.')
      isStored = applied
      return { applied, changes: changes.slice(1) }
    },
  }
}

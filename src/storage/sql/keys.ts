/** The key ring in storage. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Engine } from '../engine.ts'
import type { KeyEnd, StoredKey } from '../port/keys.ts'
import { mustChange, type Placeholders, pick, prepare, selected } from './prepared.ts'
import { columns, type KeysTable, listToText, type Prefixed, prefixed } from './tables.ts'

type KeyRow = Prefixed<'k', KeysTable>

const all = prepare('keys.all', (db, _: Placeholders<Record<never, never>>) =>
  db
    .selectFrom('keys')
    .select(prefixed('keys', 'k', columns.keys))
    .where('wrapped', '<>', '')
    .orderBy('created_at_ms')
    .orderBy('id'),
)
/** The unique `first_of` decides the race between nodes. A ring that was rotated needs no first key. */
const insertFirst = prepare('keys.insertFirst', (db, p: Placeholders<KeysTable>) =>
  db
    .insertInto('keys')
    .columns(columns.keys)
    .expression(
      db
        .selectNoFrom(selected(p, columns.keys))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('keys')
                .select('id')
                .where('use', '=', p.use)
                .where('algorithm', '=', p.algorithm)
                .where('wrapped', '<>', ''),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const insertKey = prepare('keys.insertKey', (db, p: Placeholders<KeysTable>) =>
  db.insertInto('keys').values(pick(p, columns.keys)),
)
const useForSettings = prepare('keys.useForSettings', (db, p: Placeholders<{ ids: string }>, { isOneOf }) =>
  db.updateTable('keys').set({ for_clients: null }).where(isOneOf('id', p.ids)),
)
const retired = prepare('keys.retired', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('keys').select(['id', 'algorithm', 'public_jwk']).where('id', '=', p.id).where('use', '=', 'sign'),
)
/** No two keys have one id, those that expired included. */
const insertImported = prepare('keys.insertImported', (db, p: Placeholders<KeysTable>) =>
  db
    .insertInto('keys')
    .values(pick(p, columns.keys))
    .onConflict((conflict) => conflict.doNothing()),
)
type End = { id: string; from_ms: number | null; expires_at_ms: number }

const endKey = prepare('keys.endKey', (db, p: Placeholders<End>) =>
  db
    .updateTable('keys')
    .set({ expires_at_ms: p.expires_at_ms })
    .where('id', '=', p.id)
    .where('expires_at_ms', 'is not distinct from', p.from_ms),
)

export function sqlKeys(engine: Engine) {
  const list = async () => (await engine.read(all({}))).map(toKey)
  return {
    /** Those with a private half, oldest first. */
    list,
    /**
     * Adds each key unless the ring already has one of the same use and algorithm. Of several nodes that start on an
     * empty database, one wins per key. Resolves to the resulting ring.
     */
    async addFirst(keys: readonly StoredKey[], events?: AuditEvents): Promise<StoredKey[]> {
      const firsts = keys.map((key) => ({ ...toRow(key), first_of: `${key.use}:${key.algorithm}` }))
      // In one order on every node: in two, transactions would wait for each other until PostgreSQL ends one of them.
      const insertions = firsts.toSorted((a, b) => (a.first_of < b.first_of ? -1 : 1)).map((row) => insertFirst(row))
      await engine.commit(insertions, events)
      return list()
    },
    /**
     * Adds the successors and sets the expiry of the keys they replace, all or nothing. Returns false if another process
     * changed one of these expiries meanwhile: of several concurrent rotations exactly one succeeds.
     */
    async rotate(added: readonly StoredKey[], ends: readonly KeyEnd[], events?: AuditEvents): Promise<boolean> {
      const statements = [
        // Runs first: the loser of a race waits here, or fails, before anything is added.
        ...ends.map(({ id, fromMs, expiresAtMs }) =>
          mustChange(endKey({ id, from_ms: fromMs, expires_at_ms: expiresAtMs })),
        ),
        ...added.map((key) => insertKey(toRow(key))),
      ]
      return (await engine.commit(statements, events)).applied
    },
    /** Adds all of them, or none if an id is taken: then returns false. */
    async addImported(keys: readonly StoredKey[], events?: AuditEvents): Promise<boolean> {
      return (
        await engine.commit(
          keys.map((key) => mustChange(insertImported(toRow(key)))),
          events,
        )
      ).applied
    },
    /** Marks the keys as used by the settings. */
    async useForSettings(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await engine.commit([useForSettings({ ids: listToText([...ids]) })])
    },
    /**
     * Returns the public half, JSON text of the JWK, of a signing key that is no longer in `list`: it expired, and its
     * private half was removed. Kept while an id token that it signed can come back.
     */
    async findRetired(id: string): Promise<Pick<StoredKey, 'id' | 'algorithm' | 'publicJwk'> | undefined> {
      const [row] = await engine.read(retired({ id }))
      return row && { id: row.id, algorithm: row.algorithm, publicJwk: row.public_jwk }
    },
  }
}

function toRow(key: StoredKey): KeysTable {
  return {
    id: key.id,
    use: key.use,
    algorithm: key.algorithm,
    public_jwk: key.publicJwk,
    wrapped: key.wrapped,
    created_at_ms: key.createdAtMs,
    active_at_ms: key.activeAtMs,
    expires_at_ms: key.expiresAtMs,
    first_of: null,
    for_clients: key.isForClients ? 1 : null,
  }
}

function toKey(row: KeyRow): StoredKey {
  return {
    id: row.k_id,
    use: row.k_use as StoredKey['use'],
    algorithm: row.k_algorithm,
    publicJwk: row.k_public_jwk,
    wrapped: row.k_wrapped,
    createdAtMs: row.k_created_at_ms,
    activeAtMs: row.k_active_at_ms,
    expiresAtMs: row.k_expires_at_ms,
    isForClients: row.k_for_clients === 1,
  }
}

/** Consents of another system, kept until both the person and the client are there. */
import type { Kysely } from 'kysely'
import type { AuditEvents } from '../../audit/entry.ts'
import type { Authorization } from '../../protocol/grant/grant.ts'
import type { Engine } from '../engine.ts'
import { type ImportedConsent, importKeptMs } from '../port/imports.ts'
import { importedConsent } from './authorizations.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { rowsAtOnce } from './removal-windows.ts'
import type { Statement } from './statement.ts'
import { columns, type Database, type ImportedConsentsTable, listToText, textToList } from './tables.ts'

const keep = prepare('importedConsents.keep', (db, p: Placeholders<ImportedConsentsTable>) =>
  db
    .insertInto('imported_consents')
    .values(pick(p, columns.imported_consents))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id', 'scopes']).doUpdateSet(pick(p, ['by_operator', 'since_ms'])),
    ),
)
const ready = prepare('importedConsents.ready', (db, p: Placeholders<{ since_ms: number }>, { sql }) =>
  db
    .selectFrom('imported_consents')
    .innerJoin('users', 'users.id', 'imported_consents.user_id')
    .innerJoin('clients', 'clients.id', 'imported_consents.client_id')
    .select([
      'imported_consents.user_id',
      'imported_consents.client_id',
      'imported_consents.scopes',
      'imported_consents.by_operator',
    ])
    .where('imported_consents.since_ms', '>', p.since_ms)
    .where('clients.deleted', '=', sql.lit(0))
    .orderBy('imported_consents.user_id')
    .limit(sql.lit(1000)),
)
type Key = Pick<ImportedConsentsTable, 'user_id' | 'client_id' | 'scopes'>
const forget = prepare('importedConsents.forget', (db, p: Placeholders<Key>) =>
  db
    .deleteFrom('imported_consents')
    .where('user_id', '=', p.user_id)
    .where('client_id', '=', p.client_id)
    .where('scopes', '=', p.scopes),
)
const keyColumns = ['user_id', 'client_id', 'scopes'] as const
const keysIn = (db: Kysely<Database>) => db.selectFrom('imported_consents').select(keyColumns)
const forgetWindow = (db: Kysely<Database>, window: ReturnType<typeof keysIn>) =>
  db
    .deleteFrom('imported_consents')
    .where(({ eb, refTuple }) => eb(refTuple(...keyColumns), 'in', window.$asTuple(...keyColumns)))
const forgetOld = prepare('sweep.remove.imported_consents', (db, p: Placeholders<{ since_ms: number; rows: number }>) =>
  forgetWindow(db, keysIn(db).where('since_ms', '<=', p.since_ms).limit(p.rows)),
)
const forgetOfClient = prepare(
  'importedConsents.forgetOfClient',
  (db, p: Placeholders<{ client_id: string }>, { sql }) =>
    forgetWindow(db, keysIn(db).where('client_id', '=', p.client_id).limit(sql.lit(rowsAtOnce))),
)
const forgetOfUser = prepare('importedConsents.forgetOfUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.deleteFrom('imported_consents').where('user_id', '=', p.user_id),
)
const keyOf = ({ userId, clientId, scopes }: ImportedConsent): Key => ({
  user_id: userId,
  client_id: clientId,
  scopes: listToText(scopes),
})

/** Returns what keeps a consent in the commit of an import. */
export const keptConsent = (consent: ImportedConsent, nowMs: number): Statement =>
  keep({ ...keyOf(consent), by_operator: consent.isByOperator ? 1 : 0, since_ms: nowMs })

/** Returns what forgets at most `rows` consents whose person or client did not come in time. */
export const forgetKeptConsents = (nowMs: number, rows: number): Statement =>
  forgetOld({ since_ms: nowMs - importKeptMs, rows })

/** Returns what forgets those of a person who is deleted: the same id may come again with another import. */
export const forgetConsentsOfUser = (userId: string): Statement => forgetOfUser({ user_id: userId })

/** Returns what forgets a window of those of a client that is deleted: its id is free for another one. */
export const forgetConsentsOfClient = (clientId: string): Statement => forgetOfClient({ client_id: clientId })

export function sqlImportedConsents(engine: Engine) {
  return {
    /** Returns up to 1000 consents whose person and client are there. */
    async readyConsents(nowMs: number): Promise<readonly ImportedConsent[]> {
      const rows = await engine.read(ready({ since_ms: nowMs - importKeptMs }))
      return rows.map(({ user_id, client_id, scopes, by_operator }) => {
        return { userId: user_id, clientId: client_id, scopes: textToList(scopes), isByOperator: by_operator === 1 }
      })
    },
    /** Stores it, and forgets what was kept. `authorization` undefined: nothing of it can come. Returns false if it was settled meanwhile. */
    async settleConsent(
      kept: ImportedConsent,
      authorization: Authorization | undefined,
      events?: AuditEvents,
    ): Promise<boolean> {
      const stored = authorization === undefined ? [] : importedConsent(authorization)
      return (await engine.commit([mustChange(forget(keyOf(kept))), ...stored], events)).applied
    },
  }
}

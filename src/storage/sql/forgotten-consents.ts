/** Ends of consents that an import keeps: with their person, with their client, and in time. */
import type { Kysely } from 'kysely'
import { importKeptMs } from '../port/imports.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { rowsAtOnce } from './removal-windows.ts'
import type { Statement } from './statement.ts'
import type { Database } from './tables.ts'

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

/** Returns what forgets at most `rows` consents whose person or client did not come in time. */
export const forgetKeptConsents = (nowMs: number, rows: number): Statement =>
  forgetOld({ since_ms: nowMs - importKeptMs, rows })

/** Returns what forgets those of a person who is deleted: the same id may come again with another import. */
export const forgetConsentsOfUser = (userId: string): Statement => forgetOfUser({ user_id: userId })

/** Returns what forgets a window of those of a client that is deleted: its id is free for another one. */
export const forgetConsentsOfClient = (clientId: string): Statement => forgetOfClient({ client_id: clientId })

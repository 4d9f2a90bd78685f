/** Consents of another system, kept until both the person and the client are there. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Authorization } from '../../protocol/grant/grant.ts'
import type { Engine } from '../engine.ts'
import { type ImportedConsent, importKeptMs } from '../port/imports.ts'
import { importedConsent } from './authorizations.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type ImportedConsentsTable, listToText, textToList } from './tables.ts'

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
const keyOf = ({ userId, clientId, scopes }: ImportedConsent): Key => ({
  user_id: userId,
  client_id: clientId,
  scopes: listToText(scopes),
})

/** Returns what keeps a consent in the commit of an import. */
export const keptConsent = (consent: ImportedConsent, nowMs: number): Statement =>
  keep({ ...keyOf(consent), by_operator: consent.isByOperator ? 1 : 0, since_ms: nowMs })

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

import { type AuditLoss, auditQueue } from '../audit-queue.ts'
import type { Adapter } from '../engine.ts'
import type { Storage } from '../port.ts'
import { compareSchema } from '../schema.ts'
import { watchWrites } from '../writes.ts'
import { sqlAccessTokens } from './access-tokens.ts'
import { sqlAudit } from './audit.ts'
import { sqlAuthorizations } from './authorizations.ts'
import { sqlClients } from './clients.ts'
import { sqlGrants } from './grants.ts'
import { sqlKeys } from './keys.ts'
import { probeWrites } from './probe.ts'
import { sqlScopes } from './scopes.ts'
import { sqlSessions } from './sessions.ts'
import { sqlSpentValues } from './spent-values.ts'
import { sqlSweep } from './sweep.ts'
import { sqlUsers } from './users.ts'

/** The port on any SQL engine. `lost` is told of audit events that could not be written. */
export function sqlStorage(
  adapter: Pick<Adapter, 'engine' | 'appliedMigrations'>,
  lost?: (loss: AuditLoss) => void,
): Storage {
  const { engine, checkWrites } = watchWrites(adapter.engine, probeWrites)
  const queue = auditQueue(async (events) => {
    await engine.commit([], events)
  }, lost)
  return {
    users: sqlUsers(engine, queue.note),
    sessions: sqlSessions(engine),
    clients: sqlClients(engine),
    scopes: sqlScopes(engine),
    authorizations: sqlAuthorizations(engine),
    grants: sqlGrants(engine),
    accessTokens: sqlAccessTokens(engine),
    spentValues: sqlSpentValues(engine),
    keys: sqlKeys(engine),
    audit: sqlAudit(engine, queue),
    checkWrites: (maxAgeMs = Number.POSITIVE_INFINITY) => checkWrites(maxAgeMs),
    pendingMigrations: async () => compareSchema(await adapter.appliedMigrations()).pending,
    sweep: sqlSweep(engine),
    async close() {
      // What cannot be written must not keep the database open.
      await queue.close().catch(() => {})
      await engine.close()
    },
  }
}

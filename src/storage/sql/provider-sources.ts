/** Who names the people of external providers: links count with it alone. */
import type { AuditEvents } from '../../audit/entry.ts'
import { normalizeProvider } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { type Placeholders, pick, prepare } from './prepared.ts'
import { columns, type ProviderSourcesTable } from './tables.ts'

const find = prepare('provider-sources.find', (db, p: Placeholders<{ provider: string }>) =>
  db.selectFrom('provider_sources').select(columns.provider_sources).where('provider', '=', p.provider),
)
const insert = prepare('provider-sources.insert', (db, p: Placeholders<ProviderSourcesTable>) =>
  db
    .insertInto('provider_sources')
    .values(pick(p, columns.provider_sources))
    .onConflict((conflict) => conflict.doNothing()),
)
const replaceUnused = prepare('provider-sources.replaceUnused', (db, p: Placeholders<ProviderSourcesTable>) =>
  db
    .updateTable('provider_sources')
    .set(pick(p, ['source', 'since_ms']))
    .where('provider', '=', p.provider)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('external_logins').select('user_id').where('external_logins.provider', '=', p.provider))),
    ),
)
const put = prepare('provider-sources.put', (db, p: Placeholders<ProviderSourcesTable>) =>
  db
    .insertInto('provider_sources')
    .values(pick(p, columns.provider_sources))
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(pick(p, ['source', 'since_ms']))),
)

export function sqlProviderSources(engine: Engine) {
  const sourceOf = async (provider: string): Promise<string | undefined> =>
    (await engine.read(find({ provider })))[0]?.source
  return {
    /** Undefined: nobody came from the provider yet. */
    find: (name: string): Promise<string | undefined> => sourceOf(normalizeProvider(name)),
    /**
     * Returns the source that holds for the provider: this one if there is none, or if nobody is linked to the provider any
     * more. Of several at once one holds, once anybody is linked.
     */
    async bind(name: string, source: string, nowMs: number): Promise<string> {
      const row = { provider: normalizeProvider(name), source, since_ms: nowMs }
      const known = await sourceOf(row.provider)
      if (known === source) return known
      await engine.commit([known === undefined ? insert(row) : replaceUnused(row)])
      return (await sourceOf(row.provider)) ?? source
    },
    /** Makes the source hold, whoever is linked to the provider. */
    async accept(name: string, source: string, nowMs: number, events?: AuditEvents): Promise<void> {
      await engine.commit([put({ provider: normalizeProvider(name), source, since_ms: nowMs })], events)
    },
  }
}

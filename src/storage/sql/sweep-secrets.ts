/**
 * A refresh chain takes on a new derivation secret when it rotates, and no index says which secrets are in use. The
 * sweeper walks along all grants anyway: a secret that was replaced long before the walk began, and that none of the grants
 * named, is in nobody's way any more. Long enough is when the last token that was derived under it has expired: until
 * then it tells a replaced token that comes again from an invented one.
 */
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { listToText } from './tables.ts'

/** Far longer than a process takes to read the ring again, so that nobody begins a chain with such a secret. */
const settledMs = 24 * 3_600_000

const replaced = prepare('sweep-secrets.replaced', (db, p: Placeholders<{ settled_ms: number }>) =>
  db
    .selectFrom('keys as old')
    .select('old.id')
    .where('old.use', '=', 'refresh')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('keys as successor')
          .select('successor.id')
          .where('successor.use', '=', 'refresh')
          .where('successor.expires_at_ms', 'is', null)
          .where('successor.active_at_ms', '<=', p.settled_ms)
          .whereRef('successor.active_at_ms', '>', 'old.active_at_ms'),
      ),
    ),
)
const remove = prepare('sweep-secrets.remove', (db, p: Placeholders<{ ids: string }>, { isOneOf }) =>
  db.deleteFrom('keys').where(isOneOf('id', p.ids)).where('use', '=', 'refresh'),
)

export function unusedSecrets(engine: Engine) {
  /** Of the walk that is under way; there is none that began at the first grant until `beginWalk`. */
  let candidates = new Set<string>()
  return {
    async beginWalk(nowMs: number, keptMs = 0): Promise<void> {
      const rows = await engine.read(replaced({ settled_ms: nowMs - Math.max(settledMs, keptMs) }))
      candidates = new Set(rows.map(({ id }) => id))
    },
    met(grants: readonly { readonly derivation_key_id?: string | null }[]): void {
      for (const { derivation_key_id: id } of grants) if (id) candidates.delete(id)
    },
    /** After the last grant: removes those that nobody named; the number removed. */
    async endWalk(): Promise<number> {
      if (candidates.size === 0) return 0
      const { changes } = await engine.commit([remove({ ids: listToText([...candidates]) })])
      candidates = new Set()
      return changes[0] ?? 0
    },
  }
}

/**
 * Finds derivation secrets that no refresh chain uses any more. A chain adopts a new secret when it rotates, and no
 * index records which secrets are in use. The sweeper walks all grants anyway: a secret that was replaced long before
 * the walk began, and that no grant named, can be removed. Long enough means until the last token derived under it has
 * expired; until then it distinguishes a replaced token from an invented one.
 */
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { listToText } from './tables.ts'

/** Far longer than any process takes to reload the ring, so that no new chain uses such a secret. */
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
  /** Candidates of the current walk. Empty until `beginWalk`, so that only a complete walk removes any. */
  let candidates = new Set<string>()
  return {
    async beginWalk(nowMs: number, keptMs = 0): Promise<void> {
      const rows = await engine.read(replaced({ settled_ms: nowMs - Math.max(settledMs, keptMs) }))
      candidates = new Set(rows.map(({ id }) => id))
    },
    met(grants: readonly { readonly derivation_key_id?: string | null }[]): void {
      for (const { derivation_key_id: id } of grants) if (id) candidates.delete(id)
    },
    /** Ends the walk: removes the candidates that no grant named, and returns their number. */
    async endWalk(): Promise<number> {
      if (candidates.size === 0) return 0
      const { changes } = await engine.commit([remove({ ids: listToText([...candidates]) })])
      candidates = new Set()
      return changes[0] ?? 0
    },
  }
}

/** The last entry of one kind about a person, looked for in a bounded part of what the trail has about them. */
import type { AuditEntry } from '../../audit/entry.ts'
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { type AuditEntriesTable, columns } from './tables.ts'

/** Entries about the person that are read at most. */
const readAtMost = 1000

/** Uses the partial index of the activity of a person, whose condition it repeats. */
const last = prepare('audit.last', (db, p: Placeholders<{ user_id: string; kind: string; change: string }>, { sql }) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_entries')
        .select(columns.audit_entries)
        .where('user_id', '=', p.user_id)
        .where(sql<boolean>`kind <> 'tokens_issued'`)
        .where(sql<boolean>`kind <> 'refusal'`)
        .orderBy('at_ms', 'desc')
        .orderBy('writer', 'desc')
        .orderBy('seq', 'desc')
        .limit(sql.lit(readAtMost))
        .as('latest'),
    )
    .select(columns.audit_entries)
    .where('kind', '=', p.kind)
    .where('details', 'like', p.change)
    .orderBy('at_ms', 'desc')
    .orderBy('writer', 'desc')
    .orderBy('seq', 'desc')
    .limit(sql.lit(1)),
)

/** What is looked for: the kind, and the beginning of its `change`; empty: any. */
const wanted = { signIn: ['sign_in', ''], password: ['user_changed', 'password'] } as const

export function sqlLastEntries(engine: Engine, toEntry: (row: AuditEntriesTable) => AuditEntry) {
  return {
    /** Returns the last sign-in of a person, or the last change of the password. Undefined: the trail has none. */
    async last(userId: string, what: keyof typeof wanted): Promise<AuditEntry | undefined> {
      const [kind, change] = wanted[what]
      const pattern = change === '' ? '%' : `%"change":"${change}%`
      const [row] = await engine.read(last({ user_id: userId, kind, change: pattern }))
      return row && toEntry(row)
    },
  }
}

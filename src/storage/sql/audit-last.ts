/** The last entry of one kind about a person, looked for in a bounded part of what the trail has about them. */
import type { AuditEntry } from '../../audit/entry.ts'
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { type AuditEntriesTable, columns } from './tables.ts'

/** Entries about the person that are read at most. */
const readAtMost = 1000

type Wanted = {
  readonly user_id: string
  readonly kind: string
  readonly change: string
  readonly added: string
}

/** Uses the partial index of the activity of a person, whose condition it repeats. */
const last = prepare('audit.last', (db, p: Placeholders<Wanted>, { sql }) =>
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
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', p.kind), eb('details', 'like', p.change)]),
        eb.and([eb('kind', 'in', ['user_added', 'account_registered'].map(sql.lit)), eb('details', 'like', p.added)]),
      ]),
    )
    .orderBy('at_ms', 'desc')
    .orderBy('writer', 'desc')
    .orderBy('seq', 'desc')
    .limit(sql.lit(1)),
)

/** What is looked for, as patterns of the details. `added`: of entries by which the person came to be; empty: none of those. */
const wanted = {
  signIn: { kind: 'sign_in', change: '%', added: '' },
  password: { kind: 'user_changed', change: '%"change":"password%', added: '%"password":true%' },
} as const

export function sqlLastEntries(engine: Engine, toEntry: (row: AuditEntriesTable) => AuditEntry) {
  return {
    /**
     * Returns the last sign-in of a person, or the entry by which the password was last set: that of the new account, if none came
     * later. Undefined: the newest 1,000 entries about the person have none.
     */
    async last(userId: string, what: keyof typeof wanted): Promise<AuditEntry | undefined> {
      const [row] = await engine.read(last({ user_id: userId, ...wanted[what] }))
      return row && toEntry(row)
    },
  }
}

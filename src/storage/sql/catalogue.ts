/**
 * The version of what is looked up for every person, such as groups. A change is decided on all of it, and commits only on the version
 * that it was decided on: so names stay unique, and nothing is ever inside itself.
 */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

const name = 'catalogue'

const versionOf = prepare('catalogue.version', (db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('catalogue').select('version').where('name', '=', p.name),
)
const insertFirst = prepare('catalogue.insertFirst', (db, p: Placeholders<{ name: string }>, { sql }) =>
  db
    .insertInto('catalogue')
    .values({ name: p.name, version: sql.lit(1) })
    .onConflict((conflict) => conflict.doNothing()),
)
const raise = prepare('catalogue.raise', (db, p: Placeholders<{ name: string; version: number }>, { sql }) =>
  db
    .updateTable('catalogue')
    .set({ version: sql<number>`version + 1` })
    .where('name', '=', p.name)
    .where('version', '=', p.version),
)

/** Returns the version; 0: nothing was changed yet. */
export async function readVersion(engine: Engine): Promise<number> {
  const [found] = await engine.read(versionOf({ name }))
  return found?.version ?? 0
}

/** Returns the statement that a change begins with. `version`: the one that it was decided on; 0: there was none. */
export const raisedFrom = (version: number): Statement =>
  mustChange(version === 0 ? insertFirst({ name }) : raise({ name, version }))

const keep = prepare('catalogue.keep', (db, p: Placeholders<{ name: string; version: number }>, { sql }) =>
  db
    .updateTable('catalogue')
    .set({ version: sql<number>`version` })
    .where('name', '=', p.name)
    .where('version', '=', p.version),
)

/** Returns the statement of a commit that was decided on the version and changes nothing of the catalogue. */
export const keptAt = (version: number): Statement =>
  version === 0 ? raisedFrom(version) : mustChange(keep({ name, version }))

const raiseAnyway = prepare('catalogue.raiseAnyway', (db, p: Placeholders<{ name: string }>, { sql }) =>
  db
    .insertInto('catalogue')
    .values({ name: p.name, version: sql.lit(1) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ version: sql<number>`catalogue.version + 1` })),
)

/** For a change that is right whatever the catalogue is. */
export const raised = (): Statement => raiseAnyway({ name })

/** What a commit that could take the last administrator away ends with (`administrators.ts`), and why it was not applied. */
type Kept = { readonly last: readonly Statement[]; readonly requireOther: () => Promise<void> }
const keepsNothing = async (): Promise<Kept> => ({ last: [], requireOther: async () => {} })

/** What is decided: changes, or none. */
export type Decided<Change> = { readonly changes?: readonly Change[] }

/** The verbs of records that are read and decided on all together. `statementsOf`: the statements of a change. */
export function inCatalogue<Known, Change>(
  engine: Engine,
  read: () => Promise<Known>,
  statementsOf: (change: Change, known: Known) => Statement | readonly Statement[],
  /** Called after a commit that was not applied; throws where deciding again would not help. */
  requireFree: (changes: readonly Change[], known: Known) => Promise<void> = async () => {},
  /** Keeps an administrator. */
  keep: (changes: readonly Change[], known: Known) => Promise<Kept> = keepsNothing,
) {
  async function all(): Promise<{ readonly version: number; readonly known: Known }> {
    // The version first: what is newer than it is read again with the next version.
    const version = await readVersion(engine)
    return { version, known: await read() }
  }
  return {
    /** All of them, with the version of the catalogue. */
    all,
    /**
     * Runs `decide` on all of them, and commits its changes if nobody changed the catalogue meanwhile; otherwise decides again, so
     * `decide` must be pure. Changes nothing if it returns none. Resolves to what was decided last.
     */
    async change<Result extends Decided<Change>>(
      decide: (known: Known) => Result | Promise<Result>,
      events?: AuditEvents | ((decided: Result) => AuditEvents),
    ): Promise<Result> {
      for (;;) {
        const { version, known } = await all()
        const decided = await decide(known)
        const { changes = [] } = decided
        const statements = changes.flatMap((change) => statementsOf(change, known))
        if (statements.length === 0) return decided
        const entries = typeof events === 'function' ? events(decided) : events
        const { last, requireOther } = await keep(changes, known)
        if ((await engine.commit([raisedFrom(version), ...statements, ...last], entries)).applied) return decided
        await requireFree(changes, known)
        await requireOther()
      }
    },
  }
}

/** Pairwise subject identifiers that imports brought. Others are computed, and stored nowhere. */
import type { AuditEvents } from '../../audit/entry.ts'
import { type PairwiseSubjects, pairwiseToText, textToPairwise } from '../../users/pairwise-subjects.ts'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type PairwiseSubjectsTable } from './tables.ts'

const holder = prepare('pairwise-subjects.holder', (db, p: Placeholders<{ sector: string; subject: string }>) =>
  db.selectFrom('pairwise_subjects').select('user_id').where('sector', '=', p.sector).where('subject', '=', p.subject),
)
const ofUser = prepare('pairwise-subjects.ofUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('users').select('pairwise_subjects').where('id', '=', p.user_id),
)
const insert = prepare('pairwise-subjects.insert', (db, p: Placeholders<PairwiseSubjectsTable>) =>
  db
    .insertInto('pairwise_subjects')
    .values(pick(p, columns.pairwise_subjects))
    .onConflict((conflict) => conflict.doNothing()),
)
const remove = prepare('pairwise-subjects.remove', (db, p: Placeholders<{ user_id: string; sector: string }>) =>
  db.deleteFrom('pairwise_subjects').where('user_id', '=', p.user_id).where('sector', '=', p.sector),
)
type Repeated = { user_id: string; pairwise_subjects: string | null; decided_on: string | null }
const repeat = prepare('pairwise-subjects.repeat', (db, p: Placeholders<Repeated>) =>
  db
    .updateTable('users')
    .set({ pairwise_subjects: p.pairwise_subjects })
    .where('id', '=', p.user_id)
    .where('pairwise_subjects', 'is not distinct from', p.decided_on),
)

export function sqlPairwiseSubjects(engine: Engine) {
  const find = async (sector: string, subject: string): Promise<string | undefined> =>
    (await engine.read(holder({ sector, subject })))[0]?.user_id

  return {
    /** Returns the id of the person with this value in the sector; undefined: no import brought it. */
    find,
    /** Returns those of a person, by sector; undefined: there is no such person. */
    async ofUser(userId: string): Promise<PairwiseSubjects | undefined> {
      const [row] = await engine.read(ofUser({ user_id: userId }))
      return row && (textToPairwise(row.pairwise_subjects).pairwiseSubjects ?? {})
    },
    /**
     * Stores values of a person, by sector, all or none; those of other sectors stay. `taken`: another person has one of them.
     * `no_user`: there is no such person. Of concurrent ones that give one value to two people one is 'stored'.
     */
    async store(
      userId: string,
      subjects: PairwiseSubjects,
      events?: AuditEvents,
    ): Promise<'stored' | 'taken' | 'no_user'> {
      for (;;) {
        const [row] = await engine.read(ofUser({ user_id: userId }))
        if (row === undefined) return 'no_user'
        const before = textToPairwise(row.pairwise_subjects).pairwiseSubjects
        if ((await engine.commit(pairwiseStatements(userId, before, subjects), events)).applied) return 'stored'
        for (const [sector, subject] of Object.entries(subjects)) {
          const held = await find(sector, subject)
          if (held !== undefined && held !== userId) return 'taken'
        }
      }
    },
  }
}

/** Returns the commit that adds values to those that a person has; empty: they have them. Fails it if somebody else has one of them. */
export function pairwiseStatements(
  userId: string,
  before: PairwiseSubjects | undefined,
  added: PairwiseSubjects,
): Statement[] {
  const changed = Object.entries(added).filter(([sector, subject]) => before?.[sector] !== subject)
  if (changed.length === 0) return []
  const [was, next] = [pairwiseToText(before ?? {}), pairwiseToText({ ...before, ...added })]
  return [
    mustChange(repeat({ user_id: userId, pairwise_subjects: next, decided_on: was })),
    ...changed.flatMap(([sector, subject]) => [
      ...(before?.[sector] === undefined ? [] : [mustChange(remove({ user_id: userId, sector }))]),
      mustChange(insert({ sector, subject, user_id: userId })),
    ]),
  ]
}

/** Second factors of users. */
import type { Candidate } from '../../users/lockout.ts'
import { noSecondFactors, type SecondFactors } from '../../users/second-factor.ts'
import type { Engine } from '../engine.ts'
import type { FactorChange } from '../port/users.ts'
import { type CandidateRow, candidateById, toCandidate } from './candidates.ts'
import { endWithLastFactor, forgetRemembered } from './last-factor.ts'
import { removeKeys } from './passkeys.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { toFactorsRow } from './second-factor-row.ts'
import type { Statement } from './statement.ts'
import { columns, type SecondFactorsTable } from './tables.ts'

const insert = prepare('second-factors.insert', (db, p: Placeholders<SecondFactorsTable>) =>
  db
    .insertInto('second_factors')
    .values(pick(p, columns.second_factors))
    .onConflict((conflict) => conflict.doNothing()),
)
const update = prepare('second-factors.update', (db, p: Placeholders<SecondFactorsTable & { decided_on: number }>) =>
  db
    .updateTable('second_factors')
    .set(pick(p, columns.second_factors))
    .where('user_id', '=', p.user_id)
    .where('version', '=', p.decided_on),
)
/** A sign-in that was decided on other factors does not commit. */
const touchUser = prepare('second-factors.touchUser', (db, p: Placeholders<{ id: string; decided_on: number }>) =>
  db
    .updateTable('users')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', p.id)
    .where('version', '=', p.decided_on),
)

export function sqlSecondFactors(engine: Engine) {
  const candidate = async (userId: string) => {
    const [row] = (await engine.read(candidateById({ id: userId, browser_id: '' }))) as CandidateRow[]
    return row && toCandidate(row)
  }
  return {
    async find(userId: string): Promise<SecondFactors | undefined> {
      return (await candidate(userId))?.factors
    },
    /**
     * Runs `decide` on the user and the factors as stored and commits its result on exactly those versions. Retries after
     * a concurrent change, so `decide` must be pure. Changes nothing if the result has no factors and forgets nothing. Returns undefined if
     * there is no such user.
     */
    async change<D extends FactorChange>(userId: string, decide: (stored: Candidate) => D): Promise<D | undefined> {
      for (;;) {
        const stored = await candidate(userId)
        if (!stored) return undefined
        const decided = decide(stored)
        const { factors, forgetsRemembered = false, removesKeys = false } = decided
        if (!factors && !forgetsRemembered && !removesKeys) return decided
        const statements = [
          mustChange(touchUser({ id: userId, decided_on: stored.user.version })),
          ...(factors ? [storeFactors(factors, stored.factors)] : []),
          ...(removesKeys ? [removeKeys(userId)] : []),
          ...(forgetsRemembered ? [forgetRemembered(userId)] : []),
          ...(factors?.totp === null && stored.factors?.totp ? endWithLastFactor(userId) : []),
        ]
        if ((await engine.commit(statements, decided.events)).applied) return decided
      }
    },
  }
}

/** Returns a statement that changes no row if the factors are no longer those of `before`. */
export function storeFactors(next: SecondFactors, before: SecondFactors | undefined): Statement {
  const { version } = before ?? noSecondFactors(next.userId)
  const row = toFactorsRow({ ...next, version: version + 1 })
  return mustChange(before === undefined ? insert(row) : update({ ...row, decided_on: version }))
}

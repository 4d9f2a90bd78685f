/** Users whose password hash came from another system and has to be wrapped. */
import type { Engine } from '../engine.ts'
import type { WeakPassword } from '../port/users.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'

const readAtOnce = 50

const next = prepare('weak-passwords.next', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db
    .selectFrom('weak_passwords')
    .innerJoin('users', 'users.id', 'weak_passwords.user_id')
    .select(['weak_passwords.user_id', 'users.password_hash'])
    .orderBy('weak_passwords.user_id')
    .limit(sql.lit(readAtOnce)),
)
/** Rows counted at once. */
const countedAtOnce = 1000
const window = prepare('weak-passwords.window', (db, p: Placeholders<{ after: string }>, { sql }) =>
  db
    .selectFrom(
      db
        .selectFrom('weak_passwords')
        .select('user_id')
        .where('user_id', '>', p.after)
        .orderBy('user_id')
        .limit(sql.lit(countedAtOnce))
        .as('some'),
    )
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.max('some.user_id').as('last')]),
)
/** A sign-in that was decided on the former hash does not commit. */
const rehash = prepare(
  'weak-passwords.rehash',
  (db, p: Placeholders<{ id: string; former_hash: string; new_hash: string }>) =>
    db
      .updateTable('users')
      .set((eb) => ({ password_hash: p.new_hash, version: eb('version', '+', 1) }))
      .where('id', '=', p.id)
      .where('password_hash', '=', p.former_hash),
)
const remove = prepare('weak-passwords.remove', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('weak_passwords').where('user_id', '=', p.id),
)
const dismiss = prepare('weak-passwords.dismiss', (db, p: Placeholders<{ id: string; hash: string }>, { sql }) =>
  db
    .deleteFrom('weak_passwords')
    .where('user_id', '=', p.id)
    .where((eb) =>
      eb.exists(
        db
          .selectFrom('users')
          .select('users.id')
          .where('users.id', '=', p.id)
          .where((user) => user(user.fn.coalesce('users.password_hash', sql.lit('')), '=', p.hash)),
      ),
    ),
)
/** Does nothing for a user who waits already. */
export const enqueueWeak = prepare('weak-passwords.enqueue', (db, p: Placeholders<{ user_id: string }>) =>
  db
    .insertInto('weak_passwords')
    .values({ user_id: p.user_id })
    .onConflict((conflict) => conflict.doNothing()),
)

export function sqlWeakPasswords(engine: Engine) {
  /** `next`: where the next rows begin; undefined: these were the last. */
  async function countAfter(after: string): Promise<{ readonly rows: number; readonly next: string | undefined }> {
    const [row] = await engine.read(window({ after }))
    const rows = Number(row?.rows ?? 0)
    return { rows, next: rows < countedAtOnce ? undefined : row?.last }
  }

  return {
    /** Returns the first users of the queue with their present hash, at most 50. */
    async next(): Promise<readonly WeakPassword[]> {
      const rows = await engine.read(next({}))
      return rows.map(({ user_id, password_hash }) => ({ userId: user_id, hash: password_hash }))
    },
    /**
     * Replaces the hash that the user was read with, and takes the user off the queue. False: the user has another hash by now,
     * and nothing was stored.
     */
    async replace({ userId, hash }: WeakPassword, newHash: string): Promise<boolean> {
      if (hash === null) return false
      const changed = mustChange(rehash({ id: userId, former_hash: hash, new_hash: newHash }))
      return (await engine.commit([changed, remove({ id: userId })])).applied
    },
    /** Takes a user off the queue, unless the user has another hash by now. */
    async dismiss({ userId, hash }: WeakPassword): Promise<void> {
      await engine.commit([dismiss({ id: userId, hash: hash ?? '' })])
    },
    /** Returns how many users are left. Counts to one more than `atMost` (default: all of them). */
    async count(atMost: number = Number.MAX_SAFE_INTEGER): Promise<number> {
      let counted = 0
      for (let after: string | undefined = ''; after !== undefined && counted <= atMost; ) {
        const { rows, next } = await countAfter(after)
        counted += rows
        after = next
      }
      return Math.min(counted, atMost + 1)
    },
  }
}

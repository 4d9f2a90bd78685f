/** Which password an import brought, and whether the person has another one since. */
import type { Engine } from '../engine.ts'
import { type Placeholders, pick, prepare } from './prepared.ts'
import { columns, type ImportedPasswordsTable } from './tables.ts'

const byUser = prepare('imported-passwords.byUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('imported_passwords').select(['mark', 'replaced']).where('user_id', '=', p.user_id),
)

/** A password that came before does not take the place of one that was chosen here. */
export const storeMark = prepare(
  'imported-passwords.storeMark',
  (db, p: Placeholders<ImportedPasswordsTable>, { sql }) =>
    db
      .insertInto('imported_passwords')
      .values(pick(p, columns.imported_passwords))
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({
          mark: p.mark,
          replaced: sql<number>`case when imported_passwords.mark = excluded.mark then imported_passwords.replaced else 0 end`,
        }),
      ),
)

export const replacedPassword = prepare(
  'imported-passwords.replaced',
  (db, p: Placeholders<{ user_id: string }>, { sql }) =>
    db
      .updateTable('imported_passwords')
      .set({ replaced: sql.lit(1) })
      .where('user_id', '=', p.user_id),
)

export function sqlImportedPasswords(engine: Engine) {
  return {
    /** Returns the mark of the password that the last import brought for a person; undefined: none did. */
    async passwordMark(userId: string): Promise<string | undefined> {
      return (await engine.read(byUser({ user_id: userId })))[0]?.mark
    },
    /** Whether the person has another password than an import brought: theirs, or an operator's. */
    async hasOwnPassword(userId: string): Promise<boolean> {
      return (await engine.read(byUser({ user_id: userId })))[0]?.replaced === 1
    },
  }
}

/** E-mail addresses that several people of an import came with. */
import { normalizeName, sharedKeys, type User } from '../../users/user.ts'
import { type Placeholders, prepare } from './prepared.ts'

/**
 * Takes the address from whom it finds: two people came with it, so that neither has proved it. Not from who changed here since, or
 * never came by an import.
 */
export const shareHolder = prepare(
  'imports.shareHolder',
  (db, p: Placeholders<{ id: string; key: string; separator: string; run_ms: number }>, { sql }) =>
    db
      .updateTable('users')
      .set({
        normalized_email: sql<string>`users.normalized_email || ${p.separator} || users.id`,
        email_confirmed: sql<number>`0`,
        version: sql<number>`users.version + 1`,
      })
      .where('normalized_email', '=', p.key)
      .where('id', '<>', p.id)
      .where('version', '=', sql<number>`1`)
      .where((eb) =>
        eb.or([
          eb('updated_at_ms', '=', p.run_ms),
          eb.exists(
            db
              .selectFrom('imported_passwords')
              .select('imported_passwords.user_id')
              .whereRef('imported_passwords.user_id', '=', 'users.id' as never),
          ),
        ]),
      ),
)

/** The row of whoever has the address alone, as far as an import made it and nobody changed it since. */
export function sharingWith({ id, email, updatedAtMs }: User) {
  return {
    id,
    key: normalizeName(email),
    separator: sharedKeys(email).slice(normalizeName(email).length),
    run_ms: updatedAtMs,
  }
}

import { type Kysely, sql } from 'kysely'

const columns = ['normalized_name', 'normalized_email'] as const

/**
 * Normal forms used to keep capital ẞ (U+1E9E), written as ß; it is now equal to ss, like the lower-case letter. Stored
 * forms are updated by replacing ß, which no other letter maps to. If another account has that form, the older spelling
 * stays: two accounts cannot be merged. Adds and removes nothing; see decision 0012.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of columns) {
    const name = sql.ref(column)
    const { rows } = await sql<{ id: string; form: string }>`
      select id, ${name} as form from users where ${name} like '%ß%' order by id`.execute(db)
    for (const { id, form } of rows) {
      // The second s may compose with a combining mark that followed.
      const next = form.replaceAll('ß', 'ss').normalize('NFC')
      await sql`
        update users set ${name} = ${next}
        where id = ${id} and not exists (select 1 from users as other where ${sql.ref(`other.${column}`)} = ${next})
      `.execute(db)
    }
  }
}

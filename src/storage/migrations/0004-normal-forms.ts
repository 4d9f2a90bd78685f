import { type Kysely, sql } from 'kysely'

const columns = ['normalized_name', 'normalized_email'] as const

/**
 * A capital ẞ (U+1E9E) used to stay a letter of its own in normal forms, written ß, and is now the same as ss, like the
 * small one. So ß, which no other letter becomes, is replaced in what is stored. Where that form is taken by somebody
 * else, the older spelling stays: two accounts cannot become one. Nothing is added or removed; see decision 0012.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of columns) {
    const name = sql.ref(column)
    const { rows } = await sql<{ id: string; form: string }>`
      select id, ${name} as form from users where ${name} like '%ß%' order by id`.execute(db)
    for (const { id, form } of rows) {
      // The second s may be composed with a mark that followed.
      const next = form.replaceAll('ß', 'ss').normalize('NFC')
      await sql`
        update users set ${name} = ${next}
        where id = ${id} and not exists (select 1 from users as other where ${sql.ref(`other.${column}`)} = ${next})
      `.execute(db)
    }
  }
}

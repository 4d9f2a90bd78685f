import { type Kysely, sql } from 'kysely'

/** Adds which account an account at a provider made here. It outlives the link between them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('external_registrations')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('external_registrations_key', ['provider', 'subject'])
    .execute()
  await db.schema.createIndex('external_registrations_by_user').on('external_registrations').column('user_id').execute()
  // A registration made account and link in the same moment.
  await sql`
    insert into external_registrations (provider, subject, user_id, created_at_ms)
    select provider, subject, user_id, external_logins.created_at_ms from external_logins
    inner join users on users.id = external_logins.user_id
    where external_logins.created_at_ms between users.created_at_ms and users.created_at_ms + 1000`.execute(db)
}

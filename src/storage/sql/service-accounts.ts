/** Clients that have a subject or roles for tokens that they get for themselves, by an index of them. */
import { type ClientMetadata, metadataToText, textToMetadata } from '../../protocol/client/client-metadata.ts'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'

const windowRows = 200
/** By the index `clients_with_accounts`. A member of such a name inside another one makes it one too many. */
const all = prepare('service-accounts.all', (db, p: Placeholders<{ after: string }>, { sql }) =>
  db
    .selectFrom('clients')
    .select(['id', 'version', 'metadata'])
    .where(sql<boolean>`replace(metadata, '"service_account_', '') <> metadata`)
    .where('deleted', '=', sql.lit(0))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(windowRows)),
)

type Change = { id: string; metadata: string | null; decided_on: number }
const setMetadata = prepare('service-accounts.setMetadata', (db, p: Placeholders<Change>, { sql }) =>
  db
    .updateTable('clients')
    .set({ metadata: p.metadata, version: sql<number>`version + 1` })
    .where('id', '=', p.id)
    .where('deleted', '=', sql.lit(0))
    .where('version', '=', p.decided_on),
)

export type AccountRow = { readonly id: string; readonly version: number; readonly metadata: ClientMetadata }

/** Ascending by id, as the database sorts. */
export async function readAccounts(engine: Engine): Promise<readonly AccountRow[]> {
  const found: AccountRow[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { id: string; version: number; metadata: string | null }[] = await engine.read(all({ after }))
    found.push(...rows.map((row) => ({ ...row, metadata: textToMetadata(row.metadata) })))
    after = rows.length < windowRows ? undefined : rows.at(-1)?.id
  }
  return found
}

/** Returns the roles that service accounts have by themselves, each once. */
export const accountRoles = (accounts: readonly AccountRow[]): readonly string[] => [
  ...new Set(accounts.flatMap(({ metadata }) => metadata.service_account_roles)),
]

/**
 * Returns the statements that take roles from service accounts, each on exactly the client that was read. `but`: clients that the same
 * commit changes or deletes.
 */
export async function takenFromAccounts(
  engine: Engine,
  roles: readonly string[],
  but: ReadonlySet<string> = new Set(),
): Promise<readonly Statement[]> {
  if (roles.length === 0) return []
  const holders = (await readAccounts(engine)).filter(
    ({ id, metadata }) => !but.has(id) && metadata.service_account_roles.some((role) => roles.includes(role)),
  )
  return holders.map(({ id, version, metadata }) => {
    const kept = metadata.service_account_roles.filter((role) => !roles.includes(role))
    const text = metadataToText({ ...metadata, service_account_roles: kept })
    return mustChange(setMetadata({ id, metadata: text, decided_on: version }))
  })
}

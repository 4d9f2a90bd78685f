/** What the rules of clients are judged by: who has the ids that they name, and which roles give rights over the service. */
import { clientPartOf } from '../../protocol/claims/client-roles.ts'
import type { MemberChange } from '../../protocol/client/client-members.ts'
import {
  clientsNamedIn,
  type IdHolder,
  type ReferenceFacts,
  rolesGivenIn,
  subjectsIn,
} from '../../protocol/client/client-references.ts'
import { builtInRoles } from '../../protocol/scope/admin-scopes.ts'
import { linkedRoles, rolesGiving } from '../../users/effective-roles.ts'
import type { Engine } from '../engine.ts'
import { readGroups } from './group-rows.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { readRoleRules } from './role-rules.ts'
import { accountRoles, readAccounts } from './service-accounts.ts'
import type { sqlUserSearch } from './user-search.ts'

const clientById = prepare('client-references.clientById', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db.selectFrom('clients').select('id').where('id', '=', p.id).where('deleted', '=', sql.lit(0)),
)
const roleByName = prepare('client-references.roleByName', (db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('roles').select('name').where('name', '=', p.name),
)
/** A row for a person and one for a client. */
const withId = prepare('client-references.withId', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .selectFrom('users')
    .select(sql<number>`1`.as('is_person'))
    .where('users.id', '=', p.id)
    .unionAll(
      db
        .selectFrom('clients')
        .select(sql<number>`0`.as('is_person'))
        .where('clients.id', '=', p.id)
        .where('clients.deleted', '=', sql.lit(0)),
    ),
)
type Taken = { id: string; member: string; client_id: string }
/** A row for each holder of the id but the client: a person, a client, a service account of one (by the index `clients_with_accounts`). */
const takenFrom = prepare('client-references.takenFrom', (db, p: Placeholders<Taken>, { sql }) => {
  const others = db.selectFrom('clients').select('clients.id').where('deleted', '=', sql.lit(0))
  return db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', p.id)
    .unionAll(others.where('clients.id', '=', p.id).where('clients.id', '<>', p.client_id))
    .unionAll(
      others
        .where(sql<boolean>`replace(metadata, '"service_account_', '') <> metadata`)
        .where(sql<boolean>`replace(metadata, ${p.member}, '') <> metadata`)
        .where('clients.id', '<>', p.client_id),
    )
})

export function sqlClientReferences(engine: Engine, users: Pick<ReturnType<typeof sqlUserSearch>, 'isHeld'>) {
  async function missingAmong(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return []
    const rows = await Promise.all(ids.map((id) => engine.read(clientById({ id }))))
    return ids.filter((_, at) => rows[at]?.length === 0)
  }

  async function holdersOf(id: string): Promise<readonly IdHolder[]> {
    const rows = await engine.read(withId({ id }))
    return rows.map(
      ({ is_person }): IdHolder => (is_person === 1 ? { id, is: 'person' } : { id, is: 'client', client: id }),
    )
  }

  async function idHoldersOf(subjects: readonly string[]): Promise<readonly IdHolder[]> {
    const [accounts, ...holders] = await Promise.all([readAccounts(engine), ...subjects.map(holdersOf)])
    const named = accounts.flatMap(({ id, metadata: { service_account_subject: subject } }): readonly IdHolder[] =>
      subject !== null && subjects.includes(subject) ? [{ id: subject, is: 'account', client: id }] : [],
    )
    return [...holders.flat(), ...named]
  }

  /** Whether the role is there: described, given by a group or another role, or had by a person or a service account. */
  async function exists(name: string): Promise<boolean> {
    if ((await engine.read(roleByName({ name }))).length > 0) return true
    const [groups, roles, accounts] = await Promise.all([
      readGroups(engine),
      readRoleRules(engine),
      readAccounts(engine),
    ])
    const isLinked = linkedRoles({ groups, roles }).has(name) || accountRoles(accounts).includes(name)
    return isLinked || (await users.isHeld(name))
  }

  /** Those of no client that is there, and that are no plain ones already. */
  async function ownerlessAmong(roles: readonly string[]): Promise<readonly string[]> {
    const owned = roles.filter((role) => clientPartOf(role) !== undefined)
    const missing = await missingAmong([...new Set(owned.flatMap((role) => clientPartOf(role) ?? []))])
    const ownerless = owned.filter((role) => missing.includes(clientPartOf(role) ?? ''))
    const areThere = await Promise.all(ownerless.map(exists))
    return ownerless.filter((_, at) => areThere[at] === false)
  }

  return {
    /** Returns those of the roles that would belong to a client that is not there. One that is there already is a plain one. */
    ownerlessAmong,
    /** Returns those of the ids that no client has. */
    missingAmong,
    /** Returns what changes of clients are judged by. Reads nothing where they name nobody. */
    async factsFor(changes: readonly MemberChange[]): Promise<ReferenceFacts> {
      const [clients, subjects, roles] = [clientsNamedIn(changes), subjectsIn(changes), rolesGivenIn(changes)]
      return {
        ...(clients.length > 0 && { missingClients: await missingAmong(clients) }),
        ...(subjects.length > 0 && { idHolders: await idHoldersOf(subjects) }),
        ...(roles.length > 0 && {
          administratorRoles: rolesGiving(builtInRoles, await readRoleRules(engine)),
          ownerlessRoles: await ownerlessAmong(roles),
        }),
      }
    },
    /** Whether a person has the id, or a client but this one, or the service account of such a client. */
    async isTaken(id: string, clientId: string): Promise<boolean> {
      // As it stands in stored text.
      const member = `"service_account_subject":${JSON.stringify(id)}`
      return (await engine.read(takenFrom({ id, member, client_id: clientId }))).length > 0
    },
    /** Returns the roles that clients have for tokens that they get for themselves. */
    accountRoles: async (): Promise<readonly string[]> => accountRoles(await readAccounts(engine)),
    /** Returns the clients whose service account has the role by itself, ascending. */
    async withAccountRole(role: string): Promise<readonly string[]> {
      const accounts = await readAccounts(engine)
      return accounts
        .filter(({ metadata }) => metadata.service_account_roles.includes(role))
        .map(({ id }) => id)
        .sort()
    },
    /** Returns the subjects of service accounts that are the id of somebody else, with their clients. */
    async takenSubjects(): Promise<readonly { readonly clientId: string; readonly subject: string }[]> {
      const accounts = await readAccounts(engine)
      const named = accounts.flatMap(({ id, metadata: { service_account_subject: subject } }) =>
        subject === null ? [] : [{ clientId: id, subject }],
      )
      const holders = await idHoldersOf(named.map(({ subject }) => subject))
      return named.filter(({ clientId, subject }) =>
        holders.some(({ id, client }) => id === subject && client !== clientId),
      )
    },
  }
}

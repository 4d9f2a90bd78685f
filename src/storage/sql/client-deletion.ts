/**
 * The deletion of a client: its row is marked and emptied, and what it has is removed in windows (`removals.ts`). Its id, which
 * people choose, is free again after that.
 */
import type { AuditEvents } from '../../audit/entry.ts'
import { clientPartOf } from '../../protocol/claims/client-roles.ts'
import { sourcesWithout } from '../../users/effective-roles.ts'
import type { Engine } from '../engine.ts'
import type { Catalogue } from '../port/catalogue.ts'
import { ClientHasRoles, type FewDependents } from '../port/clients.ts'
import type { Removal } from '../port/configuration.ts'
import type { KeepingAdministrators } from './administrators.ts'
import { raised, raisedFrom } from './catalogue.ts'
import { clientDependents, fewDependents } from './dependents.ts'
import { forgetMarks } from './import-origins.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { type RemoveSoon, removalOf } from './removals.ts'
import { roleDeletion } from './roles.ts'
import { accountRoles, readAccounts, takenFromAccounts } from './service-accounts.ts'
import type { Statement } from './statement.ts'
import type { sqlUserSearch } from './user-search.ts'

/**
 * Empties the record, so that it is of no use to a program of the version before, either, which does not know the mark. Every
 * decision on the version before it fails. `version` null: any.
 */
const mark = prepare('client-deletion.mark', (db, p: Placeholders<{ id: string; version: number | null }>, { sql }) =>
  db
    .updateTable('clients')
    .set({
      deleted: sql.lit(1),
      name: sql.lit(''),
      type: sql.lit('confidential'),
      secret_hash: sql.lit(null),
      previous_secret_hash: sql.lit(null),
      previous_secret_ends_at_ms: sql.lit(null),
      redirect_uris: sql.lit('[]'),
      post_logout_redirect_uris: sql.lit('[]'),
      scopes: sql.lit('[]'),
      grant_types: sql.lit('[]'),
      metadata: sql.lit(null),
      version: sql<number>`version + 1`,
    })
    .where('id', '=', p.id)
    .where('deleted', '=', sql.lit(0))
    .where(sql<boolean>`version = coalesce(cast(${p.version} as integer), version)`),
)
const deleteRegistration = prepare('client-deletion.registration', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('client_registrations').where('client_id', '=', p.id),
)
/** For a client that nobody used: it has no grants, no consents and no sessions. */
export const deleteUnused = prepare('client-deletion.unused', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('clients').where('id', '=', p.id),
)

const standing = prepare('client-deletion.standing', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db.selectFrom('clients').select('version').where('id', '=', p.id).where('deleted', '=', sql.lit(0)),
)

/** The roles that go with a client, as the caller named them. */
export type GoingRoles = { readonly roles: readonly string[]; readonly nowMs: number }
const none: GoingRoles = { roles: [], nowMs: 0 }

/** Returns the commit that deletes a client, if it has the version (default: any). `removeSoon` follows. */
export function deletionOfClient(id: string, version: number | null = null): Statement[] {
  return [
    raised(),
    mustChange(mark({ id, version })),
    removalOf({ kind: 'client', name: id }),
    deleteRegistration({ id }),
    forgetMarks({ id, kind: 'client' }),
  ]
}

/** What follows the deletion of a client with these roles. */
export const removalsWith = (id: string, { roles }: GoingRoles = none): readonly Removal[] => [
  { kind: 'client', name: id },
  ...roles.map((name) => ({ kind: 'role', name }) as const),
]

const described = prepare('client-deletion.describedRoles', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('roles').select('name'),
)

/** Decides deletions of clients together with the roles that belong to them. */
export function decidingDeletions(
  engine: Engine,
  catalogue: { readonly now: () => Promise<Catalogue> },
  keeping: KeepingAdministrators,
  users: Pick<ReturnType<typeof sqlUserSearch>, 'heldRoles'>,
) {
  async function rolesOf(...ids: readonly string[]): Promise<readonly string[]> {
    const [rows, { roles, groups }, accounts, ...held] = await Promise.all([
      engine.read(described({})),
      catalogue.now(),
      readAccounts(engine),
      ...ids.map((id) => users.heldRoles(`${id}:`)),
    ])
    const named = [
      ...rows.map(({ name }) => name),
      ...[...roles.values()].flatMap(({ includes }) => includes),
      ...[...groups.values()].flatMap((group) => group.roles),
      ...accountRoles(accounts),
      ...held.flat(),
    ]
    const clients = new Set(ids)
    return [...new Set(named.filter((role) => clients.has(clientPartOf(role) ?? '')))].sort()
  }
  return {
    rolesOf,
    /**
     * Returns the commit that deletes the client, decided on the version of the catalogue, so that a role which somebody adds
     * meanwhile makes it fail; undefined: there is no client, or none of `version`. Rejects with `ClientHasRoles`.
     */
    async deciding(id: string, { roles, nowMs }: GoingRoles = none, version: number | null = null) {
      const before = await catalogue.now()
      const [row] = await engine.read(standing({ id }))
      if (row === undefined || (version !== null && row.version !== version)) return undefined
      const all = await rolesOf(id)
      if (all.some((role) => !roles.includes(role))) throw new ClientHasRoles(id, all)
      const { last, requireOther } = await keeping.ofCatalogue(before, roles.reduce(sourcesWithout, before))
      const statements: [Statement, ...Statement[]] = [
        raisedFrom(before.version),
        ...deletionOfClient(id, version),
        ...roles.flatMap((role) => roleDeletion(role, nowMs)),
        ...(await takenFromAccounts(engine, roles, new Set([id]))),
        ...last,
      ]
      return { statements, requireOther }
    },
  }
}

export type DecidingDeletions = ReturnType<typeof decidingDeletions>

export function sqlClientDeletion(engine: Engine, { rolesOf, deciding }: DecidingDeletions, removeSoon: RemoveSoon) {
  return {
    /** Counts what is deleted with the client, as far as it is valid at `nowMs`. */
    dependents: (id: string, nowMs: number): Promise<{ readonly consents: number; readonly grants: number }> =>
      clientDependents(engine, id, nowMs),
    /** The same, of a client with more than 5,000 of either: at least so many. Takes a bounded time. */
    fewDependents: (id: string, nowMs: number): Promise<FewDependents> => fewDependents(engine, id, nowMs),
    /** Returns the roles that belong to the clients: described, given to a person, a group or a service account, or included. Ascending. */
    rolesOf,
    /**
     * Deletes the client with its consents and grants. Returns false if there was none, or none of `version` (default: any). `roles`:
     * deleted with it, and taken from everybody. Rejects with `ClientHasRoles` if others belong to it, and with
     * `LastAdministrator` if nobody could administer the service without them.
     */
    async delete(id: string, events?: AuditEvents, version?: number, going?: GoingRoles): Promise<boolean> {
      for (;;) {
        const decided = await deciding(id, going, version)
        if (decided === undefined) return false
        if ((await engine.commit(decided.statements, events)).applied) {
          await removeSoon(removalsWith(id, going))
          return true
        }
        await decided.requireOther()
      }
    },
  }
}

/**
 * The deletion of a client: its row is marked and emptied, and what it has is removed in windows (`removals.ts`). Its id, which
 * people choose, is free again after that.
 */
import type { AuditEvents } from '../../audit/entry.ts'
import { sourcesWithout } from '../../users/effective-roles.ts'
import type { Engine } from '../engine.ts'
import type { KeepingAdministrators } from './administrators.ts'
import { raised } from './catalogue.ts'
import { clientDependents } from './dependents.ts'
import { readGroups } from './groups.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { type RemoveSoon, removalOf } from './removals.ts'
import { readRoleRules } from './role-rules.ts'
import { roleDeletion } from './roles.ts'
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

/** Returns the commit that deletes a client, if it has the version (default: any). `removeSoon` follows. */
export function deletionOfClient(id: string, version: number | null = null): Statement[] {
  return [
    raised(),
    mustChange(mark({ id, version })),
    removalOf({ kind: 'client', name: id }),
    deleteRegistration({ id }),
  ]
}

const described = prepare('client-deletion.describedRoles', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('roles').select('name'),
)

export function sqlClientDeletion(
  engine: Engine,
  keeping: KeepingAdministrators,
  removeSoon: RemoveSoon,
  users: Pick<ReturnType<typeof sqlUserSearch>, 'heldRoles'>,
) {
  return {
    /** Counts what is deleted with the client, as far as it is valid at `nowMs`. */
    dependents: (id: string, nowMs: number): Promise<{ readonly consents: number; readonly grants: number }> =>
      clientDependents(engine, id, nowMs),
    /** Returns the roles that belong to the client: described, given to a person or a group, or included. Ascending. */
    async rolesOf(id: string): Promise<readonly string[]> {
      const prefix = `${id}:`
      const [rows, rules, groups, held] = await Promise.all([
        engine.read(described({})),
        readRoleRules(engine),
        readGroups(engine),
        users.heldRoles(prefix),
      ])
      const named = [
        ...rows.map(({ name }) => name),
        ...[...rules.values()].flatMap(({ includes }) => includes),
        ...[...groups.values()].flatMap(({ roles }) => roles),
        ...held,
      ]
      const isOfClient = (role: string): boolean => role.startsWith(prefix) && role.length > prefix.length
      return [...new Set(named.filter(isOfClient))].sort()
    },
    /**
     * Deletes the client with its consents and grants. Returns false if there was none, or none of `version` (default: any). `roles`:
     * deleted with it, and taken from everybody. Rejects with `LastAdministrator` if nobody could administer the service without them.
     */
    async delete(
      id: string,
      events?: AuditEvents,
      version?: number,
      { roles, nowMs }: { readonly roles: readonly string[]; readonly nowMs: number } = { roles: [], nowMs: 0 },
    ): Promise<boolean> {
      const before = { roles: await readRoleRules(engine), groups: await readGroups(engine) }
      const { last, requireOther } = await keeping.ofCatalogue(before, roles.reduce(sourcesWithout, before))
      const withRoles = [...roles.flatMap((role) => roleDeletion(role, nowMs)), ...last]
      const { applied } = await engine.commit([...deletionOfClient(id, version), ...withRoles], events)
      const removals = roles.map((name) => ({ kind: 'role', name }) as const)
      if (applied) await removeSoon([{ kind: 'client', name: id }, ...removals])
      else await requireOther()
      return applied
    },
  }
}

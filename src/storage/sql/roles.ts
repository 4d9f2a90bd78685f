/** Descriptions of roles, and who has them. */
import type { AuditEvents } from '../../audit/entry.ts'
import { builtInRoles } from '../../protocol/scope/admin-scopes.ts'
import { type RoleSources, sourcesWithout } from '../../users/effective-roles.ts'
import type { Group } from '../../users/groups.ts'
import { ruleOf } from '../../users/role-changes.ts'
import { isUndescribed, type Role } from '../../users/roles.ts'
import type { Engine } from '../engine.ts'
import type { KeepingAdministrators } from './administrators.ts'
import { type Decided, inCatalogue, raised, raisedFrom, readVersion } from './catalogue.ts'
import { roleDependents } from './dependents.ts'
import { readGroups } from './group-rows.ts'
import { mustChange, type Placeholders, prepare, selected } from './prepared.ts'
import { keepClientsOf } from './registration-keeping.ts'
import { isFree, type RemoveSoon, removalOf } from './removals.ts'
import { removedRoles } from './removed-names.ts'
import { setRule, takingFromCatalogue, toRule } from './role-rules.ts'
import { forgetRole } from './search-keys.ts'
import { takenFromAccounts } from './service-accounts.ts'
import type { Statement } from './statement.ts'
import { columns, listToText, type RolesTable } from './tables.ts'
import type { sqlUserSearch } from './user-search.ts'

const byName = prepare('roles.byName', (db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('roles').select(columns.roles).where('name', '=', p.name),
)
const all = prepare('roles.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('roles').select(columns.roles),
)
const clientById = prepare('roles.clientById', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db.selectFrom('clients').select('id').where('id', '=', p.id).where('deleted', '=', sql.lit(0)),
)
/** Changes nothing, but fails if the client is gone. */
const holdClient = prepare('roles.holdClient', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .updateTable('clients')
    .set({ version: sql<number>`version` })
    .where('id', '=', p.id)
    .where('deleted', '=', sql.lit(0)),
)
const insertRole = prepare('roles.insertRole', (db, p: Placeholders<RolesTable>, { sql }) =>
  db
    .insertInto('roles')
    .columns(columns.roles)
    .expression(db.selectNoFrom(selected(p, columns.roles)).where(isFree('role', sql, p.name)))
    .onConflict((conflict) => conflict.doNothing()),
)

/** A role has no version: what was read is the condition. */
type Change = { name: string; description: string | null; was_description: string | null; was_created_at_ms: number }
const setDescription = prepare('roles.setDescription', (db, p: Placeholders<Change>) =>
  db
    .updateTable('roles')
    .set({ description: p.description })
    .where('name', '=', p.name)
    .where('description', 'is not distinct from', p.was_description)
    .where('created_at_ms', '=', p.was_created_at_ms),
)
const deleteRole = prepare('roles.deleteRole', (db, p: Placeholders<{ name: string }>) =>
  db.deleteFrom('roles').where('name', '=', p.name),
)

/** `named`: the role as quoted in a stored list, compared case-sensitively. */
type Taking = { named: string; followed: string; preceded: string; now_ms: number }
const takeFromUsers = prepare('roles.takeFromUsers', (db, p: Placeholders<Taking>, { sql }) =>
  db
    .updateTable('users')
    .set({
      roles: sql<string>`replace(replace(replace(roles, ${p.followed}, ''), ${p.preceded}, ''), ${p.named}, '')`,
      updated_at_ms: p.now_ms,
      version: sql<number>`version + 1`,
    })
    .where(sql<boolean>`replace(roles, ${p.named}, '') <> roles`),
)

/** What gives roles, as it is. */
const sourcesOf = ({ roles, groups }: KnownRoles): RoleSources => ({
  groups,
  roles: new Map([...roles.values()].map((role) => [role.name, ruleOf(role)])),
})

/** What changes of roles are decided on. */
type KnownRoles = {
  /** The id of the client that a new role would belong to, which is not there; undefined: it is, or the role would belong to none. */
  readonly missingClient: string | undefined
  readonly roles: ReadonlyMap<string, Role>
  readonly groups: ReadonlyMap<string, Group>
  readonly leaving: ReadonlySet<string>
}

export function sqlRoles(
  engine: Engine,
  users: Pick<ReturnType<typeof sqlUserSearch>, 'isHeld'>,
  keeping: KeepingAdministrators,
  removeSoon: RemoveSoon,
) {
  async function read(clientId?: string): Promise<KnownRoles> {
    const [rows, groups, leaving, found] = await Promise.all([
      engine.read(all({})),
      readGroups(engine),
      removedRoles(engine),
      clientId === undefined ? undefined : engine.read(clientById({ id: clientId })),
    ])
    const missingClient = found?.length === 0 ? clientId : undefined
    return { roles: new Map(rows.map((row) => [row.name, toRole(row)])), groups, leaving, missingClient }
  }
  const changing = (clientId?: string) =>
    inCatalogue(
      engine,
      () => read(clientId),
      (after: Role, known: KnownRoles) => statementsOf(after, known, clientId),
      undefined,
      (changes, known) => {
        const before = sourcesOf(known)
        const roles = new Map([...before.roles, ...changes.map((role) => [role.name, ruleOf(role)] as const)])
        return keeping.ofCatalogue(before, { ...before, roles })
      },
    )

  return {
    async find(name: string): Promise<Role | undefined> {
      const [row] = await engine.read(byName({ name }))
      return row && toRole(row)
    },
    /** Ascending by name. */
    async list(): Promise<Role[]> {
      // Sorted here, because collations differ between databases.
      return (await engine.read(all({}))).map(toRole).sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    /** Returns false if the role is described already. */
    async create(role: Role, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit(roleStatements(undefined, role, 0), events)).applied
    },
    /**
     * As `change` of what is decided on the catalogue: describes roles, and says what they include and whether everybody has them.
     * `leaving`: roles that were deleted, and cannot be described until nobody has them. `clientId`: of the client that a new role
     * would belong to: no role is added to one that is gone by then.
     */
    change: <Result extends Decided<Role>>(
      decide: (known: KnownRoles) => Result,
      events?: AuditEvents | ((decided: Result) => AuditEvents),
      clientId?: string,
    ): Promise<Result> => changing(clientId).change(decide, events),
    /** Sets the description if the role is still as given in `before`. Returns false otherwise. */
    async describe(before: Role, description: string | null, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit(roleStatements(before, { ...before, description }, 0), events)).applied
    },
    /**
     * Returns how many people have the role, and the user names of some of them, at most `namedHoldersAtMost`, ascending. Reads all
     * people, in windows between which other work goes on.
     */
    dependents: (name: string): Promise<{ readonly count: number; readonly users: readonly string[] }> =>
      roleDependents(engine, name),
    /**
     * Deletes the description, and takes the role from everybody, service accounts included. Returns false if there was neither. Scans all
     * people.
     */
    async deleteEverywhere(name: string, nowMs: number, events?: AuditEvents): Promise<boolean> {
      for (;;) {
        const taking = (await users.isHeld(name)) ? takingOf(name, nowMs) : []
        const version = await readVersion(engine)
        const { roles, groups, ...known } = await read()
        const isLinked =
          roles.has(name) ||
          [...groups.values()].some((group) => group.roles.includes(name)) ||
          [...roles.values()].some(({ includes = [] }) => includes.includes(name))
        const ofAccounts = await takenFromAccounts(engine, [name])
        if (!isLinked && taking.length === 0 && ofAccounts.length === 0) return false
        const before = sourcesOf({ ...known, roles, groups })
        const { last, requireOther } = await keeping.ofCatalogue(before, sourcesWithout(before, name))
        const linked = isLinked ? takingFromCatalogue(name) : []
        const statements = [raisedFrom(version), deleteRole({ name }), ...taking, ...linked, ...ofAccounts, ...last]
        if ((await engine.commit(statements, events)).applied) {
          await removeSoon([{ kind: 'role', name }])
          return true
        }
        await requireOther()
      }
    },
  }
}

/** Returns the statements that delete a role, whether it is described or not, and take it from everybody. `removeSoon` follows. */
export const roleDeletion = (name: string, nowMs: number): readonly Statement[] => [
  deleteRole({ name }),
  ...takingOf(name, nowMs),
  ...takingFromCatalogue(name),
]

/** Returns the commit that makes `before` to `after`, if it is still the same. Absent: the role is new, or deleted. */
export function roleStatements(before: Role | undefined, after: Role | undefined, nowMs: number): readonly Statement[] {
  const kept = after === undefined ? [] : keepClientsOf(before ? namedIn(before) : [], namedIn(after))
  if (before === undefined) {
    if (after === undefined) return []
    return [mustChange(insertRole(toRow(after))), ...kept, ...(isRuled(after) ? [raised()] : [])]
  }
  const { name, created_at_ms: was_created_at_ms, description: was_description } = toRow(before)
  if (after === undefined) {
    if (isUndescribed(before)) return roleDeletion(name, nowMs)
    return [mustChange(deleteRole({ name })), ...takingOf(name, nowMs), ...takingFromCatalogue(name)]
  }
  const { description } = after
  const described = mustChange(setDescription({ name, description, was_description, was_created_at_ms }))
  const { includes, is_default } = toRow(after)
  return isSameRule(before, after)
    ? [described]
    : [described, setRule({ name, includes, is_default }), ...kept, raised()]
}

const namedIn = ({ name, includes = [] }: Role): readonly string[] => [name, ...includes]

const isRuled = ({ includes = [], isDefault }: Role): boolean => includes.length > 0 || isDefault === true
const isSameRule = (before: Role, after: Role): boolean => {
  const [one, other] = [toRow(before), toRow(after)]
  return one.includes === other.includes && one.is_default === other.is_default
}

/** On the version of the catalogue that it was decided on, so no condition on the row can fail. */
function statementsOf(after: Role, { roles }: KnownRoles, clientId?: string): Statement[] {
  const held = clientId === undefined ? [] : [mustChange(holdClient({ id: clientId }))]
  return [...roleStatements(roles.get(after.name), after, 0), ...held]
}

/**
 * Takes the role from everybody. `removeSoon` follows. Of a role of administrators, which few have, the same commit does it: it
 * must know whether one is left.
 */
function takingOf(name: string, nowMs: number): Statement[] {
  if (!builtInRoles.includes(name)) return [removalOf({ kind: 'role', name }, nowMs)]
  const named = JSON.stringify(name)
  const taking = { named, followed: `${named},`, preceded: `,${named}`, now_ms: nowMs }
  return [takeFromUsers(taking), forgetRole(name)]
}

function toRow({ name, description, createdAtMs, includes = [], isDefault }: Role): RolesTable {
  const list = includes.length === 0 ? null : listToText(includes)
  return { name, description, created_at_ms: createdAtMs, includes: list, is_default: Number(isDefault === true) }
}

function toRole(row: RolesTable): Role {
  const { description, created_at_ms: createdAtMs } = row
  const { name, includes, isDefault } = toRule(row)
  return {
    ...{ name, description, createdAtMs },
    ...(includes.length > 0 && { includes }),
    ...(isDefault && { isDefault: true as const }),
  }
}

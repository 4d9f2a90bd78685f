/**
 * Keeps an administrator. Whoever has the role in effect counts: as an own one, by a group, by another role, or as everybody's. A commit
 * that could take the last one away raises the version of the catalogue that it was decided on, so that of two such commits one
 * comes after the other, and ends with a statement that needs somebody who administers the service by then.
 */
import type { ExpressionBuilder, Kysely } from 'kysely'
import { administratorRole, isAdministrator } from '../../protocol/scope/admin-scopes.ts'
import { type Givers, giversOf, isGiven, isWithin, type RoleSources } from '../../users/effective-roles.ts'
import { roleKey } from '../../users/search.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { Catalogue } from '../port/catalogue.ts'
import { LastAdministrator } from '../port/users.ts'
import { keptAt, raisedFrom } from './catalogue.ts'
import { mustChange, type Placeholders, prepare, type Tools } from './prepared.ts'
import type { Statement } from './statement.ts'
import { type Database, listToText, type UsersTable } from './tables.ts'

/**
 * `confirmed_only`: 1 where nobody signs in without a confirmed address. `has_own`: whether the role itself is there. The lists are of
 * keys of the roles that include it, of groups that give it, and of people who do not count. `everybody`: 1 where everybody has it.
 */
type Sought = {
  confirmed_only: number
  has_own: number
  role_keys: string
  group_ids: string
  everybody: number
  without: string
}
type Other = Database & { readonly other: UsersTable }

/** As `isAdministrator`, but for a lock that has passed: who was locked by an operator does not count until unlocked. */
const mayAct = (
  { and, or, eb, not }: ExpressionBuilder<Other, 'other'>,
  { sql, isOneOf }: Tools,
  p: Placeholders<Sought>,
) =>
  and([
    sql<boolean>`(${p.confirmed_only} = 0 or other.email_confirmed = 1)`,
    eb('other.disabled', '=', 0),
    eb('other.deletion_due_at_ms', 'is', null),
    or([eb('other.locked_until_ms', 'is', null), eb('other.lockout_began_at_ms', 'is not', null)]),
    not(isOneOf('other.id', p.without)),
  ])

/** The id of one of them, by an index each; null: there is none. */
function administrator(db: Kysely<Database>, p: Placeholders<Sought>, tools: Tools) {
  const { sql, isOneOf } = tools
  const others = () => db.selectFrom('users as other').select('other.id')
  const own = others()
    .where(sql<boolean>`${p.has_own} = 1`)
    .where(sql<boolean>`replace(other.roles, '"latchkey-admin"', '') <> other.roles`)
    .where((eb) => mayAct(eb, tools, p))
    .limit(sql.lit(1))
  const byGroup = db
    .selectFrom('group_members as m')
    .innerJoin('users as other', 'other.id', 'm.user_id')
    .select('other.id')
    .where(isOneOf('m.group_id', p.group_ids))
    .where((eb) => mayAct(eb as unknown as ExpressionBuilder<Other, 'other'>, tools, p))
    .limit(sql.lit(1))
  const byRole = db
    .selectFrom('user_search_keys as k')
    .innerJoin('users as other', 'other.id', 'k.user_id')
    .select('other.id')
    .where(isOneOf('k.key', p.role_keys))
    .where((eb) => mayAct(eb as unknown as ExpressionBuilder<Other, 'other'>, tools, p))
    .limit(sql.lit(1))
  const anybody = others()
    .where(sql<boolean>`${p.everybody} = 1`)
    .where((eb) => mayAct(eb, tools, p))
    .limit(sql.lit(1))
  return sql<string | null>`coalesce((${own}), (${byGroup}), (${byRole}), (${anybody}))`
}

const find = prepare('administrators.find', (db, p: Placeholders<Sought>, tools) =>
  db.selectNoFrom(administrator(db, p, tools).as('id')),
)
/** Changes nothing, but only if there is one, whose row stays as it is until the commit. */
const requireOne = prepare('administrators.requireOne', (db, p: Placeholders<Sought>, tools) =>
  db
    .updateTable('users')
    .set({ version: tools.sql<number>`version` })
    .where('id', '=', administrator(db, p, tools) as unknown as string),
)
const membershipsOf = prepare('administrators.membershipsOf', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('group_members').select('group_id').where('user_id', '=', p.user_id),
)

/** What keeps an administrator in a commit: what it begins and ends with. */
export type Kept = {
  readonly first: readonly Statement[]
  readonly last: readonly Statement[]
  /** For a commit that was not applied: throws `LastAdministrator` if that was why. */
  readonly requireOther: () => Promise<void>
}

const nothing: Kept = { first: [], last: [], requireOther: async () => {} }

/** Whether the change is one by which somebody could become or stop being an administrator. */
function concerns(before: User, after: User | undefined): boolean {
  if (after === undefined) return true
  const facts = (user: User) => [
    user.roles,
    user.disabled,
    user.lockedUntilMs,
    user.deletionDueAtMs,
    user.emailConfirmed,
  ]
  return JSON.stringify(facts(before)) !== JSON.stringify(facts(after))
}

/** `needsConfirmedEmail`: whether people sign in with a confirmed address alone. */
export function keepingAdministrators(
  engine: Engine,
  catalogue: { readonly now: () => Promise<Catalogue> },
  needsConfirmedEmail: () => boolean,
) {
  const sought = ({ roles, groups, isEverybodys }: Givers, without: readonly string[] = []): Sought => ({
    confirmed_only: Number(needsConfirmedEmail()),
    has_own: Number(roles.has(administratorRole)),
    role_keys: listToText([...roles].filter((role) => role !== administratorRole).map(roleKey)),
    group_ids: listToText([...groups]),
    everybody: Number(isEverybodys),
    without: listToText(without),
  })
  const isThere = async (givers: Givers, without: readonly string[] = []): Promise<boolean> =>
    typeof (await engine.read(find(sought(givers, without))))[0]?.id === 'string'
  const administers = (user: User, groupIds: readonly string[], givers: Givers): boolean => {
    const roles = isGiven(givers, user.roles, groupIds) ? [administratorRole] : []
    return isAdministrator({ ...user, roles }) && (user.emailConfirmed || !needsConfirmedEmail())
  }
  const keptBy = (
    givers: Givers,
    without: readonly string[],
    isHandedOver = false,
  ): Pick<Kept, 'last' | 'requireOther'> => ({
    last: [mustChange(requireOne(sought(givers)))],
    requireOther: async () => {
      if (!isHandedOver && !(await isThere(givers, without))) throw new LastAdministrator()
    },
  })

  const groupsOf = async (id: string): Promise<readonly string[]> =>
    (await engine.read(membershipsOf({ user_id: id }))).map(({ group_id }) => group_id)

  return {
    /** For a change of a person, or of the groups that the person is in. Absent `after`: the person is deleted. */
    async ofUser(before: User, after: User | undefined, leaves?: string): Promise<Kept> {
      if (leaves === undefined && !concerns(before, after)) return nothing
      const known = await catalogue.now()
      const givers = giversOf(administratorRole, known)
      // As they are by now: whoever joins a group does not change their row.
      const ids = await groupsOf(before.id)
      const left = ids.filter((id) => id !== leaves)
      const isLoss = administers(before, ids, givers) && !(after && administers(after, left, givers))
      if (!isLoss) return { ...nothing, first: [keptAt(known.version)] }
      return { first: [raisedFrom(known.version)], ...keptBy(givers, [before.id]) }
    },
    /** For a change of the catalogue, which begins with raising its version. */
    async ofCatalogue(before: RoleSources, after: RoleSources): Promise<Kept> {
      const [had, has] = [giversOf(administratorRole, before), giversOf(administratorRole, after)]
      if (isWithin(had, has) || !(await isThere(had))) return nothing
      return { first: [], ...keptBy(has, []) }
    },
    /** For a change of people and the catalogue at once. `isGone`: the role itself is deleted. */
    async ofAll(
      people: readonly { readonly before?: User | undefined; readonly after?: User | undefined }[],
      before: RoleSources,
      after: RoleSources,
      isGone: boolean,
    ): Promise<Kept> {
      const had = giversOf(administratorRole, before)
      const has = isGone ? nobodys : giversOf(administratorRole, after)
      const lost: string[] = []
      // Whoever becomes one in the same commit is not stored yet.
      let isHandedOver = false
      for (const { before: was, after: is } of people) {
        if (was !== undefined && !concerns(was, is) && isWithin(had, has)) continue
        const ids = was === undefined || (had.groups.size === 0 && has.groups.size === 0) ? [] : await groupsOf(was.id)
        const becomes = is !== undefined && administers(is, ids, has)
        if (was !== undefined && administers(was, ids, had) && !becomes) lost.push(was.id)
        isHandedOver ||= becomes
      }
      if (lost.length === 0 && (isWithin(had, has) || !(await isThere(had)))) return nothing
      return { first: [], ...keptBy(has, lost, isHandedOver) }
    },
  }
}

const nobodys: Givers = { roles: new Set(), groups: new Set(), isEverybodys: false }

export type KeepingAdministrators = ReturnType<typeof keepingAdministrators>

/** Users. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { KnownBrowser } from '../../users/known-browser.ts'
import type { NameConflict } from '../../users/registration.ts'
import type { Session } from '../../users/session.ts'
import { type ExternalLogin, normalizeName, normalizeProvider, type User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { Finished } from '../pending.ts'
import type { Creation, KeepingAdministrator, UserDependents, UserRows } from '../port/users.ts'
import type { KeepingAdministrators } from './administrators.ts'
import { requireValues } from './attribute-values.ts'
import { deletionOf } from './deletions.ts'
import { userDependents } from './dependents.ts'
import { hasRegistered, registerLogin } from './external-logins.ts'
import { forgetBrowsers, storeBrowser } from './known-browsers.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { insertSession, lockUser } from './sessions.ts'
import type { Statement } from './statement.ts'
import { columns, type NamedUsersTable, type UsersTable } from './tables.ts'
import { addressStatements, endStatements } from './user-ends.ts'
import { keyStatements, newUserStatements, userStatements } from './user-keys.ts'
import { conflictOf, conflictsOf, renameStatement } from './user-names.ts'
import { userPage } from './user-pages.ts'
import { fromNewUser, fromUser, toUser, type UserRow, userColumns } from './user-row.ts'

const byId = prepare(
  'users.byId',
  (db, p: Placeholders<{ id: string }>) => db.selectFrom('users').select(userColumns).where('id', '=', p.id),
  { id: 'text' },
)
const byName = prepare('users.byName', (db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('users').select(userColumns).where('normalized_name', '=', p.name),
)
const byExternalLogin = prepare('users.byExternalLogin', (db, p: Placeholders<{ provider: string; subject: string }>) =>
  db
    .selectFrom('external_logins')
    .innerJoin('users', 'users.id', 'external_logins.user_id')
    .select(userColumns)
    .where('provider', '=', p.provider)
    .where('subject', '=', p.subject),
)
const all = prepare('users.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('users').select(userColumns),
)

export const updateUser = prepare('users.updateUser', (db, p: Placeholders<UsersTable & { decided_on: number }>) =>
  db.updateTable('users').set(pick(p, columns.users)).where('id', '=', p.id).where('version', '=', p.decided_on),
)

export function sqlUsers(engine: Engine, keeping: KeepingAdministrators, finished: Finished) {
  async function one(statement: Statement<UserRow>): Promise<User | undefined> {
    const [row] = await engine.read(statement)
    return row && toUser(row)
  }
  const find = (id: string) => one(byId({ id }))
  const findByExternalLogin = (provider: string, subject: string) =>
    one(byExternalLogin({ provider: normalizeProvider(provider), subject }))

  /** Returns undefined if the conflict has disappeared meanwhile. */
  async function conflictOfNew(row: NamedUsersTable): Promise<NameConflict | undefined> {
    // A user with the same id is a conflict as well.
    const conflict = await conflictOf(engine, { ...row, id: '' })
    if (!conflict && (await find(row.id))) throw new Error(`A user with the id ${row.id} exists already.`)
    return conflict
  }

  return {
    find,
    /** By user name, compared by `normalizeName`. */
    findByName: (name: string): Promise<User | undefined> => one(byName({ name: normalizeName(name) })),
    findByExternalLogin,

    /** Returns why the names could not be given to a new user now, or to the one with `id`; empty: they are free. One read. */
    conflicts: (
      names: Pick<User, 'name' | 'email' | 'sharesEmail'> & { readonly id?: string },
    ): Promise<readonly NameConflict[]> => conflictsOf(engine, names),

    /** Ascending by normal form of the user name. */
    async list(): Promise<User[]> {
      // Sorted here, because collations differ between databases.
      const rows = await engine.read(all({}))
      return rows.sort((a, b) => (a.u_normalized_name < b.u_normalized_name ? -1 : 1)).map(toUser)
    },

    /**
     * Returns at most `atMost` (default: `userPageRows`) people after `after` whose name or address begins with `start`, ascending by the normal
     * form of it, byte by byte. All three are normal forms (`normalizeName`); empty: no bound.
     */
    page: (by: 'name' | 'email', start: string, after: string, atMost?: UserRows): Promise<User[]> =>
      userPage(engine, by, start, after, atMost),

    /**
     * Creates a user. Of concurrent identical registrations exactly one is 'created'. E-mail addresses and name skeletons
     * (`skeletonOf`) are unique, too, and a name conflicts with another user's e-mail address and vice versa. (PostgreSQL
     * may create both of two concurrent users that conflict in this last way; `findForSignIn` stays unambiguous.)
     * `keepsSetUp`: the installation can still be set up in a browser.
     */
    create: finished(async (user: User, events?: AuditEvents, { keepsSetUp = false }: Creation = {}) => {
      const row = await fromNewUser(user)
      const commit = keepsSetUp ? userStatements(row, user) : newUserStatements(row, user)
      for (;;) {
        const { applied } = await engine.commit(commit, events)
        if (applied) return 'created'
        const conflict = await conflictOfNew(row)
        if (conflict) return conflict
        await requireValues(engine, undefined, user)
      }
    }),

    /**
     * Runs `decide` on the stored user and commits its result on exactly that version. Retries after a concurrent change,
     * so `decide` must be pure. Changes nothing if `decide` returns `undefined`. Resolves to the current user; undefined:
     * there is none. A new `sessionsEndedAtMs` deletes existing sessions, pending confirmations and known browsers in the same commit. For names
     * and addresses use `updateNames`. Rejects with `LastAdministrator` if nobody else could administer the service.
     */
    async update(
      id: string,
      decide: (user: User) => User | undefined,
      events?: AuditEvents,
      { force = false }: KeepingAdministrator = {},
    ): Promise<User | undefined> {
      for (;;) {
        const user = await find(id)
        const decided = user && decide(user)
        if (!user || !decided) return user
        const next = successor(user, decided)
        const kept = force ? undefined : await keeping.ofUser(user, next)
        const change = changeStatements(user, next)
        const { applied } = await engine.commit([...(kept?.first ?? []), ...change, ...(kept?.last ?? [])], events)
        if (applied) return next
        await kept?.requireOther()
        await requireValues(engine, user, next)
      }
    },

    /**
     * Like `update`, for changes of name or address: of concurrent changes to the same name exactly one succeeds. A new
     * address removes all confirmations of the user.
     */
    updateNames: finished(
      async (
        id: string,
        decide: (user: User) => User | undefined,
        events?: AuditEvents,
        { force = false }: KeepingAdministrator = {},
      ): Promise<User | NameConflict | undefined> => {
        for (;;) {
          const user = await find(id)
          const decided = user && decide(user)
          if (!user || !decided) return user
          const next = successor(user, decided)
          const kept = force ? undefined : await keeping.ofUser(user, next)
          const { statement, names } = await renameStatement(user, next)
          const following = [...keyStatements(user, next), ...addressStatements(user, next), ...(kept?.last ?? [])]
          if ((await engine.commit([...(kept?.first ?? []), statement, ...following], events)).applied) return next
          await kept?.requireOther()
          const conflict = await conflictOf(engine, names)
          if (conflict) return conflict
          await requireValues(engine, user, next)
        }
      },
    ),

    /** Counts what is deleted with the user, as far as it is valid at `nowMs`. */
    dependents: (id: string, nowMs: number): Promise<UserDependents> => userDependents(engine, id, nowMs),

    /**
     * Deletes the user with everything that depends on it. Returns false if there was none, or none of the version that
     * `decidedOn` names. Rejects with `LastAdministrator` like `update`.
     */
    async delete(
      id: string,
      events?: AuditEvents,
      { force = false, decidedOn }: KeepingAdministrator & { readonly decidedOn?: number } = {},
    ): Promise<boolean> {
      const still = decidedOn === undefined ? [] : [mustChange(lockUser({ user_id: id, user_version: decidedOn }))]
      for (;;) {
        const found = await find(id)
        if (found === undefined || (decidedOn !== undefined && found.version !== decidedOn)) return false
        const kept = force ? undefined : await keeping.ofUser(found, undefined)
        const commit = [...(kept?.first ?? []), ...still, ...deletionOf(id), ...(kept?.last ?? [])]
        if ((await engine.commit(commit, events)).applied) return true
        await kept?.requireOther()
      }
    },

    /** Deletes the user's known browsers and returns their number. Records `events` only if there were any. */
    async forgetBrowsers(id: string, events?: AuditEvents): Promise<number> {
      const { changes } = await engine.commit([forgetBrowsers(id)], events)
      return changes[0] ?? 0
    },

    /**
     * Creates the user, binds the external login and stores session and browser (null: no sign-in), all or nothing. Of
     * concurrent identical registrations one is 'registered'. The others are 'bound', with the user that the login is
     * bound to, and store nothing. 'made_before': the account at the provider made a user who is still there, bound or not.
     */
    registerExternal: finished(
      async (
        user: User,
        login: ExternalLogin,
        entry: { readonly session: Session; readonly browser?: KnownBrowser } | null,
        events?: AuditEvents,
      ): Promise<
        | { readonly outcome: 'registered'; readonly user: User }
        | { readonly outcome: 'bound'; readonly user: User }
        | { readonly outcome: 'made_before' }
        | { readonly outcome: NameConflict }
      > => {
        const row = await fromNewUser(user)
        const commit = [...newUserStatements(row, user), ...registerLogin(login)]
        if (entry) commit.push(insertSession(entry.session))
        if (entry?.browser) commit.push(...storeBrowser(entry.browser, undefined))
        for (;;) {
          const { applied } = await engine.commit(commit, events)
          if (applied) return { outcome: 'registered', user }
          const bound = await findByExternalLogin(login.provider, login.subject)
          if (bound) return { outcome: 'bound', user: bound }
          if (await hasRegistered(engine, login)) return { outcome: 'made_before' }
          const conflict = await conflictOfNew(row)
          if (conflict) return { outcome: conflict }
          await requireValues(engine, undefined, user)
        }
      },
    ),
  }
}

export async function findUser(engine: Engine, id: string): Promise<User | undefined> {
  const [row] = await engine.read(byId({ id }))
  return row && toUser(row)
}

/** Returns the update of `user` to `next`, and the end of its sessions if that is new. */
export function changeStatements(user: User, next: User): Statement[] {
  return [mustChange(updateUser(updateOf(user, next))), ...keyStatements(user, next), ...endStatements(user, next)]
}

/** Returns the next state. Overrides id and version, whatever `decide` returned. */
export function successor(current: User, decided: User): User {
  return { ...decided, id: current.id, version: current.version + 1 }
}

/** Returns the values of `updateUser`. */
export function updateOf(current: User, next: User) {
  return { ...fromUser(next), decided_on: current.version }
}

import type { AuditEvents } from '../../audit/entry.ts'
import type { Candidate } from '../../users/lockout.ts'
import type { NameConflict } from '../../users/registration.ts'
import { normalizeName, normalizeProvider, type User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { SpentValue } from '../port/spent-values.ts'
import type { SignInOutcome, Users } from '../port/users.ts'
import type { KeepingAdministrators } from './administrators.ts'
import {
  type CandidateRow,
  candidateByExternalLogin,
  candidateById,
  candidateByNameOrEmail,
  candidateByUser,
  toCandidate,
} from './candidates.ts'
import { deletionOf } from './deletions.ts'
import { userDependents } from './dependents.ts'
import { hasRegistered, registerLogin } from './external-logins.ts'
import { forgetBrowsers, storeBrowser } from './known-browsers.ts'
import { storeUse } from './passkeys.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { storeFactors } from './second-factors.ts'
import { insertSession, lockUser, storeSession } from './sessions.ts'
import { spending } from './spent-values.ts'
import type { Statement } from './statement.ts'
import { columns, listToText, type NamedUsersTable, type UsersTable } from './tables.ts'
import { addressStatements, endStatements } from './user-ends.ts'
import { conflictOf, conflictsOf, insertUser, renameStatement } from './user-names.ts'
import { userPage } from './user-pages.ts'
import { fromNewUser, fromUser, toUser, type UserRow, userColumns } from './user-row.ts'
import { searchStatements } from './user-search.ts'

const byId = prepare('users.byId', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('users').select(userColumns).where('id', '=', p.id),
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

const updateUser = prepare('users.updateUser', (db, p: Placeholders<UsersTable & { decided_on: number }>) =>
  db.updateTable('users').set(pick(p, columns.users)).where('id', '=', p.id).where('version', '=', p.decided_on),
)
/** Receives events that are recorded without a change. */
type Note = (event: AuditEvents[number]) => void
export function sqlUsers(engine: Engine, keeping: KeepingAdministrators, note: Note): Users {
  async function candidate(statement: Statement<unknown>): Promise<Candidate | undefined> {
    const [row] = (await engine.read(statement)) as CandidateRow[]
    return row && toCandidate(row)
  }
  async function one(statement: Statement<UserRow>): Promise<User | undefined> {
    const [row] = await engine.read(statement)
    return row && toUser(row)
  }
  const find = (id: string) => one(byId({ id }))
  const findByName = (name: string) => one(byName({ name: normalizeName(name) }))
  const findByExternalLogin = (provider: string, subject: string) =>
    one(byExternalLogin({ provider: normalizeProvider(provider), subject }))

  /** Returns undefined if the conflict has disappeared meanwhile. */
  async function conflictOfNew(row: NamedUsersTable): Promise<NameConflict | undefined> {
    // A user with the same id is a conflict as well.
    const conflict = await conflictOf(engine, { ...row, id: '' })
    if (!conflict && (await find(row.id))) throw new Error(`A user with the id ${row.id} exists already.`)
    return conflict
  }

  const signIn = async <D extends SignInOutcome>(
    first: Candidate,
    decide: (candidate: Candidate) => D,
    once: readonly SpentValue[] = [],
  ): Promise<D | 'spent' | undefined> => {
    const again = candidateById({ id: first.user.id, browser_id: first.browser?.id ?? '' })
    for (let current: Candidate | undefined = first; current; current = await candidate(again)) {
      const outcome = decide(current)
      const next = outcome.user && successor(current.user, outcome.user)
      const { session, passkey } = outcome
      const used = passkey === undefined ? [] : [storeUse(passkey.next, passkey.before)]
      const first = session === undefined ? [] : [...spending(once), ...used]
      const commit = [...first, ...signInCommit(current, next, outcome)]
      if (commit.length === 0) outcome.events?.forEach(note)
      const { applied, changes } =
        commit.length === 0 ? { applied: true, changes: [] } : await engine.commit(commit, outcome.events)
      if (applied) return next ? { ...outcome, user: next } : outcome
      if (changes.length < first.length) return 'spent'
    }
    return undefined
  }

  return {
    find,
    findByName,
    findByExternalLogin,

    conflicts: (names) => conflictsOf(engine, names),

    async list() {
      // Sorted here, because collations differ between databases.
      const rows = await engine.read(all({}))
      return rows.sort((a, b) => (a.u_normalized_name < b.u_normalized_name ? -1 : 1)).map(toUser)
    },

    page: (by, start, after, atMost) => userPage(engine, by, start, after, atMost),

    async create(user, events) {
      const row = await fromNewUser(user)
      for (;;) {
        const { applied } = await engine.commit(
          [mustChange(insertUser(row)), ...searchStatements(undefined, user)],
          events,
        )
        if (applied) return 'created'
        const conflict = await conflictOfNew(row)
        if (conflict) return conflict
      }
    },

    async update(id, decide, events, { force = false } = {}) {
      for (;;) {
        const user = await find(id)
        const decided = user && decide(user)
        if (!user || !decided) return user
        const next = successor(user, decided)
        const isLoss = !force && keeping.loses(user, next)
        const change = (isLoss ? keeping.update : updateUser)(updateOf(user, next))
        const following = [...searchStatements(user, next), ...endStatements(user, next)]
        if ((await engine.commit([mustChange(change), ...following], events)).applied) return next
        if (isLoss) await keeping.requireOther(id)
      }
    },

    async updateNames(id, decide, events, { force = false } = {}) {
      for (;;) {
        const user = await find(id)
        const decided = user && decide(user)
        if (!user || !decided) return user
        const next = successor(user, decided)
        const isLoss = !force && keeping.loses(user, next)
        const { statement, names } = await renameStatement(user, next, isLoss ? keeping.eligible() : undefined)
        const following = [...searchStatements(user, next), ...addressStatements(user, next)]
        if ((await engine.commit([statement, ...following], events)).applied) return next
        if (isLoss) await keeping.requireOther(id)
        const conflict = await conflictOf(engine, names)
        if (conflict) return conflict
      }
    },

    dependents: (id, nowMs) => userDependents(engine, id, nowMs),

    async delete(id, events, { force = false, decidedOn } = {}) {
      const still = decidedOn === undefined ? [] : [mustChange(lockUser({ user_id: id, user_version: decidedOn }))]
      for (;;) {
        const commit = force ? deletionOf(id) : deletionOf(id, keeping.remove(id))
        if ((await engine.commit([...still, ...commit], events)).applied) return true
        const found = force ? undefined : await find(id)
        if (found === undefined || (decidedOn !== undefined && found.version !== decidedOn)) return false
        await keeping.requireOther(id)
      }
    },

    findForSignIn(who, browserIds) {
      const browsers = listToText(browserIds)
      if ('name' in who) {
        return candidate(candidateByNameOrEmail({ text: normalizeName(who.name), browsers }))
      }
      if ('userId' in who) return candidate(candidateByUser({ id: who.userId, browsers }))
      return candidate(
        candidateByExternalLogin({ provider: normalizeProvider(who.provider), subject: who.subject, browsers }),
      )
    },

    async recordSignIn(first, decide) {
      const outcome = await signIn(first, decide)
      if (outcome === 'spent') throw new Error('a sign-in without a value to spend was refused because of one')
      return outcome
    },
    completeSignIn: signIn,

    async forgetBrowsers(id, events) {
      const { changes } = await engine.commit([forgetBrowsers(id)], events)
      return changes[0] ?? 0
    },

    async registerExternal(user, login, entry, events) {
      const row = await fromNewUser(user)
      const commit = [mustChange(insertUser(row)), ...registerLogin(login), ...searchStatements(undefined, user)]
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
      }
    },
  }
}

export async function findUser(engine: Engine, id: string): Promise<User | undefined> {
  const [row] = await engine.read(byId({ id }))
  return row && toUser(row)
}

/** Returns the update of `user` to `next`, and the end of its sessions if that is new. */
export function changeStatements(user: User, next: User): Statement[] {
  return [mustChange(updateUser(updateOf(user, next))), ...searchStatements(user, next), ...endStatements(user, next)]
}

/** Every statement is conditional on the version that was decided on. */
function signInCommit(
  { user, browser: before, sessions, factors: factorsBefore }: Candidate,
  next: User | undefined,
  { session, browser, endedSessions, factors }: SignInOutcome,
): Statement[] {
  const change = [
    ...(next ? [mustChange(updateUser(updateOf(user, next))), ...searchStatements(user, next)] : []),
    ...(factors ? [storeFactors(factors, factorsBefore)] : []),
  ]
  const room = {
    isLocked: next !== undefined,
    ...(sessions && { sessions }),
    ...(endedSessions && { ended: endedSessions }),
  }
  const statements = session ? [...change, ...storeSession(session, (next ?? user).version, room)] : change
  // The browser alone has no version to depend on.
  return browser && statements.length > 0 ? [...statements, ...storeBrowser(browser, before)] : statements
}

/** Returns the next state. Overrides id and version, whatever `decide` returned. */
export function successor(current: User, decided: User): User {
  return { ...decided, id: current.id, version: current.version + 1 }
}

function updateOf(current: User, next: User) {
  return { ...fromUser(next), decided_on: current.version }
}

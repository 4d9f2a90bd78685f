/** What codes and links by mail confirm. */
import type { AuditEvents } from '../../audit/entry.ts'
import {
  type Confirmation,
  type ConfirmationDetails,
  type FoundConfirmation,
  maxCodeAttempts,
  undoneId,
} from '../../users/confirmation.ts'
import type { NameConflict } from '../../users/registration.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { Finished } from '../pending.ts'
import type { Change, NamesChange } from '../port/confirmations.ts'
import { dropAddedSince } from './added-since.ts'
import { requireValues } from './attribute-values.ts'
import { type ConfirmationRow, confirmationColumns, toConfirmation, toHoldingRow } from './confirmation-row.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { lockUser } from './sessions.ts'
import type { Statement } from './statement.ts'
import { type ConfirmationsTable, columns, type Joined } from './tables.ts'
import { endPending, endStatements } from './user-ends.ts'
import { keyStatements, newUserStatements } from './user-keys.ts'
import { conflictOf, renameStatement } from './user-names.ts'
import { fromNewUser, joinedUser, type UserRow, userColumns } from './user-row.ts'
import { changeStatements, findUser, successor } from './users.ts'

/** The row of a purpose and subject decides which of several requests is the newest. */
export const putConfirmation = prepare('confirmations.put', (db, p: Placeholders<ConfirmationsTable>) =>
  db
    .insertInto('confirmations')
    .values(pick(p, columns.confirmations))
    .onConflict((conflict) =>
      conflict
        .columns(['purpose', 'subject'])
        .doUpdateSet(
          Object.fromEntries(
            columns.confirmations
              .filter((name) => name !== 'purpose' && name !== 'subject')
              .map((name) => [name, (eb: { ref(column: string): unknown }) => eb.ref(`excluded.${name}`)]),
          ) as never,
        ),
    ),
)
const byId = prepare('confirmations.byId', (db, p: Placeholders<{ id: string }>) =>
  db
    .selectFrom('confirmations')
    .leftJoin('users', 'users.id', 'confirmations.user_id')
    .select([...confirmationColumns, ...userColumns])
    .where('confirmations.id', '=', p.id),
)
const countAttempt = prepare('confirmations.countAttempt', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .updateTable('confirmations')
    .set((is) => ({ attempts: is('attempts', '+', 1) }))
    .where('id', '=', p.id)
    .where('attempts', '<', sql.lit(maxCodeAttempts))
    .where('confirmed_at_ms', 'is', null),
)
type Use = {
  id: string
  browser_hash: string
  confirmed_at_ms: number
  expires_at_ms: number
  details: string | null
}
const confirm = prepare('confirmations.confirm', (db, p: Placeholders<Use>, { sql }) =>
  db
    .updateTable('confirmations')
    .set(pick(p, ['browser_hash', 'confirmed_at_ms', 'expires_at_ms']))
    .set({ details: sql<string>`coalesce(cast(${p.details} as text), details)` })
    .where('id', '=', p.id)
    .where('confirmed_at_ms', 'is', null),
)
export const removeConfirmation = prepare('confirmations.remove', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('confirmations').where('id', '=', p.id),
)
const removeSubject = prepare(
  'confirmations.removeSubject',
  (db, p: Placeholders<{ purpose: string; subject: string }>) =>
    db.deleteFrom('confirmations').where('purpose', '=', p.purpose).where('subject', '=', p.subject),
)
const undosOf = prepare('confirmations.undosOf', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db
    .selectFrom('confirmations')
    .select(confirmationColumns)
    .where('user_id', '=', p.user_id)
    .where('purpose', '=', sql.lit('undo')),
)
const removeUndos = prepare('confirmations.removeUndos', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db.deleteFrom('confirmations').where('user_id', '=', p.user_id).where('purpose', '=', sql.lit('undo')),
)

export function sqlConfirmations(engine: Engine, finished: Finished) {
  const find = async (id: string): Promise<FoundConfirmation | undefined> => {
    const [row] = await engine.read(byId({ id }))
    if (row === undefined) return undefined
    return { confirmation: toConfirmation(row as ConfirmationRow), user: joinedUser(row as Joined<UserRow>) }
  }
  const isThere = async (id: string) => (await find(id)) !== undefined
  return {
    /** Returns it with its user, whether used, expired or not, until it is removed. */
    find,
    /**
     * Stores it in place of the one with the same purpose and subject. Of concurrent ones exactly one remains. `supersedes`:
     * another subject, whose confirmation of this purpose is removed. While an undo or a change of an address is pending, the
     * address that it restores or replaces is nobody else's, neither as an address nor as a name.
     */
    async put(confirmation: Confirmation, events?: AuditEvents, supersedes?: string): Promise<void> {
      const { purpose } = confirmation
      const ended = supersedes === undefined ? [] : [removeSubject({ purpose, subject: supersedes })]
      await engine.commit([...ended, putConfirmation(await toHoldingRow(confirmation))], events)
    },
    /** Returns the undos of the user, whether expired or not, until they are removed. */
    undos: async (userId: string): Promise<Confirmation[]> =>
      (await engine.read(undosOf({ user_id: userId }))).map(toConfirmation),
    /**
     * Counts a code before it is compared. False: `maxCodeAttempts` were counted already, or it was used or removed. So
     * parallel guesses cannot exceed the limit.
     */
    async countAttempt(id: string): Promise<boolean> {
      return (await engine.commit([mustChange(countAttempt({ id }))])).applied
    },
    /**
     * Uses code and link. What follows is left to the browser with the secret of `browserHash`, until `expiresAtMs`. True
     * for exactly one caller. `details`: what it stands for from now on; undefined: as before.
     */
    async confirm(
      id: string,
      browserHash: string,
      nowMs: number,
      expiresAtMs: number,
      events?: AuditEvents,
      details?: ConfirmationDetails,
    ): Promise<boolean> {
      const use = {
        id,
        browser_hash: browserHash,
        confirmed_at_ms: nowMs,
        expires_at_ms: expiresAtMs,
        details: details === undefined ? null : JSON.stringify(details),
      }
      return (await engine.commit([mustChange(confirm(use))], events)).applied
    },
    /**
     * Creates the user and removes the confirmation, both or neither. `gone`: it was used, replaced or removed. `inviter`: who
     * sent it, as decided on; `inviter_changed`: that person was changed meanwhile.
     */
    register: finished(
      async (
        id: string,
        user: User,
        events?: AuditEvents,
        inviter?: Pick<User, 'id' | 'version'>,
      ): Promise<'created' | 'gone' | 'inviter_changed' | NameConflict> => {
        const row = await fromNewUser(user)
        const still = inviter ? [mustChange(lockUser({ user_id: inviter.id, user_version: inviter.version }))] : []
        const commit = [...still, mustChange(removeConfirmation({ id })), ...newUserStatements(row, user)]
        for (;;) {
          if ((await engine.commit(commit, events)).applied) return 'created'
          if (!(await isThere(id))) return 'gone'
          if (inviter && (await findUser(engine, inviter.id))?.version !== inviter.version) return 'inviter_changed'
          const conflict =
            (await conflictOf(engine, { ...row, id: '' })) ?? (await requireValues(engine, undefined, user))
          if (conflict) return conflict
        }
      },
    ),
    /**
     * Runs `decide` on the stored user, commits its result and removes the confirmation, both or neither. Retries after a
     * concurrent change, so `decide` must be pure. Undefined, and nothing changed: the confirmation was used, replaced or
     * removed, the user was deleted, or `decide` returned undefined. A new `sessionsEndedAtMs` deletes existing sessions
     * and known browsers. Other confirmations of the user are removed, an undo excepted.
     */
    async changeUser(
      id: string,
      userId: string,
      decide: (user: User) => Change | undefined,
    ): Promise<User | undefined> {
      for (;;) {
        const user = await findUser(engine, userId)
        const decided = user && decide(user)
        if (!user || !decided) return undefined
        const next = successor(user, decided.user)
        const commit = [
          mustChange(removeConfirmation({ id })),
          ...changeStatements(user, next),
          endPending(userId),
          ...droppedBy(decided, userId),
        ]
        if ((await engine.commit(commit, decided.events)).applied) return next
        if (!(await isThere(id))) return undefined
      }
    },
    /** Like `changeUser`, for changes of name or address. */
    changeNames: finished(
      async (
        id: string,
        userId: string,
        decide: (user: User) => NamesChange | undefined,
      ): Promise<User | NameConflict | undefined> => {
        for (;;) {
          const user = await findUser(engine, userId)
          const decided = user && decide(user)
          if (!user || !decided) return undefined
          const next = successor(user, decided.user)
          const { statement, names } = await renameStatement(user, next)
          const following = await Promise.all((decided.following ?? []).map(toHoldingRow))
          const commit = [
            mustChange(removeConfirmation({ id })),
            statement,
            ...keyStatements(user, next),
            endPending(userId),
            ...endStatements(user, next),
            ...droppedBy(decided, userId),
            ...(decided.endsUndos === true ? [removeUndos({ user_id: userId })] : []),
            ...following.map((row) => putConfirmation(row)),
          ]
          if ((await engine.commit(commit, decided.events)).applied) return next
          if (!(await isThere(id))) return undefined
          const conflict = await conflictOf(engine, names)
          if (conflict) return conflict
        }
      },
    ),
    /** Removes it. True for exactly one caller. */
    async remove(id: string, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(removeConfirmation({ id }))], events)).applied
    },
  }
}

function droppedBy({ dropsSinceMs }: Change, userId: string): Statement[] {
  if (dropsSinceMs === undefined) return []
  return [...dropAddedSince(userId, dropsSinceMs), removeConfirmation({ id: undoneId(userId) })]
}

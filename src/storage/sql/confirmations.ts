import {
  type Confirmation,
  type ConfirmationDetails,
  type ConfirmationPurpose,
  maxCodeAttempts,
  undoneId,
} from '../../users/confirmation.ts'
import type { Engine } from '../engine.ts'
import type { Change, Confirmations } from '../port/confirmations.ts'
import { dropAddedSince } from './added-since.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { type ConfirmationsTable, columns, type Joined, type Prefixed, prefixed } from './tables.ts'
import { endPending, endStatements } from './user-ends.ts'
import { conflictOf, insertUser, renameStatement } from './user-names.ts'
import { fromNewUser, joinedUser, type UserRow, userColumns } from './user-row.ts'
import { searchStatements } from './user-search.ts'
import { changeStatements, findUser, successor } from './users.ts'

type ConfirmationRow = Prefixed<'cf', ConfirmationsTable>
const confirmationColumns = prefixed('confirmations', 'cf', columns.confirmations)

/** The row of a purpose and subject decides which of several requests is the newest. */
const put = prepare('confirmations.put', (db, p: Placeholders<ConfirmationsTable>) =>
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
type Use = { id: string; browser_hash: string; confirmed_at_ms: number; expires_at_ms: number }
const confirm = prepare('confirmations.confirm', (db, p: Placeholders<Use>) =>
  db
    .updateTable('confirmations')
    .set(pick(p, ['browser_hash', 'confirmed_at_ms', 'expires_at_ms']))
    .where('id', '=', p.id)
    .where('confirmed_at_ms', 'is', null),
)
const remove = prepare('confirmations.remove', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('confirmations').where('id', '=', p.id),
)
/** Ids begin with their time. */
type Later = { user_id: string; id: string }
const removeLaterUndos = prepare('confirmations.removeLaterUndos', (db, p: Placeholders<Later>, { sql }) =>
  db
    .deleteFrom('confirmations')
    .where('user_id', '=', p.user_id)
    .where('purpose', '=', sql.lit('undo'))
    .where('id', '>', p.id),
)

export function sqlConfirmations(engine: Engine): Confirmations {
  const find: Confirmations['find'] = async (id) => {
    const [row] = await engine.read(byId({ id }))
    if (row === undefined) return undefined
    return { confirmation: toConfirmation(row as ConfirmationRow), user: joinedUser(row as Joined<UserRow>) }
  }
  const isThere = async (id: string) => (await find(id)) !== undefined

  return {
    find,
    async put(confirmation, events) {
      await engine.commit([put(toRow(confirmation))], events)
    },
    async countAttempt(id) {
      return (await engine.commit([mustChange(countAttempt({ id }))])).applied
    },
    async confirm(id, browserHash, nowMs, expiresAtMs, events) {
      const use = { id, browser_hash: browserHash, confirmed_at_ms: nowMs, expires_at_ms: expiresAtMs }
      return (await engine.commit([mustChange(confirm(use))], events)).applied
    },
    async register(id, user, events) {
      const row = await fromNewUser(user)
      const commit = [mustChange(remove({ id })), mustChange(insertUser(row)), ...searchStatements(undefined, user)]
      for (;;) {
        if ((await engine.commit(commit, events)).applied) return 'created'
        if (!(await isThere(id))) return 'gone'
        const conflict = await conflictOf(engine, { ...row, id: '' })
        if (conflict) return conflict
      }
    },
    async changeUser(id, userId, decide) {
      for (;;) {
        const user = await findUser(engine, userId)
        const decided = user && decide(user)
        if (!user || !decided) return undefined
        const next = successor(user, decided.user)
        const commit = [
          mustChange(remove({ id })),
          ...changeStatements(user, next),
          endPending(userId),
          ...droppedBy(decided, userId),
        ]
        if ((await engine.commit(commit, decided.events)).applied) return next
        if (!(await isThere(id))) return undefined
      }
    },
    async changeNames(id, userId, decide) {
      for (;;) {
        const user = await findUser(engine, userId)
        const decided = user && decide(user)
        if (!user || !decided) return undefined
        const next = successor(user, decided.user)
        const { statement, names } = await renameStatement(user, next)
        const commit = [
          mustChange(remove({ id })),
          statement,
          ...searchStatements(user, next),
          endPending(userId),
          ...endStatements(user, next),
          ...droppedBy(decided, userId),
          ...(decided.endsLaterUndos === true ? [removeLaterUndos({ user_id: userId, id })] : []),
          ...(decided.following ?? []).map((one) => put(toRow(one))),
        ]
        if ((await engine.commit(commit, decided.events)).applied) return next
        if (!(await isThere(id))) return undefined
        const conflict = await conflictOf(engine, names)
        if (conflict) return conflict
      }
    },
    async remove(id, events) {
      return (await engine.commit([mustChange(remove({ id }))], events)).applied
    },
  }
}

function droppedBy({ dropsSinceMs }: Change, userId: string): Statement[] {
  return dropsSinceMs === undefined ? [] : [...dropAddedSince(userId, dropsSinceMs), remove({ id: undoneId(userId) })]
}

function toRow(confirmation: Confirmation): ConfirmationsTable {
  return {
    id: confirmation.id,
    purpose: confirmation.purpose,
    subject: confirmation.subject,
    user_id: confirmation.userId,
    token_hash: confirmation.tokenHash,
    code_hash: confirmation.codeHash,
    browser_hash: confirmation.browserHash,
    attempts: confirmation.attempts,
    confirmed_at_ms: confirmation.confirmedAtMs,
    details: JSON.stringify(confirmation.details),
    created_at_ms: confirmation.createdAtMs,
    expires_at_ms: confirmation.expiresAtMs,
  }
}

function toConfirmation(row: ConfirmationRow): Confirmation {
  return {
    id: row.cf_id,
    purpose: row.cf_purpose as ConfirmationPurpose,
    subject: row.cf_subject,
    userId: row.cf_user_id,
    tokenHash: row.cf_token_hash,
    codeHash: row.cf_code_hash,
    browserHash: row.cf_browser_hash,
    attempts: row.cf_attempts,
    confirmedAtMs: row.cf_confirmed_at_ms,
    details: JSON.parse(row.cf_details) as ConfirmationDetails,
    createdAtMs: row.cf_created_at_ms,
    expiresAtMs: row.cf_expires_at_ms,
  }
}

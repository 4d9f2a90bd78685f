import {
  type Confirmation,
  type ConfirmationDetails,
  type ConfirmationPurpose,
  maxCodeAttempts,
  undoneId,
} from '../../users/confirmation.ts'
import { normalizeName } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import type { Change, Confirmations } from '../port/confirmations.ts'
import { dropAddedSince } from './added-since.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { lockUser } from './sessions.ts'
import type { Statement } from './statement.ts'
import { type ConfirmationsTable, columns, type Joined, type Prefixed, prefixed } from './tables.ts'
import { endPending, endStatements } from './user-ends.ts'
import { conflictOf, insertUser, renameStatement } from './user-names.ts'
import { fromNewUser, joinedUser, type UserRow, userColumns } from './user-row.ts'
import { searchStatements } from './user-search.ts'
import { changeStatements, findUser, successor } from './users.ts'

const listedRows = 1000

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
const remove = prepare('confirmations.remove', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('confirmations').where('id', '=', p.id),
)
const invitations = prepare('confirmations.invitations', (db, p: Placeholders<{ now_ms: number }>, { sql }) =>
  db
    .selectFrom('confirmations')
    .select(confirmationColumns)
    .where('purpose', '=', sql.lit('invite'))
    .where('expires_at_ms', '>', p.now_ms)
    .orderBy('id', 'desc')
    .limit(sql.lit(listedRows)),
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

export function sqlConfirmations(engine: Engine): Confirmations {
  const find: Confirmations['find'] = async (id) => {
    const [row] = await engine.read(byId({ id }))
    if (row === undefined) return undefined
    return { confirmation: toConfirmation(row as ConfirmationRow), user: joinedUser(row as Joined<UserRow>) }
  }
  const isThere = async (id: string) => (await find(id)) !== undefined

  return {
    find,
    async put(confirmation, events, supersedes) {
      const { purpose } = confirmation
      const ended = supersedes === undefined ? [] : [removeSubject({ purpose, subject: supersedes })]
      await engine.commit([...ended, put(await toHoldingRow(confirmation))], events)
    },
    undos: async (userId) => (await engine.read(undosOf({ user_id: userId }))).map(toConfirmation),
    async countAttempt(id) {
      return (await engine.commit([mustChange(countAttempt({ id }))])).applied
    },
    async confirm(id, browserHash, nowMs, expiresAtMs, events, details) {
      const use = {
        id,
        browser_hash: browserHash,
        confirmed_at_ms: nowMs,
        expires_at_ms: expiresAtMs,
        details: details === undefined ? null : JSON.stringify(details),
      }
      return (await engine.commit([mustChange(confirm(use))], events)).applied
    },
    async register(id, user, events, inviter) {
      const row = await fromNewUser(user)
      const still = inviter ? [mustChange(lockUser({ user_id: inviter.id, user_version: inviter.version }))] : []
      const added = [mustChange(insertUser(row)), ...searchStatements(undefined, user)]
      const commit = [...still, mustChange(remove({ id })), ...added]
      for (;;) {
        if ((await engine.commit(commit, events)).applied) return 'created'
        if (!(await isThere(id))) return 'gone'
        if (inviter && (await findUser(engine, inviter.id))?.version !== inviter.version) return 'inviter_changed'
        const conflict = await conflictOf(engine, { ...row, id: '' })
        if (conflict) return conflict
      }
    },
    async invitations(nowMs) {
      return (await engine.read(invitations({ now_ms: nowMs }))).map((row) => toConfirmation(row)).reverse()
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
        const following = await Promise.all((decided.following ?? []).map(toHoldingRow))
        const commit = [
          mustChange(remove({ id })),
          statement,
          ...searchStatements(user, next),
          endPending(userId),
          ...endStatements(user, next),
          ...droppedBy(decided, userId),
          ...(decided.endsUndos === true ? [removeUndos({ user_id: userId })] : []),
          ...following.map((row) => put(row)),
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

/**
 * While an undo lives, the address that it restores is nobody else's, neither as an address nor as a name. The request for
 * the change holds it before: another commit at the same moment may not see the undo yet.
 */
async function toHoldingRow(confirmation: Confirmation): Promise<ConfirmationsTable> {
  const { purpose, details } = confirmation
  const email = purpose === 'undo' ? details.email : details.formerEmail
  if (email === undefined) return toRow(confirmation)
  const { skeletonOf } = await import('../../users/skeleton.ts')
  return { ...toRow(confirmation), held_name: normalizeName(email), held_skeleton: skeletonOf(email) || null }
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
    begun_by: confirmation.begunBy ?? null,
    session_id: confirmation.sessionId ?? null,
    held_name: null,
    held_skeleton: null,
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
    ...(row.cf_begun_by !== null && { begunBy: row.cf_begun_by }),
    ...(row.cf_session_id !== null && { sessionId: row.cf_session_id }),
  }
}

/** Known browsers, for the list of their owner. Sign-ins store them (`sign-ins.ts`). */
import type { AuditEvents } from '../../audit/entry.ts'
import { type KnownBrowser, maxKnownBrowsers } from '../../users/known-browser.ts'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type Joined, type KnownBrowsersTable, type Prefixed, prefixed } from './tables.ts'

export type KnownBrowserRow = Prefixed<'k', KnownBrowsersTable>
export const knownBrowserColumns = prefixed('known_browsers', 'k', columns.known_browsers)

const insert = prepare('known-browsers.insert', (db, p: Placeholders<KnownBrowsersTable>) =>
  db.insertInto('known_browsers').values(pick(p, columns.known_browsers)),
)
/** Updates only: a browser that was forgotten meanwhile must not reappear. */
const update = prepare('known-browsers.update', (db, p: Placeholders<KnownBrowsersTable>) =>
  db
    .updateTable('known_browsers')
    .set(pick(p, ['last_used_at_ms', 'expires_at_ms', 'failed_attempts', 'locked_until_ms', 'user_agent']))
    .where('id', '=', p.id),
)
/** Apart from the rest: a sign-in that proved no second factor must not bring back what was forgotten meanwhile. */
const remember = prepare(
  'known-browsers.remember',
  (db, p: Placeholders<Pick<KnownBrowsersTable, 'id' | 'second_factor_until_ms'>>) =>
    db
      .updateTable('known_browsers')
      .set(pick(p, ['second_factor_until_ms']))
      .where('id', '=', p.id),
)
const removeSurplus = prepare('known-browsers.removeSurplus', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db
    .deleteFrom('known_browsers')
    .where('user_id', '=', p.user_id)
    .where(
      'id',
      'not in',
      db
        .selectFrom('known_browsers')
        .select('id')
        .where('user_id', '=', p.user_id)
        .orderBy('last_used_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(sql.lit(maxKnownBrowsers)),
    ),
)
const ofUser = prepare('known-browsers.ofUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('known_browsers').select(knownBrowserColumns).where('user_id', '=', p.user_id),
)
const removeOne = prepare('known-browsers.removeOne', (db, p: Placeholders<{ id: string; user_id: string }>) =>
  db.deleteFrom('known_browsers').where('id', '=', p.id).where('user_id', '=', p.user_id),
)
const removeAll = prepare('known-browsers.removeAll', (db, p: Placeholders<{ user_id: string }>) =>
  db.deleteFrom('known_browsers').where('user_id', '=', p.user_id),
)

export function sqlBrowsers(engine: Engine) {
  return {
    /** Most recently used first, expired ones included. */
    async list(userId: string): Promise<KnownBrowser[]> {
      const rows = await engine.read(ofUser({ user_id: userId }))
      return rows.map(toBrowser).sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs || (a.id < b.id ? 1 : -1))
    },
    /** Deletes one. Returns false if the person has none of that id. */
    async forget(userId: string, id: string, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(removeOne({ id, user_id: userId }))], events)).applied
    },
  }
}

/** Stores the browser after an attempt. Keeps the `maxKnownBrowsers` most recently used browsers of each user. */
export function storeBrowser(browser: KnownBrowser, before: KnownBrowser | undefined): Statement[] {
  // Identical object: nothing changed.
  if (browser === before) return []
  if (browser.id === before?.id) {
    const isSame = browser.secondFactorUntilMs === before.secondFactorUntilMs
    return isSame ? [update(toRow(browser))] : [update(toRow(browser)), remember(toRow(browser))]
  }
  return [insert(toRow(browser)), removeSurplus({ user_id: browser.userId })]
}

export function forgetBrowsers(userId: string): Statement {
  return removeAll({ user_id: userId })
}

function toRow(browser: KnownBrowser): KnownBrowsersTable {
  return {
    id: browser.id,
    user_id: browser.userId,
    created_at_ms: browser.createdAtMs,
    last_used_at_ms: browser.lastUsedAtMs,
    expires_at_ms: browser.expiresAtMs,
    failed_attempts: browser.failedAttempts,
    locked_until_ms: browser.lockedUntilMs,
    user_agent: browser.userAgent,
    second_factor_until_ms: browser.secondFactorUntilMs,
  }
}

/** Returns the browser of an outer-joined row, if any. */
export function joinedBrowser(row: Joined<KnownBrowserRow>): KnownBrowser | undefined {
  return row.k_id === null ? undefined : toBrowser(row as KnownBrowserRow)
}

function toBrowser(row: KnownBrowserRow): KnownBrowser {
  return {
    id: row.k_id,
    userId: row.k_user_id,
    createdAtMs: row.k_created_at_ms,
    lastUsedAtMs: row.k_last_used_at_ms,
    expiresAtMs: row.k_expires_at_ms,
    failedAttempts: row.k_failed_attempts,
    lockedUntilMs: row.k_locked_until_ms,
    userAgent: row.k_user_agent,
    secondFactorUntilMs: row.k_second_factor_until_ms,
  }
}

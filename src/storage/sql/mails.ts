/**
 * The outbox of mails. It is filled by the commits whose audit events have mails (`withMail` in `src/mail/`). Of notices
 * with the same key the first is due at once; one mail stands for the others, and is due at the end of ten minutes. The record
 * of a mail stays for a while after it was sent, without its content.
 */
import type { AuditEvents } from '../../audit/entry.ts'
import type { MailLimit } from '../../users/mail-limits.ts'
import type { Engine } from '../engine.ts'
import type { ListPage } from '../port/list-pages.ts'
import type { DueMail, MailRecord, MailState } from '../port/mails.ts'
import { pageRows, pagesOf } from './list-pages.ts'
import { sqlPlaces } from './places.ts'
import { mustChange, type Placeholders, prepare, type Tools } from './prepared.ts'
import type { MailsTable } from './tables.ts'

/** Mails read at once. */
const dueRows = 64
const listedRows = 1000

/** Of a queued mail alone the time is not null. */
const due = prepare('mails.due', (db, p: Placeholders<{ now_ms: number }>, { sql }) =>
  db
    .selectFrom('mails')
    .select(['id', 'recipient', 'user_id', 'purpose', 'content', 'attempts', 'ends_at_ms', 'gathered'])
    .where('next_at_ms', '<=', p.now_ms)
    .orderBy('next_at_ms')
    .limit(sql.lit(dueRows)),
)
/** A mail with attempts and without an error is being sent, until the time of the next attempt: no failure was noted yet. */
const claim = prepare(
  'mails.claim',
  (db, p: Placeholders<{ id: string; attempts: number; next_attempts: number; next_at_ms: number }>) =>
    db
      .updateTable('mails')
      .set({ attempts: p.next_attempts, next_at_ms: p.next_at_ms, error: null })
      .where('id', '=', p.id)
      .where('attempts', '=', p.attempts)
      .where('state', '=', 'queued'),
)
const finishSent = prepare('mails.finishSent', (db, p: Placeholders<{ id: string }>) =>
  db
    .updateTable('mails')
    .set({ state: 'sent', next_at_ms: null, error: null, content: null })
    .where('id', '=', p.id)
    .where('state', '=', 'queued'),
)
const postpone = prepare('mails.postpone', (db, p: Placeholders<{ id: string; next_at_ms: number; error: string }>) =>
  db
    .updateTable('mails')
    .set({ next_at_ms: p.next_at_ms, error: p.error })
    .where('id', '=', p.id)
    .where('state', '=', 'queued'),
)
const fail = prepare('mails.fail', (db, p: Placeholders<{ id: string; now_ms: number; error: string }>, { sql }) =>
  db
    .updateTable('mails')
    .set({
      state: 'failed',
      next_at_ms: null,
      error: p.error,
      content: sql<string>`case when ends_at_ms > ${p.now_ms} then content end`,
    })
    .where('id', '=', p.id)
    .where('state', '=', 'queued'),
)
const recordColumns = [
  'id',
  'recipient',
  'user_id',
  'purpose',
  'state',
  'attempts',
  'next_at_ms',
  'error',
  'created_at_ms',
  'ends_at_ms',
] as const
type Listed = { after: string }
const pages = pagesOf(({ order, operator }) =>
  prepare(`mails.page-${order}`, (db, p: Placeholders<Listed>, { sql }) =>
    db
      .selectFrom('mails')
      .select(recordColumns)
      .where('id', operator, p.after)
      .orderBy('id', order === 'newest' ? 'desc' : 'asc')
      .limit(sql.lit(pageRows)),
  ),
)
const pagesInState = pagesOf(({ order, operator }) =>
  prepare(`mails.pageInState-${order}`, (db, p: Placeholders<Listed & { state: string }>, { sql }) =>
    db
      .selectFrom('mails')
      .select(recordColumns)
      .where('state', '=', p.state)
      .where('id', operator, p.after)
      .orderBy('id', order === 'newest' ? 'desc' : 'asc')
      .limit(sql.lit(pageRows)),
  ),
)
const newest = prepare('mails.newest', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('mails').select(recordColumns).orderBy('id', 'desc').limit(sql.lit(listedRows)),
)
const countQueued = prepare('mails.countQueued', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('mails').select(sql<number>`cast(count(*) as integer)`.as('n')).where('next_at_ms', 'is not', null),
)
const byId = prepare('mails.byId', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('mails').select(recordColumns).where('id', '=', p.id),
)
const isNotBeingSent = (p: Placeholders<{ now_ms: number }>, { sql }: Pick<Tools, 'sql'>) =>
  sql<boolean>`(attempts = 0 or error is not null or next_at_ms <= ${p.now_ms})`
const retry = prepare('mails.retry', (db, p: Placeholders<{ id: string; now_ms: number }>, tools) =>
  db
    .updateTable('mails')
    .set({ state: 'queued', attempts: tools.sql.lit(0), next_at_ms: p.now_ms, error: null })
    .where('id', '=', p.id)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'failed'),
        eb.and([eb('state', '=', 'queued'), eb('next_at_ms', '>', p.now_ms), isNotBeingSent(p, tools)]),
      ]),
    )
    .where('content', 'is not', null)
    .where('ends_at_ms', '>', p.now_ms),
)
export const withdrawMail = prepare('mails.withdraw', (db, p: Placeholders<{ id: string; now_ms: number }>, tools) =>
  db.deleteFrom('mails').where('id', '=', p.id).where('state', '=', 'queued').where(isNotBeingSent(p, tools)),
)

type DueRow = Pick<
  MailsTable,
  'id' | 'recipient' | 'user_id' | 'purpose' | 'content' | 'attempts' | 'ends_at_ms' | 'gathered'
>
type RecordRow = Pick<MailsTable, (typeof recordColumns)[number]>

export function sqlMails(engine: Engine) {
  const places = sqlPlaces(engine)
  return {
    /** Returns mails that are due, a bounded number, longest due first. */
    async due(nowMs: number): Promise<DueMail[]> {
      return (await engine.read(due({ now_ms: nowMs }))).map(toDue)
    },
    /**
     * Begins the attempt after the first `attempts`. True for exactly one of any number of processes. The mail is due again
     * at `nextAtMs`, unless it is finished before: an attempt that a crash interrupted is repeated.
     */
    async claim(id: string, attempts: number, nextAtMs: number): Promise<boolean> {
      const statement = claim({ id, attempts, next_attempts: attempts + 1, next_at_ms: nextAtMs })
      return (await engine.commit([mustChange(statement)])).applied
    },
    /** Ends a queued mail that was accepted. Erases its content. */
    async sent(id: string): Promise<void> {
      await engine.commit([finishSent({ id })])
    },
    /** Notes why an attempt failed, and when the next may begin. */
    async postpone(id: string, nextAtMs: number, error: string): Promise<void> {
      await engine.commit([postpone({ id, next_at_ms: nextAtMs, error })])
    },
    /** Ends a queued mail that is given up. Erases its content if it can never be sent any more. */
    async fail(id: string, nowMs: number, error: string, events?: AuditEvents): Promise<void> {
      await engine.commit([fail({ id, now_ms: nowMs, error })], events)
    },
    /** Returns the newest 1,000 records, newest first. */
    async list(): Promise<MailRecord[]> {
      return (await engine.read(newest({}))).map(toRecord)
    },
    /** Returns a page in the order in which they were queued. `state` undefined: any. */
    async page({ after, limit, order }: ListPage, state?: MailState | undefined): Promise<MailRecord[]> {
      const { statement, first } = pages[order]
      const about = { after: after ?? first }
      const read = state === undefined ? statement(about) : pagesInState[order].statement({ ...about, state })
      return (await engine.read(read)).slice(0, limit).map(toRecord)
    },
    /** Returns how many mails are queued. */
    async countQueued(): Promise<number> {
      return (await engine.read(countQueued({})))[0]?.n ?? 0
    },
    async find(id: string): Promise<MailRecord | undefined> {
      const [row] = await engine.read(byId({ id }))
      return row && toRecord(row)
    },
    /**
     * Queues a failed mail again, as new, and one that waits for its next attempt at once. True for exactly one of any number of
     * callers. False: it was sent, is being sent, is due by now, or can never be sent any more.
     */
    async retry(id: string, nowMs: number, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(retry({ id, now_ms: nowMs }))], events)).applied
    },
    /** Removes a mail that waits. True for exactly one caller, and then no attempt is under way. False: it was sent, or is being sent. */
    async withdraw(id: string, nowMs: number, events?: AuditEvents): Promise<boolean> {
      return (await engine.commit([mustChange(withdrawMail({ id, now_ms: nowMs }))], events)).applied
    },
    /** Whether each limit has a place left. */
    hasPlaces: places.hasRoom,
    /**
     * Takes one place of each limit, or none. False if one of them has no place left. Of requests that race, no more
     * succeed than there are places.
     */
    takePlaces: async (limits: readonly MailLimit[], nowMs: number): Promise<boolean> =>
      (await places.take(limits, nowMs)) !== undefined,
  }
}

function toDue(row: DueRow): DueMail {
  const { id, recipient, user_id, purpose, content, attempts, ends_at_ms, gathered } = row
  return { id, to: recipient, userId: user_id, purpose, content, attempts, endsAtMs: ends_at_ms, gathered }
}

function toRecord(row: RecordRow): MailRecord {
  return {
    id: row.id,
    to: row.recipient,
    userId: row.user_id,
    purpose: row.purpose,
    endsAtMs: row.ends_at_ms,
    attempts: row.attempts,
    state: row.state as MailState,
    nextAtMs: row.next_at_ms,
    error: row.error,
    createdAtMs: row.created_at_ms,
  }
}

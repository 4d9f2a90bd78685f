import type { Engine } from '../engine.ts'
import type { DueMail, MailRecord, MailState, Mails } from '../port/mails.ts'
import { sqlPlaces } from './places.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
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
const claim = prepare(
  'mails.claim',
  (db, p: Placeholders<{ id: string; attempts: number; next_attempts: number; next_at_ms: number }>) =>
    db
      .updateTable('mails')
      .set({ attempts: p.next_attempts, next_at_ms: p.next_at_ms })
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
const newest = prepare('mails.newest', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('mails').select(recordColumns).orderBy('id', 'desc').limit(sql.lit(listedRows)),
)
const countQueued = prepare('mails.countQueued', (db, _: Placeholders<Record<never, never>>, { sql }) =>
  db.selectFrom('mails').select(sql<number>`cast(count(*) as integer)`.as('n')).where('next_at_ms', 'is not', null),
)
const byId = prepare('mails.byId', (db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('mails').select(recordColumns).where('id', '=', p.id),
)
const retry = prepare('mails.retry', (db, p: Placeholders<{ id: string; now_ms: number }>, { sql }) =>
  db
    .updateTable('mails')
    .set({ state: 'queued', attempts: sql.lit(0), next_at_ms: p.now_ms, error: null })
    .where('id', '=', p.id)
    .where('state', '=', 'failed')
    .where('content', 'is not', null)
    .where('ends_at_ms', '>', p.now_ms),
)

type DueRow = Pick<
  MailsTable,
  'id' | 'recipient' | 'user_id' | 'purpose' | 'content' | 'attempts' | 'ends_at_ms' | 'gathered'
>
type RecordRow = Pick<MailsTable, (typeof recordColumns)[number]>

export function sqlMails(engine: Engine): Mails {
  const places = sqlPlaces(engine)
  return {
    async due(nowMs) {
      return (await engine.read(due({ now_ms: nowMs }))).map(toDue)
    },
    async claim(id, attempts, nextAtMs) {
      const statement = claim({ id, attempts, next_attempts: attempts + 1, next_at_ms: nextAtMs })
      return (await engine.commit([mustChange(statement)])).applied
    },
    async sent(id) {
      await engine.commit([finishSent({ id })])
    },
    async postpone(id, nextAtMs, error) {
      await engine.commit([postpone({ id, next_at_ms: nextAtMs, error })])
    },
    async fail(id, nowMs, error, events) {
      await engine.commit([fail({ id, now_ms: nowMs, error })], events)
    },
    async list() {
      return (await engine.read(newest({}))).map(toRecord)
    },
    async countQueued() {
      return (await engine.read(countQueued({})))[0]?.n ?? 0
    },
    async find(id) {
      const [row] = await engine.read(byId({ id }))
      return row && toRecord(row)
    },
    async retry(id, nowMs, events) {
      return (await engine.commit([mustChange(retry({ id, now_ms: nowMs }))], events)).applied
    },
    hasPlaces: places.hasRoom,
    takePlaces: async (limits, nowMs) => (await places.take(limits, nowMs)) !== undefined,
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

/** `/audit`: the audit trail. */

import type { AuditKey } from '../audit/entry.ts'
import { lateMs, Position } from '../audit/following.ts'
import { type Outcome, outcomes, wantedKinds } from '../audit/kinds.ts'
import { auditRecord } from '../audit/record.ts'
import { eventStream } from '../http/event-stream.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { AuditFilter } from '../storage/port/audit.ts'
import { cursorAfter, pageOf } from './list.ts'
import { type Operation, operation } from './operation.ts'
import { periodOf, since, until } from './period.ts'
import { listQuery, named, nullable, pageSchema, strictObject, text, time } from './schemas.ts'
import { Type } from './type.ts'

/** The filters of the list and of the stream. */
const filters = {
  kind: Type.Optional(
    Type.Array(text(64), { maxItems: 100, description: 'Such as `sign_in_failed`. Repeated: one of these.' }),
  ),
  outcome: Type.Optional(
    Type.Enum([...outcomes], { description: '`failed`: what was refused or went wrong. `done`: everything else.' }),
  ),
  user_id: Type.Optional(text(256)),
  client_id: Type.Optional(text(256)),
  exclude_client_id: Type.Optional(
    text(256, 'Without the sign-ins and tokens of this client, such as `latchkey-console`; failures and changes stay.'),
  ),
  trace_id: Type.Optional(text(64)),
  since,
  until,
}

export const entrySchema = named(
  'AuditEntry',
  strictObject({
    at: time(),
    writer: Type.String({ description: 'The chain that the entry is part of.' }),
    seq: Type.Integer({ description: 'Its number in the chain.' }),
    kind: Type.String(),
    user_id: nullable(Type.String()),
    client_id: nullable(Type.String()),
    trace_id: nullable(Type.String()),
    address: nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown()),
    hash: Type.String({ description: 'Over the entry and the hash before it in the chain.' }),
  }),
)

export const auditOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/audit',
    permission: 'admin:audit:read',
    summary:
      'Lists the audit trail, newest first. With filters a page reads a part of the trail: it can be short, or empty, and have a `next`',
    query: listQuery(filters),
    status: 200,
    answer: pageSchema(entrySchema),
    async run(call) {
      const period = periodOf(call.query)
      if ('faults' in period) return period
      const page = pageOf(call)
      if ('faults' in page) return page
      const before = page.after === undefined ? undefined : (JSON.parse(page.after) as AuditKey)
      const filter = { ...period, ...membersOf(call.query) }
      // A kind that never has the outcome: nothing is read.
      if (filter.kind?.length === 0) return { body: { items: [], next: null } }
      const { entries, next } = await call.service.storage.audit.page(filter, before, page.limit)
      const items = entries.map(auditRecord)
      return { body: { items, next: next === undefined ? null : cursorAfter(call, JSON.stringify(next)) } }
    },
  }),
  operation({
    method: 'GET',
    path: '/audit/stream',
    permission: 'admin:audit:read',
    summary:
      'Follows the audit trail as server-sent events, from now, from `since` or from `Last-Event-ID` on; each has an entry as JSON',
    query: strictObject(filters),
    status: 200,
    answer: Type.String(),
    answerType: 'text/event-stream',
    refusals: [429],
    async run(call) {
      const { request, caller, service, shared } = call
      const period = periodOf(call.query)
      if ('faults' in period) return period
      const sent = request.headers['last-event-id']
      const position = typeof sent === 'string' && sent !== '' ? Position.read(sent) : undefined
      if (position === undefined && sent !== undefined && sent !== '') {
        return refuse('audit_position_unknown', 'Last-Event-ID')
      }
      if (service.ended.aborted) return { refusal: refuse('temporarily_unavailable'), retryAfterSeconds }
      const listener = await shared.feed.listen({
        owner: caller.user === undefined ? `client ${caller.clientId}` : `user ${caller.user.id}`,
        filter: { ...period, ...membersOf(call.query) },
        from: position ?? (period.sinceMs === undefined ? undefined : new Position(period.sinceMs + lateMs)),
        async mayGoOn() {
          const now = await caller.again()
          return !isRefusal(now) && now.permissions.has('admin:audit:read')
        },
      })
      return listener === undefined
        ? { refusal: refuse('audit_streams_exhausted'), retryAfterSeconds }
        : eventStream(listener)
    },
  }),
]

const retryAfterSeconds = 5

type Members = {
  readonly kind?: readonly string[]
  readonly outcome?: Outcome
  readonly exclude_client_id?: string
  readonly user_id?: string
  readonly client_id?: string
  readonly trace_id?: string
}

function membersOf({ outcome, user_id: userId, client_id: clientId, trace_id, ...query }: Members): AuditFilter {
  const kind = wantedKinds(query.kind, outcome)
  const all = { kind, userId, clientId, traceId: trace_id?.toLowerCase(), withoutClientId: query.exclude_client_id }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

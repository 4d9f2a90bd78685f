/** `/users/{id}/activity`: what the audit trail has about a person. It only grows: no entry can be removed. */
import type { AuditEntry, AuditKey } from '../audit/entry.ts'
import { auditRecord } from '../audit/record.ts'
import { isRefusal } from '../refusal.ts'
import { activityRows } from '../storage/port/audit.ts'
import { entrySchema } from './audit.ts'
import { listed, pageOf } from './list.ts'
import { type Operation, operation } from './operation.ts'
import { listQuery, pageSchema } from './schemas.ts'
import { personOf } from './user-facts.ts'

export const userActivityOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/users/:id/activity',
    permission: 'admin:users:read',
    summary: 'Lists what the audit trail has about a person, newest first, without issued tokens and refusals',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(entrySchema),
    refusals: [404],
    async run(call) {
      const user = await personOf(call)
      if (isRefusal(user)) return user
      const page = pageOf(call)
      if ('faults' in page) return page
      let before = page.after === undefined ? undefined : (JSON.parse(page.after) as AuditKey)
      const entries: AuditEntry[] = []
      while (entries.length <= page.limit) {
        const next = await call.service.storage.audit.activity(user.id, before)
        entries.push(...next)
        if (next.length < activityRows) break
        before = next.at(-1)
      }
      return listed(call, page, entries, keyOf, auditRecord)
    },
  }),
]

const keyOf = ({ atMs, writer, seq }: AuditKey): string => JSON.stringify({ atMs, writer, seq })

/** `/Account/Self/activity`: what happened to a person's account, from the audit trail. */
import type { AuditEntry, AuditKey } from '../../audit/entry.ts'
import { json } from '../../http/answer.ts'
import { roughNetworkOf } from '../../http/networks.ts'
import { readQuery } from '../../http/parameters.ts'
import type { Endpoint } from '../../http/request.ts'
import { isRefusal } from '../../refusal.ts'
import type { Service } from '../../service.ts'
import { activityRows } from '../../storage/port/audit.ts'
import { isoTime } from '../../users/user-record.ts'
import { fault, selfRead } from './endpoint.ts'

/**
 * `GET …/activity?cursor=…`: a page, newest first, without issued tokens and refusals. `next`: the cursor of the page
 * after it; null: there is none.
 */
export function listActivity(service: Service): Endpoint {
  return selfRead(service, async ({ request, signedIn }) => {
    const query = readQuery(request)
    if (isRefusal(query)) return query
    const cursors = query.filter(([name]) => name === 'cursor').map(([, value]) => value)
    const before = cursors.length === 0 ? undefined : parseCursor(cursors)
    if (before === null) return fault('cursor', 'cursor_invalid', 'cursor is not one that this list gave.')
    const entries = await service.storage.audit.activity(signedIn.user.id, before)
    const last = entries.length < activityRows ? undefined : entries.at(-1)
    return json({ items: await describeEntries(service, entries), next: last === undefined ? null : cursorOf(last) })
  })
}

/** Names the clients of the entries, those that are still registered. */
export async function describeEntries({ storage }: Service, entries: readonly AuditEntry[]) {
  const ids = [...new Set(entries.flatMap(({ clientId }) => clientId ?? []))]
  const clients = await Promise.all(ids.map((id) => storage.clients.find(id)))
  const names = new Map(clients.flatMap((client) => (client === undefined ? [] : [[client.id, client.name] as const])))
  return entries.map((entry) => describeEntry(entry, names))
}

function describeEntry(entry: AuditEntry, names: ReadonlyMap<string, string | null>) {
  // Names of operators are not for others; that there was one is.
  const { actor, ...details } = entry.details
  return {
    at: isoTime(entry.atMs),
    kind: entry.kind,
    client_id: entry.clientId,
    client_name: entry.clientId === null ? null : (names.get(entry.clientId) ?? null),
    address: entry.address === null ? null : roughNetworkOf(entry.address),
    by_operator: actor !== undefined && actor !== 'service',
    details,
    trace_id: entry.traceId,
  }
}

function cursorOf({ atMs, writer, seq }: AuditKey): string {
  return Buffer.from(`${atMs}.${writer}.${seq}`).toString('base64url')
}

/** Null: not a cursor. */
function parseCursor([cursor = '', ...others]: readonly string[]): AuditKey | null {
  if (others.length > 0 || cursor.length > 100) return null
  const [, atMs, writer = '', seq] = /^(\d{1,15})\.([0-9a-f]{1,32})\.(\d{1,15})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  ) ?? [undefined]
  return atMs === undefined ? null : { atMs: Number(atMs), writer, seq: Number(seq) }
}

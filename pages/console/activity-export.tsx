import { type Entry, kindInEnglish } from './activity-entry.ts'
import { type Kind, nameOf, readNames } from './activity-names.ts'
import type { Call } from './api.ts'
import { asCsv, type Format, ListExport } from './list-export.tsx'
import { useMe } from './me.tsx'
import { csvCell } from './save-file.ts'
import { words } from './texts.ts'

/** Downloads the entries that the filters let through: for a spreadsheet with names, or as the API gives them. */
export function Export({ query }: { query: NonNullable<Call['query']> }) {
  const me = useMe()
  const json: Format<Entry> = {
    ...{ label: words().activity.exportJson, extension: 'jsonl', type: 'application/jsonl' },
    linesOf: (items) => items.map(jsonLine).join(''),
  }
  const csv = asCsv<Entry>(`${columns.join(',')}\r\n`, async (items) => {
    await readNames(items, (kind) => me.may(`admin:${kind}s:read`))
    return items.map(csvLine).join('')
  })
  return (
    <div class="buttons">
      <ListExport<Entry> path="/audit" query={query} name="activity" formats={[csv, json]} />
    </div>
  )
}

const columns = [
  ...['time', 'event', 'person', 'application', 'address', 'details'],
  ...['kind', 'user_id', 'client_id', 'trace_id', 'writer', 'seq', 'hash'],
]

function csvLine(entry: Entry): string {
  const {
    at,
    kind,
    user_id: userId,
    client_id: clientId,
    address,
    details,
    trace_id: traceId,
    writer,
    seq,
    hash,
  } = entry
  const named = (of: Kind, id: string | null) => (id === null ? '' : (nameOf(of, id) ?? id))
  const cells = [
    ...[at, kindInEnglish(kind), named('user', userId), named('client', clientId), address, JSON.stringify(details)],
    ...[kind, userId, clientId, traceId, writer, String(seq), hash],
  ]
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`
}

const jsonLine = (entry: Entry): string => `${JSON.stringify(entry)}\n`

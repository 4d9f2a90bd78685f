/**
 * Pages of lists. A cursor names the last record of the page before, so that a page stays the same when records are
 * inserted. It is sealed with the list and the filters that it belongs to: neither is accepted for another.
 */

import { refuse } from '../protocol/refusals/index.ts'
import { sealText, unsealText } from '../secrets/sealed.ts'
import type { Call, Done, Faults } from './operation.ts'
import { text } from './schemas.ts'
import { Type } from './type.ts'

const defaultLimit = 50
const label = 'latchkey admin cursor v1'

type ListQuery = { readonly limit?: number; readonly cursor?: string }

export type Page = {
  /** The key of the last record of the page before; undefined: this is the first page. */
  readonly after: string | undefined
  readonly limit: number
}

/** Returns the page that the request asks for. Faults: the cursor is of another list, or not ours. */
export function pageOf(call: Call<ListQuery>): Page | Faults {
  const { limit = defaultLimit, cursor } = call.query
  if (cursor === undefined) return { after: undefined, limit }
  const text = unsealText(call.service.keys, 'access', label, cursor)
  const [list, after] = text === undefined ? [] : (JSON.parse(text) as [string, string])
  if (list === listOf(call) && after !== undefined) return { after, limit }
  const { description } = refuse('admin_cursor_invalid')
  return { faults: [{ member: 'cursor', code: 'cursor_invalid', message: description.slice('ID9607: '.length) }] }
}

/** Returns the answer for a page. `rows`: from the page on, one more than its limit if there are more. */
export function listed<Row>(
  call: Call<ListQuery>,
  { limit }: Page,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  toRecord: (row: Row) => unknown,
): Done {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? cursorAfter(call, keyOf(last)) : null
  return { body: { items: shown.map(toRecord), next } }
}

/** The same for a list that is in memory, ascending by its keys. */
export function listedFrom<Row>(
  call: Call<ListQuery>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  toRecord: (row: Row) => unknown,
): Done | Faults {
  const page = pageOf(call)
  if ('faults' in page) return page
  const { after } = page
  return listed(call, page, after === undefined ? rows : rows.filter((row) => keyOf(row) > after), keyOf, toRecord)
}

/** Returns an empty page of a list that goes on. `lookedAt`: how many records it looked at. */
export const nothingYet = (next: string, lookedAt: number): Done => ({
  body: { items: [], next, looked_at: lookedAt },
})

/** The filter that names records: those that exist are the whole list, in this order. */
export const namedRecords = Type.Optional(
  Type.Array(text(256), {
    maxItems: 100,
    description: 'These records; several may be named. Goes with no other filter.',
  }),
)

/** Reads the records that the filter `member` names; undefined: it names none. */
export async function listedByName<Found extends object>(
  { query }: Call<object>,
  member: string,
  find: (id: string) => Promise<Found | undefined>,
  toRecord: (found: Found) => unknown,
): Promise<Done | Faults | undefined> {
  const { [member]: ids, limit: _, ...others } = query as Readonly<Record<string, readonly string[] | undefined>>
  if (ids === undefined) return undefined
  const names = Object.keys(others)
  if (names.length > 0) {
    const message = `${member} goes with no other filter.`
    return { faults: names.map((name) => ({ member: name, code: 'member_invalid', message })) }
  }
  const found = await Promise.all([...new Set(ids)].map((id) => find(id)))
  return { body: { items: found.filter((one) => one !== undefined).map(toRecord), next: null } }
}

/** Returns the cursor of the page after `key`. */
export function cursorAfter(call: Call<ListQuery>, key: string): string {
  const { keys, random } = call.service
  return sealText(keys, 'access', label, JSON.stringify([listOf(call), key]), random)
}

/** Names the list: its path and filters. */
function listOf({ request, params, query }: Call<ListQuery>): string {
  const { limit: _, cursor: __, ...filters } = query
  const resource = request.path.toLowerCase().replace(/\/$/, '')
  return JSON.stringify([
    resource,
    Object.entries(params),
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)),
  ])
}

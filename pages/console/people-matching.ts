/** Everybody whom the filters let through, read page by page. */
import { type Call, call, type Result } from './api.ts'
import type { ListedPerson } from './people-columns.tsx'
import { csvCell } from './save-file.ts'

/** The largest page of the API. */
const pageRows = 500
/** People who can be chosen at once. */
export const chosenAtMost = 5000

type Page = { items: ListedPerson[]; next: string | null }
type Failed = Exclude<Result<Page>, { kind: 'ok' }>

/** Hands on page after page until there is no more, `take` wants no more, or one fails. */
export async function readMatching(
  query: Call['query'],
  take: (people: readonly ListedPerson[]) => boolean,
): Promise<Failed | undefined> {
  for (let cursor: string | undefined; ; ) {
    const asked = { ...query, limit: pageRows, cursor }
    const result: Result<Page> = await call({ method: 'GET', path: '/users', query: asked }, { isShown: false })
    if (result.kind !== 'ok') return result
    if (!take(result.value.items) || result.value.next === null) return undefined
    cursor = result.value.next
  }
}

const columns = [
  'id',
  'username',
  'email',
  'email_verified',
  'name',
  'roles',
  'locked_until',
  'second_factor',
  'last_sign_in_at',
  'created_at',
] as const

const csvLine = (values: readonly unknown[]): string =>
  `${values.map((value) => csvCell(Array.isArray(value) ? value.join(' ') : String(value ?? ''))).join(',')}\r\n`

export const csvHead = csvLine(columns)
export const csvOf = (people: readonly ListedPerson[]): string =>
  people.map((person) => csvLine(columns.map((name) => person[name]))).join('')

/** Lists of the API that are read as a whole. */
import { type Call, call, type Result } from './api.ts'

/** The largest page of the API. */
export const pageRowsAtMost = 500

type Page<T> = { items: T[]; next: string | null }
export type Failed = Exclude<Result<unknown>, { kind: 'ok' }>

/** Hands on page after page, and whether another follows, until there is none, `take` wants no more, or one fails. */
export async function readPages<T>(
  path: string,
  query: Call['query'],
  take: (items: readonly T[], hasMore: boolean) => boolean | Promise<boolean>,
): Promise<Failed | undefined> {
  for (let cursor: string | undefined; ; ) {
    const asked = { limit: pageRowsAtMost, ...query, cursor }
    const result: Result<Page<T>> = await call({ method: 'GET', path, query: asked }, { isShown: false })
    if (result.kind !== 'ok') return result
    const { items, next } = result.value
    if (!(await take(items, next !== null)) || next === null) return undefined
    cursor = next
  }
}

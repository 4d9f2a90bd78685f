/** Lists of records, as tests look at them. */
import assert from 'node:assert/strict'

/** What each of them has under one name. */
export function valuesOf<T, Name extends keyof T>(records: Iterable<T>, name: Name): T[Name][] {
  return Array.from(records, (record) => record[name])
}

/** There is none. Whatever there is, is shown. */
export function assertNone(found: readonly unknown[], message?: string): void {
  if (message === undefined) assert.deepEqual(found, [])
  else assert.deepEqual(found, [], message)
}

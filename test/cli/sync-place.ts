/** People of a source that is imported again, a day after the last run each time. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { lines, placeWith, type Result, result } from './import-place.ts'
import type { Workplace } from './run.ts'

/** What `--sync --json` prints. */
export type Synced = Result & {
  readonly gone: readonly { readonly username: string; readonly deleted: boolean }[]
  readonly others: { readonly people: number; readonly usernames: readonly string[] }
}

/** In milliseconds. */
export const day = 86_400_000

export const person = (username: string, more: object = {}) => ({
  ...{ id: `id-${username}`, username, email: `${username}@acme.example`, email_verified: true },
  ...more,
})

/** A workplace that these people came to a day ago. */
export async function moved(t: TestContext, ...people: readonly object[]): Promise<Workplace> {
  const place = placeWith(t, { 'people.jsonl': lines(...people) })
  assert.equal((await result(place, 'users people.jsonl')).created, people.length)
  place.nowMs += day
  return place
}

/** Replaces the file of the source. */
export const write = (place: Workplace, ...people: readonly object[]): void =>
  writeFileSync(join(place.folder, 'people.jsonl'), lines(...people))

/** A run of the source a day after the last one. */
export async function sync(place: Workplace, people: readonly object[], options = ''): Promise<Synced> {
  write(place, ...people)
  const found = (await result(place, `users people.jsonl --sync ${options}`)) as Synced
  place.nowMs += day
  return found
}

/** Adds people who were there before the index of full names and roles to it. */
import { hostname } from 'node:os'
import type { Storage } from '../storage/port/storage.ts'
import type { SearchFill } from '../storage/port/users.ts'
import { beatEveryMs } from './presence.ts'

export type FillingContext = {
  readonly userSearch: Storage['userSearch']
  readonly servers: Pick<Storage['servers'], 'list'>
  readonly clock: () => number
}

/** A server without a heartbeat for this long has gone. */
const seenWithinMs = 3 * beatEveryMs
/** Clocks of machines differ, and servers may start together: one may seem to be of an earlier version. */
const startedTogetherMs = 60_000
const waitAtMostMs = 3_600_000
/** How long people are added in a row, less than half of the time. */
const fillForMs = 400

/** Returns the work of one run of housekeeping; it does nothing once everybody is in the index. */
export function searchFilling(context: FillingContext): () => Promise<void> {
  let isDone = false
  return async () => {
    if (isDone) return
    const endMs = performance.now() + fillForMs
    isDone = await fillSearch(context, () => performance.now() < endMs)
  }
}

/**
 * Goes on until everybody is in the index or `mayGoOn` says no, which is asked before each step. Waits for servers of an
 * earlier version, which change names and roles without the index, to leave. Returns whether everybody is in it.
 */
export async function fillSearch(context: FillingContext, mayGoOn: () => boolean): Promise<boolean> {
  const { userSearch, clock } = context
  if ((await userSearch.fill()) === undefined) await userSearch.beginFill(clock())
  for (;;) {
    const fill = await userSearch.fill()
    if (fill === undefined || fill.isDone) return fill?.isDone === true
    if (!mayGoOn() || (await hasEarlierServer(context, fill))) return false
    await userSearch.fillNext(fill)
  }
}

async function hasEarlierServer({ servers, clock }: FillingContext, { beganAtMs }: SearchFill): Promise<boolean> {
  const nowMs = clock()
  if (nowMs > beganAtMs + waitAtMostMs) return false
  const others = (await servers.list()).filter(({ host, pid }) => host !== hostname() || pid !== process.pid)
  return others.some(
    ({ startedAtMs, seenAtMs }) => startedAtMs < beganAtMs - startedTogetherMs && seenAtMs > nowMs - seenWithinMs,
  )
}

/** Limits that count for all processes together: each has a number of places, which are free again after a time. */
import { freePlaces, type MailLimit, placesOf } from '../../users/mail-limits.ts'
import type { Engine } from '../engine.ts'
import type { Place } from '../port/mails.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { listToText } from './tables.ts'

/** Places of limits are values that were spent until they are free again. */
const taken = prepare('places.taken', (db, p: Placeholders<{ ids: string; now_ms: number }>, { isOneOf }) =>
  db.selectFrom('spent_values').select('id').where(isOneOf('id', p.ids)).where('expires_at_ms', '>', p.now_ms),
)
/** The primary key decides the race. */
const take = prepare('places.take', (db, p: Placeholders<{ id: string; now_ms: number; expires_at_ms: number }>) =>
  db
    .insertInto('spent_values')
    .values({ id: p.id, expires_at_ms: p.expires_at_ms })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ expires_at_ms: p.expires_at_ms })
        .where('spent_values.expires_at_ms', '<=', p.now_ms),
    ),
)
const free = prepare('places.free', (db, p: Placeholders<{ id: string; expires_at_ms: number }>) =>
  db.deleteFrom('spent_values').where('id', '=', p.id).where('expires_at_ms', '=', p.expires_at_ms),
)

export function sqlPlaces(engine: Engine) {
  async function placesTaken(limits: readonly MailLimit[], nowMs: number): Promise<string[]> {
    const rows = await engine.read(taken({ ids: listToText(limits.flatMap(placesOf)), now_ms: nowMs }))
    return rows.map(({ id }) => id)
  }
  return {
    /** Whether each limit has a place left. */
    async hasRoom(limits: readonly MailLimit[], nowMs: number): Promise<boolean> {
      return freePlaces(limits, await placesTaken(limits, nowMs)) !== undefined
    },
    /**
     * Takes one place of each limit, or none. Undefined: one of them has no place left. Of requests that race, no more
     * succeed than there are places.
     */
    async take(limits: readonly MailLimit[], nowMs: number): Promise<readonly Place[] | undefined> {
      // Whoever loses a race was beaten by somebody who took a place, so there are at most as many rounds as places.
      for (;;) {
        const ids = freePlaces(limits, await placesTaken(limits, nowMs))
        if (ids === undefined) return undefined
        const places = limits.map(({ lastsMs }, at) => ({ id: ids[at] ?? '', expiresAtMs: nowMs + lastsMs }))
        const statements = places.map(({ id, expiresAtMs }) =>
          mustChange(take({ id, now_ms: nowMs, expires_at_ms: expiresAtMs })),
        )
        if ((await engine.commit(statements)).applied) return places
      }
    },
    /** Frees places before their time. Leaves those that somebody else has taken since. */
    async free(places: readonly Place[]): Promise<void> {
      await engine.commit(places.map(({ id, expiresAtMs }) => free({ id, expires_at_ms: expiresAtMs })))
    },
  }
}

/** Refuses a database that `latchkey db copy` has moved: everything written to it would be lost. */

import type { DatabaseSettings } from '../settings/settings.ts'
import { databaseName } from '../storage/name.ts'
import type { Move } from '../storage/port/servers.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime } from '../text.ts'
import { Refused } from './refused.ts'

/** Throws `Refused` if the database was moved. */
export async function refuseMoved(storage: Storage, database: DatabaseSettings): Promise<void> {
  const move = await storage.servers.findMove()
  if (move !== undefined) throw movedAway(database, move)
}

export function movedAway(database: DatabaseSettings, { to, atMs, isSettled }: Move): Refused {
  const what = isSettled ? 'was moved' : 'is about to be moved'
  return new Refused(
    `${databaseName(database)} ${what} to ${to} (${isoTime(atMs)}); later changes here would be lost. ` +
      'Set Database:Url to the new database. To use this one again, because the move was abandoned, run: latchkey db reopen',
  )
}

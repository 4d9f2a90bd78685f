/** Refuses a database that `latchkey db copy` has moved, and one that it still fills: what is written there is lost. */

import type { DatabaseSettings } from '../settings/settings.ts'
import { databaseName } from '../storage/name.ts'
import type { Arrival, Move } from '../storage/port/servers.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime } from '../text.ts'
import { Refused } from './refused.ts'

/** Throws `Refused` if the database was moved, or is being filled. */
export async function refuseMoved(storage: Storage, database: DatabaseSettings): Promise<void> {
  const refused = await whyNotHere(storage, database)
  if (refused !== undefined) throw refused
}

/** Undefined: the database can be used. */
export async function whyNotHere({ servers }: Storage, database: DatabaseSettings): Promise<Refused | undefined> {
  const [move, arrival] = await Promise.all([servers.findMove(), servers.findArrival()])
  if (move !== undefined) return movedAway(database, move)
  return arrival && notWhole(database, arrival)
}

export function movedAway(database: DatabaseSettings, { to, atMs, isCopied }: Move): Refused {
  const what = isCopied
    ? `was moved to ${to} (${isoTime(atMs)}); later changes here would be lost. Set Database:Url to the new database.`
    : `is being moved to ${to} (since ${isoTime(atMs)}): later changes here would be lost, and not everything is there yet. ` +
      'If that command was ended, run the same latchkey db copy again.'
  const again = 'To use this one again, because the move was abandoned, run: latchkey db reopen'
  return new Refused(`${databaseName(database)} ${what} ${again}`)
}

function notWhole(database: DatabaseSettings, { from, atMs }: Arrival): Refused {
  return new Refused(
    `The copy of ${from} into ${databaseName(database)} has not ended (it began at ${isoTime(atMs)}): what is written here ` +
      'would be lost. If that command was ended, run the same latchkey db copy again.',
  )
}

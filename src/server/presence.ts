/**
 * A serving process in its database: whoever moves the database finds the process there, and the process finds out that the
 * database was moved.
 */
import { hostname } from 'node:os'
import type { DatabaseSettings } from '../settings/settings.ts'
import type { Move, Server } from '../storage/port/servers.ts'
import type { Storage } from '../storage/port/storage.ts'
import { movedAway, refuseMoved } from './moved.ts'

/** How often a server gives a sign of life. */
export const beatEveryMs = 5_000
/** Servers that were killed are forgotten after a day. */
const forgottenAfterMs = 24 * 3_600_000

export type Presence = {
  /** Resolves when the database turns out to have been moved while it is served. */
  readonly moved: Promise<Move>
  /** A sign of life, and a look at whether the database was moved. */
  beat(): Promise<void>
  leave(): Promise<void>
}

type Place = {
  readonly storage: Storage
  readonly database: DatabaseSettings
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
}

/**
 * Throws `Refused` when the database was moved. An embedded database needs no signs of life: it knows which processes have
 * it open.
 */
export async function enter({ storage, database, clock, random }: Place): Promise<Presence> {
  const { servers } = storage
  const { promise: moved, resolve } = Promise.withResolvers<Move>()
  if (database.kind !== 'postgres') {
    await refuseMoved(storage, database)
    return { moved, beat: async () => {}, leave: async () => {} }
  }
  const startedAtMs = clock()
  const self: Omit<Server, 'seenAtMs'> = {
    id: Buffer.from(random(16)).toString('hex'),
    host: hostname(),
    pid: process.pid,
    startedAtMs,
  }
  const beat = async (): Promise<Move | undefined> => {
    await servers.beat({ ...self, seenAtMs: clock() })
    return servers.findMove()
  }
  const move = await beat()
  if (move !== undefined) {
    await servers.leave(self.id)
    throw movedAway(database, move)
  }
  let hasForgotten = false
  return {
    moved,
    async beat() {
      const later = await beat()
      // No part of the start.
      if (!hasForgotten) await servers.forgetBefore(startedAtMs - forgottenAfterMs)
      hasForgotten = true
      // Until it is settled, this process is what is being looked for.
      if (later?.isSettled === true) resolve(later)
    },
    leave: () => servers.leave(self.id),
  }
}

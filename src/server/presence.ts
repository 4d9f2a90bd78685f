/**
 * Registers a serving process in its database. A command that moves the database finds the process there, and the
 * process detects that the database was moved.
 */
import { hostname } from 'node:os'
import type { DatabaseSettings } from '../settings/settings.ts'
import type { Move, Server } from '../storage/port/servers.ts'
import type { Storage } from '../storage/port/storage.ts'
import { refuseMoved } from './moved.ts'

/** Interval of heartbeats. */
export const beatEveryMs = 5_000
/** Servers that were killed are forgotten after a day. */
const forgottenAfterMs = 24 * 3_600_000

export type Presence = {
  /** Resolves if the database is moved while it is served. */
  readonly moved: Promise<Move>
  /** Sends a heartbeat and checks whether the database was moved. */
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
 * Throws `Refused` if the database was moved. An embedded database needs no heartbeats: its lock shows which processes
 * have it open.
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
  await servers.beat({ ...self, seenAtMs: startedAtMs })
  try {
    await refuseMoved(storage, database)
  } catch (error) {
    await servers.leave(self.id)
    throw error
  }
  let hasForgotten = false
  return {
    moved,
    async beat() {
      const later = await beat()
      // Deferred to keep it out of the start.
      if (!hasForgotten) await servers.forgetBefore(startedAtMs - forgottenAfterMs)
      hasForgotten = true
      // While a move is unsettled, its command is still looking for servers such as this one.
      if (later?.isSettled === true) resolve(later)
    },
    leave: () => servers.leave(self.id),
  }
}

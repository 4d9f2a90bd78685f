/**
 * Registers a serving process in its database. A command that moves the database finds the process there, and the
 * process detects that the database was moved.
 */
import { hostname } from 'node:os'
import type { DatabaseSettings } from '../settings/settings.ts'
import type { Move, Server } from '../storage/port/servers.ts'
import type { Storage } from '../storage/port/storage.ts'
import { movedAway, refuseMoved } from './moved.ts'
import type { Refused } from './refused.ts'

/** Interval of heartbeats. */
export const beatEveryMs = 5_000
/** Servers that were killed are forgotten after a day. */
const forgottenAfterMs = 24 * 3_600_000

export type Presence = {
  /** Resolves if the database is moved while it is served. */
  readonly moved: Promise<Move>
  /**
   * Sends a heartbeat and checks whether the database was moved. `nextMs`: after how long the next call is due; default: after
   * `beatEveryMs`. If that is later, the process is at rest and has left: it checks only.
   */
  beat(nextMs?: number): Promise<void>
  leave(): Promise<void>
  /**
   * Registers the process again after `leave`, of which a move takes no notice. Returns why nothing may be answered or written:
   * the database was moved or is being moved; undefined: it may.
   */
  comeBack(): Promise<Refused | undefined>
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
    return { moved, beat: async () => {}, leave: async () => {}, comeBack: async () => undefined }
  }
  const startedAtMs = clock()
  const self: Omit<Server, 'seenAtMs'> = {
    id: Buffer.from(random(16)).toString('hex'),
    host: hostname(),
    pid: process.pid,
    startedAtMs,
  }
  /** One after the other: a heartbeat that overtook `leave` would be taken back by it. */
  let turn: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work)
    turn = next.catch(() => {})
    return next
  }
  const notice = (move: Move | undefined): void => {
    // While a move is unsettled, its command is still looking for servers such as this one.
    if (move?.isSettled === true) resolve(move)
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
    beat: (nextMs = beatEveryMs) =>
      inTurn(async () => {
        if (nextMs <= beatEveryMs) {
          await servers.beat({ ...self, seenAtMs: clock() })
          // Deferred to keep it out of the start.
          if (!hasForgotten) await servers.forgetBefore(startedAtMs - forgottenAfterMs)
          hasForgotten = true
        }
        notice(await servers.findMove())
      }),
    leave: () => inTurn(() => servers.leave(self.id)),
    comeBack: () =>
      inTurn(async () => {
        await servers.beat({ ...self, seenAtMs: clock() })
        const move = await servers.findMove()
        if (move === undefined) return undefined
        await servers.leave(self.id).catch(() => {})
        notice(move)
        return movedAway(database, move)
      }),
  }
}

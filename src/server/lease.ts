/** Which of several processes on one database does the work that one does for all. */
import type { Storage } from '../storage/port/storage.ts'

/** Another process takes over within a minute after the last extension: the lease has ended then, and each asks this often. */
export const leaseEveryMs = 15_000
const leaseForMs = 45_000
/** A holder stops this much earlier, so that little of its work is under way when another one begins. */
const spareMs = 5_000

export type Lease = {
  isHeld(): boolean
  /**
   * Takes or extends it. Rejects if the database does not answer. `nextMs`: after how long the next call is due; default: after
   * `leaseEveryMs`. If that is later, the process is at rest: it takes nothing, lets end what it has, and does the work while
   * nobody else holds the lease.
   */
  renew(nextMs?: number): Promise<void>
  /** Gives it back, so that another process need not wait. Never rejects. */
  end(): Promise<void>
}

/** `monotonic`: milliseconds that never jump, and may stand still while the machine is suspended; `clock` does not. */
export function leaseOf(context: {
  readonly leases: Storage['leases']
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly monotonic?: () => number
}): Lease {
  const { leases, clock, random, monotonic = () => performance.now() } = context
  const name = 'housekeeping'
  const holder = Buffer.from(random(16)).toString('hex')
  let until: { readonly monotonicMs: number; readonly clockMs: number } | undefined
  let hasEnded = false
  return {
    isHeld: () => until !== undefined && !hasEnded && monotonic() < until.monotonicMs && clock() < until.clockMs,
    async renew(nextMs = leaseEveryMs) {
      if (hasEnded) return
      const isAtRest = nextMs > leaseEveryMs
      // Until the call after the next one would be due: timers are late.
      const lastsMs = isAtRest ? nextMs + leaseEveryMs : leaseForMs - spareMs
      const next = { monotonicMs: monotonic() + lastsMs, clockMs: clock() + lastsMs }
      const isTaken = await (isAtRest ? leases.isFree(name, holder) : leases.take(name, holder, leaseForMs))
      until = isTaken ? next : undefined
    },
    async end() {
      hasEnded = true
      if (until !== undefined) await leases.release(name, holder).catch(() => {})
    },
  }
}

/** For a process that shares an embedded database with others. `isFirst`: whether it is the one that does the work. */
export const fixedLease = (isFirst: boolean): Lease => ({
  isHeld: () => isFirst,
  renew: async () => {},
  end: async () => {},
})

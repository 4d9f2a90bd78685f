/** How many lines about refused and failed requests are logged: a flood of them must not fill a disk. */
import type { Logger } from 'pino'
import { type FloodLimits, floodGate, tally } from '../protocol/flood-gate.ts'
import { networksOf } from './networks.ts'

/** Lines a minute and process. */
export const logLimits: FloodLimits = { perNetwork: 60, inAll: 600 }

export type LogGate = {
  /** Whether a line about a request from this address is logged; otherwise it is counted. */
  admits(address: string): boolean
  /** Lines that were counted instead since the start. */
  suppressed(): number
  /** Tells of what was counted and not told of yet. */
  close(): void
}

const windowMs = 60_000

/** What was counted is told of in one line, a minute after the first of it. */
export function logGate(log: Pick<Logger, 'warn'>, limits: FloodLimits = logLimits): LogGate {
  const gate = floodGate(limits)
  let held = tally()
  let suppressed = 0
  let timer: NodeJS.Timeout | undefined

  function tell(): void {
    clearTimeout(timer)
    timer = undefined
    const told = held.told()
    held = tally()
    log.warn(told, 'lines about refused and failed requests were left out: there were too many')
  }

  return {
    admits(address) {
      const network = networkOf(address)
      if (gate.admits(network, performance.now())) return true
      held.add(network)
      suppressed += 1
      timer ??= setTimeout(tell, windowMs).unref()
      return false
    },
    suppressed: () => suppressed,
    close() {
      if (held.count > 0) tell()
    },
  }
}

/** The smallest network that an address belongs to: itself, or its /64. */
export function networkOf(address: string): string {
  return networksOf(address)[0].key
}

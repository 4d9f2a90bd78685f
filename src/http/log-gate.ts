/** Rate-limits log lines about refused and failed requests, so that a flood cannot fill the disk. */
import type { Logger } from 'pino'
import { type FloodLimits, floodGate, tally } from '../protocol/flood-gate.ts'
import { networksOf } from './networks.ts'

/** Lines per minute and process. */
export const logLimits: FloodLimits = { perNetwork: 60, inAll: 600 }

export type LogGate = {
  /** Whether a line about a request from this address is logged; otherwise it is only counted. */
  admits(address: string): boolean
  /** Number of lines suppressed since the start. */
  suppressed(): number
  /** Logs the suppressed count that was not reported yet. */
  close(): void
}

const windowMs = 60_000

/** Reports suppressed lines in one summary line, a minute after the first of them. */
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

/** Returns the smallest network of an address: the address itself, or its /64. */
export function networkOf(address: string): string {
  return networksOf(address)[0].key
}

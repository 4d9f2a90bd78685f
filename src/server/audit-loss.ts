/** Logs lost audit events, once a minute per cause. */
import type { Logger } from 'pino'
import type { AuditLoss } from '../storage/audit-queue.ts'

const everyMs = 60_000
/** Bounds the number of distinct causes: a database may word every failure differently. */
const causesAtMost = 32

/** `monotonic`: milliseconds of a monotonic clock. */
export function auditLossLog(log: Pick<Logger, 'error'>, monotonic: () => number = () => performance.now()) {
  const causes = new Map<string, { events: number; toldAtMs: number }>()
  let total = 0
  return {
    report({ events, cause }: AuditLoss): void {
      total += events
      const name = causes.has(cause) || causes.size < causesAtMost ? cause : 'other causes'
      const known = causes.get(name) ?? { events: 0, toldAtMs: Number.NEGATIVE_INFINITY }
      causes.set(name, known)
      known.events += events
      if (monotonic() < known.toldAtMs + everyMs) return
      log.error({ events: known.events, cause: name }, 'the audit trail did not accept events: they are lost')
      known.events = 0
      known.toldAtMs = monotonic()
    },
    /** Returns the events lost since the start. */
    total: () => total,
  }
}

/** The traces that parts of the service report: a span per request, and a span per storage verb within it. */

import type { RequestTracing } from '../http/reports.ts'

export type Tracing = RequestTracing & {
  /** Runs `work` in its own span. `verb`: the name in the storage port. */
  storageVerb<T>(verb: string, work: () => Promise<T>): Promise<T>
  /** Sends pending spans, for a few seconds at most. */
  close(): Promise<void>
}

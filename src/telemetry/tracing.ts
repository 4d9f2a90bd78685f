/** The traces that parts of the service report: a span per request, a span per storage verb within it, and one per batch of them. */

import type { RequestTracing } from '../http/reports.ts'

/** Names a span to others. */
export type SpanMark = { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }

/** What a database that works for several verbs at once reports. */
export type StorageTracing = {
  /** The span that the caller works in; undefined: none. */
  spanHere(): SpanMark | undefined
  /** Runs `work` in a span of a trace of its own, with a link to the span of each verb that it is done for. */
  storageBatch<T>(members: readonly SpanMark[], work: () => Promise<T>): Promise<T>
}

export type Tracing = RequestTracing &
  StorageTracing & {
    /** Runs `work` in its own span. `verb`: the name in the storage port. */
    storageVerb<T>(verb: string, work: () => Promise<T>): Promise<T>
    /** Sends pending spans, for a few seconds at most. */
    close(): Promise<void>
  }

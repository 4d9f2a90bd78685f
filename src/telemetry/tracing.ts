/** What the parts of the service report as traces: one span for each request, one for each storage verb in it. */
import type { IncomingMessage } from 'node:http'

export type Tracing = {
  /**
   * Begins the request's span, inside the trace that a `traceparent` header names (W3C Trace Context §3.2) or in a new
   * one. The trace's id, 32 hexadecimal digits: it is the request's id everywhere else too.
   */
  begin(request: IncomingMessage): string
  /** Runs `work` so that what it does, now and later, belongs to the request. */
  within(request: IncomingMessage, work: () => void): void
  /** `route`: the pattern of the route, never the path that was asked for. */
  end(request: IncomingMessage, method: string, route: string, status: number): void
  /** Runs `work` in a span of its own. `verb` as the storage port names it. */
  storageVerb<T>(verb: string, work: () => Promise<T>): Promise<T>
  /** Sends what has not been sent, for a few seconds at most. */
  close(): Promise<void>
}

/** The traces that parts of the service report: a span per request, and a span per storage verb within it. */

export type Tracing = {
  /**
   * Starts the span of a request, in the trace named by its `traceparent` and `tracestate` headers (W3C Trace Context
   * §3) or in a new one. Header names are in lower case.
   */
  begin(method: string, headers: Readonly<Record<string, string | string[] | undefined>>): RequestTrace
  /** Runs `work` in its own span. `verb`: the name in the storage port. */
  storageVerb<T>(verb: string, work: () => Promise<T>): Promise<T>
  /** Sends pending spans, for a few seconds at most. */
  close(): Promise<void>
}

export type RequestTrace = {
  /** 32 hexadecimal digits; used as the request's trace id everywhere. */
  readonly traceId: string
  /** Runs `work` with the request's span as parent of everything it does, asynchronous work included. */
  within(work: () => void): void
  /** `route`: the route's pattern, never the requested path. */
  end(route: string, status: number): void
}

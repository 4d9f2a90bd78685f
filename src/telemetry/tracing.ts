/** What the parts of the service report as traces: one span for each request, one for each storage verb in it. */

export type Tracing = {
  /**
   * Begins the span of a request, inside the trace that its `traceparent` and `tracestate` headers name (W3C Trace Context
   * §3) or in a new one. `headers` by name in lower case.
   */
  begin(method: string, headers: Readonly<Record<string, string | string[] | undefined>>): RequestTrace
  /** Runs `work` in a span of its own. `verb` as the storage port names it. */
  storageVerb<T>(verb: string, work: () => Promise<T>): Promise<T>
  /** Sends what has not been sent, for a few seconds at most. */
  close(): Promise<void>
}

export type RequestTrace = {
  /** 32 hexadecimal digits. It is the request's trace id everywhere else too. */
  readonly traceId: string
  /** Runs `work` so that what it does, now and later, belongs to the request. */
  within(work: () => void): void
  /** `route`: the pattern of the route, never the path that was asked for. */
  end(route: string, status: number): void
}

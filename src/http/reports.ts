/** What the kernel reports about requests. `telemetry/` collects it and is unknown to this folder. */

export type RequestMetrics = {
  /** Counts an answered request. `route`: the route's pattern, never the requested path. */
  request(method: string, route: string, status: number, seconds: number): void
  /** `id`: the number in the catalogue of refusals, such as `ID2052`. */
  refusal(id: string): void
}

export type RequestTracing = {
  /**
   * Starts the span of a request, in the trace named by its `traceparent` and `tracestate` headers (W3C Trace Context
   * §3) or in a new one. Header names are in lower case.
   */
  begin(method: string, headers: Readonly<Record<string, string | string[] | undefined>>): RequestTrace
}

export type RequestTrace = {
  /** 32 hexadecimal digits; used as the request's trace id everywhere. */
  readonly traceId: string
  /** Runs `work` with the request's span as parent of everything it does, asynchronous work included. */
  within(work: () => void): void
  /** `route`: the route's pattern, never the requested path. */
  end(route: string, status: number): void
}

/** Where a request says it belongs: its span's parent. */
export type TraceParent = {
  readonly traceId: string
  readonly spanId: string
  /** Bit 0: the caller records the trace. */
  readonly traceFlags: number
}

const versionZero = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
/** Later versions may add members behind those of version 00 (W3C Trace Context §3.2.4). */
const laterVersion = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** Reads a `traceparent` header (W3C Trace Context §3.2.2). Undefined for one that is absent or malformed. */
export function parseTraceParent(header: string | readonly string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > 512) return undefined
  const match = (header.startsWith('00-') ? versionZero : laterVersion).exec(header)
  const [, traceId = '', spanId = '', flags = ''] = match ?? []
  // Ids of zeros alone are invalid (§3.2.2.3, §3.2.2.4).
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

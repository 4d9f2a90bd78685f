/** The request that an endpoint receives, and the type of endpoints. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import type { Answer } from './answer.ts'

/** An immutable snapshot of a request. A later disconnect changes nothing about it. */
export type Request = {
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  /** Everything after the question mark, still encoded; empty without one. */
  readonly query: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** The values of route parameters such as `/assets/:name`, decoded. */
  readonly params: Readonly<Record<string, string>>
  /**
   * The client's address; behind a trusted proxy, the one that the proxy reports. Empty if the connection was reset
   * before it was read.
   */
  readonly address: string
  /** The header with the client's certificate, from a trusted proxy; undefined: there is none (RFC 9440). */
  readonly clientCertificate: string | undefined
  /** 32 hexadecimal digits that identify the request in logs, answers and the audit trail. */
  readonly traceId: string
  /** At most 64 KiB; empty for a route that takes no body. */
  readonly body: Uint8Array
  /** By name, decoded. If several share a name, the first. */
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** Adds the trace id to every line. */
  readonly log: RequestLog
}

/** During a flood, lines of `refused`, `warn` and `error` are counted instead of logged. */
export type RequestLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & {
  /** Logs a refusal, at level info. */
  readonly refused: Logger['info']
}

/**
 * Answers a request. Runs to completion even if the client disconnects. The kernel answers a rejection with 503 for
 * `StorageUnavailable` and with 500 for everything else.
 */
export type Endpoint = (request: Request) => Promise<Answer>

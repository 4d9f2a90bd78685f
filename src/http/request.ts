/** What an endpoint is given, and what it is. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import type { Answer } from './answer.ts'

/** A request as it was when it arrived. A connection that ends later changes nothing about it. */
export type Request = {
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  /** What follows the question mark, still encoded; empty without one. */
  readonly query: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** The values of a route such as `/assets/:name`, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The client's address, behind a trusted proxy as the proxy passes it on. Empty if the system did not know it any more. */
  readonly address: string
  /** 32 hexadecimal digits that name the request in logs, answers and the audit trail. */
  readonly traceId: string
  /** At most 64 KiB; empty for a route that takes no body. */
  readonly body: Uint8Array
  /** By name, decoded; of several with one name the first. */
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** Every line carries the trace id. */
  readonly log: RequestLog
}

/** In a flood, lines of `refused`, `warn` and `error` are counted instead of logged. */
export type RequestLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & {
  /** Informs of a refusal. */
  readonly refused: Logger['info']
}

/**
 * Answers a request. Runs to its end whether or not the client still listens. A rejection is answered with 503 for
 * `StorageUnavailable` and with 500 for everything else.
 */
export type Endpoint = (request: Request) => Promise<Answer>

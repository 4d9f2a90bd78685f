import type { IncomingMessage } from 'node:http'
import { parseCookie } from 'cookie'
import type { Logger } from 'pino'
import { boundedHeaders } from './bounded-headers.ts'
import type { LogGate } from './log-gate.ts'
import type { Request, RequestLog } from './request.ts'

export type RequestSource = {
  readonly log: Logger
  readonly logGate: LogGate
  readonly newTraceId: () => string
  readonly addressOf: (message: IncomingMessage) => string
  /** Undefined: no proxy passes on certificates. */
  readonly certificateOf?: ((message: IncomingMessage) => string | undefined) | undefined
}

/** What the kernel has parsed already. */
type Read = Pick<Request, 'path' | 'query'> & {
  readonly params: Request['params'] | undefined
  /** Undefined if tracing is off. */
  readonly traceId: string | undefined
}

const noParams: Request['params'] = Object.freeze({})
const noCookies: Request['cookies'] = Object.freeze({})
const noBody = new Uint8Array()

/**
 * A request as Node.js delivered it. Reads eagerly what is lost on disconnect, such as the address. Creates the trace
 * id, the cookies and the log on first use.
 */
export class ArrivedRequest implements Request {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingMessage['headers']
  readonly address: string
  readonly clientCertificate: string | undefined
  readonly params: Request['params']
  body: Uint8Array = noBody
  readonly #source: RequestSource
  #traceId: string | undefined
  #cookies: Request['cookies'] | undefined
  #log: RequestLog | undefined

  constructor(message: IncomingMessage, { path, query, params = noParams, traceId }: Read, source: RequestSource) {
    this.method = message.method ?? ''
    this.path = path
    this.query = query
    this.headers = boundedHeaders(message.headers)
    this.address = source.addressOf(message)
    this.clientCertificate = source.certificateOf?.(message)
    this.params = params
    this.#source = source
    this.#traceId = traceId
  }

  get traceId(): string {
    this.#traceId ??= this.#source.newTraceId()
    return this.#traceId
  }

  get cookies(): Request['cookies'] {
    const { cookie } = this.headers
    this.#cookies ??= cookie === undefined ? noCookies : parseCookie(cookie)
    return this.#cookies
  }

  get log(): RequestLog {
    this.#log ??= requestLog(this.#source.log, this.traceId, () => this.#source.logGate.admits(this.address))
    return this.#log
  }
}

/**
 * Returns the log of one request; every line carries its trace id. Creates the child logger with the first line,
 * because its redaction rules are costly and most requests log nothing. `admits` decides whether a line about a refusal
 * or failure is logged or only counted.
 */
function requestLog(parent: Logger, traceId: string, admits: () => boolean): RequestLog {
  let made: Logger | undefined
  const write = (name: 'debug' | 'info' | 'warn' | 'error', line: Parameters<Logger['info']>) => {
    made ??= parent.child({ traceId })
    made[name](...line)
  }
  const always = (name: 'debug' | 'info') =>
    ((...line: Parameters<Logger['info']>) => write(name, line)) as Logger['info']
  const bounded = (name: 'info' | 'warn' | 'error') =>
    ((...line: Parameters<Logger['info']>) => {
      if (admits()) write(name, line)
    }) as Logger['info']
  return {
    debug: always('debug'),
    info: always('info'),
    refused: bounded('info'),
    warn: bounded('warn'),
    error: bounded('error'),
  }
}

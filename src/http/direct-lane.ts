/**
 * A short way to the endpoints that applications call all day: the same handlers on Node's own request and response,
 * without the framework's routing, hooks and reply in between. It takes only plain requests of those exact paths;
 * everything else, and everything about them that is unusual, goes the framework's way, so the two must never be told
 * apart from outside (`test/http/direct-lane.test.ts`). What it buys is in `docs/performance.md`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SerializeOptions } from '@fastify/cookie'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'
import { oncePerTurn } from '../turn.ts'
import { clientClosedRequest } from './observed-requests.ts'
import { requestLog } from './request-log.ts'

/** An endpoint as it is registered with the framework, too. */
export type Endpoint = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export type DirectRoute = {
  readonly endpoint: Endpoint
  /** Sent with every answer of this endpoint; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Reads and writes cookies as the framework does. */
export type CookieCodec = Pick<FastifyInstance, 'parseCookie' | 'serializeCookie'>

/** By method and exact path, such as `POST /connect/token`. */
export type DirectRoutes = Readonly<Record<`${'GET' | 'POST'} ${string}`, DirectRoute>>

export type DirectLaneParts = {
  readonly routes: DirectRoutes
  readonly bodyLimitBytes: number
  readonly log: FastifyBaseLogger
  /** Names a request in logs and errors. */
  readonly newTraceId: () => string
  readonly cookies: CookieCodec
  readonly addressOf: (request: IncomingMessage) => string
  readonly failed: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void
  readonly metrics: Metrics | undefined
}

/** Answers the request and returns true, or leaves it untouched and returns false. */
export type DirectLane = (message: IncomingMessage, response: ServerResponse) => boolean

export function directLane(parts: DirectLaneParts): DirectLane {
  const { routes, bodyLimitBytes, failed, metrics } = parts
  const byMethod = new Map<string, Map<string, DirectRoute>>()
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ')
    const paths = byMethod.get(method) ?? new Map()
    byMethod.set(method, paths.set(path, route))
  }

  function run(endpoint: Endpoint, request: DirectRequest, reply: DirectReply): void {
    // They have all that these endpoints use of the framework's; the tests compare the two ways.
    const [asked, answer] = [request as unknown as FastifyRequest, reply as unknown as FastifyReply]
    endpoint(asked, answer)
      .catch((error: FastifyError) => {
        // What the endpoint had begun to say about its answer is not about this one.
        reply.forget()
        failed(error, asked, answer)
      })
      .catch((error: unknown) => {
        request.log.error({ err: error }, 'a failure could not be answered')
        request.raw.socket.destroy()
      })
  }

  return (message, response) => {
    const { method = '', url = '', headers } = message
    const mark = url.indexOf('?')
    const path = mark === -1 ? url : url.slice(0, mark)
    const route = byMethod.get(method)?.get(path)
    if (route === undefined || isUnusual(headers)) return false
    const request = new DirectRequest(message, parts)
    if (method === 'GET') {
      if (hasBody(headers)) return false
    } else if (!hasShortForm(headers, bodyLimitBytes)) return false
    const reply = new DirectReply(response, route.headers, parts.cookies)
    if (metrics) observe(metrics, response, method, path)
    if (method === 'GET') {
      run(route.endpoint, request, reply)
      return true
    }
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      request.body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      run(route.endpoint, request, reply)
    })
    return true
  }
}

/** A script of another origin is answered by the framework's CORS, what HTTP does not allow by its hooks. */
function isUnusual({ origin, host, expect }: IncomingMessage['headers']): boolean {
  return origin !== undefined || host === undefined || expect !== undefined
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * A form whose length is known and within the limit: Node's parser then reads no more than that. What claims to be anything
 * else is for the framework to look at, which knows what a media type looks like.
 */
function hasShortForm(headers: IncomingMessage['headers'], limit: number): boolean {
  const { 'content-length': length, 'content-type': type = '' } = headers
  if (length === undefined || headers['transfer-encoding'] !== undefined || Number(length) > limit) return false
  return /^application\/x-www-form-urlencoded(?:;|$)/i.test(type)
}

function observe(metrics: Metrics, response: ServerResponse, method: string, path: string): void {
  const startedAtMs = performance.now()
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : clientClosedRequest
    metrics.request(method, path, status, (performance.now() - startedAtMs) / 1000)
  })
}

/** What the endpoints read from a request. Most of it is made when it is first read. */
class DirectRequest {
  readonly raw: IncomingMessage
  body: Buffer | undefined
  readonly #parts: DirectLaneParts
  #id: string | undefined
  #cookies: Record<string, string | undefined> | undefined
  #log: FastifyBaseLogger | undefined

  constructor(raw: IncomingMessage, parts: DirectLaneParts) {
    this.raw = raw
    this.#parts = parts
  }

  get method(): string | undefined {
    return this.raw.method
  }

  get headers(): IncomingMessage['headers'] {
    return this.raw.headers
  }

  get id(): string {
    this.#id ??= this.#parts.newTraceId()
    return this.#id
  }

  get ip(): string {
    return this.#parts.addressOf(this.raw)
  }

  get cookies(): Record<string, string | undefined> {
    const { cookie } = this.raw.headers
    const cookies = this.#cookies ?? (cookie === undefined ? {} : this.#parts.cookies.parseCookie(cookie))
    this.#cookies = cookies
    return cookies
  }

  get log(): FastifyBaseLogger {
    this.#log ??= requestLog(this.#parts.log, { traceId: this.id })
    return this.#log
  }
}

type HeaderValue = string | number | string[]

type Answer = { readonly raw: ServerResponse; readonly body: string; readonly encoding: BufferEncoding }

/**
 * Whoever reads an answer is woken by it, which costs the writer 20 µs when the reader slept. Of those that are
 * written in a row only the first does that: it takes a third off an authorization request.
 */
const endSoon = oncePerTurn<Answer>((answers) => {
  for (const { raw, body, encoding } of answers) raw.end(body, encoding)
})

/** What the endpoints answer with; sends what the framework's reply sends. */
class DirectReply {
  readonly raw: ServerResponse
  statusCode = 200
  readonly #fixed: Readonly<Record<string, string>>
  readonly #codec: CookieCodec
  #headers: Record<string, HeaderValue> = {}
  #cookies: Map<string, string> | undefined

  constructor(raw: ServerResponse, fixed: Readonly<Record<string, string>>, codec: CookieCodec) {
    this.raw = raw
    this.#fixed = fixed
    this.#codec = codec
  }

  /** Everything that was said about the answer so far; cookies stay. */
  forget(): void {
    this.#headers = {}
    this.statusCode = 200
  }

  code(status: number): this {
    this.statusCode = status
    return this
  }

  header(name: string, value: HeaderValue): this {
    this.#headers[name] = value
    return this
  }

  type(mediaType: string): this {
    return this.header('content-type', mediaType)
  }

  setCookie(name: string, value: string, options: SerializeOptions): this {
    this.#cookies ??= new Map()
    this.#cookies.set(name, this.#codec.serializeCookie(name, value, options))
    return this
  }

  send(payload?: string | Buffer | object): this {
    const { raw } = this
    const headers: Record<string, HeaderValue> = { ...this.#fixed, ...this.#headers }
    let body = ''
    if (typeof payload === 'string') body = payload
    else if (payload instanceof Buffer) body = payload.toString('latin1')
    else if (payload !== undefined) {
      body = JSON.stringify(payload)
      headers['content-type'] ??= 'application/json; charset=utf-8'
    }
    if (this.#cookies) headers['set-cookie'] = [...this.#cookies.values()]
    const length = payload instanceof Buffer ? payload.length : Buffer.byteLength(body)
    headers['content-length'] = length
    // Head and body leave in one write when the body is text. Bytes are the text of so many characters of Latin-1, and of
    // plain ASCII, which tokens are, no byte needs to be looked at.
    const encoding = length === body.length ? 'latin1' : 'utf8'
    raw.writeHead(this.statusCode, headers)
    endSoon({ raw, body, encoding })
    return this
  }
}

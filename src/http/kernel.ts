/**
 * The single path of every request: read it once, route it, read its body, call its endpoint, write the answer, count
 * it. Identical with and without tracing and metrics. An endpoint that has begun runs to completion even if the client
 * disconnects.
 *
 * Belongs here: HTTP itself: requests, answers, routing, bodies, cookies, cross-origin rules, limits and the
 * listener. The only folder that handles requests of `node:http`.
 * Belongs elsewhere: endpoints, rules, and any knowledge of storage, settings or metrics.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { type Answer, withHeaders } from './answer.ts'
import { discardAnswer, writeAnswer } from './answer-writer.ts'
import type { Answers } from './answers.ts'
import { ArrivedRequest, type RequestSource } from './arrived-request.ts'
import { hasBody, readBody } from './body.ts'
import { allowOrigin, clientOriginHeaders, crossOriginHeaders, isReadable, type WebOrigins } from './cross-origin.ts'
import { answerFailure } from './failures.ts'
import { checkHead } from './head.ts'
import type { RequestMetrics, RequestTracing } from './reports.ts'
import type { Endpoint, Request } from './request.ts'
import type { Found, Router, Target } from './router.ts'

export type KernelParts = RequestSource & {
  readonly router: Router
  /** Answers requests that match no route. */
  readonly unmatched: Endpoint
  readonly answers: Answers
  /** Whether a `Host` header names this service; undefined: every host is accepted. */
  readonly servesHost: ((host: string) => boolean) | undefined
  /**
   * Whether an error means that something the service needs is temporarily unavailable. Answered with 503 and
   * `Retry-After`.
   */
  readonly isUnavailable: (error: unknown) => boolean
  /**
   * Undefined: requests are answered at once. Otherwise they wait for the promise, and fail as it does. Default: they are
   * answered at once.
   */
  readonly ready?: (() => Promise<void> | undefined) | undefined
  /** Sent with every answer; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Origins whose scripts may call the shared routes. */
  readonly origins: readonly string[]
  /** Those of clients. Default: there are none. */
  readonly webOrigins?: WebOrigins | undefined
  readonly metrics: RequestMetrics | undefined
  readonly tracing: RequestTracing | undefined
}

/** Reported when the client disconnects before the answer. HTTP defines no status for that. */
const clientClosedRequest = 499
/** In characters. The longest path of the service has a name of 255. */
const pathLengthAtMost = 8192

export function kernel(parts: KernelParts): RequestListener {
  const { router, answers, headers, origins, webOrigins, metrics, tracing } = parts
  const sharedHeaders = { ...headers, ...crossOriginHeaders }
  const ofClientHeaders = { ...headers, ...clientOriginHeaders }
  const nothing = targetOf(parts.unmatched)
  const refusing = (refusal: Refusal): Target => targetOf(async (request) => answers.fail(request, refusal))
  const brokenPath = refusing(refuse('encoding_malformed', '', { rule: 'the percent-encoding of the path is broken' }))

  const longPath = targetOf(async (request) => answers.refuseReadably(request, refuse('path_too_long'), 414))

  function find(method: string, path: string): Found {
    try {
      return router(method, path) ?? { target: nothing }
    } catch (error) {
      if (error instanceof URIError) return { target: brokenPath }
      throw error
    }
  }

  /** `unsent`: called when nothing of the answer could be written. */
  function write(
    request: Request,
    { crossOrigin }: Target,
    response: ServerResponse,
    made: Answer,
    unsent: (error: unknown) => void,
  ): void {
    const failed = (error: unknown) => request.log.error({ err: error }, 'the answer could not be completed')
    const discard = (error: unknown): void => {
      discardAnswer(made)
      unsent(error)
    }
    const send = (sent: Readonly<Record<string, string>>): void => {
      if (response.destroyed) {
        discardAnswer(made)
        return
      }
      try {
        writeAnswer(response, made, sent, failed)
      } catch (error) {
        discard(error)
      }
    }
    const { origin } = request.headers
    const allowed = crossOrigin ? allowOrigin(origin, origins) : undefined
    const common = crossOrigin ? sharedHeaders : headers
    if (!crossOrigin || allowed !== undefined || origin === undefined || webOrigins === undefined) {
      send(allowed ? { ...common, ...allowed } : common)
      return
    }
    const asked = (listing: ReadonlySet<string> | undefined): void => {
      const isAllowed = listing !== undefined && isReadable(request, listing, crossOrigin === 'public', made.status)
      send(isAllowed ? { ...ofClientHeaders, 'access-control-allow-origin': origin } : common)
    }
    const listing = webOrigins(origin)
    if (listing instanceof Promise) listing.then(asked, discard)
    else asked(listing)
  }

  /** Never throws. */
  function answer(request: Request, target: Target, response: ServerResponse): void {
    const unanswerable = (error: unknown): void => {
      request.log.error({ err: error }, 'a failure could not be answered')
      response.destroy()
    }
    const fail = (error: unknown): void => {
      try {
        const failure = answerFailure(answers, error, request, parts.isUnavailable(error), target.problems)
        write(request, target, response, failure, unanswerable)
      } catch (error) {
        unanswerable(error)
      }
    }
    const send = (made: Answer): void => write(request, target, response, made, fail)
    try {
      target.endpoint(request).then(send, fail)
    } catch (error) {
      fail(error)
    }
  }

  function receive(message: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = message
    const mark = url.indexOf('?')
    const sent = mark === -1 ? url : url.slice(0, mark)
    const path = sent.slice(0, pathLengthAtMost)
    const broken = checkHead(message, parts.servesHost)
    const { target, params } =
      broken !== undefined ? { target: refusing(broken) } : path === sent ? find(method, path) : { target: longPath }
    const trace = tracing?.begin(method, message.headers)
    const query = mark === -1 ? '' : url.slice(mark + 1)
    const request = new ArrivedRequest(message, { path, query, params, traceId: trace?.traceId }, parts)
    if (metrics || trace) {
      const startedAtMs = performance.now()
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : clientClosedRequest
        metrics?.request(method, target.name, status, (performance.now() - startedAtMs) / 1000)
        trace?.end(target.name, status)
      })
    }
    const answerNow = (chosen: Target): void => {
      if (trace) trace.within(() => answer(request, chosen, response))
      else answer(request, chosen, response)
    }
    const begin = (chosen: Target): void => {
      const ready = chosen.always ? undefined : parts.ready?.()
      if (ready === undefined) answerNow(chosen)
      else {
        ready.then(
          () => answerNow(chosen),
          (error) => answerNow({ ...chosen, endpoint: () => Promise.reject(error) }),
        )
      }
    }
    if (target.body === 'none' || !hasBody(message)) {
      begin(target)
      return
    }
    readBody(message, (body) => {
      if (body !== undefined) request.body = body
      begin(body === undefined ? { ...target, endpoint: target.problems ? refuseLargeJson : refuseLargeBody } : target)
    })
  }

  return (message, response) => {
    try {
      receive(message, response)
    } catch (error) {
      // Nothing was read that an answer could tell of. Without this, one request would end the process.
      parts.log.error({ err: error }, 'a request could not be begun')
      response.writeHead(500, { ...headers, connection: 'close' }).end()
    }
  }

  /** Closes the connection, because the rest of the body would follow on it. */
  async function refuseLargeBody(request: Request): Promise<Answer> {
    return withHeaders(answers.refuseReadably(request, refuse('body_too_large'), 413), { connection: 'close' })
  }

  async function refuseLargeJson(request: Request): Promise<Answer> {
    const refused = answers.refuseAsProblem(request, refuse('body_too_large'), { status: 413 })
    return withHeaders(refused, { connection: 'close' })
  }
}

function targetOf(endpoint: Endpoint): Target {
  return { endpoint, body: 'none', crossOrigin: false, name: '(none)' }
}

/** Turns refusals and failures into HTTP answers: JSON for programs, a readable page for people. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditEvent } from '../audit/entry.ts'
import { explain } from '../protocol/explanation.ts'
import { type Refusal, statusOf } from '../protocol/refusals.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { refusalEvent } from './audit.ts'
import type { Pages } from './pages.ts'
import { neverCached } from './redirects.ts'

/** The members that every protocol error has (RFC 6749 §5.2). */
export type ProtocolError = {
  readonly error: string
  readonly error_description: string
  /** Leads to the entry of the error catalogue that this service publishes itself. */
  readonly error_uri: string
}

/** Every answer of these carries the trace id of its log line in `x-trace-id`. */
export type Answers = {
  /** Logs, counts and notes a refusal that the caller answers itself; the others do it by themselves. */
  record(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void
  toProtocolError(refusal: Refusal): ProtocolError
  /** JSON, as at the token and revocation endpoints. */
  refuseAsJson(request: FastifyRequest, reply: FastifyReply, refusal: Refusal, status?: number): FastifyReply
  /** A page for a browser (`Accept: text/html`), JSON for anything else. */
  refuseReadably(request: FastifyRequest, reply: FastifyReply, refusal: Refusal, status?: number): FastifyReply
  /** 400 with an empty body: a form without a good anti-forgery token (specification 7). */
  refuseSilently(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply
  /** A page or JSON for what is no matter of the protocol: not found, too many requests, a failure of ours. */
  fail(request: FastifyRequest, reply: FastifyReply, failure: Refusal, retryAfterSeconds?: number): FastifyReply
}

export type AnswersContext = {
  readonly issuer: string
  readonly pages: Pages
  readonly metrics: Metrics
  readonly clock: () => number
  /** Is told of every refusal, for the audit trail. */
  readonly note: (event: AuditEvent) => void
  /** Pages say which values a refusal is about. For developers at their own machine. */
  readonly showDetail: boolean
}

export function answersWith({ issuer, pages, metrics, clock, note, showDetail }: AnswersContext): Answers {
  const toProtocolError = (refusal: Refusal): ProtocolError => protocolError(issuer, refusal)
  const record: Answers['record'] = (request, reply, refusal) => {
    metrics.refusal(refusal.id)
    // Addresses that scanners try are no events of this service; the log has them.
    if (refusal.reason !== 'not_found') note(refusalEvent(request, clock(), refusal))
    request.log.info(refusalLine(refusal), 'refused')
    reply.header('x-trace-id', request.id)
  }
  const sendJson = (reply: FastifyReply, refusal: Refusal, status: number): FastifyReply =>
    neverCached(reply).code(status).send(toProtocolError(refusal))
  const sendPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    status: number,
    retryAfter?: number,
  ): FastifyReply => {
    const { id, reason, detail } = refusal
    const problem = { ...toProtocolError(refusal), id, traceId: request.id }
    const html = pages.problem({
      ...problem,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(showDetail ? { explanation: explain(reason, detail) } : {}),
    })
    return neverCached(reply).code(status).type('text/html; charset=utf-8').send(html)
  }
  const refuseAsJson: Answers['refuseAsJson'] = (request, reply, refusal, status = statusOf(refusal.error)) => {
    record(request, reply, refusal)
    // RFC 6749 §5.2: 401 names the scheme with which the client may authenticate.
    if (refusal.error === 'invalid_client') {
      const members = Object.entries(toProtocolError(refusal)).map(([name, value]) => `${name}="${value}"`)
      reply.header('www-authenticate', `Basic ${[`realm="${issuer}"`, ...members].join(', ')}`)
    }
    return sendJson(reply, refusal, status)
  }
  return {
    record,
    toProtocolError,
    refuseAsJson,
    refuseReadably(request, reply, refusal, status = statusOf(refusal.error)) {
      if (!wantsPage(request)) return refuseAsJson(request, reply, refusal, status)
      record(request, reply, refusal)
      return sendPage(request, reply, refusal, status)
    },
    refuseSilently(request, reply, refusal) {
      record(request, reply, refusal)
      return neverCached(reply).code(400).send()
    },
    fail(request, reply, failure, retryAfterSeconds) {
      record(request, reply, failure)
      const status = statusOf(failure.error)
      if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
      if (wantsPage(request)) return sendPage(request, reply, failure, status, retryAfterSeconds)
      return sendJson(reply, failure, status)
    },
  }
}

export function protocolError(issuer: string, refusal: Refusal): ProtocolError {
  return {
    error: refusal.error,
    error_description: refusal.description,
    error_uri: `${issuer}errors#${refusal.id}`,
  }
}

/** What a log line says about a refusal; `latchkey explain` reads it back. */
export function refusalLine({ reason, error, id, detail }: Refusal) {
  return { refusal: { reason, error, id, ...detail } }
}

/** Whether a person is looking: browsers ask for HTML when they navigate, programs do not. */
export function wantsPage(request: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(request.headers.accept ?? '')
}

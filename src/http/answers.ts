/** Turns refusals and failures into HTTP answers: JSON for programs, a readable page for people. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditEvent } from '../audit/entry.ts'
import { type Refusal, refuse, statusOf } from '../protocol/refusals.ts'
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

export type Answers = {
  /** Logs, counts and notes a refusal that the caller answers itself; the others do it by themselves. */
  record(request: FastifyRequest, refusal: Refusal): void
  toProtocolError(refusal: Refusal): ProtocolError
  /** JSON, as at the token and revocation endpoints. */
  refuseAsJson(request: FastifyRequest, reply: FastifyReply, refusal: Refusal, status?: number): FastifyReply
  /** A page for a browser (`Accept: text/html`), JSON for anything else. */
  refuseReadably(request: FastifyRequest, reply: FastifyReply, refusal: Refusal, status?: number): FastifyReply
  /** A page or JSON for what is no protocol error: not found, too many requests, a failure of ours. */
  fail(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply
}

export type Failure = {
  readonly status: 404 | 405 | 413 | 429 | 500 | 502 | 503
  /** The `error` member. */
  readonly error: string
  readonly description: string
  readonly retryAfterSeconds?: number
}

export type AnswersContext = {
  readonly issuer: string
  readonly pages: Pages
  readonly metrics: Metrics
  readonly clock: () => number
  /** Is told of every refusal, for the audit trail. */
  readonly note: (event: AuditEvent) => void
}

export function answersWith({ issuer, pages, metrics, clock, note }: AnswersContext): Answers {
  const toProtocolError = (refusal: Refusal): ProtocolError => ({
    error: refusal.error,
    error_description: refusal.description,
    error_uri: `${issuer}errors#${refusal.id}`,
  })
  const record: Answers['record'] = (request, refusal) => {
    const { reason, error, id, detail } = refusal
    metrics.refusal(id)
    note(refusalEvent(request, clock(), refusal))
    request.log.info({ refusal: { reason, error, id, ...detail } }, 'refused')
  }
  const refuseAsJson: Answers['refuseAsJson'] = (request, reply, refusal, status = statusOf(refusal.error)) => {
    record(request, refusal)
    const body = toProtocolError(refusal)
    // RFC 6749 §5.2: 401 names the scheme with which the client may authenticate.
    if (refusal.error === 'invalid_client') {
      const members = Object.entries(body).map(([name, value]) => `${name}="${value}"`)
      reply.header('www-authenticate', `Basic ${[`realm="${issuer}"`, ...members].join(', ')}`)
    }
    return neverCached(reply).code(status).header('x-trace-id', request.id).send(body)
  }
  return {
    record,
    toProtocolError,
    refuseAsJson,
    refuseReadably(request, reply, refusal, status = statusOf(refusal.error)) {
      if (!wantsPage(request)) return refuseAsJson(request, reply, refusal, status)
      record(request, refusal)
      const problem = { ...toProtocolError(refusal), id: refusal.id, traceId: request.id }
      return sendPage(request, reply, status, pages.problem(problem))
    },
    fail(request, reply, failure) {
      const { status, error, description, retryAfterSeconds } = failure
      if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
      if (wantsPage(request)) {
        const retryAfter = retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }
        const problem = { error, error_description: description, traceId: request.id, ...retryAfter }
        return sendPage(request, reply, status, pages.problem(problem))
      }
      const body = { error, error_description: description }
      return neverCached(reply).code(status).header('x-trace-id', request.id).send(body)
    },
  }
}

/** Whether a person is looking: browsers ask for HTML when they navigate, programs do not. */
export function wantsPage(request: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(request.headers.accept ?? '')
}

/** A failure of ours as seen from outside: no more than that, and the way to the log entry. */
export const serverFailure: Failure = {
  status: 500,
  error: 'server_error',
  description: refuse('server_error').description,
}

export function unavailable(retryAfterSeconds: number): Failure {
  const { error, description } = refuse('temporarily_unavailable')
  return { status: 503, error, description, retryAfterSeconds }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, status: number, html: string): FastifyReply {
  return neverCached(reply).code(status).header('x-trace-id', request.id).type('text/html; charset=utf-8').send(html)
}

/** Turns refusals and failures into HTTP answers: JSON for programs, a readable page for people. */
import type { AuditEvent } from '../audit/entry.ts'
import { explain } from '../protocol/explanation.ts'
import { type Refusal, statusOf } from '../protocol/refusals.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type Answer, empty, html, json, withHeaders } from './answer.ts'
import { refusalEvent } from './audit.ts'
import type { ProblemPages } from './problem-words.ts'
import type { Request } from './request.ts'

/** The members that every protocol error has (RFC 6749 §5.2). */
export type ProtocolError = {
  readonly error: string
  readonly error_description: string
  /** Leads to the entry of the error catalogue that this service publishes itself. */
  readonly error_uri: string
}

/** Each of them logs, counts and notes the refusal. Every answer carries the trace id of its log line in `x-trace-id`. */
export type Answers = {
  /** The caller's own answer to a refusal. */
  recorded(request: Request, refusal: Refusal, answer: Answer): Answer
  toProtocolError(refusal: Refusal): ProtocolError
  /** JSON, as at the token and revocation endpoints. */
  refuseAsJson(request: Request, refusal: Refusal, status?: number): Answer
  /** A page for a browser (`Accept: text/html`), JSON for anything else. */
  refuseReadably(request: Request, refusal: Refusal, status?: number): Answer
  /** 400 with an empty body: a form without a good anti-forgery token (specification 7). */
  refuseSilently(request: Request, refusal: Refusal): Answer
  /** A page or JSON for what is no matter of the protocol: not found, too many requests, a failure of ours. */
  fail(request: Request, failure: Refusal, retryAfterSeconds?: number): Answer
}

export type AnswersContext = {
  readonly issuer: string
  readonly pages: ProblemPages
  readonly metrics: Metrics
  readonly clock: () => number
  /** Is told of every refusal, for the audit trail. */
  readonly note: (event: AuditEvent) => void
  /** Pages say which values a refusal is about. For developers at their own machine. */
  readonly showDetail: boolean
}

/**
 * Told without the shell: an address that leads nowhere is none of its pages (specification 4.9, rule 1), and under a name
 * that is not served its scripts would be refused too.
 */
const withoutShell: readonly Refusal['reason'][] = ['not_found', 'host_not_served']

export function answersWith({ issuer, pages, metrics, clock, note, showDetail }: AnswersContext): Answers {
  const toProtocolError = (refusal: Refusal): ProtocolError => protocolError(issuer, refusal)
  const record = (request: Request, refusal: Refusal): void => {
    metrics.refusal(refusal.id)
    // Addresses and names that scanners try are no events of this service; the log has them.
    if (refusal.reason !== 'not_found' && refusal.reason !== 'host_not_served')
      note(refusalEvent(request, clock(), refusal))
    request.log.refused(refusalLine(refusal), 'refused')
  }
  const traced = (request: Request) => ({ 'x-trace-id': request.traceId })
  const page = (request: Request, refusal: Refusal, status: number, retryAfter?: number): Answer => {
    const { id, reason, detail } = refusal
    const problem = { ...toProtocolError(refusal), id, traceId: request.traceId }
    if (withoutShell.includes(reason)) return html(pages.problemWithoutScripts(problem), status, traced(request))
    const document = pages.problem({
      ...problem,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(showDetail ? { explanation: explain(reason, detail) } : {}),
    })
    return html(document, status, traced(request))
  }
  const refuseAsJson: Answers['refuseAsJson'] = (request, refusal, status = statusOf(refusal.error)) => {
    record(request, refusal)
    const answer = json(toProtocolError(refusal), status, traced(request))
    if (refusal.error !== 'invalid_client') return answer
    // RFC 6749 §5.2: 401 names the scheme with which the client may authenticate.
    const members = Object.entries(toProtocolError(refusal)).map(([name, value]) => `${name}="${value}"`)
    return withHeaders(answer, { 'www-authenticate': `Basic ${[`realm="${issuer}"`, ...members].join(', ')}` })
  }
  return {
    recorded(request, refusal, answer) {
      record(request, refusal)
      return withHeaders(answer, traced(request))
    },
    toProtocolError,
    refuseAsJson,
    refuseReadably(request, refusal, status = statusOf(refusal.error)) {
      if (!wantsPage(request)) return refuseAsJson(request, refusal, status)
      record(request, refusal)
      return page(request, refusal, status)
    },
    refuseSilently(request, refusal) {
      record(request, refusal)
      return empty(400, traced(request))
    },
    fail(request, failure, retryAfterSeconds) {
      record(request, failure)
      const status = statusOf(failure.error)
      const answer = wantsPage(request)
        ? page(request, failure, status, retryAfterSeconds)
        : json(toProtocolError(failure), status, traced(request))
      return retryAfterSeconds === undefined
        ? answer
        : withHeaders(answer, { 'retry-after': String(retryAfterSeconds) })
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
export function wantsPage(request: Request): boolean {
  return /\btext\/html\b/i.test(request.headers.accept ?? '')
}

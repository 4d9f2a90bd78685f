/** Turns refusals and failures into HTTP answers: JSON for programs, a readable page for people. */
import { baseOf } from '../protocol/discovery/issuer.ts'
import { explain } from '../protocol/refusals/explanation.ts'
import { describe, type Refusal, refusals, statusOf } from '../protocol/refusals/index.ts'
import { type Answer, empty, html, json, problemDetails, withHeaders } from './answer.ts'
import type { ProblemNames, ProblemPages } from './problem-words.ts'
import type { RequestMetrics } from './reports.ts'
import type { Request } from './request.ts'

/** The members of every protocol error (RFC 6749 §5.2). */
export type ProtocolError = {
  readonly error: string
  readonly error_description: string
  /** Links to the entry in this service's own error catalogue. */
  readonly error_uri: string
}

/** What is wrong with one member of a JSON body. */
export type MemberFault = {
  /** The name of the member. */
  readonly member: string
  /** A full sentence for people, without secrets. */
  readonly message: string
  /** For programs and for texts in other languages, such as `password_too_short`. */
  readonly code: string
  /** Its place as a JSON pointer (RFC 6901); default: that of the member at the top. */
  readonly pointer?: string
}

export type ProblemOptions = {
  readonly status?: number
  /** The first of them gives the problem its `error`, unless there is one. */
  readonly faults?: readonly MemberFault[]
  readonly error?: string
  /** Further members of the problem. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number | undefined
}

/**
 * Each method logs the refusal, counts it and records it in the audit trail. Every answer carries the trace id of its
 * log line in `x-trace-id`.
 */
export type Answers = {
  /** Returns the caller's own answer to a refusal, with the trace id added. */
  recorded(request: Request, refusal: Refusal, answer: Answer): Answer
  toProtocolError(refusal: Refusal): ProtocolError
  /** Answers with JSON, as the token and revocation endpoints do. */
  refuseAsJson(request: Request, refusal: Refusal, status?: number): Answer
  /**
   * Answers with problem details (RFC 9457): `type`, `title`, `status`, `detail`, and as extensions `error`, `code` (the
   * ID), `trace_id` and `errors`, one `{ path, message, code }` for each fault, where `path` is a JSON pointer (RFC 6901).
   */
  refuseAsProblem(request: Request, refusal: Refusal, options?: ProblemOptions): Answer
  /** Answers browsers (`Accept: text/html`) with a page and everything else with JSON. */
  refuseReadably(request: Request, refusal: Refusal, status?: number): Answer
  /** Answers 400 with an empty body, for a form without a valid anti-forgery token (specification 7). */
  refuseSilently(request: Request, refusal: Refusal): Answer
  /**
   * Answers conditions outside the protocol with a page or JSON: not found, too many requests, internal failures. `named`:
   * what the words of the page name.
   */
  fail(request: Request, failure: Refusal, retryAfterSeconds?: number, named?: ProblemNames): Answer
}

export type AnswersContext = {
  readonly issuer: string
  readonly pages: ProblemPages
  readonly metrics: RequestMetrics
  /** Receives every refusal, for the audit trail. */
  readonly note: (request: Request, refusal: Refusal) => void
  /** Shows on pages which values caused a refusal. Meant for development only. */
  readonly showDetail: boolean
}

/**
 * Reasons whose page does not use the application shell. An unknown path is not one of its pages (specification 4.9,
 * rule 1), and its scripts would be refused under a host name that is not served.
 */
const withoutShell: readonly Refusal['reason'][] = ['not_found', 'host_not_served']

/** Scanners probe unknown paths and host names: logged, but kept out of the audit trail. */
const unrecorded: readonly Refusal['reason'][] = ['not_found', 'host_not_served', 'admin_path_unknown']

export function answersWith({ issuer, pages, metrics, note, showDetail }: AnswersContext): Answers {
  const toProtocolError = (refusal: Refusal): ProtocolError => protocolError(issuer, refusal)
  const record = (request: Request, refusal: Refusal): void => {
    metrics.refusal(refusal.id)
    if (!unrecorded.includes(refusal.reason)) note(request, refusal)
    request.log.refused(refusalLine(refusal), 'refused')
  }
  const traced = (request: Request) => ({ 'x-trace-id': request.traceId })
  const page = (
    request: Request,
    refusal: Refusal,
    status: number,
    retryAfter?: number,
    named?: ProblemNames,
  ): Answer => {
    const { id, reason, detail } = refusal
    const problem = { ...toProtocolError(refusal), id, traceId: request.traceId }
    if (withoutShell.includes(reason))
      return html(pages.problemWithoutScripts(problem, request), status, traced(request))
    const shown = {
      ...problem,
      ...named,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(showDetail ? { explanation: explain(reason, detail) } : {}),
    }
    const document = pages.problem(shown, request)
    return html(document, status, traced(request))
  }
  const refuseAsJson: Answers['refuseAsJson'] = (request, refusal, status = statusOf(refusal.error)) => {
    record(request, refusal)
    const answer = json(toProtocolError(refusal), status, traced(request))
    if (refusal.error !== 'invalid_client') return answer
    // RFC 6749 §5.2: a 401 names the authentication scheme that the client may use.
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
    refuseAsProblem(request, refusal, options = {}) {
      const { status = statusOf(refusal.error), faults = [], error: chosen, members: more, retryAfterSeconds } = options
      record(request, refusal)
      const { error, error_description: description, error_uri: type } = toProtocolError(refusal)
      const members = {
        type,
        title: describe(refusals[refusal.reason]),
        status,
        detail: faults.length === 0 ? description : faults.map(({ message }) => message).join(' '),
        error: chosen ?? faults[0]?.code ?? error,
        code: refusal.id,
        trace_id: request.traceId,
        ...(faults.length > 0 && { errors: faults.map(asError) }),
        ...more,
      }
      const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
      return problemDetails(members, status, { ...traced(request), ...retry })
    },
    refuseReadably(request, refusal, status = statusOf(refusal.error)) {
      if (!wantsPage(request)) return refuseAsJson(request, refusal, status)
      record(request, refusal)
      return page(request, refusal, status)
    },
    refuseSilently(request, refusal) {
      record(request, refusal)
      return empty(400, traced(request))
    },
    fail(request, failure, retryAfterSeconds, named) {
      record(request, failure)
      const status = statusOf(failure.error)
      const answer = wantsPage(request)
        ? page(request, failure, status, retryAfterSeconds, named)
        : json(toProtocolError(failure), status, traced(request))
      return retryAfterSeconds === undefined
        ? answer
        : withHeaders(answer, { 'retry-after': String(retryAfterSeconds) })
    },
  }
}

function asError({ member, message, code, pointer }: MemberFault) {
  return { path: pointer ?? `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`, message, code }
}

export function protocolError(issuer: string, refusal: Refusal): ProtocolError {
  return {
    error: refusal.error,
    error_description: refusal.description,
    error_uri: `${baseOf(issuer)}errors#${refusal.id}`,
  }
}

/** The members of a log line about a refusal; `latchkey explain` reads them back. */
export function refusalLine({ reason, error, id, detail }: Refusal) {
  return { refusal: { reason, error, id, ...detail } }
}

/** Whether the client is a browser that navigates: only those ask for HTML. */
export function wantsPage(request: Request): boolean {
  return /\btext\/html\b/i.test(request.headers.accept ?? '')
}

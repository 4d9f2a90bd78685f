/** Answers to failures outside the rules: an unreachable database, a bug. */
import { refuse } from '../protocol/refusals/index.ts'
import type { Answer } from './answer.ts'
import type { Answers } from './answers.ts'
import type { Endpoint, Request } from './request.ts'

/** `Retry-After` while the database is unreachable. */
const retryAfterSeconds = 5

/**
 * Logs the error and reveals nothing about it. Answers 503 with `Retry-After` while the database is unreachable,
 * otherwise 500. `asProblem`: with problem details (RFC 9457).
 */
export function answerFailure(
  answers: Answers,
  error: unknown,
  request: Request,
  isUnavailable: boolean,
  asProblem = false,
): Answer {
  request.log.error({ err: error }, isUnavailable ? 'the database is not available' : 'the request failed')
  const failure = refuse(isUnavailable ? 'temporarily_unavailable' : 'server_error')
  if (!asProblem) return answers.fail(request, failure, isUnavailable ? retryAfterSeconds : undefined)
  return answers.refuseAsProblem(request, failure, isUnavailable ? { retryAfterSeconds } : {})
}

/** Answers a method that a protocol endpoint does not support (RFC 6749 §3.1, §3.2). */
export function refuseMethod(answers: Answers, supported: readonly string[]): Endpoint {
  return async (request) =>
    answers.refuseReadably(
      request,
      refuse('method_not_accepted', '', { received: request.method, supported: [...supported] }),
    )
}

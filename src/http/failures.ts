/** The answers to what went wrong outside the rules: an unreachable database, bugs, requests the framework cannot take. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../protocol/refusals.ts'
import { StorageUnavailable } from '../storage/port.ts'
import type { Answers } from './answers.ts'

/** Seconds after which a client may try again while the database is away. */
const retryAfterSeconds = 5

export function answerFailures(answers: Answers) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof StorageUnavailable) {
      request.log.error({ err: error }, 'the database is not available')
      answers.fail(request, reply, refuse('temporarily_unavailable'), retryAfterSeconds)
      return
    }
    const status = error.statusCode ?? 500
    if (status >= 400 && status < 500) {
      const refusal = brokenRequest(error.code, status)
      if (refusal.reason === 'not_found') answers.fail(request, reply, refusal)
      else answers.refuseReadably(request, reply, refusal, status)
      return
    }
    request.log.error({ err: error }, 'the request failed')
    answers.fail(request, reply, refuse('server_error'))
  }
}

/** What the framework found wrong with a request, before any endpoint had it. */
function brokenRequest(code: string, status: number): Refusal {
  if (status === 413) return refuse('body_too_large')
  // No file and no endpoint has a name as long.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return refuse('not_found')
  if (code === 'FST_ERR_BAD_URL') {
    return refuse('encoding_malformed', '', { rule: 'the percent-encoding of the path is broken' })
  }
  if (status === 415) return refuse('content_type_unsupported', 'Content-Type')
  return refuse('request_malformed', '', { rule: code })
}

/** Every method that the endpoint does not take is refused by the endpoint itself (RFC 6749 §3.1, §3.2). */
export function refuseMethod(app: FastifyInstance, url: string, answers: Answers): void {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].filter(
    (method) => !app.hasRoute({ method: method as 'GET', url }),
  )
  const supported = ['GET', 'POST'].filter((method) => !methods.includes(method))
  app.route({
    method: methods as 'GET'[],
    url,
    exposeHeadRoute: false,
    handler: (request, reply) =>
      answers.refuseReadably(
        request,
        reply,
        refuse('method_not_accepted', '', { received: request.method, supported }),
      ),
  })
}

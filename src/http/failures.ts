/** The answers to what went wrong outside the rules: broken requests, an unreachable database, bugs. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../protocol/refusals.ts'
import { StorageUnavailable } from '../storage/port.ts'
import { type Answers, serverFailure, unavailable } from './answers.ts'

/** Seconds after which a client may try again while the database is away. */
const retryAfterSeconds = 5

export function answerFailures(answers: Answers) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof StorageUnavailable) {
      request.log.error({ err: error }, 'the database is not available')
      answers.fail(request, reply, unavailable(retryAfterSeconds))
      return
    }
    const status = error.statusCode ?? 500
    if (status === 413) {
      answers.refuseReadably(request, reply, refuse('body_too_large'), 413)
      return
    }
    if (status >= 400 && status < 500) {
      answers.refuseReadably(request, reply, refuse('encoding_malformed', '', { cause: error.code }), status)
      return
    }
    request.log.error({ err: error }, 'the request failed')
    answers.fail(request, reply, serverFailure)
  }
}

/** Every method that the endpoint does not take is refused by the endpoint itself (RFC 6749 §3.1, §3.2). */
export function refuseMethod(app: FastifyInstance, url: string, answers: Answers): void {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].filter(
    (method) => !app.hasRoute({ method: method as 'GET', url }),
  )
  app.route({
    method: methods as 'GET'[],
    url,
    exposeHeadRoute: false,
    handler: (request, reply) =>
      answers.refuseReadably(request, reply, refuse('method_not_accepted', '', { received: request.method })),
  })
}

/** The answers to what went wrong outside the rules: broken requests, an unreachable database, bugs. */
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../protocol/refusals.ts'
import { StorageUnavailable } from '../storage/port.ts'
import { type Answers, serverFailure, unavailable } from './answers.ts'

/**
 * The bytes of a request line and its headers. Room for the longest parameters that are accepted, percent-encoded, and
 * for the cookies of several tabs.
 */
export const maxHeaderBytes = 64 * 1024

/** Answers what is no HTTP request at all, or one with too large a head; there is only the socket to answer on. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = brokenRequests[error.code ?? ''] ?? '400 Bad Request'
  const description = status.startsWith('431')
    ? 'The address and the headers of the request are larger than 64 KiB.'
    : 'This is not a well-formed HTTP request.'
  const body = JSON.stringify({ error: 'invalid_request', error_description: description })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const brokenRequests: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

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

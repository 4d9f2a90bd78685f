/** How bodies of requests reach the endpoints behind the framework. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Bodies arrive as bytes, whatever their type: each endpoint answers for itself what it does not take. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // With neither length nor chunks there is no body (RFC 9112 §6.3), and the server does not tell its end. The framework
  // waits for that all the same when the request names a type.
  app.addHook('preParsing', (request, _reply, body, done) => {
    const isAwaited = body.readableEnded && request.headers['content-type'] !== undefined
    done(null, isAwaited ? Readable.from([]) : body)
  })
}

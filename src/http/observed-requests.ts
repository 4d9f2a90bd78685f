/** Reports every request to those who collect numbers or traces. Adds nothing to a request when nobody does. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'

/** The client went away before the answer; no status of HTTP's own says so. */
export const clientClosedRequest = 499

export function observeRequests(
  app: FastifyInstance,
  { metrics, tracing }: { readonly metrics: Metrics | undefined; readonly tracing: Tracing | undefined },
): void {
  if (metrics === undefined && tracing === undefined) return
  const report = (request: FastifyRequest, status: number, seconds: number): void => {
    // Of a request that met no endpoint only this much is known: its path is the client's invention.
    const route = request.routeOptions.url ?? '(none)'
    metrics?.request(request.method, route, status, seconds)
    tracing?.end(request.raw, request.method, route, status)
  }
  app.addHook('onResponse', async (request, reply) => report(request, reply.statusCode, reply.elapsedTime / 1000))
  app.addHook('onRequestAbort', async (request) => report(request, clientClosedRequest, 0))
  if (tracing === undefined) return
  app.addHook('onRequest', (request, _reply, done) => tracing.within(request.raw, done))
  // Again, because the body arrives in events that belong to the connection and not to the request.
  app.addHook('preHandler', (request, _reply, done) => tracing.within(request.raw, done))
}

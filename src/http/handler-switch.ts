/**
 * The listening servers of the process, and behind them the application, which a reload exchanges: from one request to
 * the next, with no connection closed. A request stays with the application that began it.
 */
import type { RequestListener, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { maxHeaderBytes } from './broken-requests.ts'

/**
 * Not imported: a module that imports `node:http` makes the runtime look at all that it exports, and a client for HTTP
 * and WebSockets is loaded with that, which costs a start 25 ms and 5 MB.
 */
const { createServer } = process.getBuiltinModule('node:http')

/** How long a connection without a request is kept; longer than proxies keep theirs, so that none meets a closed one. */
export const keepAliveMs = 72_000
/** How long a request may take to arrive. A stalled client must not hold a connection for ever. */
export const requestArrivalMs = 30_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a request of the application, by the shortest way there is for it. */
    readonly listener: RequestListener
  }
}

export type HandlerSwitch = {
  /** For the application that listens. One name may stand for several addresses, and so for several servers. */
  serverFactory(handler: RequestListener): Server
  /** From the next request on. */
  use(app: FastifyInstance): void
  /** Those that wait for a next request. */
  closeIdleConnections(): void
  closeAllConnections(): void
}

export function handlerSwitch(): HandlerSwitch {
  const servers: Server[] = []
  let current: RequestListener | undefined
  return {
    serverFactory(handler) {
      current ??= handler
      const options = {
        keepAliveTimeout: keepAliveMs,
        requestTimeout: requestArrivalMs,
        maxHeaderSize: maxHeaderBytes,
        // The application refuses those without one, with the headers and the trace id of every refusal.
        requireHostHeader: false,
        // The end of a body that there is not is told to nobody, which takes a sixth off the key set. A request that is
        // read all the same gets an empty body (`bodies.ts`).
        optimizeEmptyRequests: true,
      }
      const handle: RequestListener = (request, response) => current?.(request, response)
      const server = createServer(options, handle)
      // RFC 9110 §10.1.1: an expectation that is not known may be passed over, and the answer is like any other.
      server.on('checkExpectation', handle)
      servers.push(server)
      return server
    },
    use(app) {
      current = app.listener
    },
    closeIdleConnections() {
      for (const server of servers) server.closeIdleConnections()
    },
    closeAllConnections() {
      for (const server of servers) server.closeAllConnections()
    },
  }
}

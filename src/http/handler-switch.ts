/**
 * The listening servers of the process, and behind them the application, which a reload exchanges: from one request to
 * the next, with no connection closed. A request stays with the application that began it.
 */
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { maxHeaderBytes } from './broken-requests.ts'
import { type ConnectionLimits, countConnections } from './connections.ts'

/**
 * Not imported: a module that imports `node:http` makes the runtime look at all that it exports, and a client for HTTP
 * and WebSockets is loaded with that, which costs a start 25 ms and 5 MB.
 */
const { createServer } = process.getBuiltinModule('node:http')
const { Server: NetServer } = process.getBuiltinModule('node:net')

/** After the listening ended: how long a connection may take to send the first byte of its first request. */
const silentMs = 1000
/** After the listening ended: how soon a connection is closed whose last request was answered. */
const idleCheckMs = 50
/** How long a connection without a request is kept; longer than proxies keep theirs, so that none meets a closed one. */
export const keepAliveMs = 72_000
/** How long a request may take to arrive. A stalled client must not hold a connection for ever. */
export const requestArrivalMs = 30_000
/**
 * How often a connection with a request under way is looked at. It is closed if nothing moved since, or, when an answer
 * was being sent, if nothing moved for two looks.
 */
export const stalledMs = 30_000
/** How often the server looks for requests that take too long to arrive; they get at most so much more. */
const checkEveryMs = 500

export type Application = {
  /** Answers a request, by the shortest way there is for it. */
  readonly listener: RequestListener
  /** Answers what never becomes a request. */
  readonly brokenRequest: (error: NodeJS.ErrnoException, socket: Socket) => void
  readonly connectionLimits: ConnectionLimits
}

export type Address = {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** With other processes, among which the system shares out the connections. */
  readonly shared?: boolean
}

/** For tests that cannot wait for half a minute. */
export type Patience = Pick<
  ServerOptions,
  'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval' | 'keepAliveTimeout' | 'keepAliveTimeoutBuffer'
> & { readonly stalledTimeout?: number }

export type HandlerSwitch = {
  /**
   * Resolves to the origins that requests may be sent to. `localhost` stands for each of its addresses, as far as they
   * can be had. Rejects with the error of the operating system.
   */
  listen(address: Address): Promise<readonly string[]>
  /** From the next request on. */
  use(app: Application): void
  /** From now on each connection is closed with the answer to its next request; new ones are taken. */
  drain(): void
  /**
   * Takes no new connection, and closes those that wait for a next request, and each other one with its answer. A
   * connection whose first request is on its way has a second for it. Resolves when the last has ended.
   */
  close(): Promise<void>
  closeAllConnections(): void
  /** How many are open now, and how many were closed because there were too many. */
  connections(): { readonly open: number; readonly refused: number }
}

export function handlerSwitch(first: Application, patience: Patience = {}): HandlerSwitch {
  const servers: Server[] = []
  let current = first
  let draining = false
  const connections = countConnections(() => current.connectionLimits)
  const handle: RequestListener = (request, response) => {
    if (draining) response.shouldKeepAlive = false
    current.listener(request, response)
  }
  async function listenOn({ host, port, shared = false }: Address): Promise<AddressInfo> {
    const server = newServer(handle, patience)
    server.on('clientError', (error, socket) => current.brokenRequest(error, socket as Socket))
    server.on('connection', connections.admit)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen({ host, port, reusePort: shared }, resolve)
    await promise
    server.off('error', reject)
    servers.push(server)
    return server.address() as AddressInfo
  }
  return {
    async listen(address) {
      const main = await listenOn(address)
      const bound = [main]
      for (const host of address.host === 'localhost' ? await addressesOf('localhost') : []) {
        if (host === main.address) continue
        // A machine may know the name of an address that it does not have.
        const other = await listenOn({ ...address, host, port: main.port }).catch(() => undefined)
        if (other) bound.push(other)
      }
      return bound.map(originOf)
    },
    use(app) {
      current = app
    },
    drain() {
      draining = true
    },
    async close() {
      draining = true
      await quietTurn()
      // Not `close` of the HTTP server: to Node.js a connection whose first request is on its way is an idle one.
      const ended = servers.map((server) => new Promise((resolve) => NetServer.prototype.close.call(server, resolve)))
      const patientUntilMs = performance.now() + silentMs
      const closeIdle = (): void => {
        if (connections.anySilent() && performance.now() < patientUntilMs) return
        for (const server of servers) server.closeIdleConnections()
      }
      closeIdle()
      // Also those that were busy when the listening ended.
      const idle = setInterval(closeIdle, idleCheckMs)
      await Promise.all(ended)
      clearInterval(idle)
    },
    closeAllConnections() {
      for (const server of servers) server.closeAllConnections()
    },
    connections: () => ({ open: connections.open(), refused: connections.refused() }),
  }
}

/**
 * Resolves at the end of a turn of the event loop in which little happened; after some tries at the end of any. Connections
 * that the system has and this process has not taken are reset when the listening ends. A turn takes all of them, so right
 * after a short one there are hardly any.
 */
async function quietTurn(): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    const startedAtMs = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    if (performance.now() - startedAtMs < 0.2) return
  }
}

/** A server as this service runs it, which does not listen yet. */
export function newServer(handle: RequestListener, { stalledTimeout = stalledMs, ...patience }: Patience = {}): Server {
  const options = {
    keepAliveTimeout: keepAliveMs,
    requestTimeout: requestArrivalMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: maxHeaderBytes,
    // The application refuses those without one, with the headers and the trace id of every refusal.
    requireHostHeader: false,
    // No end event for requests without a body: nobody waits for it.
    optimizeEmptyRequests: true,
    ...patience,
  }
  const server = createServer(options, handle)
  // Node.js closes the socket then. A connection that waits for its next request has `keepAliveTimeout` instead.
  server.timeout = stalledTimeout
  // RFC 9110 §10.1.1: an expectation that is not known may be passed over, and the answer is like any other.
  server.on('checkExpectation', handle)
  return server
}

async function addressesOf(name: string): Promise<string[]> {
  const { lookup } = await import('node:dns/promises')
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

function originOf({ address, port }: AddressInfo): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/**
 * The listening servers of the process, and the application behind them. A reload swaps the application between two
 * requests and closes no connection. A request finishes in the application that began it, and an answer that goes on for
 * long ends with that application.
 */
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { checkWhileConnected } from './arrival-checks.ts'
import { maxHeaderBytes } from './broken-requests.ts'
import { type ConnectionLimits, countConnections } from './connections.ts'
import { mayWait } from './pipelining.ts'

/**
 * Fetched instead of imported: importing `node:http` evaluates all its exports, which loads an HTTP and WebSocket
 * client that the service does not use (`docs/growing.md`).
 */
const { createServer } = process.getBuiltinModule('node:http')
const { Server: NetServer } = process.getBuiltinModule('node:net')

/** How long a connection may take to send the first byte of its first request after listening has ended. */
const silentMs = 1000
/** How often connections are checked for having become idle after listening has ended. */
const idleCheckMs = 50
/**
 * How long an idle connection is kept. Longer than proxies keep theirs, so that none sends a request into a closed
 * connection.
 */
export const keepAliveMs = 72_000
/** How long a request may take to arrive, so that a stalled client cannot hold a connection indefinitely. */
export const requestArrivalMs = 30_000
/**
 * How often a connection with a request in progress is checked. It is closed if nothing moved since the last check, or
 * since the last two checks while an answer was being sent.
 */
export const stalledMs = 30_000
/** How often arriving requests are checked against `requestArrivalMs`. They may exceed it by this much. */
const checkEveryMs = 500

export type Application = {
  /** Answers a request. */
  readonly listener: RequestListener
  /** Answers a request of the listener for administration; absent: there is none. */
  readonly administration?: RequestListener
  /** Answers input that never becomes a request. */
  readonly brokenRequest: (error: NodeJS.ErrnoException, socket: Socket) => void
  readonly connectionLimits: ConnectionLimits
  /** Called when another application takes over and when the service stops: ends the answers that go on for long. */
  readonly end: () => void
}

export type Address = {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Shares the port with other processes; the kernel distributes the connections. */
  readonly shared?: boolean
  /** Whether requests are answered by `administration`. */
  readonly administration?: boolean
}

/** Overrides the timeouts, for tests. */
export type Patience = Pick<
  ServerOptions,
  'requestTimeout' | 'headersTimeout' | 'connectionsCheckingInterval' | 'keepAliveTimeout' | 'keepAliveTimeoutBuffer'
> & { readonly stalledTimeout?: number }

export type HandlerSwitch = {
  /**
   * Resolves to the origins that accept requests. `localhost` binds each of its addresses, as far as available. Rejects
   * with the operating system's error.
   */
  listen(address: Address): Promise<readonly string[]>
  /** Swaps the application, effective from the next request. */
  use(app: Application): void
  /** Closes each connection with its next answer. New connections are still accepted. */
  drain(): void
  /**
   * Stops accepting connections. Closes idle ones at once and the others with their answer. A connection whose first
   * request is on its way gets a second for it. Resolves when the last one has ended.
   */
  close(): Promise<void>
  closeAllConnections(): void
  /** Returns how many are open now and how many were closed over a limit. */
  connections(): { readonly open: number; readonly refused: number }
}

/** `arrived`: called with each request. */
export function handlerSwitch(first: Application, patience: Patience = {}, arrived = () => {}): HandlerSwitch {
  const servers: Server[] = []
  let current = first
  let draining = false
  const connections = countConnections(() => current.connectionLimits)
  async function listenOn({ host, port, shared = false, administration = false }: Address): Promise<AddressInfo> {
    const handle: RequestListener = (request, response) => {
      if (!mayWait(request, response)) return
      arrived()
      if (draining) response.shouldKeepAlive = false
      const listener = administration ? current.administration : current.listener
      listener?.(request, response)
    }
    const server = newServer(handle, patience)
    server.on('clientError', (error, socket) => current.brokenRequest(error, socket as Socket))
    server.on('connection', connections.admit)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen({ host, port, reusePort: shared }, resolve)
    await promise
    server.off('error', reject)
    checkWhileConnected(server)
    servers.push(server)
    return server.address() as AddressInfo
  }
  return {
    async listen(address) {
      const main = await listenOn(address)
      const bound = [main]
      for (const host of address.host === 'localhost' ? await addressesOf('localhost') : []) {
        if (host === main.address) continue
        // The resolver may know an address for the name that this machine does not have.
        const other = await listenOn({ ...address, host, port: main.port }).catch(() => undefined)
        if (other) bound.push(other)
      }
      return bound.map(originOf)
    },
    use(app) {
      const replaced = current
      current = app
      replaced.end()
    },
    drain() {
      draining = true
      current.end()
    },
    async close() {
      draining = true
      current.end()
      await quietTick()
      // Not `close` of the HTTP server: it treats a connection whose first request is still on its way as idle.
      const ended = servers.map((server) => new Promise((resolve) => NetServer.prototype.close.call(server, resolve)))
      const patientUntilMs = performance.now() + silentMs
      const closeIdle = (): void => {
        if (connections.anySilent() && performance.now() < patientUntilMs) return
        for (const server of servers) server.closeIdleConnections()
      }
      closeIdle()
      // Catches connections that were busy when listening ended.
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
 * Waits for a tick of the event loop in which little happened, up to a number of tries. Closing the socket resets
 * connections that are still in the kernel's accept queue. Each tick accepts all of them, so after a short one there
 * are hardly any.
 */
async function quietTick(): Promise<void> {
  for (let tick = 0; tick < 500; tick += 1) {
    const startedAtMs = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    if (performance.now() - startedAtMs < 0.2) return
  }
}

/** Creates a server with the service's limits that is not listening yet. */
export function newServer(handle: RequestListener, { stalledTimeout = stalledMs, ...patience }: Patience = {}): Server {
  const options = {
    keepAliveTimeout: keepAliveMs,
    requestTimeout: requestArrivalMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: maxHeaderBytes,
    // The application refuses a missing `Host` itself, with the headers and trace id of every refusal.
    requireHostHeader: false,
    // Skips the end event for requests without a body.
    optimizeEmptyRequests: true,
    ...patience,
  }
  const server = createServer(options, handle)
  // Destroys the socket after this long without activity. Idle connections have `keepAliveTimeout` instead.
  server.timeout = stalledTimeout
  // RFC 9110 §10.1.1: an unknown expectation may be ignored, and the request is answered as usual.
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

/** A load balancer for tests: each request to the next node that says it is ready, over a connection of its own. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'

export type RoundRobin = {
  /** With a trailing slash. */
  readonly address: string
  /** How many requests each node answered. */
  readonly served: readonly number[]
  /** Requests that a node took and did not answer: which node, what was asked, and how the connection ended. */
  readonly lost: readonly string[]
  stop(): Promise<void>
}

/**
 * Sends each request to the next of `ports`. A node that is not ready (`/readyz`, asked ten times a second) or refuses
 * the connection is passed over; a request that a node took and then dropped is answered with 502 and counted. The body of
 * a 502 says which of the two it was.
 */
export async function startRoundRobin(port: number, ports: readonly number[]): Promise<RoundRobin> {
  let turn = 0
  const lost: string[] = []
  const served = ports.map(() => 0)
  const ready = ports.map(() => true)
  const probe = setInterval(() => {
    ports.forEach((port, node) => {
      const request = send({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (answer) => {
        // Only a node that says so is taken out: one whose database is away must be heard with its 503.
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => {
          ready[node] = !text.includes('"stopping"')
        })
      })
      request.on('error', () => undefined).end()
    })
  }, 100)

  async function relay(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body: Buffer[] = []
    for await (const chunk of incoming) body.push(chunk as Buffer)
    const first = turn
    turn += 1
    // Each request goes round by itself: others that come meanwhile must not lead it to the same node again.
    for (let attempt = 0; attempt < 2 * ports.length; attempt += 1) {
      const node = (first + attempt) % ports.length
      if (ready[node] !== true && ready.includes(true)) continue
      const outcome = await relayTo(node, incoming, Buffer.concat(body), outgoing)
      if (outcome === 'refused') continue
      if (outcome === 'answered') served[node] = (served[node] ?? 0) + 1
      else {
        const reason = `node ${node} dropped ${incoming.method} ${incoming.url}: ${outcome.lost}`
        lost.push(reason)
        outgoing.writeHead(502).end(JSON.stringify({ reason }))
      }
      return
    }
    outgoing.writeHead(502).end(JSON.stringify({ reason: `no node took it; ready: ${ready}` }))
  }

  function relayTo(node: number, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse) {
    return new Promise<'answered' | 'refused' | { readonly lost: string }>((resolve) => {
      const { method, url, headers } = incoming
      const target = { host: '127.0.0.1', port: ports[node], method, path: url, headers, agent: false as const }
      const request = send(target, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('error', (error) => resolve({ lost: `in the answer, ${error}` }))
        answer.on('end', () => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(chunks))
          resolve('answered')
        })
      })
      request.on('error', (error: NodeJS.ErrnoException) =>
        resolve(error.code === 'ECONNREFUSED' ? 'refused' : { lost: String(error) }),
      )
      request.end(body)
    })
  }

  // Longer than a busy test leaves a connection alone: nobody is to meet one that is just being closed.
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    relay(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    address: `http://localhost:${port}/`,
    served,
    lost,
    stop: () =>
      new Promise((resolve) => {
        clearInterval(probe)
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Serves metrics to Prometheus on a separate port, so that they are not reachable through the public one. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mayWait } from '../http/pipelining.ts'
import type { Collector } from './prometheus.ts'

export type MetricsListener = {
  readonly port: number
  close(): Promise<void>
}

/** Serves `GET /metrics`. Rejects with the operating system's error if the address cannot be bound. */
export async function listenForMetrics(
  collector: Pick<Collector, 'contentType' | 'expose'>,
  host: string,
  port: number,
): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: 10_000, keepAliveTimeout: 60_000 }, async (request, response) => {
    if (!mayWait(request, response)) return
    const [path] = (request.url ?? '').split('?', 1)
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('The numbers are at /metrics.\n')
      return
    }
    try {
      const text = await collector.expose()
      response
        .writeHead(200, {
          'content-type': collector.contentType,
          'cache-control': 'no-store',
          'content-length': Buffer.byteLength(text),
        })
        .end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen({ host, port })
  // Rejects if an error comes first.
  await once(server, 'listening')
  // Metrics must not keep an otherwise finished process alive.
  server.unref()
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

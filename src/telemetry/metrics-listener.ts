/** Where a Prometheus server reads the numbers: a port of its own, so that nobody meets them on the public one. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Collector } from './prometheus.ts'

export type MetricsListener = {
  readonly port: number
  close(): Promise<void>
}

/** Serves `GET /metrics`. Rejects with the operating system's error when the address cannot be listened on. */
export async function listenForMetrics(
  collector: Pick<Collector, 'contentType' | 'expose'>,
  host: string,
  port: number,
): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: 10_000, keepAliveTimeout: 60_000 }, async (request, response) => {
    const [path] = (request.url ?? '').split('?', 1)
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('The numbers are at /metrics.\n')
      return
    }
    try {
      const text = await collector.expose()
      response.writeHead(200, { 'content-type': collector.contentType, 'cache-control': 'no-store' }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen({ host, port })
  // Rejects when an error comes first.
  await once(server, 'listening')
  // What reads the numbers must not keep a process alive that has nothing else to do.
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

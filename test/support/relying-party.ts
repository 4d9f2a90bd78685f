/** A relying party that is told of sign-outs: an HTTP server on loopback that keeps what it received. */

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { pino } from 'pino'
import { outboundWith, reachFrom } from '../../src/outbound/outbound.ts'
import { logoutSender } from '../../src/server/logout-sender.ts'
import type { TestService } from './service.ts'

export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly form: URLSearchParams
}

/** `answer`: how it answers; default 200. */
export async function relyingParty(
  answer: (response: ServerResponse, received: Received) => void = (r) => r.end(),
  host = '127.0.0.1',
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, form: new URLSearchParams(body) }
    received.push(one)
    answer(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    origin: `http://${host}:${port}`,
    received,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sends the logout tokens of a test's service, whose background work the test does itself. */
export function senderOf(service: TestService, deadlineMs = 10_000) {
  const { storage, keys, settings, now: clock, issuer } = service
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const counts = { delivered: 0, failed: 0 }
  const outbound = outboundWith({ issuer, clock, deadlineMs, reach: reachFrom(settings), way: settings.outbound })
  const parts = { storage, keys, settings: () => settings, outbound, clock, random: randomBytes, log, counts }
  return { ...logoutSender(parts), counts, lines }
}

/**
 * Answers input that never becomes a request: malformed HTTP, an oversized head, a head that does not arrive in time.
 */
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { protocolError, refusalLine } from './answers.ts'
import type { LogGate } from './log-gate.ts'
import type { RequestMetrics } from './reports.ts'
import { securityHeaders } from './security-headers.ts'

/**
 * Bytes of the request line and headers together. Fits the longest accepted parameters, percent-encoded, and the
 * cookies of several tabs.
 */
export const maxHeaderBytes = 64 * 1024

/** How long a client has to read the error before its connection is destroyed. */
const closeDelayMs = 400

type Context = {
  readonly issuer: string
  readonly log: Logger
  readonly logGate: LogGate
  readonly metrics: RequestMetrics
  readonly random: (bytes: number) => Uint8Array
}

/** Writes the whole answer by hand, because there is only a socket. */
export function answerBrokenRequests({ issuer, log, logGate, metrics, random }: Context) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const { status, refusal } = refusalOf(error.code ?? '')
    const traceId = Buffer.from(random(16)).toString('hex')
    metrics.refusal(refusal.id)
    if (logGate.admits(socket.remoteAddress ?? '')) log.info({ traceId, ...refusalLine(refusal) }, 'refused')
    const body = JSON.stringify(protocolError(issuer, refusal))
    const headers = {
      ...securityHeaders(issuer),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'x-trace-id': traceId,
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
    // `end` closes one half only. A client that keeps its half open must not hold the connection.
    setTimeout(() => socket.destroy(), closeDelayMs).unref()
  }
}

function refusalOf(code: string): { readonly status: string; readonly refusal: Refusal } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: '431 Request Header Fields Too Large', refusal: refuse('head_too_large') }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: '408 Request Timeout', refusal: refuse('request_timeout') }
    default:
      return { status: '400 Bad Request', refusal: refuse('request_malformed', '', { rule: code }) }
  }
}

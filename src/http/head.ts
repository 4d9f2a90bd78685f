/** Checks the head of a request before anything else relies on it. */
import type { IncomingMessage } from 'node:http'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'

/**
 * Refuses an HTTP/1.1 request without `Host`, and one with two `Host` or two `Authorization` fields (RFC 9112 §3.2, RFC
 * 9110 §5.3): Node.js would use the first, while a proxy in front may have used the last. Also refuses a `Host` that
 * `servesHost` does not accept (RFC 9110 §7.4).
 */
export function checkHead(
  { headers, httpVersion, rawHeaders }: IncomingMessage,
  servesHost: ((host: string) => boolean) | undefined,
): Refusal | undefined {
  if (headers.host === undefined) {
    return httpVersion === '1.1' ? malformed('the Host header is missing') : undefined
  }
  let hosts = 0
  let credentials = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
    else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1
  }
  if (hosts > 1) return malformed('there is more than one Host header')
  if (credentials > 1) return malformed('there is more than one Authorization header')
  if (servesHost === undefined || servesHost(headers.host)) return undefined
  return refuse('host_not_served', 'Host', { received: headers.host })
}

function malformed(rule: string): Refusal {
  return refuse('request_malformed', '', { rule })
}

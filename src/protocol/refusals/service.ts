/** Refusals by the service itself, independent of the request: unknown addresses and hosts, rate limits, failures. */
import type { RefusalEntry } from './entry.ts'

export const serviceRefusals = {
  not_found: {
    error: 'not_found',
    id: 'ID9404',
    description: 'There is nothing at this address.',
    why: 'Neither a page nor an endpoint has this path and method.',
    fix: 'See /.well-known/openid-configuration for the addresses of the endpoints.',
    source: 'RFC 9110 §15.5.5',
  },
  host_not_served: {
    error: 'misdirected_request',
    id: 'ID9421',
    description: 'This service is not called by that host name.',
    why: 'The service listens on a loopback address alone, where no other machine can reach it. A page on the internet could point a name of its own at that address and read the answers (DNS rebinding), so only known names count.',
    fix: 'Use the address of OAuth:Issuer, localhost or a loopback address. For another name, add it to Server:AllowedHosts. A proxy in front passes the Host header on.',
    source: 'RFC 9110 §15.5.20, §17.1',
  },
  too_many_requests: {
    error: 'too_many_requests',
    id: 'ID9429',
    description: 'Too many failed sign-ins from this address. Wait a moment and try again.',
    why: 'Failed passwords are counted by network address, so that passwords cannot be guessed in bulk.',
    fix: 'Wait for the number of seconds in the Retry-After header. Behind a proxy, set Server:TrustProxy, or all visitors share one address; the limit is RateLimit:LoginPerMinute.',
    source: 'RFC 6585 §4, a limit of this service',
  },
  server_error: {
    error: 'server_error',
    id: 'ID9500',
    description: 'Something went wrong on our side. The trace id leads to the log entry.',
    why: 'A fault of the service, not of the request.',
    fix: 'Try again. If it stays, give the trace id to the operator of this service.',
    source: 'RFC 6749 §4.1.2.1',
  },
  temporarily_unavailable: {
    error: 'temporarily_unavailable',
    id: 'ID9503',
    description: 'The service cannot answer at the moment.',
    why: 'The database does not answer, or more people sign in at this moment than can be served. Nothing was changed.',
    fix: 'Try again after the number of seconds in the Retry-After header.',
    source: 'RFC 6749 §4.1.2.1',
  },
} as const satisfies Record<string, RefusalEntry>

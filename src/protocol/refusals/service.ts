/** Refusals by the service itself, independent of the request: unknown addresses and hosts, rate limits, failures. */
import type { RefusalEntry } from './entry.ts'

export const serviceRefusals = {
  not_found: {
    error: 'not_found',
    id: 'ID9404',
    description: 'There is nothing at this address.',
    why: 'No page and no endpoint has this path and method.',
    fix: 'See /.well-known/openid-configuration for the addresses of the endpoints.',
    source: 'RFC 9110 §15.5.5',
  },
  host_not_served: {
    error: 'misdirected_request',
    id: 'ID9421',
    description: 'This service is not called by that host name.',
    why: 'The service listens on a loopback address alone, which no other machine can reach. A web page could resolve a name of its own to that address and read the responses (DNS rebinding), so only known names are accepted.',
    fix: 'Use the address of OAuth:Issuer, localhost or a loopback address. For another name, add it to Server:AllowedHosts. A proxy in front must forward the Host header.',
    source: 'RFC 9110 §15.5.20, §17.1',
  },
  too_many_requests: {
    error: 'too_many_requests',
    id: 'ID9429',
    description: 'Too many failed sign-ins from this address. Wait a moment and try again.',
    why: 'Failed passwords are counted by network address, to prevent guessing in bulk.',
    fix: 'Wait for the number of seconds in the Retry-After header. Behind a proxy, set Server:TrustProxy, or all users share one address; the limit is RateLimit:LoginPerMinute.',
    source: 'RFC 6585 §4, a limit of this service',
  },
  server_error: {
    error: 'server_error',
    id: 'ID9500',
    description: 'Something went wrong on our side. The trace id leads to the log entry.',
    why: 'A fault of the service, not of the request.',
    fix: 'Try again. If the error persists, give the trace id to the operator of this service.',
    source: 'RFC 6749 §4.1.2.1',
  },
  temporarily_unavailable: {
    error: 'temporarily_unavailable',
    id: 'ID9503',
    description: 'The service cannot answer at the moment.',
    why: 'The database does not answer, or too many users are signing in at the moment. Nothing was changed.',
    fix: 'Try again after the number of seconds in the Retry-After header.',
    source: 'RFC 6749 §4.1.2.1',
  },
} as const satisfies Record<string, RefusalEntry>

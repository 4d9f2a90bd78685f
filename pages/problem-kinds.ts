import type { Problem } from './api.ts'
import { entry, type texts } from './texts.ts'

export type ProblemKind = keyof (typeof texts)['problem']['kinds']

/** By the number in the service's error catalogue. */
const byId: Record<string, ProblemKind> = {
  ID2015: 'denied',
  ID2028: 'unsupported',
  ID2029: 'incomplete',
  ID2030: 'malformedAddress',
  ID2031: 'malformedAddress',
  ID2032: 'unsupported',
  ID2033: 'unsupported',
  ID2034: 'unsupported',
  ID2035: 'unsupported',
  ID2037: 'unprotected',
  ID2040: 'unprotected',
  ID2043: 'unregisteredAddress',
  ID2046: 'notPermitted',
  ID2047: 'notPermitted',
  ID2051: 'notPermitted',
  ID2052: 'unknownValue',
  ID2054: 'unprotected',
  ID2065: 'notPermitted',
  ID2135: 'malformedAddress',
  ID2140: 'notPermitted',
  ID2141: 'otherClient',
  ID9007: 'expiredForm',
  ID9006: 'startAgain',
  ID9504: 'untrusted',
  ID9505: 'refused',
}

/** By the error code, for problems without a number of their own. */
const byError: Record<string, ProblemKind> = {
  access_denied: 'denied',
  antiforgery_failed: 'expiredForm',
  bad_gateway: 'provider',
  invalid_scope: 'unknownValue',
  not_found: 'notFound',
  request_not_supported: 'unsupported',
  request_uri_not_supported: 'unsupported',
  server_error: 'server',
  temporarily_unavailable: 'unavailable',
  too_many_requests: 'tooMany',
  unauthorized_client: 'notPermitted',
  unsupported_response_type: 'unsupported',
}

export function problemId(problem: Problem): string | undefined {
  return problem.id ?? problem.error_uri?.match(/#(ID\d+)$/)?.[1]
}

export function kindOf(problem: Problem): ProblemKind {
  return entry(byId, problemId(problem), entry(byError, problem.error, 'generic'))
}

/** The visitor can do something here, other than going back to the application that made the request. */
export const mendableHere: readonly ProblemKind[] = [
  'expiredForm',
  'notFound',
  'provider',
  'refused',
  'server',
  'startAgain',
  'tooMany',
  'unavailable',
  'untrusted',
]

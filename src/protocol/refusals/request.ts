/**
 * Refusals of a request for its form, whatever endpoint it is for: parameters, encoding, method, size. Refusals by the
 * process itself, such as limits of rate, are in `service.ts`.
 */
import type { RefusalEntry } from './entry.ts'

export const requestRefusals = {
  parameter_missing: {
    error: 'invalid_request',
    id: 'ID2029',
    description: 'The mandatory parameter {name} is missing.',
    why: 'Without it the request does not say enough to be judged, and guessing would be answering a question nobody asked. A parameter without a value counts as missing.',
    fix: 'Send the parameter. If a form was posted without the fields that came with it, start again at the application.',
    source: 'RFC 6749 §4.1.2.1, §5.2',
  },
  parameter_repeated: {
    error: 'invalid_request',
    id: 'ID9001',
    description: 'The parameter {name} was sent more than once.',
    why: 'Two readers of one request could each believe another of the values; attackers live on that difference.',
    fix: 'Send each parameter once.',
    source: 'RFC 6749 §3.1, §3.2',
  },
  parameter_malformed: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The value of the parameter {name} is not valid.',
    why: 'The value does not have the form that the specification gives this parameter, so its meaning is not certain.',
    fix: 'Check the value against the specification of the parameter.',
    source: 'RFC 6749 §4.1.2.1, §5.2',
  },
  parameter_too_long: {
    error: 'invalid_request',
    id: 'ID9002',
    description: 'The value of the parameter {name} is too long.',
    why: 'Values are bounded, so that nobody can fill memory, headers or logs with them.',
    fix: 'Shorten the value. State belongs in the application; send a reference to it.',
    source: 'a limit of this service',
  },
  encoding_malformed: {
    error: 'invalid_request',
    id: 'ID9003',
    description: 'The parameters are not valid application/x-www-form-urlencoded text in UTF-8.',
    why: 'What cannot be decoded in exactly one way is not decoded at all. Most often a value was put into the address or body without being encoded, or the request line itself is broken.',
    fix: 'Encode names and values as form text: UTF-8, percent-encoded, no NUL, at most 256 parameters.',
    source: 'RFC 6749 Appendix B',
  },
  content_type_missing: {
    error: 'invalid_request',
    id: 'ID2081',
    description: 'The mandatory Content-Type header is missing.',
    why: 'Nothing but the header says how the body is to be read.',
    fix: 'Send Content-Type: application/x-www-form-urlencoded with the body.',
    source: 'RFC 6749 §3.2, Appendix B',
  },
  content_type_unsupported: {
    error: 'invalid_request',
    id: 'ID2082',
    description: 'The Content-Type must be application/x-www-form-urlencoded.',
    why: 'OAuth requests are forms. A body of another kind is not guessed at.',
    fix: 'Send the parameters as a form body, not as JSON or multipart.',
    source: 'RFC 6749 §3.2, Appendix B',
  },
  method_not_accepted: {
    error: 'invalid_request',
    id: 'ID2084',
    description: 'The HTTP method is not accepted at this endpoint.',
    why: 'Parameters in an address end up in logs and histories, so tokens are asked for with POST alone; other methods have no meaning here.',
    fix: 'Use POST at the token and revocation endpoints, GET or POST at the authorization and end-session endpoints.',
    source: 'RFC 6749 §3.1, §3.2',
  },
  body_too_large: {
    error: 'invalid_request',
    id: 'ID9004',
    description: 'The request body is larger than 64 KiB.',
    why: 'No request of the protocol is as large, and reading on would let anybody fill the memory.',
    fix: 'Send only the parameters of the request.',
    source: 'a limit of this service',
  },
  request_malformed: {
    error: 'invalid_request',
    id: 'ID9008',
    description: 'This is not a well-formed HTTP request.',
    why: 'Requests that can be read in two ways are how requests are smuggled past proxies, so they are not read at all. A request of HTTP/1.1 names its host.',
    fix: 'Use an HTTP library. If a proxy stands between, see what it sends.',
    source: 'RFC 9112 §2.2, §3.2, §6.3',
  },
  head_too_large: {
    error: 'invalid_request',
    id: 'ID9009',
    description: 'The address and the headers of the request are larger than 64 KiB.',
    why: 'The head of a request is held in memory before anything is known about its sender.',
    fix: 'Shorten the parameters, or delete the cookies of this site in the browser.',
    source: 'RFC 6585 §5, a limit of this service',
  },
  request_timeout: {
    error: 'invalid_request',
    id: 'ID9010',
    description: 'The request did not arrive in time.',
    why: 'A request has thirty seconds to arrive, so that slow senders cannot hold all connections.',
    fix: 'Send the request again; see whether a proxy holds it back.',
    source: 'RFC 9110 §15.5.9, a limit of this service',
  },
} as const satisfies Record<string, RefusalEntry>

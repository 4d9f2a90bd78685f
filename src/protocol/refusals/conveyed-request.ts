/** Refusals of pushed requests (RFC 9126) and request objects (RFC 9101), and of clients that must use them. */
import type { RefusalEntry } from './entry.ts'

export const conveyedRequestRefusals = {
  request_uri_unknown: {
    error: 'invalid_request_uri',
    id: 'ID9200',
    description: 'The request_uri is not known.',
    why: 'No pushed request has this address, or it was removed long after its end.',
    fix: 'Push the request again, and open the request_uri of the answer exactly as received.',
    source: 'RFC 9126 §2.2, RFC 9101 §5.2',
  },
  request_uri_foreign: {
    error: 'invalid_request_uri',
    id: 'ID9201',
    description: 'The request_uri was issued to another client.',
    why: 'A pushed request belongs to the client that pushed it.',
    fix: 'Send the client_id with which the request was pushed.',
    source: 'RFC 9126 §2.2, §4',
  },
  request_uri_expired: {
    error: 'invalid_request_uri',
    id: 'ID9202',
    description: 'The request_uri has expired.',
    why: 'A pushed request must be opened soon: a short life bounds what a stolen address is worth.',
    fix: 'Start again at the application, which pushes a new request. Developers: redirect right after pushing.',
    source: 'RFC 9126 §2.2, §4',
  },
  request_uri_completed: {
    error: 'invalid_request_uri',
    id: 'ID9203',
    description: 'The request_uri was used before.',
    why: 'A pushed request is answered once. The most frequent causes are the back button and a second tab.',
    fix: 'Start again at the application, which pushes a new request.',
    source: 'RFC 9126 §4',
  },
  request_uri_pushed: {
    error: 'invalid_request',
    id: 'ID9204',
    description: 'A pushed request must not contain request_uri.',
    why: 'A pushed request contains the parameters themselves; a reference in it could point to another request.',
    fix: 'Push the parameters, or a signed request object in request.',
    source: 'RFC 9126 §2.1',
  },
  pushed_request_too_large: {
    error: 'invalid_request',
    id: 'ID9205',
    description: 'The pushed request is too large.',
    why: 'The service stores each pushed request, so its size is bounded.',
    fix: 'Send fewer and shorter parameters. Keep state in the application.',
    source: 'a limit of this service, RFC 9126 §2.3',
  },
  pushed_request_required: {
    error: 'invalid_request',
    id: 'ID9206',
    description: 'This client must push its authorization requests.',
    why: 'The client is registered with require_pushed_authorization_requests or profile fapi2, so that nothing in the address of a browser can change its requests.',
    fix: 'Send the request to the pushed authorization request endpoint first, and open the request_uri of its answer.',
    source: 'RFC 9126 §6, FAPI 2.0 Security Profile §5.3.2.2',
  },
} as const satisfies Record<string, RefusalEntry>

/** Refusals of clients that register themselves (RFC 7591 §3.2.2, RFC 7592). */
import type { RefusalEntry } from './entry.ts'

export const clientRegistrationRefusals = {
  registration_metadata_invalid: {
    error: 'invalid_client_metadata',
    id: 'ID9101',
    description: 'The client metadata cannot be registered.',
    why: 'A member has a value that it may not have, or that only an operator may set.',
    fix: 'Correct the member that error_description names. docs/client-members.md describes all of them.',
    source: 'RFC 7591 §3.2.2',
  },
  registration_redirect_uri_invalid: {
    error: 'invalid_redirect_uri',
    id: 'ID9102',
    description: 'The redirect URIs cannot be registered.',
    why: 'Codes are sent to these addresses, so they must be https, loopback addresses or private-use schemes with a dot.',
    fix: 'Correct the address that error_description names.',
    source: 'RFC 7591 §3.2.2',
  },
  registration_body_malformed: {
    error: 'invalid_client_metadata',
    id: 'ID9103',
    description: 'The body must be a JSON object with client metadata, of at most 32 KiB and some hundred members.',
    why: 'Client metadata is sent as application/json.',
    fix: 'Send Content-Type: application/json and one JSON object.',
    source: 'RFC 7591 §3.1',
  },
  registration_token_invalid: {
    error: 'invalid_token',
    id: 'ID9104',
    description: 'The token for client registration is not valid.',
    why: 'The token is missing, unknown, expired, used up, or belongs to another client. A registration access token changes with each update.',
    fix: 'Ask the operator for an initial access token: latchkey client registration-token. To manage a client, send the registration access token of the last answer.',
    source: 'RFC 7591 §3, RFC 7592 §2, RFC 6750 §3.1',
  },
  registrations_exhausted: {
    error: 'too_many_requests',
    id: 'ID9105',
    description:
      'Too many clients were registered from this address, or too many registrations tried. Try again later.',
    why: 'Each address can register a bounded number of clients in an hour, and send a bounded number of registrations and bytes of them in a minute, because anybody may register here.',
    fix: 'Wait for the number of seconds in the Retry-After header. An initial access token gives more clients in an hour. Behind a proxy, set Server:TrustProxy.',
    source: 'RFC 6585 §4, RFC 7591 §5',
  },
  registration_updates_exhausted: {
    error: 'too_many_requests',
    id: 'ID9015',
    description: 'This client was updated too often, or too many updates came from this address. Try again later.',
    why: 'Each update is stored and told of in the audit trail, so the number of updates and their bytes are bounded by client and by address.',
    fix: 'Wait for the number of seconds in the Retry-After header, and send all changes in one update.',
    source: 'RFC 6585 §4, a limit of this service',
  },
  client_document_unreachable: {
    error: 'invalid_request',
    id: 'ID9106',
    description: 'The document at the client_id cannot be fetched.',
    why: 'The client_id is an address at which the application describes itself, and it gave no usable answer within five seconds. Failures are repeated for 30 seconds.',
    fix: 'Publish the document at exactly this https address, without redirects, as JSON with the status 200. The log names what went wrong.',
    source: 'OAuth Client ID Metadata Document §3',
  },
  client_document_invalid: {
    error: 'invalid_request',
    id: 'ID9107',
    description: 'The document at the client_id does not describe a client that may be used here.',
    why: 'The document must name its own address as client_id, and describe a client without a secret, with scopes that are open to all.',
    fix: 'Correct the member that the log names. docs/clients.md describes the rules.',
    source: 'OAuth Client ID Metadata Document §4',
  },
  client_documents_exhausted: {
    error: 'too_many_requests',
    id: 'ID9108',
    description: 'Too many client documents were requested from this address. Wait and try again.',
    why: 'Each new or changed application makes the service fetch its document, so the number of fetches is bounded by address, and so is the number of new clients.',
    fix: 'Wait a minute, or an hour for new applications. Behind a proxy, set Server:TrustProxy, or all users share one address.',
    source: 'RFC 6585 §4, a limit of this service',
  },
} as const satisfies Record<string, RefusalEntry>

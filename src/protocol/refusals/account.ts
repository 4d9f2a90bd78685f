/** Refusals by the account pages: forms and external sign-in. */
import type { RefusalEntry } from './entry.ts'

export const accountRefusals = {
  external_state_invalid: {
    error: 'invalid_request',
    id: 'ID9006',
    description: 'The sign-in at the provider was not started in this browser, was finished before, or took too long.',
    why: 'The response of a provider is accepted once, within fifteen minutes, in the browser that started the sign-in; otherwise a user could be signed in to another account.',
    fix: 'Start the sign-in again from the login page.',
    source: 'RFC 6749 §10.12, RFC 9700 §4.7',
  },
  antiforgery_failed: {
    error: 'invalid_request',
    id: 'ID9007',
    description: 'The form does not come from a page of this service that is open in this browser.',
    why: 'The anti-forgery token is missing, older than twelve hours, or belongs to another browser or user: a sign-in or sign-out happened meanwhile, cookies were deleted, or another site sent the form.',
    fix: 'Open the page again and send the form from there. A script requests /Account/Antiforgery first and keeps its cookie.',
    source: 'RFC 6749 §10.12',
  },
  sign_in_cancelled: {
    error: 'access_denied',
    id: 'ID2015',
    description: 'The person went back to the application.',
    why: 'The person pressed the way back on the sign-in page or one after it, so that nobody is signed in for this request.',
    fix: 'This is not an error: the person changed their mind. Offer to sign in again.',
    source: 'RFC 6749 §4.1.2.1',
  },
  confirmations_exhausted: {
    error: 'too_many_requests',
    id: 'ID9345',
    description: 'Too many codes by mail were asked for from this address. Wait and try again.',
    why: 'Each request for a code stores a record, whether or not there is such an account, so their number is bounded for each network.',
    fix: 'Wait for the number of seconds in the Retry-After header. Behind a proxy, set Server:TrustProxy, or all users share one address.',
    source: 'RFC 6585 §4, a limit of this service',
  },
  provider_unknown: {
    error: 'unknown_provider',
    id: 'ID9011',
    description: 'There is no sign-in provider of that name.',
    why: 'A provider exists only when its ClientId is set.',
    fix: 'Set OAuth:External:<Provider>:ClientId and ClientSecret; see /Account/ExternalProviders for the names.',
    source: 'a rule of this service',
  },
  provider_failed: {
    error: 'bad_gateway',
    id: 'ID9502',
    description: 'The sign-in provider did not answer as it should. Nothing was changed.',
    why: 'The provider could not be reached, took longer than ten seconds, answered with a server error, or sent something that is no answer of the protocol.',
    fix: 'Try again. If the error persists, the log entry has the response of the provider: check the addresses of the provider, and whether it can be reached from here.',
    source: 'RFC 6749 §5.2',
  },
  provider_untrusted: {
    error: 'bad_gateway',
    id: 'ID9504',
    description: 'The answer of the sign-in provider could not be trusted. Nothing was changed.',
    why: 'A response of the provider failed a check: its signature, or a value that must be the one that was asked for. Somebody may have tampered with it, or the provider does not follow the protocol.',
    fix: 'The log entry and latchkey explain name the check. Compare Issuer, ClientId and SubjectClaim with the provider, and the clocks of both machines for iat and exp. Where the settings name another source than before, latchkey provider accept NAME lets the links count, if it names the same people by the same subjects.',
    source: 'OpenID Connect Core §3.1.3.7, §3.1.3.8, §5.3.2, §5.7, RFC 9207 §2.4',
  },
  provider_refused: {
    error: 'bad_gateway',
    id: 'ID9505',
    description: 'The sign-in provider refused the sign-in. Nothing was changed.',
    why: 'The provider answered with an OAuth error: mostly because it does not know the client, its secret or its key, or because the code was used before.',
    fix: 'The log entry and latchkey explain have the error of the provider. For invalid_client check ClientId, ClientSecret and TokenEndpointAuthMethod; for invalid_grant begin the sign-in again.',
    source: 'RFC 6749 §5.2, RFC 9126 §2.3',
  },
} as const satisfies Record<string, RefusalEntry>

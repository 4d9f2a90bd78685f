/**
 * The one catalogue of everything this service refuses. A refusal is a value, not an exception. `id` is the stable
 * number that tests, logs and `error_uri` carry; several entries share a number where they are the same kind of fault.
 * `docs/errors.md`, the page behind `error_uri` and `latchkey explain` are made from here.
 */
import { boundDetail, type Detail, type Unbounded } from './refusal-detail.ts'

/**
 * Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1 and OpenID Connect Core §3.1.2.6, and our own where no
 * protocol speaks of the address.
 */
export type ErrorCode =
  | 'access_denied'
  | 'bad_gateway'
  | 'consent_required'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_token'
  | 'login_required'
  | 'misdirected_request'
  | 'not_found'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'too_many_requests'
  | 'unauthorized_client'
  | 'unknown_provider'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'

export type RefusalEntry = {
  readonly error: ErrorCode
  readonly id: `ID${number}`
  /** Sent as `error_description`. `{name}` stands for the parameter at fault. Printable ASCII (RFC 6749 §5.2). */
  readonly description: string
  /** Replaces `{name}` where the catalogue speaks of no request: 'the {name}' must read as a sentence. */
  readonly parameters?: string
  /** What the rule is for, and what most often leads there. */
  readonly why: string
  /** How the developer of the client, or the operator of the service, mends it. */
  readonly mend: string
  /** The rule that demands the refusal. */
  readonly source: string
}

export const refusals = {
  parameter_missing: {
    error: 'invalid_request',
    id: 'ID2029',
    description: 'The mandatory parameter {name} is missing.',
    why: 'Without it the request does not say enough to be judged, and guessing would be answering a question nobody asked. A parameter without a value counts as missing.',
    mend: 'Send the parameter. If a form was posted without the fields that came with it, start again at the application.',
    source: 'RFC 6749 §4.1.2.1, §5.2',
  },
  client_id_missing: {
    error: 'invalid_client',
    id: 'ID2029',
    description: 'The mandatory parameter client_id is missing.',
    why: 'Every token request says which client it comes from, also that of a public client, so that a code or refresh token is taken from nobody else.',
    mend: 'Send client_id in the body, or the client credentials in the Authorization header.',
    source: 'RFC 6749 §3.2.1',
  },
  parameter_repeated: {
    error: 'invalid_request',
    id: 'ID9001',
    description: 'The parameter {name} was sent more than once.',
    why: 'Two readers of one request could each believe another of the values; attackers live on that difference.',
    mend: 'Send each parameter once.',
    source: 'RFC 6749 §3.1, §3.2',
  },
  parameter_malformed: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The value of the parameter {name} is not valid.',
    why: 'The value does not have the form that the specification gives this parameter, so its meaning is not certain.',
    mend: 'Check the value against the specification of the parameter.',
    source: 'RFC 6749 §4.1.2.1, §5.2',
  },
  parameter_too_long: {
    error: 'invalid_request',
    id: 'ID9002',
    description: 'The value of the parameter {name} is too long.',
    why: 'Values are bounded, so that nobody can fill memory, headers or logs with them.',
    mend: 'Shorten the value. State belongs in the application; send a reference to it.',
    source: 'a limit of this service',
  },
  encoding_malformed: {
    error: 'invalid_request',
    id: 'ID9003',
    description: 'The parameters are not valid application/x-www-form-urlencoded text in UTF-8.',
    why: 'What cannot be decoded in exactly one way is not decoded at all. Most often a value was put into the address or body without being encoded, or the request line itself is broken.',
    mend: 'Encode names and values as form text: UTF-8, percent-encoded, no NUL, at most 256 parameters.',
    source: 'RFC 6749 Appendix B',
  },
  content_type_missing: {
    error: 'invalid_request',
    id: 'ID2081',
    description: 'The mandatory Content-Type header is missing.',
    why: 'Nothing but the header says how the body is to be read.',
    mend: 'Send Content-Type: application/x-www-form-urlencoded with the body.',
    source: 'RFC 6749 §3.2, Appendix B',
  },
  content_type_unsupported: {
    error: 'invalid_request',
    id: 'ID2082',
    description: 'The Content-Type must be application/x-www-form-urlencoded.',
    why: 'OAuth requests are forms. A body of another kind is not guessed at.',
    mend: 'Send the parameters as a form body, not as JSON or multipart.',
    source: 'RFC 6749 §3.2, Appendix B',
  },
  method_not_accepted: {
    error: 'invalid_request',
    id: 'ID2084',
    description: 'The HTTP method is not accepted at this endpoint.',
    why: 'Parameters in an address end up in logs and histories, so tokens are asked for with POST alone; other methods have no meaning here.',
    mend: 'Use POST at the token and revocation endpoints, GET or POST at the authorization and end-session endpoints.',
    source: 'RFC 6749 §3.1, §3.2',
  },
  body_too_large: {
    error: 'invalid_request',
    id: 'ID9004',
    description: 'The request body is larger than 64 KiB.',
    why: 'No request of the protocol is as large, and reading on would let anybody fill the memory.',
    mend: 'Send only the parameters of the request.',
    source: 'a limit of this service',
  },

  request_object_unsupported: {
    error: 'request_not_supported',
    id: 'ID2028',
    description: 'Request objects are not supported.',
    why: 'The service does not read requests that are packed into a signed object; ignoring the object would answer another request than the one that was meant.',
    mend: 'Send the parameters of the request themselves instead of the request parameter.',
    source: 'OpenID Connect Core §6, §3.1.2.6',
  },
  request_uri_unsupported: {
    error: 'request_uri_not_supported',
    id: 'ID2028',
    description: 'The parameter request_uri is not supported.',
    why: 'The service fetches no request from an address that a stranger names.',
    mend: 'Send the parameters of the request themselves instead of request_uri.',
    source: 'OpenID Connect Core §6, §3.1.2.6',
  },
  redirect_uri_not_absolute: {
    error: 'invalid_request',
    id: 'ID2030',
    description: 'The {name} must be an absolute URI.',
    parameters: 'redirect_uri or post_logout_redirect_uri',
    why: 'An address without scheme and host, or with spaces and control characters in it, means different things to different readers.',
    mend: 'Send the address exactly as it is registered, scheme and host included.',
    source: 'RFC 6749 §3.1.2',
  },
  redirect_uri_fragment: {
    error: 'invalid_request',
    id: 'ID2031',
    description: 'The {name} must not include a fragment.',
    parameters: 'redirect_uri or post_logout_redirect_uri',
    why: 'The answer is added to the address, and a fragment would swallow it or hide where it goes.',
    mend: 'Remove the fragment from the address.',
    source: 'RFC 6749 §3.1.2',
  },
  redirect_uri_iss: {
    error: 'invalid_request',
    id: 'ID2135',
    description: 'The redirect_uri must not carry an iss parameter of its own.',
    why: 'The answer names its issuer in iss; a second one would let an attacker confuse one provider with another.',
    mend: 'Remove iss from the query of the address; the response carries one.',
    source: 'RFC 9207 §2',
  },
  redirect_uri_unregistered: {
    error: 'invalid_request',
    id: 'ID2043',
    description: 'The redirect_uri is not registered for this client.',
    why: 'Codes are sent to registered addresses only, and an address is compared as a whole string: anything looser has let attackers have codes sent to themselves.',
    mend: 'Register the address, or send it exactly as registered: every character counts, a trailing slash too.',
    source: 'RFC 6749 §3.1.2.4, RFC 9700 §4.1.3',
  },
  response_type_unsupported: {
    error: 'unsupported_response_type',
    id: 'ID2032',
    description: 'The response_type is not supported; use code.',
    why: 'Only the code flow is offered: the others put tokens into addresses.',
    mend: 'Use the authorization code flow: response_type=code.',
    source: 'RFC 6749 §4.1.2.1, RFC 9700 §2.1.2',
  },
  response_mode_unsupported: {
    error: 'invalid_request',
    id: 'ID2032',
    description: 'The response_mode is not supported.',
    why: 'The service does not know how to deliver an answer that way.',
    mend: 'Use query, fragment or form_post, or leave the parameter out.',
    source: 'OAuth 2.0 Multiple Response Types §2.1',
  },
  prompt_unsupported: {
    error: 'invalid_request',
    id: 'ID2032',
    description: 'The prompt holds a value that is not supported.',
    why: 'A wish about signing in that is not understood must not be ignored.',
    mend: 'Use none, login, consent or select_account.',
    source: 'OpenID Connect Core §3.1.2.1',
  },
  prompt_contradictory: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The prompt must not combine none with another value.',
    why: 'none forbids every question, the other value asks for one.',
    mend: 'Send prompt=none alone.',
    source: 'OpenID Connect Core §3.1.2.1',
  },
  code_challenge_method_without_challenge: {
    error: 'invalid_request',
    id: 'ID2037',
    description: 'The code_challenge_method was sent without a code_challenge.',
    why: 'A method without a challenge protects nothing: something was lost on the way.',
    mend: 'Send both, or neither if the client may go without PKCE.',
    source: 'RFC 7636 §4.3',
  },
  code_challenge_method_missing: {
    error: 'invalid_request',
    id: 'ID2029',
    description:
      'The mandatory parameter code_challenge_method is missing; without it plain is meant, which is refused.',
    why: 'A challenge without a method is read as plain, where the challenge is the secret itself and travels through the browser.',
    mend: 'Send code_challenge_method=S256.',
    source: 'RFC 7636 §4.3, RFC 9700 §2.1.1',
  },
  code_challenge_method_unsupported: {
    error: 'invalid_request',
    id: 'ID2032',
    description: 'The code_challenge_method is not supported; use S256.',
    why: 'With S256 whoever sees the authorization request learns nothing that redeems the code. No other method here does that.',
    mend: 'Send code_challenge_method=S256.',
    source: 'RFC 7636 §4.4.1, RFC 9700 §2.1.1',
  },
  code_challenge_malformed: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The code_challenge is not a base64url SHA-256 value of 43 characters.',
    why: 'No verifier can match it, so the code would be refused later.',
    mend: 'Send base64url(SHA-256(ASCII(code_verifier))) without padding.',
    source: 'RFC 7636 §4.2',
  },
  code_challenge_missing: {
    error: 'invalid_request',
    id: 'ID2054',
    description: 'This client must send a code_challenge (PKCE).',
    why: 'Without PKCE a stolen code is enough to get tokens.',
    mend: 'Create a code_verifier and send its code_challenge with code_challenge_method=S256.',
    source: 'RFC 7636 §4.4.1, RFC 9700 §2.1.1',
  },
  client_unknown: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The client_id is not known.',
    why: 'No client of this id is registered, so there is no address that an answer may be sent to. The most frequent causes are a typing error and another environment.',
    mend: 'Check the client_id, or register the client: latchkey client add.',
    source: 'RFC 6749 §4.1.2.1',
  },
  scope_unknown: {
    error: 'invalid_scope',
    id: 'ID2052',
    description: 'At least one requested scope is not registered.',
    why: 'A scope that nobody registered means nothing, and a token that carries it would promise something.',
    mend: 'Ask for registered scopes only, or register the scope: latchkey scope add.',
    source: 'RFC 6749 §3.3, §4.1.2.1',
  },
  scope_not_permitted: {
    error: 'invalid_request',
    id: 'ID2051',
    description: 'This client is not permitted to ask for at least one of the requested scopes.',
    why: 'Each client has its own list of scopes, so that a client that was broken into cannot ask for everything.',
    mend: 'Ask for fewer scopes, or permit the scope in the registration of the client.',
    source: 'RFC 6749 §3.3',
  },
  offline_access_not_permitted: {
    error: 'invalid_request',
    id: 'ID2065',
    description: 'This client is not permitted to ask for offline_access.',
    why: 'offline_access gives a refresh token, which works while nobody is there; it is permitted client by client.',
    mend: 'Leave offline_access out, or permit it in the registration of the client.',
    source: 'OpenID Connect Core §11',
  },
  id_token_hint_foreign: {
    error: 'invalid_request',
    id: 'ID2141',
    description: 'The id_token_hint was issued to another client.',
    why: 'A client may only speak of a person by a token that it was given itself.',
    mend: 'Send an id token that this client received.',
    source: 'OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2',
  },
  consent_ambiguous: {
    error: 'invalid_request',
    id: 'ID9005',
    description: 'The consent form was posted with both answers.',
    why: 'Yes and no at once is no answer. A browser sends the button that was pressed, and only that.',
    mend: 'Send submit.Accept or submit.Deny, not both.',
    source: 'a rule of this service',
  },
  consent_denied: {
    error: 'access_denied',
    id: 'ID2015',
    description: 'The authorization was denied by the resource owner.',
    why: 'The person pressed Deny on the consent page.',
    mend: 'Nothing is wrong: the person said no. Offer to try again.',
    source: 'RFC 6749 §4.1.2.1',
  },
  login_required: {
    error: 'login_required',
    id: 'ID2015',
    description: 'The person must sign in, and prompt=none forbids to ask.',
    why: 'There is no sign-in that meets the request (none at all, or too old for prompt and max_age), and the request allows no question.',
    mend: 'Send the authorization request again without prompt=none.',
    source: 'OpenID Connect Core §3.1.2.6',
  },
  hint_names_another: {
    error: 'login_required',
    id: 'ID2015',
    description: 'The person who is signed in is not the one that the id_token_hint names.',
    why: 'The client asked about one person, and another one is there. An answer would mix up the two accounts.',
    mend: 'Let the right person sign in, or leave id_token_hint out.',
    source: 'OpenID Connect Core §3.1.2.2',
  },
  consent_required: {
    error: 'consent_required',
    id: 'ID2015',
    description: 'The person must consent, and prompt=none forbids to ask.',
    why: 'No consent for exactly these scopes is stored, and the request allows no question.',
    mend: 'Send the authorization request again without prompt=none.',
    source: 'OpenID Connect Core §3.1.2.6',
  },

  grant_type_unsupported: {
    error: 'unsupported_grant_type',
    id: 'ID2032',
    description: 'The grant_type is not supported.',
    why: 'Only the two grants that involve a person are offered. Passwords are typed at this service alone, never in an application.',
    mend: 'Use authorization_code or refresh_token.',
    source: 'RFC 6749 §5.2',
  },
  credentials_malformed: {
    error: 'invalid_request',
    id: 'ID2055',
    description: 'The Authorization header is not well-formed Basic authentication.',
    why: 'The header cannot be split into a client id and a secret in exactly one way.',
    mend: 'Send Basic base64(form-encoded client_id:form-encoded client_secret).',
    source: 'RFC 6749 §2.3.1',
  },
  credentials_multiple: {
    error: 'invalid_request',
    id: 'ID2087',
    description: 'More than one method of client authentication was used.',
    why: 'With two sets of credentials it is not certain which one was meant.',
    mend: 'Send the credentials in the Authorization header or in the body, not in both.',
    source: 'RFC 6749 §2.3',
  },
  client_assertion_unsupported: {
    error: 'invalid_client',
    id: 'ID2032',
    description: 'Client assertions are not supported.',
    why: 'The service has no keys of clients with which an assertion could be checked.',
    mend: 'Authenticate with client_secret_basic or client_secret_post.',
    source: 'RFC 6749 §2.3.2',
  },
  client_unknown_at_token: {
    error: 'invalid_client',
    id: 'ID2052',
    description: 'The client_id is not known.',
    why: 'No client of this id is registered. The most frequent causes are a typing error and another environment.',
    mend: 'Check the client_id, or register the client: latchkey client add.',
    source: 'RFC 6749 §5.2',
  },
  client_secret_unexpected: {
    error: 'invalid_client',
    id: 'ID2053',
    description: 'A public client must not send a client_secret.',
    why: 'The client is registered as public: it has no secret that could be right. Secrets in browsers and apps are none.',
    mend: 'Leave client_secret out, or register the client as confidential.',
    source: 'RFC 6749 §2.1, §5.2',
  },
  client_secret_missing: {
    error: 'invalid_client',
    id: 'ID2054',
    description: 'This client must authenticate with its client_secret.',
    why: 'The client is registered as confidential, and proves with its secret that the request is its own.',
    mend: 'Send the secret by client_secret_basic or client_secret_post.',
    source: 'RFC 6749 §3.2.1',
  },
  client_secret_wrong: {
    error: 'invalid_client',
    id: 'ID2055',
    description: 'The client credentials are not valid.',
    why: 'The secret is not the one that was made at the registration. Only its hash is kept, so it cannot be shown again.',
    mend: 'Check the secret of the client.',
    source: 'RFC 6749 §5.2',
  },
  code_invalid: {
    error: 'invalid_grant',
    id: 'ID2001',
    description: 'The authorization code is not valid.',
    why: 'It is no code of this service: damaged, cut off, decoded twice, of another environment, or made with keys that are gone.',
    mend: 'Send the code exactly as it came, once, at the service that issued it.',
    source: 'RFC 6749 §5.2',
  },
  code_foreign: {
    error: 'invalid_grant',
    id: 'ID2069',
    description: 'The authorization code was issued to another client.',
    why: 'A code is bound to the client that asked for it; another one holding it has stolen or mixed it up.',
    mend: 'Redeem a code with the client_id that asked for it.',
    source: 'RFC 6749 §4.1.3, §5.2',
  },
  code_redeemed: {
    error: 'invalid_grant',
    id: 'ID2010',
    description: 'The authorization code was redeemed before; all that it gave is revoked.',
    why: 'A code that comes twice may have been stolen, and nobody can tell which of the two was the thief. The most frequent innocent cause is an application that loads its callback page twice.',
    mend: 'Redeem a code once. Start a new authorization request.',
    source: 'RFC 6749 §4.1.2',
  },
  code_expired: {
    error: 'invalid_grant',
    id: 'ID2016',
    description: 'The authorization code has expired.',
    why: 'A code lives for a minute or so, because it travels through the browser.',
    mend: 'Redeem the code at once. Start a new authorization request.',
    source: 'RFC 6749 §4.1.2, §5.2',
  },
  redirect_uri_mismatch: {
    error: 'invalid_grant',
    id: 'ID2072',
    description: 'The redirect_uri is not the one of the authorization request.',
    why: 'The same address again proves that the code was delivered to where the client asked for it, and not injected on another way.',
    mend: 'Send the redirect_uri of the authorization request, character by character.',
    source: 'RFC 6749 §4.1.3',
  },
  code_verifier_missing: {
    error: 'invalid_request',
    id: 'ID2054',
    description: 'The mandatory parameter code_verifier is missing (PKCE).',
    why: 'The code was asked for with a challenge, and only the verifier proves that the same client redeems it.',
    mend: 'Send the code_verifier whose challenge was in the authorization request.',
    source: 'RFC 7636 §4.5',
  },
  code_verifier_unexpected: {
    error: 'invalid_request',
    id: 'ID2073',
    description: 'A code_verifier was sent, but the authorization request had no code_challenge.',
    why: 'A verifier without a challenge hints at an attacker who took the challenge out of the authorization request.',
    mend: 'Send the code_challenge with the authorization request.',
    source: 'RFC 9700 §2.1.1',
  },
  code_verifier_mismatch: {
    error: 'invalid_grant',
    id: 'ID2052',
    description: 'The code_verifier does not match the code_challenge.',
    why: 'Only the client that began the sign-in knows the verifier. The most frequent innocent causes are a second tab that overwrote the stored verifier, and hashing or encoding it in another way.',
    mend: 'Send the 43 to 128 characters whose SHA-256 was sent as code_challenge.',
    source: 'RFC 7636 §4.6',
  },
  refresh_token_invalid: {
    error: 'invalid_grant',
    id: 'ID2003',
    description: 'The refresh token is not valid.',
    why: 'It is no refresh token of this service: damaged, cut off, of another environment, or its grant was removed.',
    mend: 'Send the refresh token exactly as it came, or let the person sign in again.',
    source: 'RFC 6749 §5.2',
  },
  refresh_token_foreign: {
    error: 'invalid_grant',
    id: 'ID2071',
    description: 'The refresh token was issued to another client.',
    why: 'A refresh token is bound to the client that received it; another one holding it has stolen or mixed it up.',
    mend: 'Use a refresh token with the client_id that received it.',
    source: 'RFC 6749 §6, §10.4',
  },
  refresh_token_reused: {
    error: 'invalid_grant',
    id: 'ID2012',
    description: 'The refresh token was used before; its whole chain is revoked.',
    why: 'Every refresh replaces the token. One that comes again after the leeway may have been stolen, and nobody can tell who the thief is, so all of the chain ends.',
    mend: 'Keep the refresh token of each answer and forget the one before. Let the person sign in again.',
    source: 'RFC 9700 §4.14.2',
  },
  refresh_token_expired: {
    error: 'invalid_grant',
    id: 'ID2018',
    description: 'The refresh token has expired or was revoked.',
    why: 'It was not used for as long as it lives, or its chain was ended: by a revocation, a sign-out of the client, or the reuse of a code or token.',
    mend: 'Let the person sign in again.',
    source: 'RFC 6749 §5.2',
  },
  consent_revoked: {
    error: 'invalid_grant',
    id: 'ID2020',
    description: 'The consent behind this grant was withdrawn.',
    why: 'The consent that the tokens rest on was taken back.',
    mend: 'Let the person sign in and consent again.',
    source: 'RFC 6749 §5.2',
  },
  refresh_scope_exceeds: {
    error: 'invalid_grant',
    id: 'ID2052',
    description: 'The scope asks for more than was granted.',
    why: 'A refresh can narrow what was granted, never widen it: nobody consented to more.',
    mend: 'Ask for a subset of the granted scopes, or leave scope out.',
    source: 'RFC 6749 §6',
  },
  user_gone: {
    error: 'invalid_grant',
    id: 'ID2024',
    description: 'The token is no longer valid.',
    why: 'The account was deleted since the person signed in. It is read anew at every exchange.',
    mend: 'The account no longer exists. End the session in the application.',
    source: 'RFC 6749 §5.2',
  },
  user_not_allowed: {
    error: 'invalid_grant',
    id: 'ID2024',
    description: 'The user is no longer allowed to sign in.',
    why: 'The account is locked, disabled or not confirmed, or was locked since the person signed in. It is read anew at every exchange.',
    mend: 'The account is locked or not confirmed. Let the person talk to their administrator.',
    source: 'RFC 6749 §5.2',
  },

  access_token_invalid: {
    error: 'invalid_token',
    id: 'ID9012',
    description: 'The access token is not valid.',
    why: 'The sample API takes only access tokens that this service signed for it, that have not expired and were not revoked.',
    mend: 'Refresh the access token, or let the person sign in again. Send the access token, not the id token.',
    source: 'RFC 6750 §3.1, RFC 9068 §4',
  },
  token_type_unsupported: {
    error: 'unsupported_token_type',
    id: 'ID2079',
    description: 'Tokens of this kind cannot be revoked.',
    why: 'Id tokens and codes are not kept, so there is nothing to revoke: they end by themselves within minutes.',
    mend: 'Revoke access tokens and refresh tokens.',
    source: 'RFC 7009 §2.2.1',
  },
  external_state_invalid: {
    error: 'invalid_request',
    id: 'ID9006',
    description: 'The sign-in at the provider was not started in this browser, was finished before, or took too long.',
    why: 'The answer of a provider is taken only in the browser that asked for it, once, and within fifteen minutes: otherwise somebody could be signed in as another person.',
    mend: 'Start the sign-in again from the login page.',
    source: 'RFC 6749 §10.12, RFC 9700 §4.7',
  },
  end_session_client_unknown: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The client_id is not known.',
    why: 'Without a known client nobody can have registered the address to go to.',
    mend: 'Check the client_id, or register the client: latchkey client add.',
    source: 'RP-Initiated Logout §2',
  },
  post_logout_redirect_uri_unregistered: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The post_logout_redirect_uri is not registered.',
    why: 'People are sent on to registered addresses only, compared as whole strings; anything looser would make this service a signpost to any site.',
    mend: 'Register the address, or send it exactly as registered: every character counts, a trailing slash too.',
    source: 'RP-Initiated Logout §3',
  },

  antiforgery_failed: {
    error: 'invalid_request',
    id: 'ID9007',
    description: 'The form does not come from a page of this service that is open in this browser.',
    why: 'The anti-forgery token is missing, older than twelve hours, or of another browser or person: somebody signed in or out meanwhile, cookies were deleted, or another site sent the form.',
    mend: 'Open the page again and send the form from there. Scripts ask /Account/Antiforgery first, and keep its cookie.',
    source: 'RFC 6749 §10.12',
  },
  request_malformed: {
    error: 'invalid_request',
    id: 'ID9008',
    description: 'This is not a well-formed HTTP request.',
    why: 'Requests that can be read in two ways are how requests are smuggled past proxies, so they are not read at all. A request of HTTP/1.1 names its host.',
    mend: 'Use an HTTP library. If a proxy stands between, see what it sends.',
    source: 'RFC 9112 §2.2, §3.2, §6.3',
  },
  head_too_large: {
    error: 'invalid_request',
    id: 'ID9009',
    description: 'The address and the headers of the request are larger than 64 KiB.',
    why: 'The head of a request is held in memory before anything is known about its sender.',
    mend: 'Shorten the parameters, or delete the cookies of this site in the browser.',
    source: 'RFC 6585 §5, a limit of this service',
  },
  request_timeout: {
    error: 'invalid_request',
    id: 'ID9010',
    description: 'The request did not arrive in time.',
    why: 'A request has thirty seconds to arrive, so that slow senders cannot hold all connections.',
    mend: 'Send the request again; see whether a proxy holds it back.',
    source: 'RFC 9110 §15.5.9, a limit of this service',
  },
  provider_unknown: {
    error: 'unknown_provider',
    id: 'ID9011',
    description: 'There is no sign-in provider of that name.',
    why: 'A provider exists only when its ClientId is set.',
    mend: 'Set OAuth:External:<Provider>:ClientId and ClientSecret; see /Account/ExternalProviders for the names.',
    source: 'a rule of this service',
  },
  not_found: {
    error: 'not_found',
    id: 'ID9404',
    description: 'There is nothing at this address.',
    why: 'Neither a page nor an endpoint has this path and method.',
    mend: 'See /.well-known/openid-configuration for the addresses of the endpoints.',
    source: 'RFC 9110 §15.5.5',
  },
  host_not_served: {
    error: 'misdirected_request',
    id: 'ID9421',
    description: 'This service is not called by that host name.',
    why: 'The service listens on a loopback address alone, where no other machine can reach it. A page on the internet could point a name of its own at that address and read the answers (DNS rebinding), so only known names count.',
    mend: 'Use the address of OAuth:Issuer, localhost or a loopback address. For another name, add it to Server:AllowedHosts. A proxy in front passes the Host header on.',
    source: 'RFC 9110 §15.5.20, §17.1',
  },
  too_many_requests: {
    error: 'too_many_requests',
    id: 'ID9429',
    description: 'Too many failed sign-ins from this address. Wait a moment and try again.',
    why: 'Failed passwords are counted by network address, so that passwords cannot be guessed in bulk.',
    mend: 'Wait for the number of seconds in the Retry-After header. Behind a proxy, set Server:TrustProxy, or all visitors share one address; the limit is RateLimit:LoginPerMinute.',
    source: 'RFC 6585 §4, a limit of this service',
  },
  provider_failed: {
    error: 'bad_gateway',
    id: 'ID9502',
    description: 'The sign-in provider did not answer as it should. Nothing was changed.',
    why: 'The provider could not be reached, took longer than ten seconds, or sent something that cannot be trusted.',
    mend: 'Try again. If it stays, the log entry says what the provider answered: check ClientId, ClientSecret and the addresses of the provider.',
    source: 'RFC 6749 §5.2, OpenID Connect Core §3.1.3.7',
  },

  server_error: {
    error: 'server_error',
    id: 'ID9500',
    description: 'Something went wrong on our side. The trace id leads to the log entry.',
    why: 'A fault of the service, not of the request.',
    mend: 'Try again. If it stays, give the trace id to the operator of this service.',
    source: 'RFC 6749 §4.1.2.1',
  },
  temporarily_unavailable: {
    error: 'temporarily_unavailable',
    id: 'ID9503',
    description: 'The service cannot answer at the moment.',
    why: 'The database does not answer, or more people sign in at this moment than can be served. Nothing was changed.',
    mend: 'Try again after the number of seconds in the Retry-After header.',
    source: 'RFC 6749 §4.1.2.1',
  },
} as const satisfies Record<string, RefusalEntry>

export type RefusalReason = keyof typeof refusals

/** An expected 'no': which rule, and for the log what exactly was wrong. */
export type Refusal = {
  readonly reason: RefusalReason
  readonly error: ErrorCode
  readonly id: string
  /** Begins with the ID code; sent as `error_description`. */
  readonly description: string
  /** Received and registered values for the log, bounded and printable. Never holds a secret. */
  readonly detail: Detail
}

/** Makes the refusal for `reason`; `name` is the parameter that the description speaks of. */
export function refuse(reason: RefusalReason, name = '', detail: Unbounded = {}): Refusal {
  const entry: RefusalEntry = refusals[reason]
  return {
    reason,
    error: entry.error,
    id: entry.id,
    description: `${entry.id}: ${describe(entry, name)}`,
    detail: boundDetail(name === '' ? detail : { parameter: name, ...detail }),
  }
}

/** What happened, in one sentence. Without `parameter` it reads as an entry of the catalogue. */
export function describe(entry: RefusalEntry, parameter?: string): string {
  const name = parameter ?? entry.parameters ?? 'that error_description names'
  return entry.description.replace('{name}', () => name)
}

/** The HTTP status of a refusal that is answered directly. It follows from the error code (RFC 6749 §5.2). */
export function statusOf(error: ErrorCode): 400 | 401 | 404 | 421 | 429 | 500 | 502 | 503 {
  switch (error) {
    case 'invalid_client':
    case 'invalid_token':
      return 401
    case 'not_found':
    case 'unknown_provider':
      return 404
    case 'misdirected_request':
      return 421
    case 'too_many_requests':
      return 429
    case 'server_error':
      return 500
    case 'bad_gateway':
      return 502
    case 'temporarily_unavailable':
      return 503
    default:
      return 400
  }
}

export function isRefusal(value: object): value is Refusal {
  return 'reason' in value && 'id' in value
}

/** The catalogue by ID code, ascending. */
export function refusalsById(): ReadonlyMap<string, readonly RefusalEntry[]> {
  const byId = Map.groupBy(Object.values<RefusalEntry>(refusals), (entry) => entry.id)
  return new Map([...byId].sort(([a], [b]) => Number(a.slice(2)) - Number(b.slice(2))))
}

/** `docs/errors.md`: every ID code with its conditions, what is sent, why, and how to mend it. */
export function errorsReference(): string {
  const sections = [...refusalsById()].map(([id, entries]) => {
    const rows = entries.map(
      (entry) =>
        `- **\`${entry.error}\`**: ${describe(entry)} (${entry.source})\n` +
        `  - Why: ${entry.why}\n  - How to mend it: ${entry.mend}`,
    )
    return `## ${id}\n\n${rows.join('\n')}\n`
  })
  return `# Errors

What is refused, by the code at the end of \`error_uri\` and at the start of \`error_description\`. Several conditions
share a code where they are the same kind of fault. \`latchkey explain ID2052\` prints the same, and
\`latchkey explain <trace id>\` says what was wrong with one request.
Generated from \`src/protocol/refusals.ts\` by \`npm run generate\`.

${sections.join('\n')}`
}

/**
 * The authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1): parsing, and rules that do not depend on
 * the user.
 *
 * Belongs here: every form in which a request reaches the authorization endpoint (plain, pushed, signed), what it may
 * ask for, and the decision on it.
 * Belongs elsewhere: the code that answers it (`grant/`), and reading it from HTTP (`connect/`).
 */
import type { Proven } from '../../proof.ts'
import { type ClaimsRequest, parseClaimsRequest } from '../claims/claims-request.ts'
import { type Client, clientType } from '../client/client.ts'
import { ParameterReader, type Parameters } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { maxResources } from '../scope/resource.ts'
import { checkScopes, readScopes, type Scope } from '../scope/scope.ts'
import { shellWord } from '../shell-word.ts'
import { parseDpopKey } from '../token/dpop.ts'
import { type Conveyance, checkConveyance, plainly } from './conveyance.ts'
import { isCodeChallenge } from './pkce.ts'
import { checkRedirectUriSyntax, comparedWith, isRegisteredRedirectUri, type RegisteredUri } from './redirect-uri.ts'
import { parseResponseMode, type ResponseMode } from './response-mode.ts'

export type Prompt = 'none' | 'login' | 'consent' | 'select_account'

/** A request that was parsed by `parseAuthorizationRequest`. */
export type AuthorizationRequest = Proven<Parsed, 'parsed'>

type Parsed = {
  readonly clientId: string
  readonly conveyance: Conveyance
  /** As sent; null if the parameter was omitted (RFC 6749 §3.1.2.3). */
  readonly redirectUri: string | null
  readonly responseMode: ResponseMode
  readonly state: string | null
  /** In the order of the request, without duplicates. */
  readonly scopes: readonly string[]
  readonly nonce: string | null
  readonly prompt: ReadonlySet<Prompt>
  /** Seconds, at least 0; null: not requested. */
  readonly maxAgeSeconds: number | null
  /** S256 challenge; null: none was sent. */
  readonly codeChallenge: string | null
  /** Values of `resource` (RFC 8707); empty: none was sent. */
  readonly resources: readonly string[]
  readonly idTokenHint: string | null
  readonly loginHint: string | null
  /** As sent: language tags, separated by blanks. The pages read them from the address where they are in it. */
  readonly uiLocales: string | null
  /** `kc_idp_hint`: the external provider at which the person is to sign in. */
  readonly providerHint: string | null
  readonly claims: ClaimsRequest
  /** The thumbprint of the DPoP key to which the code is bound (RFC 9449 §10); null: none. */
  readonly dpopKey: string | null
  /** The first rule that the request violates. Sent to the client only after client and redirect URI were validated. */
  readonly fault: Refusal | undefined
}

/** Where the response is sent: a redirect URI registered for the requesting client. */
export type ResponseTarget = {
  readonly client: Client
  readonly redirectUri: RegisteredUri
  readonly responseMode: ResponseMode
  readonly state: string | null
  /** Whether nobody looks at the answer (`prompt=none`). */
  readonly isSilent: boolean
}

const prompts: readonly string[] = ['none', 'login', 'consent', 'select_account'] satisfies Prompt[]

/**
 * Parses the parameters of an authorization request. Refuses only if it is unknown where to respond (no client, or no
 * usable redirect URI). Every other fault is kept in the request and sent to the client.
 */
export function parseAuthorizationRequest(
  parameters: Parameters,
  conveyance: Conveyance = plainly,
): AuthorizationRequest | Refusal {
  const identification = new ParameterReader(parameters)
  const clientId = identification.mandatory('client_id')
  const redirectUri = identification.optional('redirect_uri')
  if (redirectUri !== null) {
    const fault = checkRedirectUriSyntax(redirectUri, 'redirect_uri')
    if (fault !== undefined) identification.refuse(fault)
  }
  if (identification.fault !== undefined) return identification.fault

  const rest = new ParameterReader(parameters)
  const state = rest.optional('state')
  if (conveyance.fault !== undefined) rest.refuse(conveyance.fault)
  if (rest.optional('request_uri') !== null) rest.refuse(refuse('request_uri_unsupported'))
  // Request objects are opened before; one that is still here stands beside an address.
  if (rest.optional('request') !== null) rest.refuse(refuse('request_object_unsupported'))
  const responseType = rest.mandatory('response_type')
  if (responseType !== null && responseType !== 'code') {
    const detail = { received: responseType, supported: 'code' }
    rest.refuse(refuse('response_type_unsupported', 'response_type', detail))
  }
  const responseMode = parseResponseMode(rest)
  const scopes = readScopes(rest)
  const nonce = rest.optional('nonce')
  const prompt = parsePrompt(rest)
  const maxAgeSeconds = parseMaxAge(rest)
  const codeChallenge = parseCodeChallenge(rest)
  const resources = rest.repeatable('resource', maxResources)
  if (rest.optional('authorization_details') !== null) rest.refuse(refuse('authorization_details_unsupported'))
  const idTokenHint = rest.optional('id_token_hint')
  const loginHint = rest.optional('login_hint')
  const uiLocales = rest.optional('ui_locales')
  const providerHint = rest.optional('kc_idp_hint')
  const claims = parseClaimsRequest(rest)
  // Accepted without effect (OpenID Connect Core §3.1.2.1, §5.2): the pages fit any window, and a claim has one form.
  for (const name of ['display', 'claims_locales']) rest.optional(name)
  // OpenID Connect Core §3.1.2.1 requires redirect_uri.
  if (redirectUri === null && scopes.includes('openid')) {
    return conveyance.fault ?? refuse('parameter_missing', 'redirect_uri')
  }
  const parsed: Parsed = {
    clientId: clientId ?? '',
    conveyance,
    redirectUri,
    responseMode,
    state,
    scopes,
    nonce,
    prompt,
    maxAgeSeconds,
    codeChallenge,
    resources,
    idTokenHint,
    loginHint,
    uiLocales,
    providerHint,
    claims,
    dpopKey: parseDpopKey(rest),
    fault: rest.fault,
  }
  return parsed as AuthorizationRequest
}

function parsePrompt(reader: ParameterReader): ReadonlySet<Prompt> {
  const values = new Set((reader.optional('prompt') ?? '').split(' ').filter((value) => value !== ''))
  const unknown = [...values].filter((value) => !prompts.includes(value))
  const detail = { received: [...values], supported: prompts }
  if (unknown.length > 0) reader.refuse(refuse('prompt_unsupported', 'prompt', detail))
  if (values.has('none') && values.size > 1) reader.refuse(refuse('prompt_contradictory', 'prompt', detail))
  return values as ReadonlySet<Prompt>
}

function parseMaxAge(reader: ParameterReader): number | null {
  const value = reader.optional('max_age')
  if (value === null) return null
  if (/^\d{1,15}$/.test(value)) return Number(value)
  reader.refuse(refuse('parameter_malformed', 'max_age', { received: value, rule: 'whole seconds, 0 or more' }))
  return null
}

function parseCodeChallenge(reader: ParameterReader): string | null {
  const challenge = reader.optional('code_challenge')
  const method = reader.optional('code_challenge_method')
  if (challenge === null) {
    if (method !== null) reader.refuse(refuse('code_challenge_method_without_challenge', 'code_challenge_method'))
    return null
  }
  // RFC 7636 §4.3 treats a missing method as plain, which RFC 9700 §2.1.1 rules out.
  if (method === null)
    reader.refuse(refuse('code_challenge_method_missing', 'code_challenge_method', { supported: 'S256' }))
  else if (method !== 'S256') {
    const detail = { received: method, supported: 'S256' }
    reader.refuse(refuse('code_challenge_method_unsupported', 'code_challenge_method', detail))
  } else if (!isCodeChallenge(challenge)) {
    reader.refuse(refuse('code_challenge_malformed', 'code_challenge', { receivedLength: challenge.length }))
  }
  return challenge
}

/**
 * Determines where to send the response. After a refusal nothing may be sent to the redirect URI (RFC 6749 §4.1.2.1);
 * the user sees it instead.
 */
export function resolveTarget(request: AuthorizationRequest, client: Client | undefined): ResponseTarget | Refusal {
  if (client === undefined) return refuse('client_unknown', 'client_id', { received: request.clientId })
  const { responseMode, state, prompt } = request
  const [only, ...others] = client.redirectUris
  // A wildcard names no address to send anything to.
  const isClear = others.length === 0 && only !== undefined && !client.metadata.wildcard_uris.includes(only)
  const address = request.redirectUri ?? (isClear ? only : undefined)
  if (address === undefined) {
    return refuse('parameter_missing', 'redirect_uri', { client: client.id, registered: client.redirectUris })
  }
  if (!isRegisteredRedirectUri(address, client, request.conveyance)) {
    const isNative = client.metadata.application_type === 'native'
    const freePort = isNative ? 'of all' : 'of addresses without one'
    const detail = { client: client.id, ...comparedWith(client.redirectUris, address, freePort) }
    return refuse('redirect_uri_unregistered', 'redirect_uri', detail)
  }
  const isSilent = prompt.has('none') && prompt.size === 1
  return { client, redirectUri: address, responseMode, state, isSilent }
}

/** The content of an id token hint issued by this service. */
export type IdTokenHint = { readonly subject: string; readonly audience: string }

/** Checks client and scopes, in the order in which faults are reported. */
export function checkAuthorizationRequest(
  request: AuthorizationRequest,
  client: Client,
  registeredScopes: readonly Scope[],
  hint: IdTokenHint | undefined,
): Refusal | undefined {
  if (request.fault !== undefined) return request.fault
  if (!client.grantTypes.includes('authorization_code')) {
    return refuse('code_grant_not_permitted', '', { client: client.id, permitted: client.grantTypes })
  }
  const conveyanceFault = checkConveyance(request, client)
  if (conveyanceFault !== undefined) return conveyanceFault
  const scopeFault = checkScopes(request.scopes, client, registeredScopes)
  if (scopeFault !== undefined) return scopeFault
  if ((client.requirePkce || client.metadata.profile === 'fapi2') && request.codeChallenge === null) {
    return refuse('code_challenge_missing', 'code_challenge', { client: client.id, remedy: withoutChallenge(client) })
  }
  if (hint !== undefined && hint.audience !== client.id) {
    return refuse('id_token_hint_foreign', 'id_token_hint', { client: client.id, issuedTo: hint.audience })
  }
  return undefined
}

/** Returns what lets an application in whose library sends no challenge, for its developer. */
function withoutChallenge(client: Client): string {
  const own = 'switch PKCE with S256 on in the library'
  if (client.metadata.profile === 'fapi2') return `${own}; FAPI 2.0 demands it`
  if (clientType(client) === 'public') return `${own}; a public client cannot do without`
  return `${own}, or for a library that cannot: latchkey client set ${shellWord(client.id)} require_pkce=false`
}

/** Requests to the endpoints of a provider at which this service authenticates. */
import { type AuthorizationChecks, ProviderFailure, untrusted } from './provider.ts'
import { field, type RelyingParty } from './relying-party.ts'

/** A JSON object that an endpoint answered. */
type Members = Readonly<Record<string, unknown>>

export type Tokens = {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** As received; undefined: there is none. */
  readonly idToken: unknown
}

/**
 * Posts a form with the client authentication. Returns the JSON object that comes back. Rejects with `ProviderFailure` for an
 * OAuth error, and for anything else that is no answer.
 */
export async function postToProvider(
  party: RelyingParty,
  endpoint: 'token_endpoint' | 'pushed_authorization_request_endpoint',
  form: Readonly<Record<string, string>>,
): Promise<Members> {
  const { name, metadata, config, authentication, fetch } = party
  const address = endpointOf(party, endpoint)
  const body = new URLSearchParams(form)
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'latchkey' })
  await authentication(metadata, config.clientMetadata(), body, headers)
  headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
  const response = await fetch(address, {
    method: 'POST',
    body: body.toString(),
    headers: Object.fromEntries(headers.entries()),
    redirect: 'manual',
  })
  const answer = objectFrom(await response.text())
  const error = response.status < 500 ? field(answer, 'error') : null
  // GitHub answers errors with the status 200.
  if (error !== null) {
    const description = field(answer, 'error_description')
    throw new ProviderFailure(
      `the provider ${name} refused: ${error}${description === null ? '' : ` (${description})`}`,
      {
        reason: 'provider_refused',
        detail: { provider: name, providerError: error, ...(description === null ? {} : { description }) },
      },
    )
  }
  if (answer === undefined || !response.ok) {
    const what = answer === undefined ? ' without a JSON object' : ''
    throw new ProviderFailure(`${address} answered ${response.status}${what}`)
  }
  return answer
}

/** Redeems the code of an authorization response (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export async function redeemCode(party: RelyingParty, answer: URL, checks: AuthorizationChecks): Promise<Tokens> {
  const { name } = party
  const [code, ...others] = answer.searchParams.getAll('code')
  if (code === undefined || code === '' || others.length > 0) {
    throw untrusted(name, 'code', 'the authorization response has no code, or more than one')
  }
  const tokens = await postToProvider(party, 'token_endpoint', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: `${answer.origin}${answer.pathname}`,
    code_verifier: checks.codeVerifier,
  })
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type, id_token: idToken } = tokens
  if (typeof accessToken !== 'string' || accessToken === '') {
    throw untrusted(name, 'access_token', 'the token endpoint answered no access token')
  }
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') {
    throw untrusted(name, 'token_type', 'the access token is no bearer token', { received: type, expected: 'Bearer' })
  }
  return { accessToken, refreshToken: typeof refreshToken === 'string' ? refreshToken : null, idToken }
}

/** Returns the address of an endpoint in the metadata. Rejects one that is not to be sent anything. */
export function endpointOf(
  { name, metadata, allowsHttp }: RelyingParty,
  endpoint: 'token_endpoint' | 'pushed_authorization_request_endpoint' | 'jwks_uri',
): string {
  const address = metadata[endpoint]
  if (address === undefined || !URL.canParse(address)) {
    throw new ProviderFailure(`the metadata of the provider ${name} has no ${endpoint}`)
  }
  const isHttps = new URL(address).protocol === 'https:'
  if (!isHttps && !allowsHttp) throw new ProviderFailure(`${endpoint} of the provider ${name} is not https: ${address}`)
  return address
}

/** Returns the JSON object; undefined: the text is none. */
export function objectFrom(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

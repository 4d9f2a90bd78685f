/** A browser without pages: keeps cookies, posts forms, shows every redirect instead of following it. */
import { createHash, randomBytes } from 'node:crypto'
import { password, type TestService } from './service.ts'

export type Fields = Readonly<Record<string, string>> | ReadonlyArray<readonly [string, string]>

export class Browser {
  readonly cookies = new Map<string, string>()
  /** Whole `Set-Cookie` lines of the last answer. */
  setCookies: string[] = []
  readonly issuer: string

  constructor(service: Pick<TestService, 'issuer'>) {
    this.issuer = service.issuer
  }

  /** A new browser in which a person, by default alice, has signed in. */
  static async signedIn(
    service: Pick<TestService, 'issuer'>,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Browser> {
    const browser = new Browser(service)
    await browser.signIn(fields)
    return browser
  }

  async fetch(pathOrUrl: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.cookies.size > 0)
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(new URL(pathOrUrl, this.issuer), { redirect: 'manual', ...init, headers })
    this.setCookies = response.headers.getSetCookie()
    for (const line of this.setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch(path, { headers })
  }

  post(path: string, fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.fetch(path, { method: 'POST', body: form(fields), headers })
  }

  async antiforgeryToken(): Promise<string> {
    const response = await this.get('/Account/Antiforgery')
    const { token } = (await response.json()) as { token: string }
    return token
  }

  /** Posts with a fresh anti-forgery token. */
  async submit(path: string, fields: Fields): Promise<Response> {
    const pairs = Array.isArray(fields) ? (fields as ReadonlyArray<readonly [string, string]>) : Object.entries(fields)
    return this.post(path, [...pairs, ['__RequestVerificationToken', await this.antiforgeryToken()]])
  }

  /** A request of the account area to `/Account/Self…`, as its pages send it: with a fresh anti-forgery header. */
  async self(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', below: string, body?: unknown): Promise<SelfAnswer> {
    const headers: Record<string, string> = {}
    if (method !== 'GET') headers.RequestVerificationToken = await this.antiforgeryToken()
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return selfAnswer(await this.fetch(`/Account/Self${below}`, { method, headers, ...sent }))
  }

  signIn(fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.submit('/Account/Login', { username: 'alice', password, ...fields })
  }

  /** The name of the person whose session this browser has. */
  async userName(): Promise<string | undefined> {
    const session = (await (await this.get('/Account/Session')).json()) as { user: { name: string } | null }
    return session.user?.name
  }

  /** Allows the client what the authorization request asks for. */
  allow(change: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.submit('/connect/authorize', { ...authorizeParameters(change), 'submit.Accept': 'Yes' })
  }

  /** Allows it, and returns the code that comes back. */
  async allowedCode(change: Readonly<Record<string, string>> = {}): Promise<string> {
    const allowed = await this.allow(change)
    const code = locationOf(allowed).searchParams.get('code')
    if (code === null) throw new Error(`no code: ${allowed.status} ${allowed.headers.get('location')}`)
    return code
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the service under test can hold anything
export type SelfAnswer = { readonly status: number; readonly headers: Headers; readonly body: any }

export async function selfAnswer(response: Response): Promise<SelfAnswer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

function form(fields: Fields): URLSearchParams {
  const pairs = Array.isArray(fields) ? (fields as ReadonlyArray<readonly [string, string]>) : Object.entries(fields)
  return new URLSearchParams(pairs.map(([name, value]) => [name, value]))
}

/** A PKCE pair (RFC 7636 §4.1, §4.2). */
export function pkcePair(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export type AuthorizeParameters = Readonly<Record<string, string>>

/** The parameters of a good authorization request of the demo client. */
export function authorizeParameters(change: Readonly<Record<string, string>> = {}): AuthorizeParameters {
  return {
    client_id: 'demo',
    redirect_uri: 'http://localhost:5081/callback',
    response_type: 'code',
    scope: 'openid offline_access demo_api',
    state: 'state-1',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...change,
  }
}

export function authorizePath(change: Readonly<Record<string, string>> = {}): string {
  return `/connect/authorize?${new URLSearchParams(authorizeParameters(change))}`
}

/** The verifier of the challenge in `authorizeParameters` (RFC 7636 Appendix B). */
export const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? 'about:blank', response.url)
}

/** Signs in and accepts: the whole way to a code. */
export async function obtainCode(browser: Browser, change: Readonly<Record<string, string>> = {}): Promise<string> {
  await browser.signIn()
  return browser.allowedCode(change)
}

/** A request with an access token. */
export function fetchWithToken(service: Pick<TestService, 'issuer'>, path: string, token: string): Promise<Response> {
  return fetch(new URL(path, service.issuer), { headers: { authorization: `Bearer ${token}` } })
}

export type TokenAnswer = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service under test can hold anything
  readonly body: any
}

export async function postToken(
  service: Pick<TestService, 'issuer'>,
  fields: Fields,
  headers: Readonly<Record<string, string>> = {},
  endpoint = '/connect/token',
): Promise<TokenAnswer> {
  const response = await fetch(new URL(endpoint, service.issuer), { method: 'POST', body: form(fields), headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

export function codeFields(
  code: string,
  change: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {
    grant_type: 'authorization_code',
    client_id: 'demo',
    code,
    redirect_uri: 'http://localhost:5081/callback',
    code_verifier: codeVerifier,
    ...change,
  }
}

export function refreshFields(refreshToken: string, change: Readonly<Record<string, string>> = {}) {
  return { grant_type: 'refresh_token', client_id: 'demo', refresh_token: refreshToken, ...change }
}

/** The grant types that are named by a URI (RFC 8628 §3.4, RFC 8693 §2.1). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** The payload of a JWT, unverified. */
// biome-ignore lint/suspicious/noExplicitAny: claims are checked by the test
export function claimsOf(jwt: string): any {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'))
}

// biome-ignore lint/suspicious/noExplicitAny: a header is checked by the test
export function headerOf(jwt: string): any {
  return JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString('utf8'))
}

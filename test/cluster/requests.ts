/** Requests of the journeys and of the checker: HTTP alone, whole answers, and an end to every wait. */
import { createHash, randomBytes } from 'node:crypto'

export type Answer = {
  readonly status: number
  /** null: there is none. */
  readonly location: string | null
  readonly text: string
  readonly headers: Headers
}

/** No acknowledgement: the connection was lost, the answer came too late, or it was 429 or 5xx. */
export class NotAcknowledged extends Error {
  /** A status, or how the connection ended. */
  readonly how: string

  constructor(how: string) {
    super(`no acknowledgement: ${how}`)
    this.how = how
  }
}

/** Longer than a service waits for its database. */
const answerWithinMs = 20_000

export type Sent = {
  readonly method?: string
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request and reads its answer whole. Throws `NotAcknowledged`. */
export async function send(issuer: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { form, json } = sent
  const headers = new Headers(sent.headers)
  if (json !== undefined) headers.set('content-type', 'application/json')
  const body = form === undefined ? json && JSON.stringify(json) : new URLSearchParams(form)
  let answer: Answer
  try {
    const response = await fetch(new URL(path, issuer), {
      method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers,
      signal: AbortSignal.timeout(answerWithinMs),
      ...(body !== undefined && { body: body as string | URLSearchParams }),
    })
    const { status } = response
    answer = {
      status,
      location: response.headers.get('location'),
      text: await response.text(),
      headers: response.headers,
    }
  } catch (error) {
    throw new NotAcknowledged(reasonOf(error))
  }
  if (answer.status < 500 && answer.status !== 429) return answer
  const isPolite = answer.status !== 503 || Number(answer.headers.get('retry-after')) >= 1
  throw new NotAcknowledged(`${answer.status}${isPolite ? '' : ' without Retry-After'}`)
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return `no answer within ${answerWithinMs} ms`
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message
}

/** A browser: it keeps cookies and shows every redirect. */
export class CookieJar {
  readonly issuer: string
  readonly #cookies = new Map<string, string>()

  /** `cookie`: the header of a browser that goes on here. */
  constructor(issuer: string, cookie = '') {
    this.issuer = issuer
    for (const pair of cookie.split('; ').filter((pair) => pair !== '')) {
      const at = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }

  /** The `Cookie` header that it sends. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async send(path: string, sent: Sent = {}): Promise<Answer> {
    const answer = await send(this.issuer, path, { ...sent, headers: { ...sent.headers, cookie: this.cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }

  async antiforgeryToken(): Promise<string> {
    const { text } = await this.send('/Account/Antiforgery')
    return (JSON.parse(text) as { token: string }).token
  }

  /** Posts a form of a page. */
  async submit(path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send(path, { form: { ...form, __RequestVerificationToken: await this.antiforgeryToken() } })
  }

  /** Calls the account area. */
  async self(method: string, below: string, json?: unknown): Promise<Answer> {
    const headers = { RequestVerificationToken: await this.antiforgeryToken() }
    return this.send(`/Account/Self${below}`, { method, headers, ...(json !== undefined && { json }) })
  }

  /** True: signed in. False: refused as a wrong password is. */
  async signIn(username: string, password: string): Promise<boolean> {
    const { status, location, text } = await this.submit('/Account/Login', { username, password })
    if (status === 302 && location === '/') return true
    if (status === 302 && location?.includes('error=') === true) return false
    throw new Error(`a sign-in was answered with ${status} ${location} ${text.slice(0, 300)}`)
  }
}

/** The name of whoever is signed in with this `Cookie` header; null: nobody. */
export async function signedInWith(issuer: string, cookie: string): Promise<string | null> {
  const { text } = await send(issuer, '/Account/Session', { headers: { cookie } })
  return (JSON.parse(text) as { user: { name: string } | null }).user?.name ?? null
}

export const client = 'journeys'
export const redirectUri = 'http://localhost:5999/callback'

const verifier = randomBytes(32).toString('base64url')

/** The parameters of an authorization request. */
export function authorization(change: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    client_id: client,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid offline_access',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  }
}

/** What the redirect of an authorization request says; both null: it leads to a page of the service. */
export function outcomeOf({ location }: Answer): { readonly code: string | null; readonly error: string | null } {
  const { searchParams } = new URL(location ?? 'about:blank', 'http://localhost')
  return { code: searchParams.get('code'), error: searchParams.get('error') }
}

export type Tokens = { readonly access_token: string; readonly refresh_token: string }

/** Tokens, or the number of the refusal (`ID2012`). */
export type TokenOutcome = { readonly tokens: Tokens } | { readonly refused: string }

export async function redeem(issuer: string, code: string): Promise<TokenOutcome> {
  const form = { grant_type: 'authorization_code', client_id: client, code, redirect_uri: redirectUri }
  return tokensOf(await send(issuer, 'connect/token', { form: { ...form, code_verifier: verifier } }))
}

export async function refresh(issuer: string, token: string): Promise<TokenOutcome> {
  const form = { grant_type: 'refresh_token', client_id: client, refresh_token: token }
  return tokensOf(await send(issuer, 'connect/token', { form }))
}

function tokensOf({ status, text }: Answer): TokenOutcome {
  if (status === 200) return { tokens: JSON.parse(text) as Tokens }
  return { refused: /#(ID\d+)/.exec(text)?.[1] ?? `${status} ${text.slice(0, 200)}` }
}

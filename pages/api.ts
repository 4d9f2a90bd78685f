/** A protocol error (RFC 6749 §4.1.2.1), with the service's own additions. Every member may be absent. */
export type Problem = {
  error?: string
  error_description?: string
  error_uri?: string
  /** The number of the error in the service's catalogue: `ID2043`. */
  id?: string
  title?: string
  /** The name of the external provider that the problem is about. */
  provider?: string
  /** Finds the request in the service's log. */
  traceId?: string
  /** Only from a service on the visitor's own machine: which values the refusal is about. */
  explanation?: Explanation
  /** Whole seconds after which a retry makes sense. */
  retryAfter?: number
}

export type Explanation = {
  /** The name of the rule in the service's catalogue. */
  rule: string
  why: string
  fix: string
  /** What was received, what is registered, how they differ: a label, and one value or several. */
  facts: [label: string, value: string | string[]][]
}

export type AntiforgeryToken = { token: string; formFieldName: string }
export type ExternalProvider = { name: string; displayName?: string | null }
export type PendingIdentity = { provider: string; displayName?: string | null; email: string | null }
export type Person = { name: string }
export type ClientName = { id: string; name?: string | null }
export type RequestedScope = {
  name: string
  displayName?: string | null
  description?: string | null
  /** What it hands over of the person's attributes, by their labels. */
  claims?: string[]
  /** What else it hands over, by the names of standard claims, `groups` and `created_at`. */
  standardClaims?: string[]
  /** Why it is asked for. */
  purpose?: string
}
/** `selfRegistered`: no operator has seen its name and addresses. `host`: that of the document that describes it. */
export type ConsentClient = ClientName & {
  selfRegistered?: boolean
  host?: string
  hasLogo?: boolean
  uri?: string
  contacts?: string[]
  policyUri?: string
  termsUri?: string
}
/** `redirectUri`: where the answer goes, if the request itself is not in the address of the page. */
export type ConsentContext = { client: ConsentClient; scopes: RequestedScope[]; user: Person; redirectUri?: string }
export type DeviceRequest = { code: string; client: ClientName; scopes: RequestedScope[] }
export type DeviceContext = { user: Person; request: DeviceRequest | null; error: string | null }
/** `client`: who asks for the sign-in, as registered; null: nobody does. `user`: who is signed in. */
export type LoginContext = {
  client: ConsentClient | null
  user: Person | null
  /**
   * Why a form has to be filled in although somebody is signed in: the request asks for it, the sign-in is too long
   * ago, or it means somebody else. Null: it need not.
   */
  reason: 'login' | 'max_age' | 'another' | null
}
export type LogoutContext = { client: ClientName | null; user: Person | null }

/**
 * `refused` is a definite 'no' (4xx) that a retry would not change, or a change that was asked for too often; `unreachable` is
 * anything else that a retry may fix.
 */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'refused'; status: number; problem: Problem }
  | { kind: 'unreachable' }

const PATIENCE_MS = 15_000
const WORTH_A_RETRY = [408, 425]

/** Reads JSON from this origin. Never throws. */
export const getJson = <T>(address: string): Promise<Answer<T>> => askForJson(address, {})

/** As `getJson`, with a method, headers and a body. An answer without a body has the value `undefined`. */
export async function askForJson<T>(address: string, request: RequestInit): Promise<Answer<T>> {
  try {
    const response = await fetch(address, {
      ...request,
      headers: { accept: 'application/json', ...request.headers },
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (response.status === 204) return { kind: 'ok', value: undefined as T }
    if (response.ok) return { kind: 'ok', value: await response.json() }
    const mayRetry = WORTH_A_RETRY.includes(response.status) || (response.status === 429 && !request.method)
    if (response.status >= 500 || mayRetry) return { kind: 'unreachable' }
    const problem: Problem | null = await response.json().catch(() => null)
    const traceId = response.headers.get('x-trace-id')
    return { kind: 'refused', status: response.status, problem: { ...problem, ...(traceId && { traceId }) } }
  } catch {
    return { kind: 'unreachable' }
  }
}

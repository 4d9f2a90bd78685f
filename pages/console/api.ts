import { useEffect, useState } from 'preact/hooks'
import { site } from '../site.ts'
import { authorized, forget, hasEnded, signInAgain } from './session.ts'
import { forgetShown } from './shown-lists.ts'
import { isNetworkFailure, SignInFailed } from './sign-in-failed.ts'

/** Problem details of the admin API (RFC 9457). */
export type ApiProblem = {
  status: number
  title?: string
  detail?: string
  error?: string
  code?: string
  trace_id?: string
  errors?: { path: string; message: string; code?: string }[]
  /** Who uses a record that was to be deleted. */
  used_by?: Record<string, unknown>
}

export type Result<T> =
  | { kind: 'ok'; value: T; etag: string | null }
  | { kind: 'refused'; problem: ApiProblem }
  | { kind: 'unreachable' }
  /** Nobody is signed in any more. */
  | { kind: 'signed-out' }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Call = {
  method: Method
  /** Below the base of the API, such as `/users`. */
  path: string
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  body?: unknown
  /** The version that is changed. */
  etag?: string | null
  /** The user name of the person in the path: commands know people by it. */
  username?: string
  /** The roles of the person before the change: commands give and take them one by one. */
  rolesBefore?: readonly string[]
}

export const apiBase = new URL('/admin/api/v1', location.href).href

export const get = (path: string, query: Call['query'] = {}): Call => ({ method: 'GET', path, query })

/** The calls of this page, for those who want to repeat them: the last ones first. */
let made: Call[] = []
const listeners = new Set<() => void>()

export function addressOf({ path, query = {} }: Call): URL {
  const address = new URL(apiBase + path)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    for (const one of Array.isArray(value) ? value : [value]) address.searchParams.append(name, String(one))
  }
  return address
}

/** Answers on their way to a page that has not been drawn yet, by address. */
const ahead = new Map<string, Promise<Result<unknown>>>()

/** Sends the first calls of a page before it is drawn. The answer, also a refusal, goes to the page's own call. */
export function callAhead(calls: readonly Call[]): void {
  for (const what of hasEnded() ? [] : calls) ahead.set(addressOf(what).href, attempt(what))
}

function takeAhead<T>(what: Call): Promise<Result<T>> | undefined {
  if (what.method !== 'GET') ahead.clear()
  const { href } = addressOf(what)
  const sent = ahead.get(href)
  ahead.delete(href)
  return hasEnded() ? undefined : (sent as Promise<Result<T>> | undefined)
}

/**
 * Calls the admin API. Signs in again silently if the token has expired. Never throws. `isShown`: whether the call is of
 * interest to those who want to repeat it.
 */
export async function call<T>(what: Call, { isShown = true } = {}): Promise<Result<T>> {
  if (isShown) remember(what)
  if (what.method !== 'GET') forgetShown()
  let sent = takeAhead<T>(what)
  return signedInFor(() => {
    const first = sent
    sent = undefined
    return first ?? attempt<T>(what)
  })
}

/** Opens an answer that comes bit by bit. Never throws. */
export async function openStream(
  what: Call,
  more: Record<string, string>,
  signal: AbortSignal,
): Promise<Response | Refusal> {
  remember(what)
  const headers = { accept: 'text/event-stream, application/json', ...more }
  const result = await signedInFor<Response>(async () => {
    try {
      const response = await authorized(addressOf(what), what.method, new Headers(headers), null, signal)
      return response.ok ? { kind: 'ok', value: response, etag: null } : refusalOf(response)
    } catch (error) {
      return failureOf(error)
    }
  })
  return result.kind === 'ok' ? result.value : result
}

type Refusal = Exclude<Result<never>, { kind: 'ok' }>

/** Tries once more with a new token. */
async function signedInFor<T>(send: () => Promise<Result<T>>): Promise<Result<T>> {
  if (!hasEnded()) {
    const result = await send()
    if (result.kind !== 'signed-out') return result
    // Before anything is awaited: a call that comes meanwhile would leave for the login page.
    forget()
  }
  return (await signInAgain().catch(() => false)) ? send() : { kind: 'signed-out' }
}

async function attempt<T>(what: Call): Promise<Result<T>> {
  const { method, body, etag } = what
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (etag !== undefined && etag !== null) headers.set('if-match', etag)
  try {
    const text = body === undefined ? null : JSON.stringify(body)
    const response = await authorized(addressOf(what), method, headers, text)
    if (response.ok) {
      const value = response.status === 204 ? undefined : await response.json()
      return { kind: 'ok', value, etag: response.headers.get('etag') }
    }
    return await refusalOf(response)
  } catch (error) {
    return failureOf(error)
  }
}

/** Only a network failure means that the service cannot be reached. */
function failureOf(error: unknown): Refusal {
  if (isNetworkFailure(error)) return { kind: 'unreachable' }
  if (error instanceof SignInFailed)
    return error.error === 'unreachable' ? { kind: 'unreachable' } : { kind: 'signed-out' }
  return { kind: 'refused', problem: { status: 0, title: error instanceof Error ? error.message : String(error) } }
}

async function refusalOf(response: Response): Promise<Refusal> {
  if (response.status === 401) return { kind: 'signed-out' }
  const problem = await response.json().catch(() => ({}))
  const trace = response.headers.get('x-trace-id')
  // Something between may answer without problem details.
  const title = `${response.status} ${response.statusText}`.trim()
  return { kind: 'refused', problem: { title, ...(trace && { trace_id: trace }), ...problem, status: response.status } }
}

function remember(what: Call): void {
  made = [
    what,
    ...made.filter((one) => addressOf(one).href !== addressOf(what).href || one.method !== what.method),
  ].slice(0, 12)
  for (const listener of listeners) listener()
}

/** Forgets the calls of the page before. */
export function clearCalls(): void {
  made = []
  ahead.clear()
}

/** The calls of this page, the last first. */
export function useCalls(): readonly Call[] {
  const [calls, setCalls] = useState(made)
  useEffect(() => {
    const update = () => setCalls(made)
    listeners.add(update)
    return () => {
      listeners.delete(update)
    }
  }, [])
  return calls
}

/** Where access tokens for the API come from, for commands that are shown. */
export const tokenEndpoint = new URL('/connect/token', site.issuer ?? location.origin).href

/** Reads the fields of the account's forms, and sends people back to a page with what they entered. */
import type { Answer } from '../http/answer.ts'
import { fieldIgnoringCase, withoutEmpty, withQuery } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { type LocalUrl, localUrlOrRoot, maxReturnUrlLength } from '../users/local-url.ts'

/** The longest text that is judged; anything longer is invalid as a name, address or code. */
const maxLength = 513

/** Room for the longest password, and one more byte than is allowed. */
const maxPasswordLength = 1025

export type Fields = {
  /** Without surrounding blanks, which keyboards and clipboards add; empty if absent. */
  text(name: string): string
  /** As entered; empty if absent. */
  password(name: string): string
  /** Whether the field was sent, whatever its value. */
  has(name: string): boolean
  /** Another site's address counts as none. */
  readonly returnUrl: LocalUrl
}

/** Refuses a field that is sent twice, and a `ReturnUrl` that is too long. */
export function readFields(form: Parameters, names: readonly string[]): Fields | Refusal {
  const returnUrl = readReturnUrl(form, names)
  if (isRefusal(returnUrl)) return returnUrl
  return {
    text: (name) => (fieldIgnoringCase(form, name) ?? '').trim().slice(0, maxLength),
    password: (name) => (fieldIgnoringCase(form, name) ?? '').slice(0, maxPasswordLength),
    has: (name) => fieldIgnoringCase(form, name) !== undefined,
    returnUrl: localUrlOrRoot(returnUrl),
  }
}

/**
 * Returns `ReturnUrl` as it was sent, wherever it leads; the root if it is absent. Refuses it if it is too long, and a field of
 * these names or `ReturnUrl` that is sent twice.
 */
export function readReturnUrl(form: Parameters, names: readonly string[]): string | Refusal {
  const repeated = ['ReturnUrl', ...names].find(
    (field) => form.filter(([name]) => name.toLowerCase() === field.toLowerCase()).length > 1,
  )
  if (repeated !== undefined) return refuse('parameter_repeated', repeated)
  const returnUrl = fieldIgnoringCase(form, 'ReturnUrl') ?? ''
  if (returnUrl.length > maxReturnUrlLength) {
    return refuse('parameter_too_long', 'ReturnUrl', { length: returnUrl.length, limit: maxReturnUrlLength })
  }
  return returnUrl === '' ? '/' : returnUrl
}

type Query = Readonly<Record<string, string>>

/** Returns the address of a page of the account. Leaves out what is empty, and the root as `ReturnUrl`. */
export function accountPage(page: string, query: Query, returnUrl: LocalUrl): string {
  return pageAt(`/Account/${page}`, query, returnUrl)
}

/** Returns the address of the login page, which may be on another origin. */
export function loginPage({ settings }: Service, query: Query, returnUrl: LocalUrl): string {
  return pageAt(settings.oauth.loginPageUrl, query, returnUrl)
}

function pageAt(address: string, query: Query, returnUrl: LocalUrl): string {
  const all = [...Object.entries(query), ['ReturnUrl', returnUrl === '/' ? '' : returnUrl] as const]
  return withQuery(address, withoutEmpty(all))
}

/** As for any unknown path: nothing tells that registration could be open. */
export function notFound({ answers }: Service, request: Request): Answer {
  const { method, path } = request
  return answers.fail(request, refuse('not_found', '', { method, path }))
}

/** The language that a page is written in. */
import { languageCookie } from '../http/cookies.ts'
import { parseFormText } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { acceptedLanguages, lookUpLanguage, uiLocales } from '../protocol/language-tags.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { isRefusal } from '../refusal.ts'

/** The `ui_locales` despite which it was chosen, until the browser closes. */
export const languageDespiteCookie = 'latchkey.language-despite'

/** What the choice depends on, for caches. */
export const languageVary = 'accept-language, cookie'

/**
 * Chooses by `ui_locales` of the authorization request, then by the person's choice in this browser, then by
 * `Accept-Language`. A choice made on a page of a request with these `ui_locales` comes first.
 */
export function languageOf<Tag extends string>(request: Request, available: readonly Tag[], fallback: Tag): Tag {
  const asked = askedLocales(request.query)
  const chosen = request.cookies[languageCookie] ?? ''
  const despite = asked !== '' && request.cookies[languageDespiteCookie] === asked
  const choice = /^[\w-]{1,35}$/.test(chosen) ? [chosen] : []
  const ranges = [
    ...(despite ? choice : []),
    ...uiLocales(asked),
    ...choice,
    ...acceptedLanguages(request.headers['accept-language'] ?? ''),
  ]
  return lookUpLanguage(ranges, available) ?? fallback
}

/**
 * Returns the person's languages in the form of an `Accept-Language` header, for texts that clients registered: their own
 * choice if there is one.
 */
export function preferredLanguage(request: Request): string {
  const chosen = request.cookies[languageCookie] ?? ''
  const [asked] = uiLocales(askedLocales(request.query))
  return asked ?? (/^[\w-]{1,35}$/.test(chosen) ? chosen : (request.headers['accept-language'] ?? ''))
}

/** `ui_locales` of this page's address, or of the authorization request that it leads on to; empty: none. */
function askedLocales(query: string): string {
  if (!/ui_locales/i.test(query)) return ''
  const parameters = parametersIn(query)
  const own = localesIn(parameters)
  if (own !== undefined) return own
  const returnUrl = parameters.find(([name]) => name.toLowerCase() === 'returnurl')?.[1] ?? ''
  const [, inner = ''] = /^[^?#]*\?([^#]*)/.exec(returnUrl) ?? []
  return localesIn(parametersIn(inner)) ?? ''
}

/** None of what the endpoints would refuse. */
function parametersIn(query: string): Parameters {
  const parameters = parseFormText(query)
  return isRefusal(parameters) ? [] : parameters
}

function localesIn(parameters: Parameters): string | undefined {
  return parameters.find(([name]) => name === 'ui_locales')?.[1]
}

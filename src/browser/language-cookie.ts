/** The language that a person chose, in a cookie that scripts read and write as well. */
import type { SetCookie } from '../http/answer.ts'
import { languageCookie } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import { languageTags, lookUpLanguage } from '../protocol/language-tags.ts'

const yearSeconds = 31_536_000

/** Returns the cookie for a language that the pages have, in whatever region; none for another. */
export function chosenLanguage(locale: string, issuer: string): readonly SetCookie[] {
  const value = lookUpLanguage([locale], languageTags)
  if (value === undefined) return []
  const secure = issuer.startsWith('https:')
  return [{ name: languageCookie, value, path: '/', httpOnly: false, secure, sameSite: 'lax', maxAge: yearSeconds }]
}

/** A sign-in brings the language of the profile, unless one was chosen in this browser. */
export function broughtLanguage(request: Request, locale: string | undefined, issuer: string): readonly SetCookie[] {
  if (locale === undefined || request.cookies[languageCookie] !== undefined) return []
  return chosenLanguage(locale, issuer)
}

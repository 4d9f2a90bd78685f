/** Addresses: what that of this page says, and those that pages lead on to. */

export type Field = readonly [name: string, value: string]

/** The form fields that the pages set themselves. A link must not be able to press a button or to bring its own token. */
const OWN_FIELDS = ['__requestverificationtoken', 'submit.accept', 'submit.deny', 'confirm']

/** One query parameter by name without regard to case; the first when it is repeated; null when it is absent. */
export function parameter(name: string): string | null {
  const wanted = name.toLowerCase()
  for (const [key, value] of new URLSearchParams(location.search)) if (key.toLowerCase() === wanted) return value
  return null
}

/**
 * All query parameters as form fields, in their order; a repeated one stays repeated (specification 4.4, 4.9).
 * Names that belong to the page's own token and buttons are left out.
 */
export function queryFields(): Field[] {
  return [...new URLSearchParams(location.search)].filter(([name]) => !OWN_FIELDS.includes(name.toLowerCase()))
}

/** Unicode category Cc: browsers drop some of these from an address, which would turn `/<TAB>/host` into `//host`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose.
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/

/**
 * The address to go on to after signing in: `value` when it is a path of this service, otherwise `/`.
 * A local address begins with one `/`, is not followed by `/` or `\`, and has no control character
 * (specification 4.7 and 4.9).
 */
export function localUrl(value: string | null | undefined): string {
  return value && /^\/(?![/\\])/.test(value) && !CONTROL_CHARACTER.test(value) ? value : '/'
}

/** Whether a local address is that of an authorization request: an application waits there for an answer. */
export const leadsToApplication = (returnUrl: string): boolean => /^\/connect\/authorize\/?\?/i.test(returnUrl)

/** The address of a page that leads on to `returnUrl`. */
export function leadingTo(page: string, returnUrl: string): string {
  return returnUrl === '/' ? page : `${page}?ReturnUrl=${encodeURIComponent(returnUrl)}`
}

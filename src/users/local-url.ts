/** Which addresses a browser may be sent to after a form: paths of this service, never another origin. */

/** Leaves room for the rest of an address, and for the cookies, in the header limits of browsers and proxies. */
export const maxReturnUrlLength = 8192

/**
 * Whether `url` is a local address: non-empty, starts with one `/` whose next character is neither `/` nor a
 * backslash. Control characters are refused wherever they stand, because browsers drop tab and newline before they
 * resolve an address, which would turn `/<TAB>/host` into `//host`. Text that UTF-16 cannot spell is refused as well:
 * it has no percent-encoded form.
 */
export function isLocalUrl(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /^\/(?![/\\])/.test(url) && !/[\u0000-\u001f\u007f-\u009f]/.test(url) && url.isWellFormed()
}

/** `url` when it is local, otherwise the root of this service. */
export function localUrlOrRoot(url: string | null | undefined): string {
  return url !== null && url !== undefined && isLocalUrl(url) ? url : '/'
}

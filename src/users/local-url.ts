/** Decides which addresses a browser may be redirected to after a form: paths of this service, never another origin. */
import type { Proven } from '../proof.ts'

/** An address that a browser may be redirected to after a form. */
export type LocalUrl = Proven<string, 'local'>

/**
 * Leaves room for the rest of the address and the cookies within the header limits of this service. Some clients keep what they
 * have of a sign-in in `state`: up to 8,000 characters.
 */
export const maxReturnUrlLength = 16_384

/**
 * Whether `url` is a local address: it starts with one `/` that is not followed by `/` or a backslash. Refuses control
 * characters anywhere, because browsers strip tab and newline, which would turn `/<TAB>/host` into `//host`. Refuses
 * lone surrogates, which cannot be percent-encoded.
 */
export function isLocalUrl(url: string): url is LocalUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern excludes them
  return /^\/(?![/\\])/.test(url) && !/[\u0000-\u001f\u007f-\u009f]/.test(url) && url.isWellFormed()
}

/**
 * Returns the path of this service that a return address of the login form stands for; undefined: it leads elsewhere. `~/x`
 * is `/x`, as in the framework that the specification describes.
 */
export function localUrl(url: string): LocalUrl | undefined {
  const path = url.startsWith('~/') ? url.slice(1) : url
  return isLocalUrl(path) ? path : undefined
}

/** Returns `url` if it is local, otherwise the root of this service. */
export function localUrlOrRoot(url: string | null | undefined): LocalUrl {
  return url !== null && url !== undefined && isLocalUrl(url) ? url : ('/' as LocalUrl)
}

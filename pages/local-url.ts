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

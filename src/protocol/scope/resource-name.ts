/** How resources are named: by absolute URIs (RFC 8707 §2), or by names of other systems that are no URI, such as `demo_api`. */

/** What is asked for by `resource` is an absolute URI without a fragment (RFC 8707 §2). */
export const isResourceUri = (identifier: string): boolean =>
  URL.canParse(identifier) && !/[#\s\p{Cc}]/u.test(identifier) && identifier.isWellFormed()

// Without a colon and a slash: an address with a slip in it is none.
const name = /^[A-Za-z0-9][A-Za-z0-9._~!$&'()*+,;=@-]*$/

/** Returns what is wrong with an identifier of a resource, as the end of a sentence; undefined: nothing. */
export function resourceFault(identifier: string, lengthAtMost: number): string | undefined {
  if (identifier.length > lengthAtMost) {
    return `must have at most ${lengthAtMost} characters; one has ${identifier.length}`
  }
  return isResourceUri(identifier) || name.test(identifier)
    ? undefined
    : 'must be an absolute URI without a fragment, or a name such as demo_api'
}

/** Where the browser goes on with an authorization request, after what has to be done first. */
import { withQuery } from '../http/parameters.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { maxReturnUrlLength } from '../users/local-url.ts'

/** Returns the request as an address; undefined: it is too long for one. */
export function returnAddress(parameters: Parameters): string | undefined {
  // Encoding only adds to it, so that most of what is too long is not encoded.
  if (lengthOf(parameters) > maxReturnUrlLength) return undefined
  const address = withQuery('/connect/authorize', parameters)
  return address.length <= maxReturnUrlLength ? address : undefined
}

/** Returns the length of the parameters before they are encoded, in characters. */
export function lengthOf(parameters: Parameters): number {
  return parameters.reduce((length, [name, value]) => length + name.length + value.length + 2, 0)
}

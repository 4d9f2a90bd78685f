/** Addresses of this service that a request travels on in, of a length that browsers and proxies take. */
import { withQuery } from '../http/parameters.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { maxReturnUrlLength } from '../users/local-url.ts'

/** Of a page that is given the whole request: room for the longest hint, redirect address and state. In characters. */
export const pageAddressAtMost = 24_576

/** Returns the address with the parameters; undefined: it is longer than `atMost` characters. */
export function boundedAddress(address: string, parameters: Parameters, atMost: number): string | undefined {
  // Encoding only adds to it, so that most of what is too long is not encoded.
  if (lengthOf(parameters) > atMost) return undefined
  const whole = withQuery(address, parameters)
  return whole.length <= atMost ? whole : undefined
}

/** Returns where the browser goes on with an authorization request after a sign-in; undefined: it is too long for that. */
export function returnAddress(parameters: Parameters): string | undefined {
  return boundedAddress('/connect/authorize', parameters, maxReturnUrlLength)
}

/** Returns the length of the parameters before they are encoded, in characters. */
export function lengthOf(parameters: Parameters): number {
  return parameters.reduce((length, [name, value]) => length + name.length + value.length + 2, 0)
}

import type { Proven } from '../../proof.ts'
import type { Client } from '../client/client.ts'
import { isBelow } from '../client/wildcard-uri.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { type FreePort, nearestUri, withoutValues } from './uri-difference.ts'

/**
 * Checks the syntax that RFC 6749 §3.1.2 requires of a redirect URI; `name`: its parameter. Whether it is registered is
 * checked separately.
 */
export function checkRedirectUriSyntax(uri: string, name: string): Refusal | undefined {
  // A URI contains no spaces or control characters, and URL() would silently drop some of them.
  if (!/^[\x21-\x7e]+$/.test(uri) || !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) || !URL.canParse(uri)) {
    return refuse('redirect_uri_not_absolute', name, { received: withoutValues(uri), rule: whyNotAbsolute(uri) })
  }
  if (uri.includes('#')) return refuse('redirect_uri_fragment', name, { received: withoutValues(uri) })
  // RFC 9207: the response carries `iss`; a second one from the client would be ambiguous.
  if (name === 'redirect_uri' && hasIssuer(uri)) {
    return refuse('redirect_uri_iss', name, { received: withoutValues(uri) })
  }
  return undefined
}

/** Skips parsing for most addresses, which have no query. */
function hasIssuer(uri: string): boolean {
  return uri.includes('?') && [...new URL(uri).searchParams.keys()].some((key) => key.toLowerCase() === 'iss')
}

function whyNotAbsolute(uri: string): string {
  if (/[^\x21-\x7e]/.test(uri)) return 'a space, a control character or a character beyond ASCII is not percent-encoded'
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) ? 'the address cannot be taken apart' : 'it begins with no scheme'
}

/** Returns details for a refusal: the received address, the registered ones, and their difference. */
export function comparedWith(registered: readonly string[], received: string, freePort: FreePort = 'of none') {
  const found = nearestUri(received, registered, freePort)
  const nearest = registered.length > 1 ? found?.nearest : undefined
  return { received: withoutValues(received), registered, nearest, difference: found?.difference }
}

/** An address registered for the client, so the browser may be redirected there. */
export type RegisteredUri = Proven<string, 'registered'>

/** Whether `uri` is registered, compared character by character. */
function isRegisteredUri(uri: string, registered: readonly string[]): uri is RegisteredUri {
  return registered.includes(uri)
}

/** A loopback IP address with a port. Does not match a longer name, or a user name before the host. */
const loopbackIp = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/
/** An address on this machine, with or without a port. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/

/**
 * Whether `uri` is registered: equal character by character (RFC 9700 §4.1.3). Only the port of a loopback IP address
 * that is registered without one may differ, because a native app cannot know it in advance (RFC 8252 §7.3). For a
 * client registered as native, the port of every loopback address may differ, that of `localhost` included. `testUri`: the
 * address of the test sign-in that the request belongs to.
 */
export function isRegisteredRedirectUri(
  uri: string,
  { redirectUris, metadata }: Pick<Client, 'redirectUris' | 'metadata'>,
  { testUri }: { readonly testUri?: string } = {},
): uri is RegisteredUri {
  if (uri === testUri) return true
  if (isRegisteredUri(uri, redirectUris) || isBelowWildcard(uri, redirectUris, metadata)) return true
  if (metadata.application_type === 'native') return isRegisteredOnLoopback(uri, redirectUris)
  return loopbackIp.test(uri) && redirectUris.includes(uri.replace(loopbackIp, '$1'))
}

/** The same for the return from a sign-out; without a native client the address is exact. */
export function isRegisteredLogoutUri(uri: string, client: Client | undefined): uri is RegisteredUri {
  if (client === undefined) return false
  const { postLogoutRedirectUris: registered, metadata } = client
  if (isRegisteredUri(uri, registered) || isBelowWildcard(uri, registered, metadata)) return true
  return metadata.application_type === 'native' && isRegisteredOnLoopback(uri, registered)
}

/** Whether an import brought a wildcard that means `uri`. For a native client it does so with any port on this machine. */
function isBelowWildcard(
  uri: string,
  registered: readonly string[],
  { wildcard_uris: wildcards, application_type: type }: Client['metadata'],
): boolean {
  if (wildcards.length === 0) return false
  const isFree = type === 'native' && loopback.test(uri)
  return wildcards.some((pattern) => {
    if (!registered.includes(pattern)) return false
    return isBelow(uri, pattern) || (isFree && loopback.test(pattern) && isBelow(anyPort(uri), anyPort(pattern)))
  })
}

/** Whether only the port differs from a registered address on this machine. */
function isRegisteredOnLoopback(uri: string, registered: readonly string[]): boolean {
  return loopback.test(uri) && registered.some((one) => anyPort(one) === anyPort(uri))
}

const anyPort = (address: string): string => address.replace(loopback, '$1')

/** Decides which redirect URIs a client may register. */
import { type Problem, problem } from '../../problem.ts'
import { checkRedirectUriSyntax } from '../authorization-request/redirect-uri.ts'
import { isLoopbackHost } from '../loopback.ts'

/** The maximum length of the request parameter; a longer address could never be requested. */
const lengthAtMost = 2048

/** The parameters whose values `redirect_uris` and `post_logout_redirect_uris` contain. */
export type AddressParameter = 'redirect_uri' | 'post_logout_redirect_uri'

/** Returns the problem of an address for responses; undefined: none. */
export function registeredUriProblem(uri: string, parameter: AddressParameter): Problem | undefined {
  if (uri.length > lengthAtMost) {
    return problem(
      `${parameter}s`,
      `A ${parameter}`,
      `must have at most ${lengthAtMost} characters; one has ${uri.length}`,
    )
  }
  const fault = syntaxFault(uri, parameter) ?? addressFault(new URL(uri))
  return fault === undefined ? undefined : problem(`${parameter}s`, `The ${parameter} ${JSON.stringify(uri)}`, fault)
}

function syntaxFault(uri: string, parameter: AddressParameter): string | undefined {
  switch (checkRedirectUriSyntax(uri, parameter)?.reason) {
    case undefined:
      return undefined
    case 'redirect_uri_fragment':
      return 'must not have a fragment (#…)'
    case 'redirect_uri_iss':
      return 'must not carry an iss parameter of its own (RFC 9207)'
    default:
      return 'must be an absolute URI such as https://app.example.com/callback'
  }
}

function addressFault({ protocol, hostname, username, password }: URL): string | undefined {
  const isWeb = protocol === 'https:' || protocol === 'http:'
  // RFC 8252 §7.1: a reversed domain name. Requiring the dot also excludes schemes that browsers execute or open
  // themselves.
  if (!isWeb && !protocol.includes('.')) {
    return `must not have the scheme ${protocol} (https, or for a native app one with a dot such as com.example.app, RFC 8252 §7.1)`
  }
  // RFC 9700 §4.1.1: patterns are not supported, and one that can never match would mislead.
  if (hostname.includes('*')) return 'must name its host: it is compared character by character, without patterns'
  if (username !== '' || password !== '') return 'must not contain a user name or password'
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    return 'must start with https:// (http:// is for loopback addresses alone)'
  }
  return undefined
}

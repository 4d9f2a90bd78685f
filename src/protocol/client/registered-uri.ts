/** Decides which redirect URIs a client may register, and what a registered one with a wildcard means. */
import { type Problem, problem } from '../../problem.ts'
import { checkRedirectUriSyntax } from '../authorization-request/redirect-uri.ts'
import { isLoopbackHost } from '../loopback.ts'
import { isWildcard, wildcardFault } from './wildcard-uri.ts'

/** The maximum length of the request parameter; a longer address could never be requested. */
const lengthAtMost = 2048

/** The parameters whose values `redirect_uris` and `post_logout_redirect_uris` contain. */
export type AddressParameter = 'redirect_uri' | 'post_logout_redirect_uri'

/**
 * Who registers an address. `stranger`: a client itself, by dynamic registration, its update or its document. `import`: an
 * import with `--allow-wildcards`; without the option it is an operator.
 */
export type Registrant = 'stranger' | 'operator' | 'import'

/**
 * Schemes that a browser executes, shows or opens itself, or hands to a program that is none of the client's. A code sent there
 * runs as a script, is shown, or is lost. Those of plugins and of single browsers are among them.
 */
const forbiddenSchemes: ReadonlySet<string> = new Set(
  [
    ...[
      'javascript',
      'vbscript',
      'livescript',
      'jscript',
      'data',
      'blob',
      'about',
      'file',
      'filesystem',
      'view-source',
    ],
    ...[
      'jar',
      'mhtml',
      'mk',
      'ms-its',
      'its',
      'res',
      'resource',
      'chrome',
      'edge',
      'opera',
      'moz-icon',
      'wyciwyg',
      'feed',
    ],
    ...['ws', 'wss', 'ftp', 'ftps', 'sftp', 'smb', 'gopher', 'telnet', 'ssh', 'ldap', 'ldaps', 'nfs', 'dict', 'tftp'],
    ...[
      'mailto',
      'tel',
      'sms',
      'callto',
      'facetime',
      'intent',
      'market',
      'search-ms',
      'ms-msdt',
      'shell',
      'urn',
      'cid',
      'mid',
    ],
  ].map((scheme) => `${scheme}:`),
)

/** Returns the problem of an address for responses; undefined: none. */
export function registeredUriProblem(
  uri: string,
  parameter: AddressParameter,
  by: Registrant = 'stranger',
): Problem | undefined {
  if (uri.length > lengthAtMost) {
    return problem(
      `${parameter}s`,
      `A ${parameter}`,
      `must have at most ${lengthAtMost} characters; one has ${uri.length}`,
    )
  }
  const fault = syntaxFault(uri, parameter) ?? addressFault(uri, by)
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

function addressFault(uri: string, by: Registrant): string | undefined {
  const { protocol, hostname, username, password } = new URL(uri)
  if (forbiddenSchemes.has(protocol)) {
    return `must not have the scheme ${protocol}, which no application receives: browsers and systems act on it themselves`
  }
  const isWeb = protocol === 'https:' || protocol === 'http:'
  // RFC 8252 §7.1: a reversed domain name, so that two applications do not claim one scheme by accident.
  if (!isWeb && !protocol.includes('.') && by === 'stranger') {
    return `must not have the scheme ${protocol} (https, or for a native app one with a dot such as com.example.app, RFC 8252 §7.1)`
  }
  // The parser takes `https:host` and `https:\host` for addresses, and others for a path.
  if (isWeb && !/^https?:\/\/[^/\\]/i.test(uri))
    return 'must be an absolute URI such as https://app.example.com/callback'
  // RFC 9700 §4.1.1: a pattern that can never match would mislead.
  if (hostname.includes('*')) return 'must name its host: it is compared character by character, without patterns'
  if (username !== '' || password !== '') return 'must not contain a user name or password'
  if (protocol === 'http:' && !isLoopbackHost(hostname) && by === 'stranger') {
    return 'must start with https:// (http:// is for loopback addresses alone)'
  }
  return isWildcard(uri) ? wildcardFault(uri, by === 'import') : undefined
}

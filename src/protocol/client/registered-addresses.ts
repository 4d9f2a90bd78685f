/** Rules of the lists of addresses that a client registers, and what is risky about them. */
import { type Problem, problem } from '../../problem.ts'
import { isTexts } from '../json-value.ts'
import { isLoopbackHost } from '../loopback.ts'
import { type Client, clientType } from './client.ts'
import { type AddressParameter, type Registrant, registeredUriProblem } from './registered-uri.ts'
import { isWildcard, wildcardFault } from './wildcard-uri.ts'

/** Maximum number of redirect URIs, and of post-logout redirect URIs. */
const itemsAtMost = 100

/** What tells who registers. `allowsHttp` absent: no operator does. */
type Registration = { readonly allowsHttp?: boolean; readonly import?: { readonly wildcards: boolean } }

function registrantOf({ allowsHttp, import: brought }: Registration): Registrant {
  if (brought?.wildcards === true) return 'import'
  return allowsHttp === undefined ? 'stranger' : 'operator'
}

/**
 * Returns the problems of the addresses that the client gets. What it has stays, as long as an operator changes it; of a client that
 * registered itself, what an operator gave it. `stored`: undefined: the client is new.
 */
export function addressProblems(after: Client, stored: Client | undefined, registration: Registration): Problem[] {
  const by = registrantOf(registration)
  const given = stored?.metadata.set_by_operator ?? {}
  const isReplacedByItself = by === 'stranger' && stored !== undefined && stored.metadata.registration !== 'operator'
  const ofOperator = (member: string) => (isTexts(given[member]) ? given[member] : [])
  const { redirectUris: before = [], postLogoutRedirectUris: beforeOut = [] } = stored ?? {}
  return [
    ...listProblems('redirect_uri', after.redirectUris, isReplacedByItself ? ofOperator('redirect_uris') : before, by),
    ...listProblems(
      'post_logout_redirect_uri',
      after.postLogoutRedirectUris,
      isReplacedByItself ? ofOperator('post_logout_redirect_uris') : beforeOut,
      by,
    ),
  ]
}

function listProblems(
  parameter: AddressParameter,
  now: readonly string[],
  before: readonly string[],
  by: Registrant,
): Problem[] {
  if (now.length > itemsAtMost) {
    const what = parameter === 'redirect_uri' ? 'redirect URIs' : 'post-logout redirect URIs'
    return [problem(`${parameter}s`, 'A client', `has at most ${itemsAtMost} ${what}`)]
  }
  const added = now.filter((uri) => !before.includes(uri))
  return added.map((uri) => registeredUriProblem(uri, parameter, by)).filter((found) => found !== undefined)
}

/** Returns the client with a note of its addresses that are wildcards: those that an import brings, as long as they are there. */
export function withWildcards(after: Client, stored: Client | undefined, registration: Registration): Client {
  const addresses = [...new Set([...after.redirectUris, ...after.postLogoutRedirectUris])]
  const known = stored?.metadata.wildcard_uris ?? []
  const isBrought = registrantOf(registration) === 'import'
  const wildcards = addresses.filter(
    (uri) => known.includes(uri) || (isBrought && isWildcard(uri) && wildcardFault(uri, true) === undefined),
  )
  const isSame = JSON.stringify(wildcards) === JSON.stringify(after.metadata.wildcard_uris)
  return isSame ? after : { ...after, metadata: { ...after.metadata, wildcard_uris: wildcards } }
}

/** What is registered against a recommendation, because an operator or an import said so. */
export type RegisteredRisk = {
  readonly member: 'redirect_uris' | 'post_logout_redirect_uris' | 'require_pkce'
  /** A sentence that begins with the member. */
  readonly message: string
}

/** Returns the risks in how the client is registered. */
export function registeredRisks(client: Client): RegisteredRisk[] {
  const { redirectUris, postLogoutRedirectUris, metadata, requirePkce } = client
  const wildcards = metadata.wildcard_uris
  return [
    ...risksOf('redirect_uris', redirectUris, wildcards),
    ...risksOf('post_logout_redirect_uris', postLogoutRedirectUris, wildcards),
    ...(requirePkce || clientType(client) === 'confidential' ? [] : [withoutPkce]),
  ]
}

const withoutPkce: RegisteredRisk = {
  member: 'require_pkce',
  message:
    'require_pkce is false for a public client: whoever gets hold of a code of it can redeem it (RFC 9700 §2.1.1). Once the application uses PKCE, set it to true, which cannot be taken back.',
}

function risksOf(
  member: 'redirect_uris' | 'post_logout_redirect_uris',
  uris: readonly string[],
  wildcards: readonly string[],
): RegisteredRisk[] {
  const risk = (found: readonly string[], what: string): RegisteredRisk[] =>
    found.length === 0 ? [] : [{ member, message: `${member} has ${found.join(', ')}: ${what}.` }]
  const parsed = uris.map((uri) => [uri, new URL(uri)] as const)
  const plain = parsed.filter(([, { protocol, hostname }]) => protocol === 'http:' && !isLoopbackHost(hostname))
  const undotted = parsed.filter(([, { protocol }]) => !/^https?:$/.test(protocol) && !protocol.includes('.'))
  const isRedirect = member === 'redirect_uris'
  const read = isRedirect ? 'whoever is on the way reads the codes that are sent there' : 'it can be changed on its way'
  return [
    ...risk(
      plain.map(([uri]) => uri),
      `plain http, so ${read}`,
    ),
    ...risk(
      undotted.map(([uri]) => uri),
      'a scheme without a dot, which any other application on the device may claim, too (RFC 8252 §7.1)',
    ),
    ...risk(
      uris.filter((uri) => wildcards.includes(uri)),
      'every path below it is accepted, so that one page there which redirects on gives away codes (RFC 9700 §4.1.1). Register the addresses that are in use, and remove it',
    ),
  ]
}

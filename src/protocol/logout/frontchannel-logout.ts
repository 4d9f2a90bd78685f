/** Where the page of a client for sign-outs may be (OpenID Connect Front-Channel Logout 1.0 §2). */
import { type Problem, problem } from '../../problem.ts'
import type { Client } from '../client/client.ts'

/**
 * Returns the problem of an address whose scheme, host and port are those of no redirect URI; undefined: none. The
 * standard demands it. Dynamic registration refuses such an address, an operator is warned.
 */
export function frontchannelProblem({ redirectUris, metadata }: Client): Problem | undefined {
  const address = metadata.frontchannel_logout_uri
  if (address === null || redirectUris.some((uri) => isSameOrigin(uri, address))) return undefined
  const fault =
    'must have the scheme, host and port of one of its redirect URIs (OpenID Connect Front-Channel Logout §2)'
  return problem('frontchannel_logout_uri', 'The frontchannel_logout_uri of a client', fault)
}

/** `URL.origin` does not tell private-use schemes apart. */
function isSameOrigin(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)]
  return first.protocol === second.protocol && first.host === second.host
}

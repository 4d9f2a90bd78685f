/** Access tokens in requests to resources (RFC 6750 §2, RFC 9449 §7.1), and the challenges in responses (§3). */

import { ParameterReader, type Parameters } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { proofAlgorithms } from './dpop.ts'

/** A token as sent, and the header or parameter that contained it. */
export type PresentedToken = {
  readonly token: string
  readonly parameter: 'Authorization' | 'access_token'
  readonly scheme: TokenScheme
}

export type TokenScheme = 'Bearer' | 'DPoP'

const credentials = /^(Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * Reads the token from the Authorization header (§2.1) or from the form (§2.2); a resource without forms passes an
 * empty form. Returns undefined if none was sent or it is malformed. Refuses a token that was sent twice.
 */
export function readBearerToken(
  authorization: string | undefined,
  form: Parameters,
): PresentedToken | Refusal | undefined {
  const [, scheme, fromHeader] = credentials.exec(authorization ?? '') ?? []
  const reader = new ParameterReader(form)
  const fromForm = reader.optional('access_token')
  if (reader.fault !== undefined) return reader.fault
  if (fromHeader !== undefined && fromForm !== null) return refuse('parameter_repeated', 'access_token', { times: 2 })
  if (fromHeader !== undefined) {
    return { token: fromHeader, parameter: 'Authorization', scheme: isDPoP(scheme) ? 'DPoP' : 'Bearer' }
  }
  return fromForm === null ? undefined : { token: fromForm, parameter: 'access_token', scheme: 'Bearer' }
}

/** RFC 9110 §11.1: names of schemes are case-insensitive. */
function isDPoP(scheme: string | undefined): boolean {
  return scheme?.toLowerCase() === 'dpop'
}

/** Returns the scheme of the challenge: DPoP for a request that uses it, and for a token that needs it. */
export function challengeScheme(
  { authorization, dpop }: { readonly authorization?: string | undefined; readonly dpop?: unknown },
  refusal: Refusal | undefined,
): TokenScheme {
  const usesDPoP = dpop !== undefined || isDPoP(/^\w+/.exec(authorization ?? '')?.[0])
  return usesDPoP || refusal?.reason === 'access_token_bound' ? 'DPoP' : 'Bearer'
}

/**
 * Returns the value of WWW-Authenticate. Without a token in the request it has no error (§3.1). `metadataUri`: the
 * resource's metadata (RFC 9728 §5.1). `more`: further parameters.
 */
export function bearerChallenge(
  refusal: Refusal | undefined,
  scheme: TokenScheme = 'Bearer',
  metadataUri?: string,
  more: readonly string[] = [],
): string {
  const parameters = scheme === 'DPoP' ? [`algs="${proofAlgorithms.join(' ')}"`] : []
  if (metadataUri !== undefined) parameters.push(`resource_metadata="${metadataUri}"`)
  if (refusal !== undefined) {
    const description = refusal.description.slice(`${refusal.id}: `.length)
    parameters.unshift(`error="${refusal.error}"`, `error_description="${description}"`)
  }
  parameters.push(...more)
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`
}

/** Bearer access tokens in requests to resources (RFC 6750 §2), and the challenges that answer them (§3). */
import { ParameterReader, type Parameters } from './parameters.ts'
import { type Refusal, refuse } from './refusals/index.ts'

/** A token as it was sent, and the header or parameter that held it. */
export type PresentedToken = { readonly token: string; readonly parameter: 'Authorization' | 'access_token' }

/**
 * The token of the Authorization header (§2.1) or of the form (§2.2), which a resource without forms passes as empty.
 * Undefined: none was sent, or it has not the syntax of one. Refuses a token that was sent twice.
 */
export function readBearerToken(
  authorization: string | undefined,
  form: Parameters,
): PresentedToken | Refusal | undefined {
  const fromHeader = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization ?? '')?.[1]
  const reader = new ParameterReader(form)
  const fromForm = reader.optional('access_token')
  if (reader.fault !== undefined) return reader.fault
  if (fromHeader !== undefined && fromForm !== null) return refuse('parameter_repeated', 'access_token', { times: 2 })
  if (fromHeader !== undefined) return { token: fromHeader, parameter: 'Authorization' }
  return fromForm === null ? undefined : { token: fromForm, parameter: 'access_token' }
}

/** The value of WWW-Authenticate. A request without a token is told the scheme and nothing else (§3.1). */
export function bearerChallenge(refusal: Refusal | undefined): string {
  if (refusal === undefined) return 'Bearer'
  const description = refusal.description.slice(`${refusal.id}: `.length)
  return `Bearer error="${refusal.error}", error_description="${description}"`
}

/** Bearer access tokens in requests to resources (RFC 6750 §2), and the challenges in responses (§3). */
import { ParameterReader, type Parameters } from './parameters.ts'
import { type Refusal, refuse } from './refusals/index.ts'

/** A token as sent, and the header or parameter that contained it. */
export type PresentedToken = { readonly token: string; readonly parameter: 'Authorization' | 'access_token' }

/**
 * Reads the token from the Authorization header (§2.1) or from the form (§2.2); a resource without forms passes an
 * empty form. Returns undefined if none was sent or it is malformed. Refuses a token that was sent twice.
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

/** Returns the value of WWW-Authenticate. Without a token in the request it names only the scheme (§3.1). */
export function bearerChallenge(refusal: Refusal | undefined): string {
  if (refusal === undefined) return 'Bearer'
  const description = refusal.description.slice(`${refusal.id}: `.length)
  return `Bearer error="${refusal.error}", error_description="${description}"`
}

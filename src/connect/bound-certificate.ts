/** Access tokens that are bound to the client's certificate (RFC 8705 §3). */
import type { Request } from '../http/request.ts'
import type { RequestingClient } from '../protocol/client/client.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Confirmation } from '../protocol/token/confirmation.ts'
import { readClientCertificate } from '../tokens/client-certificate.ts'

/** Returns the certificate to which the client's tokens are bound; null: it is not registered for that. */
export function certificateFor(http: Request, client: RequestingClient): Confirmation | Refusal | null {
  if (!client.metadata.tls_client_certificate_bound_access_tokens) return null
  const certificate = readClientCertificate(http.clientCertificate)
  const detail = { client: client.id, rule: 'its access tokens are bound to a certificate' }
  if (certificate === undefined) return refuse('client_certificate_missing', '', detail)
  if (certificate === 'malformed') return refuse('client_certificate_malformed', '', detail)
  return { 'x5t#S256': certificate.thumbprint }
}

/** Returns the refusal of a token that is bound to another certificate than that of the request. */
export function checkCertificate(http: Request, thumbprint: string, parameter: string): Refusal | undefined {
  const certificate = readClientCertificate(http.clientCertificate)
  if (certificate === undefined || certificate === 'malformed') {
    return refuse('access_token_certificate', parameter, {
      rule: `the certificate of the request is ${certificate ?? 'missing'}`,
    })
  }
  if (certificate.thumbprint === thumbprint) return undefined
  return refuse('access_token_certificate', parameter, { rule: 'the request has another certificate' })
}

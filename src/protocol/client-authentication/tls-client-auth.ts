import { type Refusal, refuse } from '../refusals/index.ts'
import { type ClientCertificate, hasRegisteredName } from './client-certificate.ts'
import type { AuthenticationDetail, ClientAuthenticationMethod, VerificationContext } from './method.ts'
import type { KeyAuthentication } from './registered.ts'

/** `client_id` in the body, and a certificate in TLS (RFC 8705 §2). */
export type CertificateCredentials = {
  readonly method: 'tls_client_auth' | 'self_signed_tls_client_auth'
  readonly clientId: string
}

/** The proxy verified the chain of the certificate; its name is the registered one (RFC 8705 §2.1). */
export const tlsClientAuth: ClientAuthenticationMethod<CertificateCredentials, KeyAuthentication> = {
  registeredAs: 'tls_client_auth',
  // The request looks like that of a public client; the registration says that the certificate counts.
  read: () => undefined,
  async verify(_credentials, _registered, detail, context) {
    const certificate = presentedCertificate(detail, context)
    if ('reason' in certificate) return certificate
    const { nowMs, metadata } = context
    const { validFromMs, validUntilMs, subject } = certificate
    const received = subject.replaceAll('\n', ', ')
    if (nowMs < validFromMs || nowMs > validUntilMs) {
      return refuse('client_certificate_mismatch', '', { ...detail, received, rule: 'it is not valid at this time' })
    }
    if (hasRegisteredName(certificate, metadata)) return undefined
    const rule = 'it has not the registered name'
    return refuse('client_certificate_mismatch', '', { ...detail, received, rule })
  },
}

/** Returns the certificate of the request. */
export function presentedCertificate(
  detail: AuthenticationDetail,
  { certificate }: VerificationContext,
): ClientCertificate | Refusal {
  const presented = certificate()
  if (presented === undefined) return refuse('client_certificate_missing', '', detail)
  return presented === 'malformed' ? refuse('client_certificate_malformed', '', detail) : presented
}

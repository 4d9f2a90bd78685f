import { refuse } from '../refusals/index.ts'
import { isKeyOf } from './client-certificate.ts'
import type { ClientAuthenticationMethod } from './method.ts'
import type { KeyAuthentication } from './registered.ts'
import { type CertificateCredentials, presentedCertificate } from './tls-client-auth.ts'

/** The certificate, or its key, is among the keys of the client (RFC 8705 §2.2). No authority vouches for it. */
export const selfSignedTlsClientAuth: ClientAuthenticationMethod<CertificateCredentials, KeyAuthentication> = {
  registeredAs: 'self_signed_tls_client_auth',
  read: () => undefined,
  async verify(_credentials, _registered, detail, context) {
    const certificate = presentedCertificate(detail, context)
    if ('reason' in certificate) return certificate
    const fault = await context.keyFault((key) => isKeyOf(certificate, key), context.metadata)
    return fault === undefined ? undefined : refuse('client_certificate_mismatch', '', { ...detail, rule: fault })
  },
}
